"""Test that any function gets a verdict: never right by accident, and never an error of ours."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from qkvlib.calling.call import Raised
from qkvlib.calling.plain import Opaque
from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise

pytestmark = pytest.mark.whole


class Yes(Tensor):
    """A tensor that agrees with everything."""

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return True

    __hash__ = Tensor.__hash__


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError("I say nothing")


def _holds_itself() -> list[Any]:
    parts: list[Any] = []
    parts.append(parts)
    return parts


def _of_many_parts() -> Any:
    """Return nested lists that look like 10**15 parts but consist of only a few lists."""
    parts: Any = [0] * 10**5
    for _ in range(2):
        parts = [parts] * 10**5
    return parts


GARBAGE: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "a list of lists": lambda: [[1.0, 2.0], [3.0]],
    "an empty list": lambda: [],
    "an empty tuple": lambda: (),
    "a tuple of Nones": lambda: (None, None, None),
    "ten tensors": lambda: tuple(torch.ones(2) for _ in range(10)),
    "a text": lambda: "0.5",
    "a long text": lambda: "EJBHAIFC" * 1000,
    "bytes": lambda: b"\x00",
    "a dictionary": lambda: {"q": 1},
    "a NumPy array": lambda: np.ones((2, 2)),
    "a NumPy number": lambda: np.float64(0.123),
    "a function": lambda: lambda: 0,
    "a class": lambda: Mute,
    "an object that cannot be shown": lambda: Mute(),
    "a value of another process": lambda: Opaque("Module"),
    "a number": lambda: 0.123,
    "a large whole number": lambda: 10**30,
    "infinity": lambda: float("inf"),
    "not a number": lambda: float("nan"),
    "True": lambda: True,
    "a complex number": lambda: 1j,
    "a complex tensor": lambda: torch.ones(2, 2) * 1j,
    "an empty tensor": lambda: torch.empty(0),
    "a tensor without numbers": lambda: torch.ones(2, 2, device="meta"),
    "a sparse tensor": lambda: torch.eye(3).to_sparse(),
    "a quantised tensor": lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
    "a tensor of many dimensions": lambda: torch.ones(1, 1, 1, 1, 1, 1, 1),
    "half precision": lambda: torch.ones(2, 2, dtype=torch.float16),
    "a tensor that agrees with everything": lambda: torch.ones(2, 2).as_subclass(Yes),
    "a tensor of a graph": lambda: torch.ones(2, requires_grad=True) * 2,
    "a generator": lambda: (i for i in range(3)),
    "NumPy's widest floats": lambda: np.full((2, 2), 77, dtype=np.longdouble),
    "one of NumPy's widest floats": lambda: np.longdouble(0.123),
    "a sign that is noted down": lambda: torch._neg_view(torch.ones(2, 2) > 0),
    "half precision in parts": lambda: tuple(torch.full((2, 2), 77).half() for _ in range(3)),
    "a number that is not there": lambda: torch.ones((), device="meta"),
    "a number for no tensor": lambda: [10**30, 10**5000],
    "half of a letter": lambda: "\ud800",
    "more numbers than fit": lambda: torch.ones(1).expand(10**12),
    "two matrices of nonsense": lambda: (torch.full((6, 2), torch.nan), torch.ones(6, 2)),
}


# Only a verdict can look at these.
HARD_TO_LOOK_AT: dict[str, Callable[[], Any]] = {
    "a list that holds itself": _holds_itself,
    "many parts": _of_many_parts,
    "a nested tensor": lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    "expanded tensors": lambda: [torch.ones(1).expand(2 * 10**8) for _ in range(3)],
    "an expanded array": lambda: np.broadcast_to(np.float64(1), (10**11,)),
    "a reply of ours": lambda: Raised("Kind", "words", ""),
}


def _raises(error: BaseException) -> Callable[..., Any]:
    def function(*_: Any) -> Any:
        raise error

    return function


ERRORS = [
    ValueError(),
    KeyError("x"),
    SystemExit(3),
    RecursionError("deep"),
    StopIteration(),
    GeneratorExit(),
    asyncio.CancelledError(),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"),
    MemoryError(),
    Warning("w"),
    ValueError("half of a letter: \ud800"),
    RuntimeError("shape '[a, 2]' is invalid for input of size 3"),
]


# One exercise of each kind meets all of it; each other one meets a different quarter.
KINDS = {
    "dot",
    "nearest",
    "project_qkv",
    "predict_variance",
    "choose_w_q_w_k",
    "order_the_heads",
    "sgd_step",
    "causal_mask",
    "break_symmetry",
    "greedy_decode",
}


def _some_of(garbage: dict[str, Any], exercise: Exercise) -> dict[str, Any]:
    if exercise.name in KINDS:
        return garbage
    return dict(list(garbage.items())[list(EXERCISES).index(exercise.name) % 4 :: 4])


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_garbage_is_never_right_and_never_an_error_of_ours(exercise: Exercise) -> None:
    values = GARBAGE | HARD_TO_LOOK_AT
    functions = {what: (lambda *_, make=make: make()) for what, make in values.items()}
    functions |= {f"error {i}": _raises(error) for i, error in enumerate(ERRORS)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for what, function in _some_of(functions, exercise).items():
            judged = verdict(exercise.name, function)
            assert judged.outcome in ("wrong", "raised"), what
            assert judged.points == 0
            for shown in (str(judged), judged._repr_html_()):
                assert "Traceback" not in shown
                assert "qkvlib/" not in shown
                assert shown.encode()
                assert len(shown) < 12_000


@given(
    name=st.sampled_from(sorted(EXERCISES)),
    shape=st.lists(st.integers(0, 4), max_size=4),
    parts=st.integers(1, 4),
    dtype=st.sampled_from([torch.float32, torch.float64, torch.int64, torch.bool]),
)
@settings(max_examples=50, deadline=None)
def test_random_shapes_are_never_right(name: str, shape: list[int], parts: int, dtype: torch.dtype) -> None:
    def answer(*_: Any) -> Any:
        # The numbers start at 77, because a small whole number can be right by luck.
        made = tuple((77 + torch.rand(shape) * 7).to(dtype) for _ in range(parts))
        return made[0] if parts == 1 else made

    judged = verdict(name, answer)
    assert judged.outcome == "wrong"
    assert str(judged)


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_a_function_of_the_wrong_arity_is_told_how_it_is_called(exercise: Exercise) -> None:
    judged = verdict(exercise.name, lambda a, b, c, d, e, f, g, h, i, j: None)
    assert judged.outcome == "raised"
    assert f"It is called as  {exercise.name}(" in judged.message
