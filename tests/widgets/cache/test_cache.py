"""The cache widget without a browser: its costs are those of rows counted one by one."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from qkvlib.cached import attend_with_cache
from qkvlib.learner import progress
from qkvlib.widgets import Cache, Fits
from qkvlib.widgets.cache.widget import KEEPS
from tests.wire import Wire

WORDS = ["The", "law", "will", "never", "be"]


def a_goal(**bounds: int) -> Fits:
    return Fits("66-fits", "Make it fit.", **{"most_held": 60, "most_computed": 20, **bounds})


@pytest.mark.parametrize("kv_heads", [4, 2, 1])
def test_what_is_held_is_what_a_cache_holds(kv_heads: int) -> None:
    widget = Cache(WORDS, n_heads=4, d_k=3)
    wire = Wire(widget)
    wire.ask(do="share", choice=kv_heads)
    wire.ask(do="keep", choice=KEEPS.index("K and V"))
    caches = [(torch.empty(0, 3), torch.empty(0, 3))] * kv_heads
    for arrived in range(1, len(WORDS) + 1):
        state = wire.ask(do="arrive", choice=arrived)["state"]
        x, w = torch.ones(1, 2), torch.ones(2, 3)
        caches = [attend_with_cache(x, w, w, w, *rows)[1:] for rows in caches]
        assert state["held"] == sum(k.numel() + v.numel() for k, v in caches)
        assert state["computed"] == 2 * kv_heads * arrived


def test_with_nothing_kept_all_rows_are_computed_in_each_round() -> None:
    wire = Wire(Cache(WORDS, n_heads=2, d_k=3))
    state = wire.ask(do="arrive", choice=5)["state"]
    assert (state["held"], state["computed"]) == (0, 2 * 2 * (1 + 2 + 3 + 4 + 5))


def test_to_keep_queries_costs_memory_and_saves_no_rows() -> None:
    wire = Wire(Cache(WORDS, n_heads=4, d_k=3))
    two = wire.ask(do="keep", choice=1)["state"]
    three = wire.ask(do="keep", choice=2)["state"]
    assert three["computed"] == two["computed"]
    assert three["held"] - two["held"] == 4 * 3


def test_words_arrive_within_their_number_and_heads_are_shared_evenly() -> None:
    widget = Cache(WORDS, n_heads=4)
    wire = Wire(widget)
    assert wire.ask(do="arrive", choice=99)["state"]["arrived"] == 5
    assert wire.ask(do="arrive", choice=0)["state"]["arrived"] == 1
    assert wire.ask(do="share", choice=3)["state"]["kv_heads"] == 4
    assert Cache(WORDS, n_heads=3).shares == [3, 1]


def test_the_goal_needs_all_words_little_memory_and_little_work(home: object) -> None:
    wire = Wire(Cache(WORDS, n_heads=4, d_k=3, goal=a_goal()))
    assert not wire.ask(do="arrive", choice=5)["state"]["goal"]["met"], "too many rows"
    state = wire.ask(do="keep", choice=1)["state"]
    assert not state["goal"]["met"], "too many numbers"
    assert state["goal"]["words"] == "5 of 5 words, 120 numbers of 60, 40 rows of 20."
    wire.ask(do="arrive", choice=4)
    assert not wire.ask(do="share", choice=2)["state"]["goal"]["met"], "a word is missing"
    assert progress.recall("goals", "66-fits") is None
    assert wire.ask(do="arrive", choice=5)["state"]["goal"]["met"]
    assert progress.recall("goals", "66-fits") is True
    assert wire.ask(do="share", choice=4)["state"]["goal"]["met"], "what is met stays met"


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
