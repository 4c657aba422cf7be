"""Chapter 10: from letters to sounds, and the letters that are attended to."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import pairwise

import torch

from qkvlib.models import Pronouncer
from qkvlib.tasks import Pronunciation
from qkvlib.tasks.pronunciation import dictionary, error_rates, letters, sounds, words_of
from qkvlib.training import train
from qkvlib.training.optimisers import adamw
from tests.experiments.alignment import align
from tests.experiments.claims import claim
from tests.experiments.runs import once


@functools.cache
def pretrained() -> Pronouncer:
    return Pronouncer.pretrained()


@functools.cache
def error() -> tuple[float, float]:
    return error_rates(pretrained().pronounce, words_of("test"))


@dataclass(frozen=True)
class Alignment:
    """The largest weights of cross-attention, compared with the letters that the aligner chose."""

    hits: float
    near: float
    monotone: float
    uniform: float


@torch.no_grad()
def alignment(model: Pronouncer) -> Alignment:
    words = [word for word in words_of("test") if 4 <= len(word) <= 12][::12]
    hits = near = monotone = count = steps = 0
    uniform = 0.0
    for word in words:
        said = dictionary()[word][0]
        heard, _ = sounds([said])
        rows = model(letters([word]), heard).attention["cross"][0, 0, : len(said), : len(word)]
        looked, right = rows.argmax(-1).tolist(), align(word, said)
        hits += sum(a == b for a, b in zip(looked, right, strict=True))
        near += sum(abs(a - b) <= 1 for a, b in zip(looked, right, strict=True))
        monotone += sum(a <= b for a, b in pairwise(looked))
        count, steps = count + len(said), steps + len(said) - 1
        uniform += len(said) / len(word)
    return Alignment(hits / count, near / count, monotone / steps, uniform / count)


@functools.cache
def trained_alignment() -> Alignment:
    return alignment(pretrained())


@claim("10", "the shipped model on all test words: phoneme error", at_most=0.095, most_seeds=1)
def phoneme_error(seed: int) -> float:
    return error()[0]


@claim("10", "the shipped model on all test words: word error", at_most=0.36, most_seeds=1)
def word_error(seed: int) -> float:
    return error()[1]


@claim("10", "sounds whose largest weight is on the aligner's letter", at_least=0.84, most_seeds=1)
def aligned(seed: int) -> float:
    return trained_alignment().hits


@claim("10", "... within one letter", at_least=0.98, most_seeds=1)
def aligned_nearly(seed: int) -> float:
    return trained_alignment().near


@claim("10", "... never going back to an earlier letter", at_least=0.99, most_seeds=1)
def aligned_in_order(seed: int) -> float:
    return trained_alignment().monotone


@claim("10", "... with equal weights for all letters", at_most=0.2, most_seeds=1)
def aligned_by_chance(seed: int) -> float:
    return trained_alignment().uniform


@once
def early(seed: int) -> tuple[float, float]:
    """Return the aligned sounds and phoneme error of a small model after a few seconds' training."""
    model = Pronouncer(n_layers=1, seed=seed)
    train(model, Pronunciation(3, 8, 20_000), 200, adamw(0.005), batch_size=128, seed=seed)
    return alignment(model).hits, error_rates(model.pronounce, short_words()[:500])[0]


@claim("10", "one layer, after 200 steps of 1,500: aligned sounds", at_least=0.65, most_seeds=10)
def aligned_early(seed: int) -> float:
    return early(seed)[0]


@claim("10", "... long before it speaks well: phoneme error", at_least=0.25, most_seeds=10)
def wrong_early(seed: int) -> float:
    return early(seed)[1]


def short_words() -> list[str]:
    return [word for word in words_of("test") if 3 <= len(word) <= 8]


@functools.cache
def quick(seed: int) -> tuple[float, float]:
    """Run the 15-second version: one encoder layer, 20,000 words of 3 to 8 letters."""
    model = Pronouncer(n_layers=1, seed=seed)
    train(model, Pronunciation(3, 8, 20_000), 1500, adamw(0.005), batch_size=128, seed=seed)
    return error_rates(model.pronounce, short_words()[:2000])


@claim(
    "10", "trained on 20,000 short words, 1,500 steps: phoneme error", at_most=0.16, most_seeds=10, long=True
)
def quick_phoneme_error(seed: int) -> float:
    return quick(seed)[0]


@claim("10", "a test word among the training words", at_most=0.0, most_seeds=1)
def overlap(seed: int) -> float:
    return len(set(words_of("train")) & set(words_of("test")))
