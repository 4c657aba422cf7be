"""The parts around attention: layer norm, feed-forward, and the blocks that stack them.

A block takes its weights as a dictionary, whose names are those of the formulas.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.models.base import Draw
from qkvlib.multi_head import multi_head_attention

Weights = Mapping[str, Tensor]


def layer_norm(
    x: Float[Tensor, "*b d"], gain: Float[Tensor, " d"], shift: Float[Tensor, " d"]
) -> Float[Tensor, "*b d"]:
    """Each vector moved to mean 0 and variance 1, then stretched and shifted feature by feature."""
    return torch.nn.functional.layer_norm(x, gain.shape, gain, shift)


def feed_forward(x: Float[Tensor, "*b d"], w: Weights) -> Float[Tensor, "*b d"]:
    """Two products with a bend between them, for each vector alone: relu(x w_1 + b_1) w_2."""
    hidden = layer_norm(x, w["ff_gain"], w["ff_shift"]) @ w["w_1"] + w["b_1"]
    return torch.relu(hidden) @ w["w_2"]


def attend(
    x: Float[Tensor, "b n d"],
    memory: Float[Tensor, "b m d"],
    w: Weights,
    n_heads: int,
    mask: Bool[Tensor, "*b n m"] | None = None,
) -> tuple[Float[Tensor, "b n d"], Float[Tensor, "b h n m"]]:
    """x asks, memory answers; with `memory` equal to `x` it is self-attention."""
    return multi_head_attention(x, w["w_q"], w["w_k"], w["w_v"], w["w_o"], n_heads, mask, context=memory)


def encoder_block(
    x: Float[Tensor, "b n d"],
    w: Weights,
    n_heads: int,
    mask: Bool[Tensor, "*b n n"] | None = None,
) -> tuple[Float[Tensor, "b n d"], Float[Tensor, "b h n n"]]:
    """Look at the others, then think alone; each part adds its result to what was there."""
    normed = layer_norm(x, w["norm_gain"], w["norm_shift"])
    looked, weights = attend(normed, normed, w, n_heads, mask)
    x = x + looked
    return x + feed_forward(x, w), weights


def attention_weights_of(draw: Draw, d_model: int) -> dict[str, Tensor]:
    """First weights of one attention part with the layer norm before it."""
    weights = {name: draw(d_model, d_model) for name in ("w_q", "w_k", "w_v", "w_o")}
    return weights | {"norm_gain": torch.ones(d_model), "norm_shift": torch.zeros(d_model)}


def feed_forward_weights_of(draw: Draw, d_model: int, d_hidden: int) -> dict[str, Tensor]:
    """First weights of one feed-forward part with the layer norm before it."""
    return {
        "w_1": draw(d_model, d_hidden) * 1.4,  # relu halves the variance, 1.4 squared restores it
        "b_1": torch.zeros(d_hidden),
        "w_2": draw(d_hidden, d_model),
        "ff_gain": torch.ones(d_model),
        "ff_shift": torch.zeros(d_model),
    }


def under(prefix: str, weights: Weights) -> dict[str, Tensor]:
    """The same weights, named `prefix.name`."""
    return {f"{prefix}.{name}": weight for name, weight in weights.items()}


def part_of(weights: Weights, prefix: str) -> dict[str, Tensor]:
    """The weights named `prefix.name`, as `name`."""
    start = f"{prefix}."
    return {full[len(start) :]: w for full, w in weights.items() if full.startswith(start)}
