"""Test that figures show their data, as HTML and as plain text."""

from __future__ import annotations

import re

import pytest
import torch

from qkvlib.figures import still, theme
from qkvlib.figures.tables import STRONGEST, matrix, side_by_side, written
from qkvlib.figures.theme import DARK, LIGHT, Palette


def test_a_matrix_names_its_rows_and_columns() -> None:
    figure = matrix(torch.tensor([[1.0, -2.5], [0.0, 10.0]]), ["its", "law"], ["a", "b"], "scores")
    assert repr(figure).splitlines() == ["scores", "        a      b", "its  1.00  −2.50", "law  0.00  10.00"]


def test_a_corner_heads_nothing() -> None:
    html = matrix(torch.ones(1, 1), ["one"], ["first"]).html
    assert "></th>" not in html
    assert html.count("<th ") == 2
    assert "></th>" not in still.table(["", "first"], [["one", "1"]])


def test_the_ground_says_how_large_and_which_sign() -> None:
    html = matrix(torch.tensor([[4.0, -2.0]]), ["r"], ["a", "b"]).html
    assert theme.veil(LIGHT.plus, STRONGEST) in html
    assert theme.veil(LIGHT.minus, STRONGEST / 2) in html
    quarter = matrix(torch.tensor([[0.25]]), ["r"], ["a"], weights=True).html
    assert theme.veil(LIGHT.weight, STRONGEST / 4) in quarter


@pytest.mark.parametrize("page", [LIGHT, DARK], ids=["light", "dark"])
def test_a_number_can_be_read_on_its_ground_on_any_page(page: Palette) -> None:
    html = matrix(torch.eye(2), ["r", "s"], ["a", "b"]).html
    assert not re.search(r"[^-]color:|#[0-9a-f]{6}", html), "the ink is the page's own"
    for colour in (LIGHT.minus, LIGHT.plus, LIGHT.weight):
        assert theme.contrast(page.ink, theme.mix(page.paper, colour, STRONGEST)) > 4.5


def test_a_zero_has_no_sign_and_a_minus_is_a_minus() -> None:
    assert [written(x) for x in (-0.001, 0.0, -1.0)] == ["0.00", "0.00", "−1.00"]


def test_what_is_written_as_zero_has_no_colour() -> None:
    dust = matrix(torch.tensor([[1e-7, -1e-7]]), ["r"], ["a", "b"])
    assert dust.html.count(", 0.000)") == 2


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3\), but there are 2 names of rows and 2 of"):
        matrix(torch.zeros(2, 3), ["a", "b"], ["c", "d"])


def test_a_name_cannot_bring_markup_along() -> None:
    assert "<b>" not in matrix(torch.zeros(1, 1), ["<b>"], ["<b>"], "<b>").html


def test_figures_side_by_side_are_below_each_other_as_text() -> None:
    one = matrix(torch.zeros(1, 1), ["r"], ["c"], "one")
    assert repr(side_by_side(one, one)) == f"{one!r}\n\n{one!r}"
