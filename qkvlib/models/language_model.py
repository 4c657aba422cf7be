"""A small language model: whole encoder blocks in a stack, each token seeing only the past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from qkvlib.masks import causal_mask
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.models.blocks import (
    attention_weights_of,
    encoder_block,
    feed_forward_weights_of,
    layer_norm,
    part_of,
    under,
)


@dataclass(eq=False)
class LanguageModel(Model):
    """Says, at each place, what comes next: embedding and place, blocks, layer norm, read-out.

    The output of one block is the x of the next, and each block has its own w_q, w_k, w_v, w_o.
    `block` computes a block; hand over your own `encoder_block`, and the model is made of it.
    """

    n_tokens: int
    d_model: int = 32
    n_layers: int = 2
    n_heads: int = 4
    n_places: int = 64
    seed: int = 0
    block: Callable[..., tuple[Tensor, Tensor]] = field(default=encoder_block, repr=False)

    @property
    def runs_foreign(self) -> bool:
        return self.block is not encoder_block

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {
            "embedding": draw(self.n_tokens, d, spread=0.3),
            "places": draw(self.n_places, d, spread=0.1),
        }
        for layer in range(1, self.n_layers + 1):
            block = attention_weights_of(draw, d) | feed_forward_weights_of(draw, d, 4 * d)
            weights |= under(f"block_{layer}", block)
        weights["norm_gain"], weights["norm_shift"] = torch.ones(d), torch.zeros(d)
        weights["read_out"] = draw(d, self.n_tokens)
        return weights

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Answer:
        n = tokens.shape[1]
        x, maps = self.embedding[tokens] + self.places[:n], {}
        for layer in range(1, self.n_layers + 1):
            name = f"block_{layer}"
            w = part_of(self.weights, name)
            x, maps[name] = self.block(x, w, self.n_heads, causal_mask(n))
        x = layer_norm(x, self.norm_gain, self.norm_shift)
        return Answer(x @ self.read_out, maps)

    def write(
        self, tokens: Int[Tensor, " n"], count: int, generator: Generator, temperature: float = 1.0
    ) -> Int[Tensor, " m"]:
        """Go on from `tokens` for `count` more, each drawn from softmax(logits / temperature)."""
        for _ in range(count):
            logits, _ = self(tokens[None, -self.n_places :])
            chances = (logits[0, -1] / temperature).softmax(-1)
            tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=generator)])
        return tokens
