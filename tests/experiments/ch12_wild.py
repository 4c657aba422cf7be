"""Chapter 12: recompute some heads of MiniLM from the extract that ships."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.attention import attention_weights, scaled_dot_product_attention
from qkvlib.models.minilm import Trial, minilm_embedding, minilm_heads, minilm_trials
from tests.experiments.claims import claim


def recomputed(what: str) -> Tensor:
    """Return the attention map of one head, from x, W_Q, W_K and W_V."""
    head = minilm_heads()[what]
    q, k, v = head.x @ head.w_q + head.b_q, head.x @ head.w_k + head.b_k, head.x @ head.w_v
    return scaled_dot_product_attention(q, k, v + head.b_v)[1]


def _from_its_to(what: str) -> float:
    tokens = minilm_heads()[what].tokens
    return float(recomputed(what)[tokens.index("its"), tokens.index(what)])


@claim("12", "recomputed maps against the model's own: largest difference", at_most=6e-4, most_seeds=1)
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


@claim("12", "W = I on real vectors: tokens whose best match is themselves", at_least=0.99, most_seeds=1)
def identity(seed: int) -> float:
    x = minilm_heads()["law"].x
    return float(((x @ x.T).argmax(1) == torch.arange(len(x))).float().mean())


@claim("12", "... through the head's own W_Q and W_K", at_most=0.1, most_seeds=1)
def not_identity(seed: int) -> float:
    weights = recomputed("law")
    return float((weights.argmax(1) == torch.arange(len(weights))).float().mean())


def _finds(trial: Trial) -> bool:
    """Return whether layer 3 head 1 finds the owner, from the x that was kept."""
    head = minilm_heads()["law"]
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


def _parts(tokens: list[str]) -> list[Tensor]:
    """Split the x of layer 0 into a sum: of the word, of the position, and what all tokens share."""
    embedding = minilm_embedding()
    word = embedding.words[[embedding.pieces.index(token) for token in tokens]].double()
    place = embedding.places[: len(tokens)].double()
    size = (word + place).std(dim=-1, correction=0, keepdim=True)
    normed = [(part - part.mean(-1, keepdim=True)) / size * embedding.norm_weight for part in (word, place)]
    return [*normed, embedding.norm_bias.double().expand_as(word)]


def _pieces(what: str, tokens: list[str]) -> Tensor:
    """Split each score of a head into nine pieces: each part of the query with each part of the key."""
    head = minilm_heads()[what]
    q, k = ([part @ w.double() for part in _parts(tokens)] for w in (head.w_q, head.w_k))
    q[2], k[2] = q[2] + head.b_q, k[2] + head.b_k
    return torch.stack([torch.stack([one @ other.T for other in k]) for one in q]) / 32**0.5


def _lifted(made: Tensor, asks: int, answers: int) -> Tensor:
    """Return how much each piece lifts a key above the mean of the others."""
    row = made[:, :, asks]
    return row[..., answers] - (row.sum(-1) - row[..., answers]) / (row.shape[-1] - 1)


@claim("12", "layer 0: nine pieces add up to the score, off by", at_most=1e-5, most_seeds=1)
def pieces_add_up(seed: int) -> float:
    tokens, off = list(minilm_heads()["law"].tokens), 0.0
    for what in ("previous word", "what is done"):
        head, x = minilm_heads()[what], minilm_embedding().x(tokens).double()
        scores = (x @ head.w_q.double() + head.b_q) @ (x @ head.w_k.double() + head.b_k).T
        off = max(off, float((_pieces(what, tokens).sum((0, 1)) - scores / 32**0.5).abs().max()))
    return off


@claim("12", "layer 0 head 2: share of place with place in the lift", at_least=0.9, most_seeds=1)
def by_place(seed: int) -> float:
    tokens = list(minilm_heads()["law"].tokens)
    made = _pieces("previous word", tokens)
    lifts = torch.stack([_lifted(made, i, i - 1) for i in range(2, len(tokens))])
    return float(lifts.mean(0)[1, 1] / lifts.mean(0).sum())


PAIRS = {
    "He reads a book, and she drinks coffee in the kitchen.": ("reads book", "drinks coffee"),
    "in reads and book the kitchen he coffee a drinks": ("reads book",),
    "she wrote a letter and sang a song": ("wrote letter", "sang song"),
    "the boy opened the door and ate the cake": ("opened door", "ate cake"),
}


@claim("12", "layer 0 head 4: word with word, above the next largest piece", at_least=1, most_seeds=1)
def by_word(seed: int) -> float:
    least = float("inf")
    for sentence, pairs in PAIRS.items():
        tokens = minilm_embedding().split(sentence)
        made = _pieces("what is done", tokens)
        for pair in pairs:
            word, *others = _lifted(made, *map(tokens.index, pair.split())).flatten().tolist()
            least = min(least, word - max(others))
    return least


@claim("12", "another b_K: largest change of a weight", at_most=1e-5)
def any_b_k(seed: int) -> float:
    return _with_other_bias(seed, "b_k")


@claim("12", "another b_Q: largest change of a weight", at_least=0.1)
def any_b_q(seed: int) -> float:
    return _with_other_bias(seed, "b_q")


def _with_other_bias(seed: int, name: str) -> float:
    """Return how far a weight of layer 3 head 1 moves when one of its biases is drawn at random."""
    head = minilm_heads()["law"]
    own = {"b_q": head.b_q, "b_k": head.b_k}
    drawn = {name: torch.randn(32, generator=torch.Generator().manual_seed(seed))}

    def weights(b_q: Tensor, b_k: Tensor) -> Tensor:
        return attention_weights(head.x @ head.w_q + b_q, head.x @ head.w_k + b_k)

    return float((weights(**own) - weights(**own | drawn)).abs().max())
