"""Test which words are underlined and which are left unchanged."""

from __future__ import annotations

import re

import pytest

from qkvlib.figures import theme
from qkvlib.tools.authoring.roles import underlined


def marked(text: str) -> list[str]:
    return re.findall(r"<span[^>]*>(\w+)</span>", underlined(text))


def test_each_is_underlined_where_it_is_first_named() -> None:
    text = "A query meets each key.\n\nQueries, keys and **values** are made.\n\nA key, a value."
    assert marked(text) == ["query", "key", "values"]
    assert re.sub(r"</?span[^>]*>", "", underlined(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "The value is 3, and all values are small.",
        "Press any key.",
        "# Queries and keys",
        "| query | key |",
        "`query` and `key`, $query$ and $key$",
        "![a query meets a key](query-key.svg)",
        "[the chapter](query.ipynb) and [its end](key.ipynb)",
        "```\nquery, key = 1, 2\n```",
        "monkeys, keyboards and n_queries",
    ],
)
def test_what_may_mean_something_else_is_left_alone(text: str) -> None:
    assert underlined(text) == text


def test_what_stands_between_the_words_stays() -> None:
    text = "`key` is one, and the key of a [query](query.ipynb) $key$ another."
    line = 'style="border-bottom: 2px solid {}"'
    key, query = (line.format(theme.on_any_page(role)) for role in ("key", "query"))
    assert underlined(text) == (
        f"`key` is one, and the <span {key}>key</span> of a [<span {query}>query</span>]"
        "(query.ipynb) $key$ another."
    )


@pytest.mark.parametrize("role", ["query", "key", "value"])
def test_the_line_is_seen_on_both_papers(role: str) -> None:
    colour = theme.on_any_page(role)
    assert theme.contrast(colour, theme.LIGHT.paper) > 3
    assert theme.contrast(colour, theme.DARK.paper) > 3
