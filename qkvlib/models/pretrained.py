"""Four heads of a real transformer, MiniLM, as chapter 12 meets them."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
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


def minilm_heads() -> dict[str, RealHead]:
    """The heads by what they seem to do: "previous word", "next word", "application", "law"."""
    with safe_open(str(MINILM), framework="pt") as file:
        notes = file.metadata()
        parts = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    tokens = tuple(notes["tokens"].split())
    heads = {}
    for name in notes["heads"].split(","):
        what, place = name.split("=")
        layer, head = map(int, place.split("."))
        own = {n.rsplit("/", 1)[1]: t for n, t in parts.items() if n.startswith(f"{layer}.{head}/")}
        heads[what] = RealHead(layer, head, tokens, parts[f"{layer}/x"], **own)
    return heads
