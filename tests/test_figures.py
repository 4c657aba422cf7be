"""Figures show what they are given, as HTML and as plain text."""

from __future__ import annotations

import pytest
import torch

from qkvlib import theme
from qkvlib.figures import matrix, side_by_side, written


def test_a_matrix_names_its_rows_and_columns() -> None:
    figure = matrix(torch.tensor([[1.0, -2.5], [0.0, 10.0]]), ["its", "law"], ["a", "b"], "scores")
    assert repr(figure).splitlines() == [
        "scores",
        "        a      b",
        "its  1.00  −2.50",
        "law  0.00  10.00",
    ]


def test_the_ground_says_how_large_and_which_sign() -> None:
    html = matrix(torch.tensor([[4.0, -4.0]]), ["r"], ["a", "b"]).html
    assert theme.signed(0.8) in html
    assert theme.signed(-0.8) in html
    assert (
        theme.weight(0.8 * 0.25) in matrix(torch.tensor([[0.25]]), ["r"], ["a"], weights=True).html
    )


def test_a_zero_has_no_sign_and_a_minus_is_a_minus() -> None:
    assert [written(x) for x in (-0.001, 0.0, -1.0)] == ["0.00", "0.00", "−1.00"]


def test_what_is_written_as_zero_has_no_colour() -> None:
    dust = matrix(torch.tensor([[1e-7, -1e-7]]), ["r"], ["a", "b"])
    assert theme.signed(0.8) not in dust.html


def test_a_matrix_of_zeros_can_be_shown() -> None:
    assert repr(matrix(torch.zeros(1, 1), ["r"], ["c"])).endswith("0.00")


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3\), but there are 2 names of rows and 2 of"):
        matrix(torch.zeros(2, 3), ["a", "b"], ["c", "d"])


def test_a_name_cannot_bring_markup_along() -> None:
    assert "<b>" not in matrix(torch.zeros(1, 1), ["<b>"], ["<b>"], "<b>").html


def test_figures_side_by_side_are_below_each_other_as_text() -> None:
    one = matrix(torch.zeros(1, 1), ["r"], ["c"], "one")
    assert repr(side_by_side(one, one)) == f"{one!r}\n\n{one!r}"
