"""Test what every widget promises: answers, states that survive, and a picture without a kernel."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from qkvlib import widgets
from qkvlib.figures.words import quoted
from qkvlib.widgets import Vectors
from qkvlib.widgets.kit.widget import Widget, tidy
from tests.widgets.makers import MAKERS
from tests.wire import Wire

EACH = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@EACH
def test_two_of_a_kind_read_and_look_the_same(make: Callable[[], Widget]) -> None:
    bundles = [make()._repr_mimebundle_()[0] for _ in range(2)]
    for kind in ("text/plain", "text/html"):
        assert bundles[0][kind] == bundles[1][kind]


@EACH
def test_a_still_picture_says_that_it_is_one_and_how_it_wakes(make: Callable[[], Widget]) -> None:
    """Two do not look like a picture and are left out: a question, and the recap of questions."""
    widget = make()
    html = widget._repr_mimebundle_()[0]["text/html"]
    assert ("Shift+Enter" in html) == (widget.front_end not in ("predict", "recap"))
    assert html.endswith(widget.static_html())


@EACH
def test_the_still_picture_survives_being_sanitised(make: Callable[[], Widget]) -> None:
    html = make().static_html()
    assert not re.search(r"<(script|style|svg|link|iframe)|\son\w+=|class=|https?:", html)
    for source in re.findall(r'src="([^"]*)"', html):
        kind, data = source.split(",")
        assert kind == "data:image/svg+xml;base64"
        ElementTree.fromstring(base64.b64decode(data))
    assert all('alt="' in image for image in re.findall(r"<img[^>]*>", html))


@pytest.mark.parametrize("name", MAKERS)
def test_what_a_widget_brings_to_the_page_is_small(name: str) -> None:
    assert len(MAKERS[name]().bridge._esm) < 60_000


def test_what_is_asked_of_all_widgets_is_asked_of_every_kind() -> None:
    public = [getattr(widgets, name) for name in widgets.__all__]
    kinds = {one.front_end for one in public if isinstance(one, type) and issubclass(one, Widget)}
    assert {*MAKERS} == kinds | {"predict", "recap"}  # these are made by functions
    assert all(make().front_end == name for name, make in MAKERS.items())


def test_a_message_that_fails_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    wire = Wire(Vectors([1.0, 2.0], [[3.0, 4.0]]))
    answer = wire.rest(query=[1.0, 2.0, 3.0])
    assert answer
    assert answer["trouble"].startswith("ValueError: query has shape (3,)")
    assert "query has shape (3,)" in caplog.text


def test_messages_wait_while_another_thread_computes() -> None:
    vectors = Vectors([1.0, 2.0], [[3.0, 4.0]])
    wire = Wire(vectors)
    asking = threading.Thread(target=wire.rest, kwargs={"query": [0.0, 1.0]})
    with vectors.lock:
        asking.start()
        asking.join(0.05)
        assert vectors.query.tolist() == [1.0, 2.0]
    asking.join()
    assert vectors.query.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("name", "words"), [("its", "“its”"), ("a", "“a”"), ("k₁", "k₁"), ("t10", "t10")])
def test_a_name_in_a_sentence_is_quoted_unless_it_is_a_letter_with_a_number(name: str, words: str) -> None:
    assert quoted(name) == words


@pytest.mark.parametrize(
    ("given", "packed"),
    [(1.23456789, 1.23457), ([float("nan"), float("inf")], [None, None]), ([[2.0]], [[2.0]])],
)
def test_numbers_are_packed_as_json_can_hold_them(given: Any, packed: Any) -> None:
    assert tidy(given) == packed
