"""The smallest change that separates two copies."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.exercises.kit.comparison import Objection, kind_of
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=1,
    builds_on=("multi_head_attention",),
    hints=(
        "The left half of w_q's columns belongs to the first head, and the right half to the second head.",
        "What would make the two halves of a single matrix differ? Work on a copy: `w.clone()`.",
        "copy one of the four matrices; add something to one entry of the copy; return all four matrices",
    ),
)

Four = tuple[Tensor, Tensor, Tensor, Tensor]


@exercise.reference
def break_symmetry(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    """Weights of two heads that start as copies, changed so that training can separate them.

    Change as little as possible: a single number. Returns all four weights.
    """
    w_v = w_v.clone()
    w_v[0, 0] += 0.1
    return w_q, w_k, w_v, w_o


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def copies(d: int, d_k: int) -> Four:
        w_q, w_k, w_v = (normal(generator, d, d_k).repeat(1, 2) for _ in range(3))
        return w_q, w_k, w_v, normal(generator, d_k, d).repeat(2, 1)

    return [
        Case("2 heads of 2 numbers", copies(2, 2)),
        Case("2 heads of 3 numbers", copies(5, 3)),
        Case("2 heads of 4 numbers", copies(8, 4)),
    ]


@exercise.judged_by
def what_changed(value: Any, *before: Tensor) -> Any:
    names = ("w_q", "w_k", "w_v", "w_o")
    if not isinstance(value, (tuple, list)) or len(value) != 4:
        return Objection(f"Your function returned {kind_of(value)}. Return all four weights.")
    for name, new, old in zip(names, value, before, strict=True):
        if not isinstance(new, Tensor) or new.shape != old.shape or new.dtype != old.dtype:
            return Objection(f"`{name}` is {kind_of(new)}. It should still be {kind_of(old)}.")
        if not new.isfinite().all():
            return Objection(f"`{name}` holds a number that is not finite.")
    after = [new.detach().clone().requires_grad_() for new in value]
    changed = sum(int((new != old).sum()) for new, old in zip(after, before, strict=True))
    parted = _gradients_differ(after)
    how_many = {0: "none", 1: "one"}.get(changed, "more than one")
    return {
        f"Numbers that differ from those you were given: {changed}. That is": how_many,
        "After one step of training the two heads are": "different" if parted else "equal",
    }


def _gradients_differ(weights: list[Tensor]) -> bool:
    """Whether training treats the two heads differently: whether any of their gradients differ."""
    generator = torch.Generator().manual_seed(9)
    w_q, w_k, w_v, w_o = weights
    x = normal(generator, 2, 4, len(w_q))
    output, _ = many.multi_head_attention(x, w_q, w_k, w_v, w_o, 2)
    gradients = torch.autograd.grad(output, weights, normal(generator, *output.shape))
    pairs = [g.chunk(2, dim=0 if i == 3 else 1) for i, g in enumerate(gradients)]
    return any(
        bool((a - b).abs().max() > 1e-5 * g.abs().max()) for (a, b), g in zip(pairs, gradients, strict=True)
    )


@exercise.mistake(
    "You change nothing, so the two heads are still copies of each other.",
    "If two heads are equal now and get the same gradient, what are they after the step?",
)
def nothing_changed(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    return w_q, w_k, w_v, w_o


@exercise.mistake(
    "You change several numbers, but both heads are still copies of each other.",
    "Which columns of w_q belong to the first head, and which to the second?",
)
def both_changed_alike(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    return 1.1 * w_q, w_k, w_v, w_o


@exercise.mistake(
    "The heads separate, but you changed more than one number. Fewer changes are enough to break the "
    "symmetry.",
    "If only one entry of w_q differs, do both heads still get the same gradients?",
)
def noise_everywhere(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    noise = torch.linspace(0.1, 0.2, w_q.numel()).reshape(w_q.shape)
    return w_q + noise, w_k, w_v, w_o


@exercise.mistake(
    "You return only the weight that you changed. The lesson needs all four weight matrices for training.",
    "How does a Python function return four tensors?",
)
def only_the_changed_one(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    w_q = w_q.clone()
    w_q[0, 0] += 0.1
    return w_q


@exercise.alternative
def _change_w_q(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    w_q = w_q.clone()
    w_q[0, 0] = w_q[0, 0] + 0.5
    return w_q, w_k, w_v, w_o


@exercise.alternative
def _change_w_o(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Any:
    change = torch.zeros_like(w_o)
    change[-1, -1] = 1
    return [w_q, w_k, w_v, w_o + change]


@exercise.alternative
def _change_w_k(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Four:
    new = torch.clone(w_k)
    new.view(-1)[-1] = -new.view(-1)[-1]
    return w_q, new, w_v, w_o
