"""Test that two or three mistakes at once are caught too, and get true feedback."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.checking import verdict
from qkvlib.multi_head import merge_heads, split_heads

pytestmark = pytest.mark.whole

SCALES = ("sqrt(d_k)", "none", "d_k", "sqrt(d_v)", "too late")
SOFTMAXES = ("rows", "columns", "none")
MASKS = ("right", "inverted", "ignored", "zero", "after")
RESULTS = ("right", "transposed", "scores", "swapped")


def _attention(scale: str, softmax: str, masking: str, result: str) -> Any:
    def scaled_dot_product_attention(
        q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        d_k, d_v = q.shape[-1], v.shape[-1]
        by = {"sqrt(d_k)": math.sqrt(d_k), "d_k": d_k, "sqrt(d_v)": math.sqrt(d_v)}
        scores = q @ k.mT / by.get(scale, 1.0)
        if mask is not None and masking in ("right", "inverted"):
            scores = scores.masked_fill(~mask if masking == "right" else mask, -math.inf)
        if mask is not None and masking == "zero":
            scores = scores * mask
        weights = scores if softmax == "none" else scores.softmax(-1 if softmax == "rows" else -2)
        if mask is not None and masking == "after":
            weights = weights * mask
        if scale == "too late":
            weights = weights / math.sqrt(d_k)
        output = weights @ v
        seen = {"transposed": weights.mT, "scores": scores}.get(result, weights)
        return (seen, output) if result == "swapped" else (output, seen)

    return scaled_dot_product_attention


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("scale", SCALES)
def test_no_combination_of_attention_mistakes_passes(scale: str) -> None:
    for softmax, masking, result in product(SOFTMAXES, MASKS, RESULTS):
        choices = (scale, softmax, masking, result)
        judged = verdict("scaled_dot_product_attention", _attention(*choices))
        is_right = choices == ("sqrt(d_k)", "rows", "right", "right")
        assert (judged.outcome == "right") == is_right, choices
        if not is_right:
            assert judged.message


@pytest.mark.sweep(keep=6)
@pytest.mark.parametrize("cut", ["view", "transpose"])
@pytest.mark.parametrize("scale", ["own", "whole", "none"])
@pytest.mark.parametrize("join", ["transpose", "reshape"])
@pytest.mark.parametrize("mix", ["w_o", "w_o.T", "nothing"])
def test_no_combination_of_mistakes_with_heads_passes(cut: str, scale: str, join: str, mix: str) -> None:
    def multi_head_attention(
        x: Tensor,
        w_q: Tensor,
        w_k: Tensor,
        w_v: Tensor,
        w_o: Tensor,
        n_heads: int,
        mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        b, n, _ = x.shape
        q, k, v = (
            split_heads(x @ w, n_heads) if cut == "transpose" else (x @ w).view(b, n_heads, n, -1)
            for w in (w_q, w_k, w_v)
        )
        by = {"own": q.shape[-1], "whole": q.shape[-1] * n_heads, "none": 1}[scale]
        scores = q @ k.mT / math.sqrt(by)
        if mask is not None:
            scores = scores.masked_fill(~(mask if mask.ndim == 2 else mask[:, None]), -math.inf)
        weights = scores.softmax(-1)
        heads = weights @ v
        merged = merge_heads(heads) if join == "transpose" else heads.reshape(b, n, -1)
        return {"w_o": lambda: merged @ w_o, "w_o.T": lambda: merged @ w_o.T}.get(
            mix, lambda: merged
        )(), weights

    judged = verdict("multi_head_attention", multi_head_attention)
    assert (judged.outcome == "right") == (
        (cut, scale, join, mix) == ("transpose", "own", "transpose", "w_o")
    )


def test_what_no_program_names_is_described() -> None:
    def softmax(x: Tensor) -> Tensor:
        return 3 * torch.softmax(x, -1)

    judged = verdict("softmax", softmax)
    assert judged.mistake is None
    assert "times 3 everywhere" in judged.message
