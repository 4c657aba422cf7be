"""Test the cache widget without a browser: its costs equal those of rows counted one by one."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from qkvlib.cached import attend_with_cache
from qkvlib.widgets import Cache
from qkvlib.widgets.cache.widget import KEEPS
from tests.wire import Wire

WORDS = ["The", "law", "will", "never", "be"]


def costs(widget: Cache, arrived: int, keeps: int, kv_heads: int) -> tuple[int, int]:
    """Return the cost of a choice: numbers stored, rows computed."""
    Wire(widget).rest(arrived=arrived, keeps=keeps, kv_heads=kv_heads, met=False)
    return widget.costs.held, widget.costs.computed


@pytest.mark.parametrize("kv_heads", [4, 2, 1])
def test_what_is_held_is_what_a_cache_holds(kv_heads: int) -> None:
    widget = Cache(WORDS, n_heads=4, d_k=3)
    caches = [(torch.empty(0, 3), torch.empty(0, 3))] * kv_heads
    for arrived in range(1, len(WORDS) + 1):
        x, w = torch.ones(1, 2), torch.ones(2, 3)
        caches = [attend_with_cache(x, w, w, w, *rows)[1:] for rows in caches]
        held = sum(k.numel() + v.numel() for k, v in caches)
        expected = (held, 2 * kv_heads * arrived)
        assert costs(widget, arrived, KEEPS.index("K and V"), kv_heads) == expected


def test_with_nothing_kept_all_rows_are_computed_in_each_round() -> None:
    widget = Cache(WORDS, n_heads=2, d_k=3)
    assert costs(widget, 5, 0, 2) == (0, 2 * 2 * (1 + 2 + 3 + 4 + 5))


def test_to_keep_queries_costs_memory_and_saves_no_rows() -> None:
    widget = Cache(WORDS, n_heads=4, d_k=3)
    two, three = (costs(widget, 1, keeps, 4) for keeps in (1, 2))
    assert three == (two[0] + 4 * 3, two[1])


def test_heads_are_shared_evenly() -> None:
    assert Cache(WORDS, n_heads=4).shares == [4, 2, 1]
    assert Cache(WORDS, n_heads=3).shares == [3, 1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((["a"],), "there are 1 words"),
        ((["a", ""],), "1 to 10 letters"),
        ((["a", "b"], 5), "there are 5 heads"),
        ((["a", "b"], 2, 0), "a row has 0 numbers"),
    ],
)
def test_bad_input_is_refused_with_words(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Cache(*given)


def test_the_still_picture_and_the_text_say_what_is_chosen() -> None:
    widget = Cache(WORDS, n_heads=2, d_k=3)
    assert "<td>nothing</td><td>2</td><td>1</td><td>0</td><td>4</td>" in widget.static_html()
    assert repr(widget) == (
        "Cache(5 words, 2 heads, 2 of keys and values; nothing kept, 1 arrived: 0 numbers held, "
        "4 rows computed)"
    )
