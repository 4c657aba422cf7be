"""Test that README's film shows the widget as it is now: `python -m tests.page.film` records it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.page import film
from tests.page.animation import milliseconds_of, words_of

AGAIN = "the widget has changed: record it again, `python -m tests.page.film`"
README = (film.FILMS[False].parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_film_shows_the_words_that_the_widget_has(browser: Browser) -> None:
    seen: list[str] = []
    for page in film.played(browser, dark=False):
        if film.words(page) not in seen[-1:]:
            seen.append(film.words(page))
    assert words_of(film.FILMS[False].read_bytes()) == seen, AGAIN


@pytest.mark.parametrize("dark", film.FILMS)
def test_a_film_is_short_light_and_in_the_readme(dark: bool) -> None:
    data = film.FILMS[dark].read_bytes()
    assert len(data) <= 1_500_000
    assert 6000 <= milliseconds_of(data) <= 8000
    assert f'"lessons/pictures/{film.FILMS[dark].name}"' in README


def test_light_and_dark_say_the_same_and_the_alternative_words_are_among_it() -> None:
    light, dark = (words_of(path.read_bytes()) for path in film.FILMS.values())
    assert light == dark, AGAIN
    (alternative,) = re.findall(r'<img src="lessons/pictures/learn-to-look[^>]*alt="([^"]*)"', README)
    for quoted in re.findall("“(.*?)”", alternative):
        assert quoted in " ".join(light)
