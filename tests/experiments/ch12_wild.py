"""Chapter 12: some heads of MiniLM, recomputed from the extract that ships."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.attention import attention_weights, scaled_dot_product_attention
from qkvlib.models.minilm import Trial, minilm_embedding, minilm_heads, minilm_trials
from tests.experiments.claims import claim


def recomputed(what: str) -> Tensor:
    """The attention map of one head, from x, W_Q, W_K and W_V."""
    head = minilm_heads()[what]
    q, k, v = head.x @ head.w_q + head.b_q, head.x @ head.w_k + head.b_k, head.x @ head.w_v
    return scaled_dot_product_attention(q, k, v + head.b_v)[1]


def _from_its_to(what: str) -> float:
    tokens = minilm_heads()[what].tokens
    return float(recomputed(what)[tokens.index("its"), tokens.index(what)])


@claim(
    "12", "recomputed maps against the model's own: largest difference", at_most=6e-4, most_seeds=1
)
def same_maps(seed: int) -> float:
    heads = minilm_heads()
    return max(float((recomputed(what) - heads[what].weights).abs().max()) for what in heads)


@claim("12", "layer 0 head 2: weight on the previous word", at_least=0.99, most_seeds=1)
def previous(seed: int) -> float:
    return float(recomputed("previous word").diagonal(-1)[1:-1].mean())


@claim("12", "layer 3 head 1: weight from its to law", at_least=0.79, most_seeds=1)
def law(seed: int) -> float:
    return _from_its_to("law")


@claim("12", "layer 2 head 1: weight from its to application", at_least=0.88, most_seeds=1)
def application(seed: int) -> float:
    return _from_its_to("application")


@claim("12", "layer 0 head 4: weight from reads to book, the words shuffled", at_least=0.45)
def book_in_any_order(seed: int) -> float:
    head, embedding = minilm_heads()["what is done"], minilm_embedding()
    words = embedding.split("he reads a book and drinks coffee in the kitchen")
    order = 1 + torch.randperm(len(words) - 2, generator=torch.Generator().manual_seed(seed))
    words[1:-1] = [words[place] for place in order]
    x = embedding.x(words)
    weights = attention_weights(x @ head.w_q + head.b_q, x @ head.w_k + head.b_k)
    return float(weights[words.index("reads"), words.index("book")])


@claim(
    "12",
    "W = I on real vectors: tokens whose best match is themselves",
    at_least=0.99,
    most_seeds=1,
)
def identity(seed: int) -> float:
    x = minilm_heads()["law"].x
    return float(((x @ x.T).argmax(1) == torch.arange(len(x))).float().mean())


@claim("12", "... through the head's own W_Q and W_K", at_most=0.1, most_seeds=1)
def not_identity(seed: int) -> float:
    weights = recomputed("law")
    return float((weights.argmax(1) == torch.arange(len(weights))).float().mean())


def _finds(trial: Trial) -> bool:
    """Whether layer 3 head 1 finds the owner, from the x that was kept."""
    head = minilm_heads()["law"]
    assert trial.x is not None
    q, k = trial.x @ head.w_q + head.b_q, trial.x @ head.w_k + head.b_k
    row = scaled_dot_product_attention(q, k, k)[1][trial.tokens.index(trial.word)]
    rest = [row[trial.tokens.index(other)] for other in trial.others]
    return bool(row[trial.tokens.index(trial.noun)] > max(rest))


@claim("12", "layer 3 head 1: owners found in ten new sentences", at_least=9, most_seeds=1)
def owners(seed: int) -> float:
    return sum(map(_finds, minilm_trials("owner")))


@claim("12", "... with the owner moved away from the second place", at_least=9, most_seeds=1)
def moved_owners(seed: int) -> float:
    return sum(map(_finds, minilm_trials("moved")))


@claim("12", "tired or wide: the best of 72 heads, of ten sentences", at_most=8, most_seeds=1)
def pronouns(seed: int) -> float:
    return float(torch.stack([t.finds for t in minilm_trials("pronoun")]).sum(0).max())
