"""Find out what later cells need from a right function, beyond the cases of its check.

A chapter that compares gradients computes with twice as many digits (float64). A chapter that trains through
a function needs gradients to come back through it. An answer that cannot do this is still right, but the
lesson then continues with the course's own function.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling.call import Returned, call, each_tensor
from qkvlib.calling.plain import plain
from qkvlib.calling.session import seeds_kept
from qkvlib.checking.cases import drawn_cases, expected_of, what_counts
from qkvlib.exercises.kit.comparison import difference
from qkvlib.exercises.kit.exercise import Answer, Case, Exercise

_CASES, _SECONDS = 4, 3.0


def lacking(exercise: Exercise, function: Answer) -> tuple[str, ...]:
    """Return what later cells need that this function, although right, cannot do."""
    cases = drawn_cases(exercise.name, 0).cases[:_CASES]
    with seeds_kept():
        return tuple(
            need
            for need in exercise.needed_later
            if not all(_DOES[need](exercise, function, case) for case in cases)
        )


def remarks(lacks: tuple[str, ...]) -> list[str]:
    """Return the remarks about it."""
    return [_WORDS[need] for need in lacks]


_WORDS = {
    "float64": (
        "Cells below compute with twice as many digits (float64), and your function would lose the extra "
        "digits. Make new tensors as precise as the inputs: `torch.zeros(..., dtype=x.dtype)`. In those "
        "cells the lesson uses the course's own function."
    ),
    "gradients": (
        "Cells below send gradients back through this function, but your function stops some of the "
        "gradients. `float(...)`, `.tolist()` and `.detach()` cut the path, and so can an in-place change "
        "like `x /= 2`. In those cells the lesson uses the course's own function."
    ),
}


def lent_where_lacking(function: Answer, reference: Answer, lacks: tuple[str, ...]) -> Answer:
    """Return the function, but with the reference instead of it for inputs that it cannot handle."""

    @functools.wraps(function)
    def careful(*inputs: Any, **named: Any) -> Any:
        given = _tensors((inputs, named))
        fine = "float64" in lacks and any(x.dtype == torch.float64 for x in given)
        back = "gradients" in lacks and torch.is_grad_enabled() and any(x.requires_grad for x in given)
        return (reference if fine or back else function)(*inputs, **named)

    return careful


def under_the_tasks_names(function: Answer, reference: Answer) -> Answer:
    """Let later cells call the function with the argument names that the task gives.

    Return the function itself, not a wrapper, unless it uses a different name for an input.
    """
    asked, own = _names(reference), _names(function)
    if not own or set(asked) <= set(own) or any(name.startswith("*") for name in own):
        return function
    order = inspect.signature(reference)

    @functools.wraps(function)
    def renamed(*inputs: Any, **named: Any) -> Any:
        bound = order.bind(*inputs, **named)
        last = max((asked.index(name) for name in bound.arguments), default=-1)
        bound.apply_defaults()  # an argument in between may be left out, and the rest still have their places
        return function(*bound.args[: last + 1])

    return renamed


def _names(function: Answer) -> list[str]:
    """Return the names of a function's inputs; `*args` and `**kwargs` with their stars."""
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [f"*{one.name}" if one.kind in stars else one.name for one in given]


def _in_double(tensor: Tensor) -> Tensor:
    if not tensor.is_floating_point():
        return tensor
    double = tensor.detach().double().requires_grad_(tensor.requires_grad)
    double.grad = None if tensor.grad is None else tensor.grad.double()
    return double


def _does_float64(exercise: Exercise, function: Answer, case: Case) -> bool:
    doubled = Case(case.what, each_tensor(_in_double, case.inputs))
    expected = expected_of(exercise, exercise.reference, doubled)
    reply = call(function, doubled.inputs, _SECONDS)
    if not isinstance(reply, Returned):
        return False
    got = what_counts(exercise, doubled, reply)
    same = difference(got, expected, exercise.returns) is None
    return same and all(x.dtype == torch.float64 for x in _tensors(got) if x.is_floating_point())


def _lets_gradients_back(exercise: Exercise, function: Answer, case: Case) -> bool:
    wanted, found = (_gradients(program, case) for program in (exercise.reference, function))
    return wanted is None or (found is not None and difference(found, wanted) is None)


def _gradients(program: Answer, case: Case) -> tuple[Tensor, ...] | None:
    """Return the gradients of all inputs, for a weighted sum of the result's numbers."""

    def back(*inputs: Any) -> Any:
        starts = [part for part in _tensors(inputs) if part.requires_grad]
        with torch.enable_grad():
            ends = [part for part in _tensors(plain(program(*inputs))) if part.requires_grad]
            # torch.autograd.grad would load sympy for it, which takes a second.
            weighed = [torch.linspace(1, 2, end.numel()).view_as(end) * end for end in ends]
            torch.cat([part.flatten() for part in weighed]).sum().backward()
        return tuple(torch.zeros_like(x) if x.grad is None else x.grad for x in starts)

    # The backward pass may run the learner's code, too. It raises if no path leads back, or if something that
    # it needs was overwritten.
    reply = call(back, each_tensor(_as_a_start, case.inputs), _SECONDS)
    return reply.value if isinstance(reply, Returned) else None


def _as_a_start(tensor: Tensor) -> Tensor:
    return tensor.detach().requires_grad_(tensor.is_floating_point())


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in _tensors(part)]
    return [value] if isinstance(value, Tensor) else []


_DOES = {"float64": _does_float64, "gradients": _lets_gradients_back}
