"""Chapter 6: when two words become similar, and how its neighbours change a word."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from qkvlib.models import OneHead, Stack, TiedHead
from qkvlib.tasks import Agreement, Attribute, BankSense, MaskedWord
from qkvlib.tasks.agreement import GENDERS, NOUNS
from qkvlib.tasks.attributes import WORDS
from qkvlib.tasks.senses import BANK, MONEY, N_TOPIC, RIVER, texts
from qkvlib.training.optimisers import adam
from tests.experiments.ch05_one_head import agreement
from tests.experiments.claims import claim
from tests.experiments.runs import Run, cosines, once, trained, within_and_across


@once
def _king_and_queen(seed: int, asks: Literal["royal", "female", "who"]) -> float:
    """Return the cosine of king and queen in the embedding, after training on one question."""
    task = Attribute(asks)
    model = OneHead(task.n_tokens, task.n_answers, d_model=8, seed=seed)
    run = trained(model, task, 300, adam(0.02), seed)
    assert run.after.accuracy > 0.99, f"{task} was not learned: {run.after}"
    similar = cosines(run.model.embedding[: len(WORDS)])
    return float(similar[WORDS.index("king"), WORDS.index("queen")])


@claim("06", "king and queen, trained on 'royal?': cosine", at_least=0.3)
def royal(seed: int) -> float:
    return _king_and_queen(seed, "royal")


@claim("06", "king and queen, trained on 'female?': cosine", at_most=-0.3)
def female(seed: int) -> float:
    return _king_and_queen(seed, "female")


@claim("06", "king and queen, 'royal?' over 'who is it?': difference of cosines", at_least=0.1)
def who(seed: int) -> float:
    return _king_and_queen(seed, "royal") - _king_and_queen(seed, "who")


def _gap(vectors: Tensor, group: Tensor) -> float:
    within, across = within_and_across(cosines(vectors), group)
    return within - across


@claim("06", "nouns through W_K: cosine within a class less that across (0.77 + 0.77)", at_least=0.8)
def keys_by_class(seed: int) -> float:
    model = agreement(seed).model
    kind = torch.arange(len(NOUNS)) // 6  # animals first, then places
    return _gap(model.embedding[: len(NOUNS)] @ model.w_k, kind)


@claim("06", "agreement with W_K = W_V, d_k = d_model: accuracy (no third matrix needed)", at_least=0.97)
def one_matrix_for_keys_and_values(seed: int) -> float:
    task = Agreement(seed)
    model = TiedHead(task.n_tokens, task.n_answers, d_model=12, spread=0.1, seed=seed, tied="w_k w_v")
    return trained(model, task, 300, adam(0.02), seed).after.accuracy


@claim("06", "nouns through W_V: cosine within a gender less that across (0.93 + 0.44)", at_least=0.8)
def values_by_gender(seed: int) -> float:
    model = agreement(seed).model
    gender = torch.tensor([GENDERS.index(german.split()[0]) for german in NOUNS.values()])
    return _gap(model.embedding[: len(NOUNS)] @ model.w_v, gender)


@once
def bank(seed: int, n_layers: int) -> Run:
    task = BankSense()
    model = Stack(task.n_tokens, task.n_answers, n_layers=n_layers, seed=seed)
    return trained(model, task, 300, adam(0.01), seed)


def _banks(model: Stack) -> tuple[Tensor, Tensor]:
    """Return the vectors of "bank" in 500 texts after the layers, and the topics of the texts."""
    words, topic = texts(500, torch.Generator().manual_seed(99))
    return model.contextual(words)[0][words == BANK], topic[:, 0]


@claim("06", "bank as Ufer or Bank: accuracy", at_least=0.99)
def bank_accuracy(seed: int) -> float:
    return bank(seed, 1).after.accuracy


@claim("06", "bank without attention: accuracy", at_most=0.6)
def bank_without(seed: int) -> float:
    return bank(seed, 0).after.accuracy


@claim("06", "bank after attention: cosine within a sense", at_least=0.9)
def bank_within(seed: int) -> float:
    vectors, sense = _banks(bank(seed, 1).model)  # type: ignore[arg-type]
    return within_and_across(cosines(vectors), sense)[0]


@claim("06", "bank after attention: cosine across senses", at_most=0.5)
def bank_across(seed: int) -> float:
    vectors, sense = _banks(bank(seed, 1).model)  # type: ignore[arg-type]
    return within_and_across(cosines(vectors), sense)[1]


@once
def masked(seed: int) -> Run:
    task = MaskedWord()
    model = Stack(task.n_tokens, task.n_answers, n_layers=2, seed=seed)
    return trained(model, task, 600, adam(0.01), seed)


@claim("06", "masked word, two layers: guesses of the text's topic", at_least=0.99)
def masked_topic(seed: int) -> float:
    task = MaskedWord()
    words, topic = texts(1000, torch.Generator().manual_seed(99))
    of_topic = (words > BANK) & (words <= len(RIVER) + len(MONEY))
    both = of_topic.sum(1) == 2  # one is hidden, the other reveals the topic
    words, topic, of_topic = words[both], topic[both], of_topic[both]
    hidden = of_topic.float().argmax(1, keepdim=True)  # the first of the two topic words
    logits = masked(seed).model(*task.hide(words, hidden).inputs).logits
    rows = logits.take_along_dim(hidden[..., None], dim=1)[:, 0]
    chances = rows.softmax(-1)[:, 1 : 1 + 2 * N_TOPIC].unflatten(-1, (2, N_TOPIC)).sum(-1)
    return float((chances.argmax(-1) == topic[:, 0]).float().mean())


@claim("06", "masked word: the nearest 'bank' has the same sense, never told", at_least=0.95)
def masked_sense(seed: int) -> float:
    vectors, sense = _banks(masked(seed).model)  # type: ignore[arg-type]
    similar = cosines(vectors).fill_diagonal_(-9)
    return float((sense[similar.argmax(1)] == sense).float().mean())
