"""Test that later cells can call a right function as the task does, whatever its parameters are called."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib import check
from qkvlib.checking.answers import judge, to_go_on_with
from qkvlib.checking.going_on import under_the_tasks_names
from qkvlib.exercises import EXERCISES

pytestmark = pytest.mark.usefixtures("home")


def dot(first: Tensor, second: Tensor) -> Tensor:
    return (first * second).sum()


def test_a_right_function_can_be_called_by_the_tasks_names() -> None:
    mine = check(dot)
    ones, twos = torch.ones(3), torch.full((3,), 2.0)
    assert mine(a=ones, b=twos) == mine(ones, b=twos) == mine(ones, twos) == 6
    assert mine.__wrapped__ is dot, "it is the learner's own, under other names"


def task(x: Any, mask: Any = "none", n_heads: int = 1) -> tuple[Any, Any, int]:
    raise NotImplementedError


def test_an_input_between_that_is_left_out_has_the_tasks_default() -> None:
    def mine(inputs: Any, seen: Any = "mine", heads: int = 7) -> tuple[Any, Any, int]:
        return inputs, seen, heads

    renamed = under_the_tasks_names(mine, task)
    assert renamed(1, n_heads=2) == (1, "none", 2)
    assert renamed(1) == (1, "mine", 7), "nothing was named, so nothing is put in"


def same(x: Any, mask: Any = None, n_heads: int = 1) -> Any: ...
def more(x: Any, mask: Any = None, n_heads: int = 1, extra: int = 0) -> Any: ...
def any_names(x: Any, **named: Any) -> Any: ...
def any_number(*inputs: Any) -> Any: ...


@pytest.mark.parametrize("function", [same, more, any_names, any_number, max])
def test_a_function_that_can_be_called_so_stays_itself(function: Any) -> None:
    assert under_the_tasks_names(function, task) is function


def test_a_list_of_floats_goes_on_with_all_its_digits() -> None:
    """Later cells get what was judged: the tensor that the lesson makes of the list."""

    def softmax_backward(weights: Tensor, d_weights: Tensor) -> Any:
        return EXERCISES["softmax_backward"].reference(weights, d_weights).tolist()

    judged, lacks = judge("softmax_backward", softmax_backward)
    assert (judged.outcome, lacks) == ("right", ())
    own = to_go_on_with(softmax_backward, judged, lacks)
    weights = torch.tensor([[0.3, 0.7]], dtype=torch.float64)
    found = own(weights, weights.log())
    assert found.dtype == torch.float64
    assert torch.equal(found, EXERCISES["softmax_backward"].reference(weights, weights.log()))
