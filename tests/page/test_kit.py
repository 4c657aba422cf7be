"""Test what the kit promises for every widget.

`Vectors` represents the widgets whose numbers the page owns. `ReadAloud`, with a learner's own
model, represents those that ask Python.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from qkvlib.models import Pronouncer
from qkvlib.widgets import ReadAloud, Shapes, Vectors
from tests.page.host import Host, Show

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells)."


BEHIND = "Python has not received this yet."


@pytest.fixture
def vectors() -> Vectors:
    return Vectors(QUERY, KEYS)


@pytest.fixture
def host(show: Show, vectors: Vectors) -> Host:
    return show(vectors)


@pytest.fixture
def asking(show: Show) -> Host:
    return show(ReadAloud("anna", Pronouncer.pretrained()))


def read(host: Host, word: str) -> None:
    host.page.get_by_label("A word, or a name:").fill(word)
    host.page.keyboard.press("Enter")


def said(host: Host) -> str:
    return host.page.locator(".aloud-said").inner_text()


def focus_query(page: Page) -> None:
    page.get_by_role("slider", name="query q").focus()


def press(host: Host, times: int = 1) -> None:
    """Move the query to the right."""
    focus_query(host.page)
    for _ in range(times):
        host.page.keyboard.press("ArrowRight")


def waits(page: Page) -> str:
    """Return the notice about a late kernel, or "" if there is none."""
    line = page.locator(".qkv-patience")
    return line.inner_text() if line.is_visible() else ""


def test_python_receives_where_the_hand_rests_in_one_message(host: Host, vectors: Vectors) -> None:
    host.let_time_stand()  # ten presses may take a busy machine a while
    press(host, 10)
    assert host.page.evaluate("window.sent.length") == 0
    host.page.clock.run_for(300)
    host.settle()
    (sent,) = host.page.evaluate("window.sent")
    assert sent["rest"] == {"query": pytest.approx([2.5, 1.0])}
    assert vectors.query.tolist() == [2.5, 1.0]


def test_a_silent_kernel_is_waited_for_and_gets_the_newest(host: Host, vectors: Vectors) -> None:
    host.holding = True
    host.let_time_stand()
    press(host, 5)
    host.page.clock.run_for(1000)
    assert not waits(host.page)
    press(host, 5)
    host.page.clock.run_for(1000)
    assert waits(host.page) == BEHIND
    tip = host.page.get_by_role("slider", name="query q")
    assert "x 2.50, y 1.00" in (tip.get_attribute("aria-valuetext") or "")
    assert len(host.held) == 1
    for _ in range(2):
        host.release()
        host.page.clock.run_for(50)
    host.page.wait_for_selector('.qkv[data-waiting="0"]', state="attached")
    assert not waits(host.page)
    assert vectors.query.tolist() == [2.5, 1.0]


DEAD = [
    "window.manager = { kernel: null }",
    "window.manager = { kernel: { status: 'dead' } }",
    "window.manager = { kernel: { status: 'idle', connectionStatus: 'disconnected' } }",
]
GONE_AWAY = [
    *DEAD,
    "() => { window.here = window.kernel; window.kernel = () => { throw new Error('gone'); } }",
]


@pytest.mark.parametrize("going", GONE_AWAY)
def test_a_kernel_that_is_gone_and_comes_back_gets_the_pages_numbers(
    host: Host, vectors: Vectors, going: str
) -> None:
    host.page.evaluate(going)
    press(host)
    host.page.wait_for_selector('.qkv[data-behind="gone"]')
    assert waits(host.page) == BEHIND
    assert host.page.locator("[role=alert]:visible").count() == 0
    assert vectors.query.tolist() == QUERY
    host.page.evaluate("() => { window.manager = undefined; window.kernel = window.here ?? window.kernel }")
    host.page.wait_for_selector('.qkv[data-waiting="0"]')
    assert not waits(host.page)
    assert vectors.query.tolist() == pytest.approx([2.05, 1.0])


@pytest.mark.parametrize("under_way", [False, True])
def test_what_python_moves_meanwhile_is_shown_with_what_the_hand_does(
    host: Host, vectors: Vectors, under_way: bool
) -> None:
    """Python gets all of it, even if the hand's message was under way."""
    host.holding = True
    press(host)
    if under_way:
        host.page.wait_for_function("() => window.sent.length === 1")
    vectors.receive({"keys": [[1.0, 1.0], *KEYS[1:]]})
    vectors.push()
    host.push_from_python()
    tip = host.page.get_by_role("slider", name="query q")
    assert "x 2.05" in (tip.get_attribute("aria-valuetext") or "")
    key = host.page.get_by_role("slider", name="key k₁")
    assert "x 1.00, y 1.00" in (key.get_attribute("aria-valuetext") or "")
    if under_way:
        host.release()
        host.page.wait_for_function("() => window.sent.length === 2")
        assert {*host.held[0]["rest"]} == {"query", "keys"}
    host.let_go()
    assert vectors.query.tolist() == pytest.approx([2.05, 1.0])
    assert vectors.keys[0].tolist() == [1.0, 1.0]


def test_a_refusal_of_python_is_said_in_words(host: Host) -> None:
    host.page.evaluate("() => window.deliver({ method: 'custom', content: {} })")  # for another view
    host.holding = True
    press(host)
    host.page.wait_for_function("() => window.sent.length === 1")
    host.held[0]["rest"]["query"] = [1.0]
    host.release()
    words = "The kernel could not do this. ValueError: query has shape (1,)"
    assert host.page.get_by_role("alert").inner_text().startswith(words)


def test_a_view_that_is_closed_hands_over_what_python_has_not_received(host: Host, vectors: Vectors) -> None:
    press(host)
    host.page.evaluate("window.unmount()")
    host.page.wait_for_timeout(100)
    assert vectors.query.tolist() == pytest.approx([2.05, 1.0])


def test_two_views_show_the_same_and_undo_the_same(host: Host, vectors: Vectors) -> None:
    host.page.evaluate("() => { window.again(); }")
    first, second = (host.page.locator(".qkv").nth(i) for i in range(2))
    press_in = first.get_by_role("slider", name="query q")
    press_in.focus()
    host.page.keyboard.press("ArrowRight")
    said = second.get_by_role("slider", name="query q").get_attribute("aria-valuetext") or ""
    assert "x 2.05" in said
    second.get_by_role("button", name="Undo").click()
    assert "x 2.00" in (press_in.get_attribute("aria-valuetext") or "")
    host.settle()
    assert vectors.query.tolist() == QUERY


def test_a_question_is_waited_for_and_answered(asking: Host) -> None:
    asking.holding = True
    asking.let_time_stand()
    read(asking, "knight")
    asking.page.clock.run_for(900)
    assert not waits(asking.page)
    asking.page.clock.run_for(9000)
    assert waits(asking.page) == "The kernel has not answered yet. This waits."
    # The computed parts are old, are shown as old, and are right for the old word.
    assert said(asking).startswith("anna: ")
    old = asking.page.locator(".aloud-said")
    assert old.get_attribute("aria-busy") == "true"
    assert old.evaluate("(element) => Number(getComputedStyle(element).opacity)") < 0.6
    asking.release()
    asking.settle()
    assert said(asking).startswith("knight: ")
    assert old.get_attribute("aria-busy") is None
    assert not waits(asking.page)


@pytest.mark.parametrize("dying", DEAD)
def test_a_kernel_that_is_busy_is_called_so_and_gone_once_it_dies(asking: Host, dying: str) -> None:
    asking.page.evaluate("window.manager = { kernel: { status: 'busy' } }")
    asking.holding = True
    asking.let_time_stand()
    read(asking, "knight")
    asking.page.clock.run_for(5000)
    assert waits(asking.page) == "The kernel is busy. This waits."
    asking.page.evaluate(dying)
    asking.page.clock.run_for(1100)
    assert asking.page.get_by_role("alert").last.inner_text() == GONE
    assert not waits(asking.page)
    # An answer removes the notice.
    asking.page.evaluate("window.manager = { kernel: { status: 'idle' } }")
    asking.holding = False
    read(asking, "photo")
    asking.settle()
    assert said(asking).startswith("photo: ")
    assert not asking.page.locator(".qkv-notice").is_visible()


@pytest.mark.parametrize("sent", [False, True])
def test_a_question_to_a_lost_kernel_is_refused_at_once(asking: Host, sent: bool) -> None:
    asking.lose()
    if not sent:
        asking.page.evaluate("() => { window.kernel = () => { throw new Error('gone'); } }")
    read(asking, "knight")
    assert asking.page.locator(".qkv-notice").inner_text() == GONE


def test_a_view_that_is_closed_leaves_nothing_behind(host: Host) -> None:
    assert host.page.evaluate("window.listening()") > 0
    host.page.evaluate("window.unmount()")
    assert host.page.evaluate("window.listening()") == 0
    assert host.page.evaluate("document.getElementById('widget').childElementCount") == 0


def test_a_move_is_drawn_once(host: Host) -> None:
    focus_query(host.page)
    host.page.evaluate("""() => {
      const line = document.querySelector(".vec-lines").firstChild;
      const copy = line.cloneNode.bind(line);
      window.drawn = 0;  // each drawing compares the line that stands with the one that is wanted
      line.cloneNode = () => { window.drawn += 1; return copy(); };
    }""")
    host.page.keyboard.press("ArrowRight")
    assert host.page.evaluate("window.drawn") == 1


def test_a_page_unpacks_each_kind_of_widget_once(host: Host) -> None:
    modules = host.page.evaluate(
        """async (each) => {
          const modules = [];
          for (const esm of each) {
            const address = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
            modules.push((await import(address)).default);
          }
          const [one, again, other] = modules;
          return [one === again, one === other];
        }""",
        [widget._bridge_class._esm for widget in (Vectors, Vectors, Shapes)],
    )
    assert modules == [True, False]
