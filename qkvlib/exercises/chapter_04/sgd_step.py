"""The step downhill, in place."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal
from qkvlib.training import optimisers

exercise = ExerciseBuilder(
    points=2,
    needed_later=("float64",),
    returns=("the parameters after the step", "the gradients after the step"),
    changes=("params",),
    hints=(
        "Each parameter has its gradient in `p.grad`. Change the parameter itself.",
        "`with torch.no_grad():` lets you write `p -= ...`. Clear the gradient afterwards.",
        "for each p: subtract lr times p.grad from p, in place; set p.grad to None",
    ),
)


exercise.reference(optimisers.sgd_step)


def _gradient(p: Tensor) -> Tensor:
    assert p.grad is not None, "a parameter gets its gradient from `loss.backward()`"
    return p.grad


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def params(*shapes: tuple[int, ...], scale: float = 1.0) -> list[Tensor]:
        made = []
        for shape in shapes:
            p = normal(generator, *shape).requires_grad_()
            p.grad = normal(generator, *shape, scale=scale)
            made.append(p)
        return made

    easy = torch.tensor([1.0, 2.0]).requires_grad_()
    easy.grad = torch.tensor([4.0, -2.0])
    return [
        Case("one parameter of 2 numbers, lr = 0.5", ([easy], 0.5)),
        Case("two parameters", (params((2, 3), (3,)), 0.1)),
        Case("three parameters of several shapes", (params((2, 2), (4, 1), (2, 3, 2)), 0.01)),
        Case("large gradients", (params((3, 3), (2,), scale=1e3), 0.1)),
        Case("tiny gradients, a large step", (params((3, 3), (2,), scale=1e-2), 20.0)),
    ]


@exercise.judged_by
def state(value: Any, params: list[Tensor], lr: float) -> Any:
    """What counts after a step: the numbers, and that no gradient is left (None or zeros)."""
    numbers = tuple(p.detach().clone() for p in params)
    left = tuple(torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in params)
    return numbers, left


def _move(p: Tensor, step: Any) -> None:
    with torch.no_grad():
        p += step
    p.grad = None


@exercise.mistake(
    "You walk uphill, because you add the gradient, which points to where the loss grows.",
    "If the gradient is positive, should the step make the parameter larger or smaller?",
)
def uphill(params: list[Tensor], lr: float) -> None:
    for p in params:
        _move(p, lr * _gradient(p))


@exercise.mistake(
    "You never use the learning rate, so your step is the whole gradient.",
    "With lr = 0.01, how far should a gradient of 100 move a parameter?",
)
def no_learning_rate(params: list[Tensor], lr: float) -> None:
    for p in params:
        _move(p, -_gradient(p))


@exercise.mistake(
    "Nothing has changed. If you write `p = p - ...`, Python makes a new tensor and gives it the name p, "
    "but the parameter itself stays as it was.",
    "What is the difference between `p = p - step` and `p -= step`?",
)
def rebound(params: list[Tensor], lr: float) -> None:
    for p in params:
        p = p - lr * _gradient(p)


@exercise.mistake(
    "The parameters have not changed, but the gradients are gone. Either `p = p - ...` made a new tensor, "
    "or the gradients were cleared before they were used.",
    "Print a parameter before and after the line that should change it. Does the parameter change?",
)
def cleared_too_early(params: list[Tensor], lr: float) -> None:
    for p in params:
        p.grad = torch.zeros_like(p)
        p.data -= lr * _gradient(p)


@exercise.mistake(
    "Only the first parameter moves. Probably `return` is inside the loop.",
    "How many times does a loop run when its body ends with `return`?",
)
def first_parameter_only(params: list[Tensor], lr: float) -> None:
    _move(params[0], -lr * _gradient(params[0]))


@exercise.mistake(
    "The step is right, but you do not clear the gradients. The next backward pass would add to these old "
    "gradients.",
    "What does `backward()` do with an existing gradient: replace it, or add to it?",
)
def gradients_kept(params: list[Tensor], lr: float) -> None:
    for p in params:
        p.data -= lr * _gradient(p)


@exercise.mistake(
    "You divide the gradient by its length, so every step has the same length. But in plain gradient "
    "descent a small gradient makes a small step.",
    "Near the minimum the gradient is small. What should happen to the steps?",
)
def normalised(params: list[Tensor], lr: float) -> None:
    for p in params:
        _move(p, -lr * _gradient(p) / _gradient(p).norm())


@exercise.mistake(
    "You use only the sign of the gradient. But the size of the gradient has to count, too.",
    "Two entries have the gradients 0.001 and 100. Should the two entries move the same distance?",
)
def sign_only(params: list[Tensor], lr: float) -> None:
    for p in params:
        _move(p, -lr * _gradient(p).sign())


@exercise.mistake(
    "torch raises an error, because it still records every operation for `backward()`. But the step must "
    "not be recorded.",
    "What does `with torch.no_grad():` switch off?",
)
def no_no_grad(params: list[Tensor], lr: float) -> None:
    for p in params:
        p -= lr * _gradient(p)
        p.grad = None


@exercise.mistake(
    "You replace the parameter with the step instead of moving it by the step.",
    "With a gradient of zero, what should happen to the parameter?",
)
def replaced(params: list[Tensor], lr: float) -> None:
    for p in params:
        p.data = -lr * _gradient(p)
        p.grad = None


@exercise.alternative
def _step_by_data(params: list[Tensor], lr: float) -> None:
    for p in params:
        p.data.sub_(_gradient(p), alpha=lr)
        _gradient(p).zero_()


@exercise.alternative
def _step_by_torch(params: list[Tensor], lr: float) -> None:
    optimiser = torch.optim.SGD(params, lr=lr)
    optimiser.step()
    optimiser.zero_grad()


@exercise.alternative
def _step_by_index(params: list[Tensor], lr: float) -> list[Tensor]:
    with torch.no_grad():
        for i in range(len(params)):
            params[i].copy_(params[i] - lr * _gradient(params[i]))
            params[i].grad = torch.zeros_like(params[i])
    return params
