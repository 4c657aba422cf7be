"""Test that the colours can be told apart, are readable, and are defined in one place."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

import qkvlib
from qkvlib.figures import theme
from qkvlib.figures.theme import DARK, LIGHT, Palette

BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])

# How each kind of colour blindness mixes the three channels of light (Machado and others, 2009).
SIGHT = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "no green": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "no blue": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}


def oklab(colour: str, sight: str = "full") -> tuple[float, float, float]:
    """Return lightness and two hue axes, in which equal distances look about equal (Ottosson, 2020)."""
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in theme.channels(colour)]
    r, g, b = (
        min(max(sum(share * channel for share, channel in zip(row, light, strict=True)), 0), 1)
        for row in SIGHT[sight]
    )
    long = (0.4122 * r + 0.5363 * g + 0.0514 * b) ** (1 / 3)
    middle = (0.2119 * r + 0.6807 * g + 0.1074 * b) ** (1 / 3)
    short = (0.0883 * r + 0.2817 * g + 0.6300 * b) ** (1 / 3)
    return (
        0.2105 * long + 0.7936 * middle - 0.0041 * short,
        1.9780 * long - 2.4286 * middle + 0.4506 * short,
        0.0259 * long + 0.7828 * middle - 0.8087 * short,
    )


def hue(colour: str) -> float:
    _, a, b = oklab(colour)
    return math.degrees(math.atan2(b, a)) % 360


def hues_apart(one: str, other: str) -> float:
    return abs((hue(one) - hue(other) + 180) % 360 - 180)


@BOTH
@pytest.mark.parametrize("sight", SIGHT)
def test_roles_and_signs_stay_apart_whatever_the_eyes(palette: Palette, sight: str) -> None:
    pairs = [*combinations((palette.query, palette.key, palette.value), 2)]
    for one, other in [*pairs, (palette.minus, palette.plus)]:
        assert math.dist(oklab(one, sight), oklab(other, sight)) > 0.08, (one, other)


@BOTH
def test_no_sign_and_no_weight_has_the_hue_of_a_role(palette: Palette) -> None:
    for role in (palette.query, palette.key, palette.value):
        for other in (palette.minus, palette.plus, palette.weight):
            assert hues_apart(role, other) > 35, (role, other)


@BOTH
def test_what_is_written_in_a_colour_can_be_read(palette: Palette) -> None:
    written = ("query", "key", "value", "good", "bad", "ink", "soft")
    for name in written:
        assert theme.contrast(getattr(palette, name), palette.paper) > 4.5, name
    for name in ("minus", "plus", "weight"):
        assert theme.contrast(getattr(palette, name), palette.paper) > 3, name


def test_scales_run_from_the_paper_to_their_ends() -> None:
    assert theme.signed(0) == theme.weight(0) == LIGHT.paper
    assert [theme.signed(-1), theme.signed(1), theme.weight(1)] == [LIGHT.minus, LIGHT.plus, LIGHT.weight]


def test_a_half_is_half_way() -> None:
    assert theme.mix("#000000", "#ff8040", 0.5) == "#804020"


def test_a_veil_lets_the_paper_through() -> None:
    assert theme.veil("#ff8040", 0.25) == "rgba(255, 128, 64, 0.250)"
    assert theme.veil("#ff8040", 2) == "rgba(255, 128, 64, 1.000)"


def test_contrast_is_21_between_black_and_white() -> None:
    assert theme.contrast("#000000", "#ffffff") == pytest.approx(21)


def test_css_declares_every_colour_in_both_themes() -> None:
    light, dark = theme.css().splitlines()
    for name in Palette.__dataclass_fields__:
        assert f"--qkv-{name}: " in light
        assert f"--qkv-{name}: " in dark
    assert LIGHT.query in light
    assert DARK.query in dark


def test_no_widget_writes_a_colour_of_its_own() -> None:
    widgets = Path(qkvlib.__file__).parent / "widgets"
    for path in [*widgets.glob("*.py"), *widgets.glob("*/*")]:
        if path.suffix in {".py", ".js", ".css"} and path.parent.name != "static":
            found = re.findall(r"#[0-9a-fA-F]{6}\b|\brgba?\((?!\$)|\bhsl", path.read_text("utf-8"))
            assert not found, f"{path.name} writes {found}: colours live in theme.py"
