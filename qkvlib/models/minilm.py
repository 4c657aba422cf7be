"""Heads of a real transformer, MiniLM, as chapter 12 meets them, and what was tried on it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Bool, Float
from safetensors import safe_open
from torch import Tensor
from torch.nn.functional import layer_norm

from qkvlib.data import FOLDER

MINILM = FOLDER / "minilm.safetensors"


@dataclass(frozen=True)
class RealHead:
    """One head of a trained model, and the vectors that entered it for one sentence.

    q = x @ w_q + b_q, and so on. `weights` is the attention map that the model itself computed.
    """

    layer: int
    head: int
    tokens: tuple[str, ...]
    x: Float[Tensor, "n d_model"]
    w_q: Float[Tensor, "d_model d_k"]
    w_k: Float[Tensor, "d_model d_k"]
    w_v: Float[Tensor, "d_model d_k"]
    b_q: Float[Tensor, " d_k"]
    b_k: Float[Tensor, " d_k"]
    b_v: Float[Tensor, " d_k"]
    weights: Float[Tensor, "n n"]


@dataclass(frozen=True)
class Trial:
    """One sentence that all heads of the model were tried on.

    `finds[layer, head]` says whether `word` gave `noun` more weight than it gave any of `others`.
    `x` is what entered layer 3, where it was kept.
    """

    tokens: tuple[str, ...]
    word: str
    noun: str
    others: tuple[str, ...]
    finds: Bool[Tensor, "layers heads"]
    x: Float[Tensor, "n d_model"] | None


@dataclass(frozen=True)
class RealEmbedding:
    """What makes x of a sentence: a row for each word, a row for each place, and a norm.

    `words[i]` is the vector of `pieces[i]`. The model has 30,522 such rows; these are common words.
    """

    pieces: tuple[str, ...]
    words: Float[Tensor, "n_words d_model"]
    places: Float[Tensor, "n_places d_model"]
    norm_weight: Float[Tensor, " d_model"]
    norm_bias: Float[Tensor, " d_model"]

    def split(self, sentence: str) -> list[str]:
        """The tokens of a sentence, all small, between `[CLS]` and `[SEP]`."""
        tokens = ["[CLS]", *re.findall(r"\w+|[^\w\s]", sentence.lower()), "[SEP]"]
        unknown = sorted(set(tokens) - set(self.pieces))
        if unknown:
            raise ValueError(
                f"The course ships {len(self.pieces):,} words of this model, and not "
                f"{', '.join(map(repr, unknown))}. Say it with more common words."
            )
        if len(tokens) > len(self.places):
            raise ValueError(
                f"This sentence has {len(tokens)} tokens, with [CLS] and [SEP]. The course ships "
                f"{len(self.places)} places of this model. Make it shorter."
            )
        return tokens

    def x(self, tokens: Sequence[str]) -> Float[Tensor, "n d_model"]:
        """What enters layer 0: word and place added up, then the norm."""
        words = self.words[[self.pieces.index(token) for token in tokens]]
        added = words + self.places[: len(tokens)]
        return layer_norm(added, self.norm_weight.shape, self.norm_weight, self.norm_bias, 1e-12)


def minilm_embedding() -> RealEmbedding:
    """The vectors of some common words and of the first places, for a sentence of your own."""
    parts, notes = _read("embedding/")
    own = {n.split("/")[1]: t for n, t in parts.items()}
    own["words"] = own["words"] * own.pop("step")
    return RealEmbedding(tuple(notes["words"].split()), **own)


def minilm_maps() -> dict[str, Float[Tensor, "heads n n"]]:
    """The attention maps of all 72 heads on the sentence of `minilm_heads`, layer by layer."""
    parts, _ = _read("maps")
    return {f"layer {number}": maps / 255 for number, maps in enumerate(parts["maps"])}


def minilm_heads() -> dict[str, RealHead]:
    """Some heads by what they seem to do.

    They are "previous word", "what is done", "next word", "application" and "law".
    """
    parts, notes = _read(*"0123")
    tokens = tuple(notes["tokens"].split())
    heads = {}
    for name in notes["heads"].split(","):
        what, place = name.split("=")
        layer, head = map(int, place.split("."))
        own = {n.rsplit("/", 1)[1]: t for n, t in parts.items() if n.startswith(f"{layer}.{head}/")}
        heads[what] = RealHead(layer, head, tokens, parts[f"{layer}/x"], **own)
    return heads


def minilm_trials(what: Literal["owner", "moved", "pronoun"]) -> list[Trial]:
    """Ten sentences that the whole model was tried on.

    "owner": from *its* to its owner. "moved": the same, but the owner is not the second word.
    "pronoun": from *it* to the noun it stands for, in sentences with two nouns.
    """
    parts, notes = _read(f"{what}/")
    return [
        Trial(
            tuple(trial["tokens"].split()),
            trial["word"],
            trial["noun"],
            tuple(trial["others"]),
            parts[f"{what}/finds"][number].bool(),
            parts.get(f"{what}/{number}/x"),
        )
        for number, trial in enumerate(json.loads(notes[what]))
    ]


def _read(*beginnings: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The parts whose names begin so, and the notes: most of the file is words for one section."""
    with safe_open(str(MINILM), framework="pt") as file:
        names = [name for name in file.keys() if name.startswith(beginnings)]  # noqa: SIM118
        return {name: file.get_tensor(name).float() for name in names}, file.metadata()
