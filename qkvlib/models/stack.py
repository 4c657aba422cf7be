"""Layers of attention, one feeding the next, without anything else between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.masks import causal_mask
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.models.blocks import part_of, under
from qkvlib.models.one_layer import without_heads
from qkvlib.multi_head import multi_head_attention
from qkvlib.positions import positional_encoding

Positions = Literal["none", "sinusoidal", "learned"]


@dataclass(eq=False)
class Stack(Model):
    """Self-attention in layers: each adds what it read to x, and passes x on to the next.

        x = embedding[tokens] + positions
        x = x + attention_1(x);  x = x + attention_2(x);  ...
        logits = x read_out

    `n_layers=0` is the control without attention: each token is answered from its own vector.
    """

    n_tokens: int
    n_answers: int
    d_model: int = 16
    n_layers: int = 1
    n_heads: int = 1
    causal: bool = False
    positions: Positions = "none"
    n_places: int = 0
    spread: float = 0.1
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {"embedding": draw(self.n_tokens, d, self.spread)}
        if self.positions == "learned":
            weights["places"] = draw(self.n_places, d, self.spread)
        for layer in range(1, self.n_layers + 1):
            names = ("w_q", "w_k", "w_v", "w_o")
            weights |= under(f"layer_{layer}", {name: draw(d, d) for name in names})
        weights["read_out"] = draw(d, self.n_answers)
        return weights

    def __call__(self, tokens: Int[Tensor, "b n"], ablate: Collection[tuple[int, int]] = ()) -> Answer:
        """`ablate` names heads to set to zero, as (layer, head): (1, 0) is the first of layer 1."""
        x, maps = self.contextual(tokens, ablate)
        return Answer(x @ self.read_out, maps)

    def embed(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Each token's static vector, the same in every sentence, and its place."""
        x = self.embedding[tokens]
        if self.positions == "learned":
            return x + self.places[: tokens.shape[1]]
        if self.positions == "sinusoidal":
            return x + positional_encoding(tokens.shape[1], self.d_model)
        return x

    def contextual(
        self, tokens: Int[Tensor, "b n"], ablate: Collection[tuple[int, int]] = ()
    ) -> tuple[Float[Tensor, "b n d"], dict[str, Float[Tensor, "b h n n"]]]:
        """Each token's vector after all layers, which depends on its neighbours, and the maps."""
        x, maps = self.embed(tokens), {}
        mask = causal_mask(tokens.shape[1]) if self.causal else None
        for layer in range(1, self.n_layers + 1):
            w = part_of(self.weights, f"layer_{layer}")
            ablated = {head for at, head in ablate if at == layer}
            w_o = without_heads(w["w_o"], ablated, self.n_heads)
            looked, maps[f"layer_{layer}"] = multi_head_attention(
                x, w["w_q"], w["w_k"], w["w_v"], w_o, self.n_heads, mask
            )
            x = x + looked
        return x, maps
