"""Test that the shapes in signatures are checked, and that a wrong shape would be noticed."""

from __future__ import annotations

import jaxtyping
import pytest
import torch
from torch import Tensor

from qkvlib import attention, gradients


def test_a_call_with_a_wrong_shape_does_not_pass_its_signature() -> None:
    with pytest.raises(jaxtyping.TypeCheckError, match="project"):
        attention.project(torch.ones(4, 5), torch.ones(3, 5))


def test_a_result_of_a_wrong_shape_does_not_pass_its_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    def over_the_queries(scores: Tensor) -> Tensor:
        return scores.softmax(-2).mT

    monkeypatch.setattr(attention, "softmax", over_the_queries)
    with pytest.raises(jaxtyping.TypeCheckError, match="attention_weights"):
        attention.attention_weights(torch.ones(4, 3), torch.ones(5, 3))


def test_a_trace_whose_fields_do_not_fit_each_other_cannot_be_made() -> None:
    x, w = torch.ones(4, 5), torch.ones(5, 3)
    q, scores = torch.ones(4, 3), torch.ones(4, 4)
    given, made = (x, None, w, w, w, None, None), (q, q, q, None, scores, scores, q)
    gradients.Trace(*given, *made, q)
    with pytest.raises(jaxtyping.TypeCheckError):
        gradients.Trace(*given, *made, q.T)
