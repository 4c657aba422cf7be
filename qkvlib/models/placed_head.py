"""A causal head that gets positions in one of three ways: sines added, learned vectors added, rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.masks import causal_mask
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.positions import positional_encoding, rotate_by_position

Placing = Literal["rotary", "sinusoidal", "learned"]


@dataclass(eq=False)
class PlacedHead(Model):
    """One head of a decoder, whose look depends on where the words stand.

        x = embedding[tokens] + places              rotary: no places here,
        q = x w_q + b_q,  k = x w_k + b_k           but q and k are turned by them
        logits = softmax(q k^T / sqrt(d_k)) x w_v read_out

    `b_q` and `b_k` are a query and a key for every word alike: with them a head can ask for a
    place, whatever word stands there. They start larger than what the words add to them: so from
    the first step on it is places that decide.
    """

    n_tokens: int
    n_answers: int
    d_model: int = 32
    positions: Placing = "rotary"
    n_places: int = 64
    spread: float = 0.1
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {"embedding": draw(self.n_tokens, d, self.spread)}
        if self.positions == "learned":
            weights["places"] = draw(self.n_places, d, self.spread)
        weights |= {name: draw(d, d, 0.5 / d**0.5) for name in ("w_q", "w_k")}
        weights |= {name: draw(1, d, 2.0) for name in ("b_q", "b_k")}
        return weights | {"w_v": draw(d, d), "read_out": draw(d, self.n_answers)}

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Answer:
        x = self.embed(tokens)
        q, k = x @ self.w_q + self.b_q, x @ self.w_k + self.b_k
        if self.positions == "rotary":
            places = torch.arange(tokens.shape[1])
            q, k = rotate_by_position(q, places), rotate_by_position(k, places)
        mask = causal_mask(tokens.shape[1])
        output, weights = scaled_dot_product_attention(q, k, x @ self.w_v, mask)
        return Answer(output @ self.read_out, {"head": weights.unsqueeze(1)})

    def embed(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Each token's vector, and, where places are added, that of its place."""
        x = self.embedding[tokens]
        if self.positions == "learned":
            return x + self.places[: tokens.shape[1]]
        if self.positions == "sinusoidal":
            return x + positional_encoding(tokens.shape[1], self.d_model)
        return x
