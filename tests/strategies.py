"""Strategies for the property tests: rectangular shapes, both precisions, masks, a seed per tensor.

Hypothesis draws and shrinks the shapes and the seed; the numbers come from torch, which is faster.
All sizes are drawn independently, so that a transposed matrix seldom fits by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from qkvlib.shapes import describe

sizes: SearchStrategy[int] = st.integers(1, 6)
batches: SearchStrategy[tuple[int, ...]] = st.lists(st.integers(1, 3), max_size=2).map(tuple)
precisions: SearchStrategy[torch.dtype] = st.sampled_from([torch.float32, torch.float64])
generators: SearchStrategy[torch.Generator] = st.integers(0, 2**32 - 1).map(
    lambda seed: torch.Generator().manual_seed(seed)
)


def tolerance(dtype: torch.dtype) -> dict[str, float]:
    """Return how far two right answers may differ in this precision."""
    error = 1e-11 if dtype == torch.float64 else 2e-4
    return {"rtol": error, "atol": error}


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, **tolerance(expected.dtype))


def ones(*shape: int) -> Tensor:
    return torch.ones(*shape)


def refuses(table: list[tuple[Callable[[], object], str]]) -> Callable[..., None]:
    """Make a test that each of these calls is refused with these words."""

    @pytest.mark.parametrize(("call", "message"), table)
    @pytest.mark.usefixtures("unchecked_signatures")
    def test(call: Callable[[], object], message: str) -> None:
        with pytest.raises(ValueError, match=r".") as refused:
            call()
        assert str(refused.value) == message

    return test


def normals(generator: torch.Generator, dtype: torch.dtype) -> Callable[..., Tensor]:
    """Return a function that draws a tensor of standard normal numbers of a given shape."""
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=dtype)


@st.composite
def masks(draw: DrawFn, batch: tuple[int, ...], n: int, m: int) -> Tensor | None:
    """Draw a mask that broadcasts to [*batch n m]; in some, a row may attend to nothing."""
    kind = draw(st.sampled_from(["none", "plain", "batch", "padding", "nobody"]))
    if kind == "none":
        return None
    shape = {"plain": (n, m), "padding": (*batch, 1, m)}.get(kind, (*batch, n, m))
    mask = torch.rand(*shape, generator=draw(generators)) < 0.6
    if kind == "nobody":
        mask[..., 0, :] = False
    return mask


@dataclass(frozen=True, repr=False)
class QKV:
    """The arguments of scaled_dot_product_attention."""

    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None

    def __repr__(self) -> str:
        return describe(self)


@st.composite
def queries_keys_values(draw: DrawFn) -> QKV:
    batch, n, m, d_k, d_v = draw(batches), *(draw(sizes) for _ in range(4))
    normal = normals(draw(generators), draw(precisions))
    mask = draw(masks(batch, n, m))
    return QKV(normal(*batch, n, d_k), normal(*batch, m, d_k), normal(*batch, m, d_v), mask)


@dataclass(frozen=True, repr=False)
class Layer:
    """The arguments of one attention layer, with n_heads heads, and a cotangent for its output.

    `d_head_output` is a cotangent for the output of one head as wide as all of them (no w_o).
    """

    x: Tensor
    context: Tensor | None
    w_q: Tensor
    w_k: Tensor
    w_v: Tensor
    w_o: Tensor
    n_heads: int
    mask: Tensor | None
    d_output: Tensor
    d_head_output: Tensor

    def __repr__(self) -> str:
        return describe(self)

    @property
    def weights(self) -> tuple[Tensor, Tensor, Tensor]:
        return self.w_q, self.w_k, self.w_v


@st.composite
def layers(draw: DrawFn, dtype: torch.dtype | None = None, width: int = 4) -> Layer:
    batch, n, m, d_x, d_source, d_out = draw(batches), *(draw(sizes) for _ in range(5))
    n_heads, d_k, d_v = (draw(st.integers(1, width)) for _ in range(3))
    crossed = draw(st.booleans())
    if not crossed:
        m, d_source = n, d_x
    normal = normals(draw(generators), dtype or draw(precisions))
    return Layer(
        x=normal(*batch, n, d_x),
        context=normal(*batch, m, d_source) if crossed else None,
        w_q=normal(d_x, n_heads * d_k),
        w_k=normal(d_source, n_heads * d_k),
        w_v=normal(d_source, n_heads * d_v),
        w_o=normal(n_heads * d_v, d_out),
        n_heads=n_heads,
        mask=draw(masks(batch, n, m)),
        d_output=normal(*batch, n, d_out),
        d_head_output=normal(*batch, n, n_heads * d_v),
    )
