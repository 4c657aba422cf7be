"""Test that a verdict writes numbers as NumPy does, even without NumPy."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from qkvlib.exercises.kit.numbers_as_text import written

SHAPES = [(1,), (4,), (3, 2), (2, 3, 2), (9, 9), (70,)]


@pytest.mark.parametrize("digits", [3, 6])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bool])
def test_numbers_are_written_as_numpy_writes_them(dtype: torch.dtype, digits: int) -> None:
    drawn, generator = random.Random(0), torch.Generator().manual_seed(0)
    for _ in range(150):
        size = 10 ** drawn.uniform(-6, 9)
        numbers = torch.randn(drawn.choice(SHAPES), generator=generator, dtype=torch.float64)
        x = numbers > 0 if dtype == torch.bool else (numbers * size).to(dtype)
        if x.is_floating_point() and drawn.random() < 0.3:
            x.view(-1)[0] = drawn.choice([0.0, float("inf"), float("nan")])
        ours = written(x, digits, suppress_small=digits == 3)
        assert ours == np.array2string(
            x.numpy(), precision=digits, suppress_small=digits == 3, threshold=60, edgeitems=2
        )
