"""Random inputs for the cases: tensors, and tensors with an unusual layout in memory."""

from __future__ import annotations

import torch
from torch import Tensor


def normal(
    generator: torch.Generator,
    *shape: int,
    scale: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """Random numbers around zero, positive and negative."""
    return scale * torch.randn(*shape, generator=generator, dtype=dtype)


def any_size(generator: torch.Generator, least: int, most: int) -> int:
    """A random size from `least` to below `most`."""
    return int(torch.randint(least, most, (), generator=generator))


def scattered(x: Tensor) -> Tensor:
    """Return the same numbers, not stored next to each other, so that `view` fails where `reshape` does
    not."""
    return torch.stack([x, torch.full_like(x, 77.0)], dim=-1)[..., 0]


def attending(generator: torch.Generator, *shape: int) -> Tensor:
    """Random attention weights: positive, and every row sums to one."""
    return normal(generator, *shape, scale=1.5).softmax(-1)


def some_mask(generator: torch.Generator, n: int, m: int) -> Tensor:
    """A random mask in which every query may attend to something, but not to everything."""
    mask = torch.rand(n, m, generator=generator) < 0.6
    keep = torch.randint(m, (n,), generator=generator)
    mask[torch.arange(n), keep] = True
    mask[torch.arange(n), (keep + 1) % m] = False
    return mask
