"""Chapter 7: how order enters the model, and the purpose of a mask."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.attention import project_qkv, scaled_dot_product_attention
from qkvlib.masks import causal_mask, padding_mask
from qkvlib.models import Stack
from qkvlib.models.stack import Positions
from qkvlib.tasks import FirstWord, NextWord
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


def _case(seed: int, n: int = 8) -> tuple[Tensor, tuple[Tensor, Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(2, n, 16, generator=generator, dtype=torch.float64)
    w_q, w_k, w_v = torch.randn(3, 16, 16, generator=generator, dtype=torch.float64) / 4
    return x, (w_q, w_k, w_v)


def _attention(x: Tensor, w: tuple[Tensor, Tensor, Tensor], mask: Tensor | None = None) -> Tensor:
    return scaled_dot_product_attention(*project_qkv(x, *w), mask)[0]


@claim("07", "tokens shuffled before or after attention: largest difference", at_most=1e-12)
def equivariance(seed: int) -> float:
    x, w = _case(seed)
    order = torch.randperm(8, generator=torch.Generator().manual_seed(seed))
    return float((_attention(x[:, order], w) - _attention(x, w)[:, order]).abs().max())


@once
def first_word(seed: int, positions: Positions, layers: int = 1, causal: bool = False) -> Run:
    task = FirstWord()
    steps = 800 if causal or layers == 2 else 400  # a run and its controls get the same
    model = Stack(
        task.n_tokens,
        task.n_answers,
        n_layers=layers,
        causal=causal,
        positions=positions,
        n_places=task.n_words + 1,
        spread=0.1,
        seed=seed,
    )
    return trained(model, task, steps, adam(0.01), seed)


@claim("07", "which word came first, no positions: accuracy (chance 0.167)", at_most=0.22)
def first_without(seed: int) -> float:
    return first_word(seed, "none").after.accuracy


@claim("07", "which word came first, sinusoidal positions: accuracy", at_least=0.99)
def first_sinusoidal(seed: int) -> float:
    return first_word(seed, "sinusoidal").after.accuracy


@claim("07", "which word came first, learned positions: accuracy", at_least=0.99)
def first_learned(seed: int) -> float:
    return first_word(seed, "learned").after.accuracy


@claim("07", "no positions, but two layers and a causal mask: accuracy", at_least=0.99)
def first_causal(seed: int) -> float:
    return first_word(seed, "none", layers=2, causal=True).after.accuracy


@claim("07", "... all attention weights of both layers equal, forever: accuracy", at_least=0.95)
def first_equal_weights(seed: int) -> float:
    task = FirstWord()
    model = Stack(task.n_tokens, task.n_answers, n_layers=2, causal=True, spread=0.1, seed=seed)
    silent = ("layer_1.w_q", "layer_2.w_q")  # queries of zero: every score is zero
    for name in silent:
        model.weights[name].zero_()
    return trained(model, task, 800, adam(0.01), seed, freeze=silent).after.accuracy


@claim("07", "no positions, one layer and a causal mask: accuracy", at_most=0.22)
def first_one_layer_causal(seed: int) -> float:
    return first_word(seed, "none", causal=True).after.accuracy


@claim("07", "no positions, two layers, no mask: accuracy", at_most=0.22)
def first_two_layers(seed: int) -> float:
    return first_word(seed, "none", layers=2).after.accuracy


@once
def next_word(seed: int, causal: bool) -> Run:
    task = NextWord()
    model = Stack(
        task.n_tokens,
        task.n_answers,
        causal=causal,
        positions="learned",
        n_places=task.n_words,
        spread=0.5,
        seed=seed,
    )
    return trained(model, task, 400, adam(0.01), seed)


def _as_trained(run: Run) -> float:
    """Return the accuracy on whole lines, as in training, except for the last place (nothing follows it)."""
    (words,), answers, _ = run.task.test()
    guesses = run.model(words).logits.argmax(-1)
    return float((guesses == answers)[:, :-1].float().mean())


def _in_use(run: Run) -> float:
    """Return the accuracy when only the earlier tokens are given, as when writing."""
    (words,), answers, _ = run.task.test()
    lengths = range(1, words.shape[1])
    right = [run.model(words[:, :n]).logits[:, -1].argmax(-1) == answers[:, n - 1] for n in lengths]
    return float(torch.stack(right).float().mean())


@claim("07", "next word, causal mask: accuracy in training (ceiling 0.7375)", at_least=0.72)
def masked_in_training(seed: int) -> float:
    return _as_trained(next_word(seed, causal=True))


@claim("07", "next word, causal mask: accuracy in use", at_least=0.72)
def masked_in_use(seed: int) -> float:
    return _in_use(next_word(seed, causal=True))


@claim("07", "next word, no mask: accuracy in training", at_least=0.95)
def unmasked_in_training(seed: int) -> float:
    return _as_trained(next_word(seed, causal=False))


@claim("07", "next word, no mask: accuracy in use", at_most=0.3)
def unmasked_in_use(seed: int) -> float:
    return _in_use(next_word(seed, causal=False))


def _leak(seed: int, mask: Tensor | None) -> float:
    """Change the last token; return how much earlier outputs change."""
    x, w = _case(seed)
    other = x.clone()
    other[:, -1] += 10
    return float((_attention(other, w, mask) - _attention(x, w, mask))[:, :-1].abs().max())


@claim("07", "last token changed, causal mask: change of earlier outputs", at_most=0.0)
def no_leak(seed: int) -> float:
    return _leak(seed, causal_mask(8))


@claim("07", "last token changed, no mask: change of earlier outputs", at_least=0.1)
def leak(seed: int) -> float:
    return _leak(seed, None)


@claim("07", "padded and masked against not padded: largest difference", at_most=1e-14)
def padding(seed: int) -> float:
    x, w = _case(seed)
    short = _attention(x[:, :5], w)
    padded = _attention(x, w, padding_mask(torch.tensor([5, 5]), 8))
    return float((padded[:, :5] - short).abs().max())


@claim("07", "attention as messages along a graph's edges: largest difference", at_most=1e-12)
def message_passing(seed: int) -> float:
    x, w = _case(seed)
    q, k, v = project_qkv(x[0], *w)
    output, weights = scaled_dot_product_attention(q, k, v, causal_mask(8))
    received = torch.zeros_like(output)
    for to, source in causal_mask(8).nonzero().tolist():
        received[to] += weights[to, source] * v[source]
    return float((received - output).abs().max())
