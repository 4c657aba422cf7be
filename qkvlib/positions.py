"""Positions: attention treats its tokens as a set, so their order has to be written into them."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor


def positional_encoding(n: int, d: int) -> Float[Tensor, "n d"]:
    """The sinusoidal encoding of the positions 0 to n - 1: nothing in it is trained.

    Each pair of columns is a hand on a clock, its sine and its cosine side by side. The first hand
    turns fastest, one radian per position; the last takes nearly 10000 times as long.

        encoding[t, 2i]     = sin(t / 10000^(2i / d))
        encoding[t, 2i + 1] = cos(t / 10000^(2i / d))
    """
    if d % 2:
        raise ValueError(f"d is {d}, but columns come in pairs, sine and cosine: d needs to be even")
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)


def rotate_by_position(
    x: Float[Tensor, "*b n d"], positions: Float[Tensor, " n"] | Int[Tensor, " n"]
) -> Float[Tensor, "*b n d"]:
    """Rotate each row of x by its position: rotary position embedding, for queries and for keys.

    Each pair of columns is an arrow in a plane. The first arrow rotates by one radian per position,
    and the last takes nearly 10000 times as long, like the hands of the sinusoidal encoding.
    Nothing is added, and no arrow's length changes. When queries and keys are both rotated, the
    product of two of them depends only on how far apart they are, and not on where they are.

        x[t, 2i], x[t, 2i + 1], as an arrow, is turned by t / 10000^(2i / d)
    """
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError(f"x has {d} columns, but columns are turned in pairs: d needs to be even")
    if positions.shape != (n,):
        raise ValueError(
            f"positions has shape {tuple(positions.shape)}, but x has {n} rows: give a position for each"
        )
    steps = torch.arange(0, d, 2, dtype=x.dtype)
    angles = positions.to(x.dtype)[:, None] / 10000 ** (steps / d)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(start_dim=-2)
