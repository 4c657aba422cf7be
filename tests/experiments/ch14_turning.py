"""Chapter 14: three ways to encode positions, beyond the training length, and the effect of length."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import torch
from torch import Tensor

from qkvlib.attention import attention_scores, scaled_dot_product_attention, scores_that_know_length, softmax
from qkvlib.masks import causal_mask
from qkvlib.models import OneHead, PlacedHead
from qkvlib.models.base import Answer
from qkvlib.models.placed_head import Placing
from qkvlib.positions import positional_encoding, rotate_by_position
from qkvlib.tasks import ManyCards, OpeningWord, WordsBack
from qkvlib.training import train_together
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained

TRAINED_ON, LONG = 16, 64


@claim("14", "the same distance at places 5, 50, 500: spread of the score", at_most=1e-13)
def only_the_distance(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 1, 32, generator=generator, dtype=torch.float64)

    def score(place: float) -> float:
        asks, found = torch.tensor([[place], [place - 3]], dtype=torch.float64)
        return float(rotate_by_position(q, asks)[0] @ rotate_by_position(k, found)[0])

    found = [score(place) for place in (5.0, 50.0, 500.0)]
    return (max(found) - min(found)) / float(q.norm() * k.norm())


@claim("14", "turned by a place: change of a row's length", at_most=1e-13)
def lengths_stay(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(5, 16, generator=generator, dtype=torch.float64)
    turned = rotate_by_position(x, torch.arange(100, 105))
    return float((turned.norm(dim=-1) / x.norm(dim=-1) - 1).abs().max())


@once
def three_back(seed: int, positions: Placing) -> Run:
    task = WordsBack(n_words=TRAINED_ON)
    model = PlacedHead(task.n_tokens, task.n_answers, positions=positions, seed=seed)
    return trained(model, task, 200, adam(0.01), seed)


@once
def opening(seed: int, positions: Placing) -> Run:
    task = OpeningWord(n_words=TRAINED_ON)
    model = PlacedHead(task.n_tokens, task.n_answers, positions=positions, seed=seed)
    return trained(model, task, 200, adam(0.01), seed)


@torch.no_grad()
def _right(run: Run, places: slice) -> float:
    """Return the share of right answers at some positions of lines longer than those of training."""
    task = type(run.task)(n_words=LONG)  # type: ignore[call-arg]
    (words,), answers, _ = task.test(200)
    right = run.model(words).logits.argmax(-1) == answers
    return float(right[:, places].float().mean())


WITHIN, BEYOND = slice(3, TRAINED_ON), slice(TRAINED_ON, None)


@claim("14", "three back, learned: right at places of training", at_least=0.98)
def learned_within(seed: int) -> float:
    return _right(three_back(seed, "learned"), WITHIN)


@claim("14", "three back, learned: right beyond them (chance 0.0625)", at_most=0.12)
def learned_beyond(seed: int) -> float:
    return _right(three_back(seed, "learned"), BEYOND)


@claim("14", "three back, sinusoidal: right at places of training", at_least=0.98)
def sinusoidal_within(seed: int) -> float:
    return _right(three_back(seed, "sinusoidal"), WITHIN)


@claim("14", "three back, sinusoidal: right beyond them", at_most=0.7)
def sinusoidal_beyond(seed: int) -> float:
    return _right(three_back(seed, "sinusoidal"), BEYOND)


@claim("14", "three back, sinusoidal beyond them: better than learned, by", at_least=0.05)
def sinusoidal_better(seed: int) -> float:
    return _right(three_back(seed, "sinusoidal"), BEYOND) - learned_beyond(seed)


class Anywhere(PlacedHead):
    """A head with sines whose short training lines begin at a random position."""

    def embed(self, tokens: Tensor) -> Tensor:
        n = tokens.shape[1]
        begin = random.randrange(LONG - n + 1)  # a line of full length begins at 0
        return self.embedding[tokens] + positional_encoding(LONG, self.d_model)[begin : begin + n]


def _sines(seed: int, kind: type[PlacedHead]) -> float:
    random.seed(seed)
    task = WordsBack(n_words=TRAINED_ON)
    model = kind(task.n_tokens, task.n_answers, positions="sinusoidal", seed=seed)
    return _right(trained(model, task, 800, adam(0.01), seed), BEYOND)


@claim("14", "three back, sinusoidal, lines anywhere, 800 steps: right beyond", at_least=0.9, most_seeds=10)
def sines_anywhere(seed: int) -> float:
    return _sines(seed, Anywhere)


@claim("14", "... lines begin at 0, 800 steps: right beyond", at_most=0.7, most_seeds=10)
def sines_longer(seed: int) -> float:
    return _sines(seed, PlacedHead)


@claim("14", "three back, turned: right at places of training", at_least=0.98)
def rotary_within(seed: int) -> float:
    return _right(three_back(seed, "rotary"), WITHIN)


@claim("14", "three back, turned: right beyond them", at_least=0.9)
def rotary_beyond(seed: int) -> float:
    return _right(three_back(seed, "rotary"), BEYOND)


class RotatedValues(PlacedHead):
    """A head with rotary positions that also rotates its values, from some column on."""

    FIRST = 0

    def __call__(self, tokens: Tensor) -> Answer:
        x, positions = self.embed(tokens), torch.arange(tokens.shape[1])
        q, k, v = x @ self.w_q + self.b_q, x @ self.w_k + self.b_k, x @ self.w_v
        q, k, turned = (rotate_by_position(rows, positions) for rows in (q, k, v))
        v = torch.cat([v[..., : self.FIRST], turned[..., self.FIRST :]], dim=-1)
        output, weights = scaled_dot_product_attention(q, k, v, causal_mask(len(positions)))
        return Answer(output @ self.read_out, {"head": weights.unsqueeze(1)})


class SlowValues(RotatedValues):
    """Rotate only the slower half of the pairs in the values."""

    FIRST = 16


@once
def rotated_values(seed: int, kind: type[RotatedValues] = RotatedValues) -> Run:
    task = WordsBack(n_words=TRAINED_ON)
    model = kind(task.n_tokens, task.n_answers, positions="rotary", seed=seed)
    return trained(model, task, 200, adam(0.01), seed)


@claim("14", "three back, values rotated, too: right at places of training", at_least=0.98)
def rotated_values_within(seed: int) -> float:
    return _right(rotated_values(seed), WITHIN)


@claim("14", "three back, the last eight of 64: what rotated values lose", at_least=0)
def lost_far(seed: int) -> float:
    far = slice(56, 64)
    return _right(three_back(seed, "rotary"), far) - _right(rotated_values(seed), far)


@claim("14", "... and what the values lose if only the slower pairs are rotated", at_most=0.02)
def nothing_lost_by_slow_pairs(seed: int) -> float:
    far = slice(56, 64)
    return _right(three_back(seed, "rotary"), far) - _right(rotated_values(seed, SlowValues), far)


@claim("14", "three back, turned: the share of ten other heads that are right beyond", at_least=0.6)
@torch.no_grad()
def most_of_ten_others(seed: int) -> float:
    """The settings were chosen on the seeds from 0 up; these seeds are new, and some of them fail."""
    task, seeds = WordsBack(n_words=TRAINED_ON), range(100 + 10 * seed, 110 + 10 * seed)
    heads = [PlacedHead(task.n_tokens, task.n_answers, positions="rotary", seed=one) for one in seeds]
    with torch.enable_grad():
        train_together(heads, task, 200, adam(0.01), batch_size=32)
    (words,), answers, _ = WordsBack(n_words=LONG).test(200)
    right = [(head(words).logits.argmax(-1) == answers)[:, BEYOND].float().mean() for head in heads]
    return sum(float(one) >= 0.9 for one in right) / len(heads)


@claim("14", "three back, turned: the distance of the average word's best score", at_least=3)
def best_at_least(seed: int) -> float:
    return _best_distance(seed)


@claim("14", "the same, from the other side", at_most=3)
def best_at_most(seed: int) -> float:
    return _best_distance(seed)


def _best_distance(seed: int) -> float:
    head = three_back(seed, "rotary").model
    word = head.embedding.mean(0, keepdim=True)
    q, k = word @ head.w_q + head.b_q, word @ head.w_k + head.b_k
    found = rotate_by_position(k.expand(LONG, -1), LONG - 1 - torch.arange(LONG))
    scores = rotate_by_position(q, torch.tensor([LONG - 1])) @ found.T
    return float(scores.argmax())


@claim("14", "the opening word, turned: right at places of training", at_least=0.98)
def opening_rotary_within(seed: int) -> float:
    return _right(opening(seed, "rotary"), WITHIN)


@claim("14", "the opening word, turned: right beyond them (chance 0.0625)", at_most=0.35)
def opening_rotary_beyond(seed: int) -> float:
    return _right(opening(seed, "rotary"), BEYOND)


@claim("14", "the opening word, learned: right at places of training", at_least=0.98)
def opening_learned_within(seed: int) -> float:
    return _right(opening(seed, "learned"), WITHIN)


@claim("14", "the opening word, learned: right beyond them", at_least=0.7)
def opening_learned_beyond(seed: int) -> float:
    return _right(opening(seed, "learned"), BEYOND)


@once
def six_cards(seed: int) -> Run:
    task = ManyCards()
    model = OneHead(task.n_tokens, task.n_answers, d_model=32, spread=1.0, seed=seed)
    return trained(model, task, 200, adam(0.01), seed, freeze=("embedding",))


def _among(seed: int, n_cards: int, stretched: bool) -> tuple[float, float]:
    """Return the weight on the right card among `n_cards`, and the share of right answers."""
    head = six_cards(seed).model
    assert isinstance(head, OneHead)
    return _asked(head, n_cards, stretched)


@torch.no_grad()
def _asked(head: OneHead, n_cards: int, stretched: bool) -> tuple[float, float]:
    (question, cards), answers, looks_at = ManyCards(n_cards=n_cards).test(200)
    memory = head.embed(cards)
    q, k = head.embed(question) @ head.w_q, memory @ head.w_k
    scores = scores_that_know_length(q, k, 6) if stretched else attention_scores(q, k)
    weights: Tensor = softmax(scores)
    found = (weights @ (memory @ head.w_v) @ head.w_o)[:, 0].argmax(-1) == answers[:, 0]
    mass = weights[:, 0].gather(1, looks_at)
    return float(mass.mean()), float(found.float().mean())


@claim("14", "trained on 6 cards: weight on the right one of 6", at_least=0.93)
def mass_of_six(seed: int) -> float:
    return _among(seed, 6, False)[0]


@claim("14", "the same heads: weight on the right one of 512", at_most=0.65)
def mass_of_many(seed: int) -> float:
    return _among(seed, 512, False)[0]


@claim("14", "each time more cards (6, 32, 128, 512): the least loss of weight", at_least=0.02)
def ever_less(seed: int) -> float:
    masses = [_among(seed, n, False)[0] for n in (6, 32, 128, 512)]
    return min(more - less for more, less in pairwise(masses))


@claim("14", "scores times log n: weight on the right one of 512, gained", at_least=0.15)
def mass_gained(seed: int) -> float:
    return _among(seed, 512, True)[0] - _among(seed, 512, False)[0]


@claim("14", "scores times log n: right answers among 512, gained", at_least=0.05)
def answers_gained(seed: int) -> float:
    return _among(seed, 512, True)[1] - _among(seed, 512, False)[1]


@claim("14", "scores times log n: still less weight among 512 than among 6, by", at_least=0.05)
def not_a_cure(seed: int) -> float:
    return _among(seed, 6, True)[0] - _among(seed, 512, True)[0]


@claim("14", "512 people, their vectors compared as they are: those who fit themselves best", at_least=0.99)
def apart_enough(seed: int) -> float:
    task = ManyCards()
    people = OneHead(task.n_tokens, task.n_answers, d_model=32, spread=1.0, seed=seed).embedding[:512]
    return float(((people @ people.T).argmax(-1) == torch.arange(512)).float().mean())


@claim("14", "trained on 6 cards: the right one of 512 has the largest score", at_most=0.95)
@torch.no_grad()
def largest_among_all(seed: int) -> float:
    head = six_cards(seed).model
    (question, cards), _, looks_at = ManyCards(n_cards=512).test(200)
    assert isinstance(head, OneHead)
    scores = (head.embed(question) @ head.w_q) @ (head.embed(cards) @ head.w_k).mT
    return float((scores[:, 0].argmax(-1) == looks_at[:, 0]).float().mean())


@claim("14", "by formula: weight of one score 5 above 511 others", at_most=0.25, most_seeds=1)
def by_formula(seed: int) -> float:
    return 1 / (1 + 511 * math.exp(-5))
