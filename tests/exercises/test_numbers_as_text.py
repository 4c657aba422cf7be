"""Test how a verdict writes numbers."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from qkvlib.exercises.kit.numbers_as_text import written

NAN = math.nan


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (torch.tensor([]), "[]"),
        (torch.tensor([[1.0, 2.5], [0.125, -3.0]]), "[[ 1.000  2.500]\n [ 0.125 -3.000]]"),
        (torch.tensor([1.0, 20.0]), "[ 1. 20.]"),
        (torch.tensor([0.5, math.inf, NAN]), "[0.5 inf nan]"),
        (torch.tensor([NAN, -math.inf]), "[ nan -inf]"),
        (torch.tensor([1e7, 2.0]), "[1.000e+07 2.000e+00]"),
        (torch.tensor([1e-5, 2.0]), "[0. 2.]"),
        (torch.tensor([1, -20]), "[  1 -20]"),
        (torch.tensor([True, False]), "[ True False]"),
        (torch.tensor([[[1], [2]], [[3], [4]]]), "[[[1]\n  [2]]\n\n [[3]\n  [4]]]"),
        (torch.zeros(70), "[0. 0. ... 0. 0.]"),
        (torch.full((12,), 0.125), f"[{' '.join(['0.125'] * 12)}]"),
        (torch.full((13,), 0.125), f"[{' '.join(['0.125'] * 12)}\n 0.125]"),
    ],
)
def test_numbers_stand_in_columns(x: Tensor, text: str) -> None:
    assert written(x, 3, suppress_small=True) == text


def test_more_digits_show_small_numbers() -> None:
    assert written(torch.tensor([1e-5, 2.0]), 5, suppress_small=False) == "[1.00000e-05 2.00000e+00]"
