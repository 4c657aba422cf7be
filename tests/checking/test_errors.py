"""Test our rewording of torch's unclear errors. Each error is raised here, so new wording is noticed."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch

from qkvlib.checking import errors, verdict
from qkvlib.checking.errors import in_plain_words

A, B, V = torch.ones(2, 4), torch.ones(3, 4), torch.ones(3)
P = torch.ones(2, requires_grad=True)
TWO: Any = 2
ONE: Any = 1.0
NONE: Any = None


def _in_place() -> None:
    x = P.exp()
    x += 1
    x.sum().backward()


def _on_a_leaf() -> None:
    p = P.clone().detach().requires_grad_()
    p += 1


def _twice() -> None:
    loss = (P * P).sum()
    loss.backward()
    loss.backward()


def _unpack(*values: Any) -> None:
    _one, _two = values


def _put() -> None:
    torch.zeros(2, 3)[0] = torch.ones(2)


ERRORS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: A @ B,
        "[2, 4] @ [3, 4] is not possible: the left matrix needs as many columns as the right "
        "matrix has rows, but 4 is not 3 (transposing the right matrix would make them fit).",
    ),
    (lambda: A.T @ B.T, "but 2 is not 4 (transposing the left matrix would make them fit)."),
    (lambda: torch.bmm(A[None], B[None]), "finds [1, 3]"),
    (lambda: A[None].expand(2, 2, 4) @ B[None].expand(2, 3, 4), "finds [2, 3]"),
    (lambda: B - B.sum(1), "In dimension 1 the sizes are 4 and 3. A sum, mean or norm"),
    (lambda: A @ V, "needs a vector of 4 numbers; this vector has 3."),
    (lambda: V @ torch.ones(2), "vectors of equal length; these have 3 and 2 numbers."),
    (lambda: bool(A > 0), "`if mask is not None`"),
    (lambda: A.sum(2), "here are 0 to 1, or, from the end, -1 to -2: there is no dimension 2."),
    (lambda: A[2], "dimension 0, of size 2, the indices are 0 to 1: there is no index 2."),
    (lambda: V[0, 0], "than the tensor has dimensions: the tensor has 1."),
    (lambda: A[V], "one whole number"),
    (lambda: [1, 2][V[0]], "one whole number"),
    (lambda: [1, 2][ONE], "one whole number"),
    (lambda: [1, 2][:ONE], "one whole number"),
    (lambda: A.T.view(8), "`reshape` does the same"),
    (lambda: A.view(3, 3), "The shape [3, 3] has room for 9 numbers, but the tensor has 8."),
    (lambda: A.view(3, -1), "cannot be cut up evenly"),
    (lambda: A @ B.T.double(), "This line mixes two dtypes"),
    (_on_a_leaf, "`with torch.no_grad():`"),
    (_in_place, "Make a new tensor"),
    (lambda: A.sum().backward(), "Nothing leads back"),
    (_twice, "compute the loss again"),
    (lambda: (P * 2).backward(), "starts from a single number"),
    (lambda: torch.einsum("ij,jk->ik", A, B), "but `j` is 3 in one tensor and 4 in another."),
    (lambda: torch.einsum("i,ij->j", A, B), "here are 1 letters for 2 dimensions."),
    (_put, "along one dimension the sizes are 3 and 2."),
    (lambda: A.expand(3, 4), "A tensor cannot be expanded"),
    (lambda: torch.cat([A, torch.ones(2, 3)]), "`torch.cat` joins along one dimension"),
    (lambda: torch.stack([A, B]), "To join tensors along a dimension that they already have"),
    (lambda: torch.arange(3).softmax(0), "`.float()` turns them"),
    (lambda: torch.arange(3).mean(), "`.float()` turns them"),
    (lambda: V.mT, "leave out `.mT`"),
    (lambda: _unpack(1), "The left side has 2 names, and the right side has 1 value."),
    (lambda: _unpack(1, 2, 3), "The left side has 2 names, and"),
    (lambda: float(A), "This line needs a single number"),
    (lambda: math.exp(A), "This line needs a single number"),
    (lambda: A.item(), "This line needs a single number"),
    (lambda: V @ V.double(), "This line mixes two dtypes"),
    (lambda: torch.autograd.grad(P.sum(), V), "Call `x.requires_grad_()` before"),
    (lambda: A - A.max(-1), "`max` along a dimension gives two results"),
    (lambda: A.min(-1).exp(), "`min` along a dimension gives two results"),
    (lambda: A + None, "is None"),
    (lambda: None.shape, "is None"),
    (lambda: torch.exp(NONE), "is None"),
    (lambda: torch.cat([A, NONE]), "is None"),
    (lambda: A.masked_fill(NONE, 0.0), "is None"),
    (lambda: torch.where(NONE, A, 0.0), "is None"),
    (lambda: torch.tensor([NONE]), "is None"),
    (lambda: (A, A) @ A, "`output, weights = ...`"),
    (lambda: (A, A).shape, "`output, weights = ...`"),
    (lambda: 2 @ A, "To multiply a tensor by a number, use `*`."),
    (lambda: A @ 2, "To multiply a tensor by a number, use `*`."),
    (lambda: A(0), "Use square brackets to pick"),
    (lambda: [0, 0] * sys.maxsize, "There is not enough memory for this line."),
    (lambda: nobody, "Nothing here is called `nobody`."),  # type: ignore[name-defined]  # noqa: F821
    (lambda: TWO[0], "plain number"),
    (lambda: TWO.shape, "plain number"),
    (lambda: len(TWO), "plain number"),
]


@pytest.mark.parametrize(("fails", "words"), ERRORS)
@pytest.mark.filterwarnings("ignore")
def test_an_error_is_said_in_plain_words(fails: Callable[[], Any], words: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        fails()
    plain = in_plain_words(type(caught.value).__name__, str(caught.value))
    assert words in plain, str(caught.value)


def test_every_meaning_is_tried() -> None:
    said = set()
    for fails, _ in ERRORS:
        try:
            fails()
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            said |= {next(i for i, (one, _) in enumerate(errors._MEANINGS) if errors.re.search(one, text))}
    assert said == set(range(len(errors._MEANINGS)))


def test_what_is_not_known_is_left_alone() -> None:
    assert in_plain_words("ValueError", "no") == ""


def test_the_verdict_says_it_below_the_line() -> None:
    judged = verdict("centre", lambda x: x - x.sum(5))
    assert judged.message.endswith("-1 to -2: there is no dimension 5.")


def test_a_dimension_that_is_offered_is_there() -> None:
    """For a single number, or one dimension too many, torch's message is the same as for a vector."""
    one = torch.tensor(1.0)
    for fails, low, high in (
        (one.sum, -1, 0),
        (V.sum, -1, 0),
        (A.sum, -2, 1),
        (A.unsqueeze, -3, 2),
        (lambda dim: torch.stack([V, V], dim), -2, 1),
    ):
        with pytest.raises(IndexError) as caught:
            fails(high + 1)
        plain = in_plain_words("IndexError", str(caught.value))
        assert f"{high}, or" in plain
        assert f" {low}" in plain
        assert plain.endswith(f": there is no dimension {high + 1}.")
        fails(low)
        fails(high)
