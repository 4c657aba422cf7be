"""Chapter 15: what a cache keeps from word to word, what heads may share, and softmax in blocks."""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.cached import attend_with_cache, attention_in_blocks, grouped_query_attention
from qkvlib.masks import causal_mask
from qkvlib.models import Pronouncer, SharingHeads
from qkvlib.models.blocks import attend, feed_forward, layer_norm, part_of
from qkvlib.multi_head import split_heads
from qkvlib.tasks import TwoQuestions
from qkvlib.tasks.pronunciation import END, SOUNDS, START, letters, words_of
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


def _drawn(seed: int, *sizes: tuple[int, ...]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes]


@claim("15", "one query at a time over kept rows, and the masked pass: apart", at_most=1e-12)
def one_at_a_time(seed: int) -> float:
    x, w_q, w_k, w_v = _drawn(seed, (64, 16), (16, 16), (16, 16), (16, 16))
    k, v = x.new_empty(0, 16), x.new_empty(0, 16)
    rows = []
    for row in x.split(1):
        output, k, v = attend_with_cache(row, w_q, w_k, w_v, k, v)
        rows.append(output)
    whole, _ = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, causal_mask(64))
    return float((torch.cat(rows) - whole).abs().max())


@claim("15", "softmax in blocks of 8, and attention whole: apart", at_most=1e-12)
def in_blocks(seed: int) -> float:
    q, k, v = _drawn(seed, (64, 16), (64, 16), (64, 16))
    whole, _ = scaled_dot_product_attention(q, k, v)
    return float((attention_in_blocks(q, k, v, 8) - whole).abs().max())


def _moved(seed: int, causal: bool, layer: int) -> float:
    """Return how far the keys of eight words move in a layer when a ninth arrives."""
    x, *w = _drawn(seed, (9, 16), *[(16, 16)] * 6)
    w = [one / 4 for one in w]

    def keys(n: int) -> Tensor:
        mask = causal_mask(n) if causal else None
        here = x[:n]
        if layer == 2:
            here = here + scaled_dot_product_attention(*(here @ one for one in w[:3]), mask)[0]
        return here @ w[3 * layer - 2]

    return float((keys(9)[:8] - keys(8)).abs().max())


@claim("15", "with a causal mask: keys of earlier words moved by a new one, layer 2", at_most=1e-12)
def masked_keys_stay(seed: int) -> float:
    return _moved(seed, causal=True, layer=2)


@claim("15", "no mask, layer 1: keys of earlier words moved by a new one", at_most=1e-12)
def first_keys_stay(seed: int) -> float:
    return _moved(seed, causal=False, layer=1)


@claim("15", "no mask, layer 2: keys of earlier words moved by a new one", at_least=0.05)
def second_keys_move(seed: int) -> float:
    return _moved(seed, causal=False, layer=2)


@cache
def _pronouncer() -> Pronouncer:
    return Pronouncer.pretrained()


@torch.no_grad()
def _spoken(word: str, stuck: bool = False) -> list[str]:
    """Read a word aloud with a cache for each head; `stuck` restarts positions from 0 in each round."""
    model = _pronouncer()
    memory, _ = model.encode(letters([word]))
    own, cross = part_of(model.weights, "decoder"), part_of(model.weights, "cross")
    w_q, w_k, w_v = (split_heads(own[name], model.n_heads) for name in ("w_q", "w_k", "w_v"))
    kept = [(torch.empty(0, 16), torch.empty(0, 16))] * model.n_heads
    said = [START]
    while said[-1] != END and len(said) < model.LONGEST:
        place = 0 if stuck else len(said) - 1
        x = model.weights["sounds.embedding"][said[-1:]] + model.weights["sounds.places"][place]
        normed = layer_norm(x, own["norm_gain"], own["norm_shift"])
        heads = [attend_with_cache(normed, *w, *rows) for *w, rows in zip(w_q, w_k, w_v, kept, strict=True)]
        kept = [(k, v) for _, k, v in heads]
        x = x + torch.cat([output for output, _, _ in heads], dim=-1) @ own["w_o"]
        asks = layer_norm(x, cross["norm_gain"], cross["norm_shift"])
        x = x + attend(asks[None], memory, cross, n_heads=1)[0][0]
        x = x + feed_forward(x, own)
        spoken = part_of(model.weights, "spoken")
        last = layer_norm(x, spoken["norm_gain"], spoken["norm_shift"])
        said.append(int((last @ model.read_out).argmax()))
    return [SOUNDS[sound] for sound in said[1:] if sound < START]


def _some_words(seed: int) -> list[str]:
    words = words_of("test")
    generator = torch.Generator().manual_seed(seed)
    chosen = torch.randperm(len(words), generator=generator)[:100]
    return [words[int(i)] for i in chosen]


@claim("15", "words read as before, with a cache", at_least=1.0, most_seeds=10)
def read_with_a_cache(seed: int) -> float:
    words = _some_words(seed)
    same = [_spoken(word) == _pronouncer().pronounce([word])[0] for word in words]
    return sum(same) / len(words)


@claim("15", "words read as before, with places counted from 0", at_most=0.25, most_seeds=10)
def read_with_stuck_places(seed: int) -> float:
    words = _some_words(seed)
    same = [_spoken(word, stuck=True) == _pronouncer().pronounce([word])[0] for word in words]
    return sum(same) / len(words)


@once
def two_heads(seed: int, shared: str) -> Run:
    task = TwoQuestions()
    model = SharingHeads(task.n_tokens, task.n_answers, shared=shared, seed=seed)
    return trained(model, task, 400, adam(0.01), seed)


def both_right(run: Run) -> float:
    """Return how often both answers are right."""
    batch = run.task.test()
    with torch.no_grad():
        logits = run.model(*batch.inputs).logits
    answers = logits.view(*batch.answers.shape, -1).argmax(-1)
    return float((answers == batch.answers).all(-1).float().mean())


def _sharing(shared: str, seed: int) -> float:
    return both_right(two_heads(seed, shared))


for _shared in ("", "w_k", "w_v", "w_k w_v", "w_q", "w_q w_v"):

    @claim("15", f"two heads share {_shared or 'nothing'}: both answers right", at_least=0.95)
    def _enough(seed: int, shared: str = _shared) -> float:
        return _sharing(shared, seed)


for _shared in ("w_q w_k", "w_q w_k w_v"):

    @claim("15", f"two heads share {_shared}: both answers right", at_most=0.3)
    def _too_much(seed: int, shared: str = _shared) -> float:
        return _sharing(shared, seed)


@claim("15", "heads that share keys and values, and grouped queries: apart", at_most=1e-5)
@torch.no_grad()
def grouped(seed: int) -> float:
    run = two_heads(seed, "w_k w_v")
    model = run.model
    assert isinstance(model, SharingHeads)
    inputs = run.task.test(100).inputs
    heads = grouped_query_attention(*model.project(*inputs))
    logits = heads.transpose(1, 2).flatten(2) @ model.w_o
    return float((logits - model(*inputs).logits).abs().max() / math.sqrt(logits.shape[-1]))
