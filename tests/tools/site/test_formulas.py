"""Test formulas as MathML, which a browser can draw without a script."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from qkvlib.tools.site.formulas import mathml
from qkvlib.tools.site.text import as_html

LESSONS = sorted((Path(__file__).parents[3] / "lessons").glob("*.ipynb"))


def test_a_formula_stands_in_its_line_or_in_one_of_its_own() -> None:
    assert mathml("q", block=False).startswith("<math ")
    assert 'display="inline"' in mathml("q", block=False)
    assert 'display="block"' in mathml("q", block=True)


def test_a_name_has_room_around_it_but_none_before_a_bracket() -> None:
    assert '<mo lspace="0.167em" rspace="0.167em">log</mo>' in mathml(r"a \log a", block=False)
    softmax = mathml(r"\operatorname{softmax}(s)", block=False)
    assert '<mo lspace="0.167em" rspace="0">softmax</mo>' in softmax


def test_bars_and_strokes_stand_close() -> None:
    made = mathml("|q| / 2", block=False)
    assert made.count('<mo stretchy="false" lspace="0" rspace="0">') == 3


def test_the_sign_of_a_transpose_is_upright_and_a_prime_is_not_made_small() -> None:
    assert "<mi>&#x1D5B3;</mi>" in mathml(r"K^{\mathsf T}", block=False)
    assert "<mrow><mi>x</mi><mo" in mathml("x' = x", block=False)


@pytest.mark.parametrize("tex", [r"\unheard{x}", r"\begin{aligned} a &= b \end{aligned}", "^"])
def test_what_cannot_be_rendered_stands_as_it_was_written(tex: str) -> None:
    shown = tex.replace("&", "&amp;")
    assert mathml(tex, block=True) == f"<code>$${shown}$$</code>"


def test_every_formula_of_the_lessons_can_be_rendered() -> None:
    """None is torn apart by what a line of it begins with."""
    count = 0
    for path in LESSONS:
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "markdown":
                prose = re.sub(r"(?s)<(code|math)\b.*?</\1>", "", as_html(cell.source))
                assert "$" not in prose, f"{path.name}: {prose}"
                text = re.sub(r"`[^`]*`", "", cell.source)
                for tex in re.findall(r"(?s)\$\$(.+?)\$\$|\$(.+?)\$", text):
                    count += 1
                    made = mathml(tex[0] or tex[1], block=bool(tex[0]))
                    assert made.startswith("<math "), f"{path.name}: {tex}"
    assert count > 100
