"""Test that a block in the page computes what torch does, and that its causal mask hides the same places."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator

from qkvlib.masks import causal_mask
from qkvlib.models.blocks import encoder_block
from tests.node import Node
from tests.strategies import generators, normals, sizes
from tests.widgets.engine.test_engine import packed


@pytest.fixture(scope="module")
def engine() -> Iterator[Node]:
    with Node(Path(__file__).parent / "block.mjs") as node:
        yield node


@given(sizes, st.integers(1, 4), sizes, generators, st.sampled_from([0.0, 1e-3, 1.0, 100.0]))
def test_a_block_is_torchs(
    engine: Node, n: int, n_heads: int, d_k: int, generator: Generator, reach: float
) -> None:
    d, normal = n_heads * d_k, normals(generator, torch.float64)
    shapes = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (d, d))
    vectors = dict.fromkeys(("norm_gain", "norm_shift", "ff_gain", "ff_shift"), (d,))
    shapes |= {"w_1": (d, 2 * d), "b_1": (2 * d,), "w_2": (2 * d, d)}
    weights = {name: normal(*shape) for name, shape in {**shapes, **vectors}.items()}
    x = reach * normal(n, d)
    expected, _ = encoder_block(x[None], weights, n_heads)
    given_ = {name: packed(weight.reshape(-1, weight.shape[-1])) for name, weight in weights.items()}
    found = engine.ask({"x": packed(x), "weights": given_, "n_heads": n_heads})
    output = torch.tensor(found["output"], dtype=torch.float64).view(n, d)
    torch.testing.assert_close(output, expected[0], rtol=1e-9, atol=1e-9)
    assert found["mask"] == causal_mask(n).flatten().tolist()
