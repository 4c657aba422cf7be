"""Four heads of a real transformer, MiniLM, as chapter 12 meets them, and what was tried on it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Bool, Float
from safetensors import safe_open
from torch import Tensor

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


def minilm_heads() -> dict[str, RealHead]:
    """The heads by what they seem to do: "previous word", "next word", "application", "law"."""
    parts, notes = _read()
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

    "owner" is from *its* to whose it is; "moved" is the same, with the owner elsewhere than in the
    second place; "pronoun" is from *it* to the noun it stands for, where there are two.
    """
    parts, notes = _read()
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


def _read() -> tuple[dict[str, Tensor], dict[str, str]]:
    with safe_open(str(MINILM), framework="pt") as file:
        return (
            {name: file.get_tensor(name).float() for name in file.keys()},  # noqa: SIM118
            file.metadata(),
        )
