"""What `kernel.js` and `page.js` promise for every widget, shown on the vectors widget.

With a similarity of the learner's own, that is: without one it computes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from torch import Tensor

from qkvlib.widgets import Shapes, Vectors
from tests.page.host import Host, show

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells)."


def mine(query: Tensor, key: Tensor) -> Tensor:
    return query @ key


@pytest.fixture
def host(browser: Browser) -> Iterator[Host]:
    host = show(browser, Vectors(QUERY, KEYS, similarity=mine))
    yield host
    host.close()


def focus_query(page: Page) -> None:
    page.get_by_role("slider", name="query q").focus()


def test_typed_keys_stay_inside_and_the_notebooks_own_get_out(host: Host) -> None:
    host.page.evaluate(
        "() => { window.out = []; document.addEventListener('keydown', (e) => out.push(e.key)) }"
    )
    focus_query(host.page)
    for key in ("d", "a", "Enter", "ArrowUp", "Control+s", "Shift+Enter"):
        host.page.keyboard.press(key)
    outside = [key for key in host.page.evaluate("window.out") if key not in {"Control", "Shift"}]
    assert outside == ["s", "Enter"]


def test_two_requests_are_under_way_and_the_newest_edit_wins(host: Host) -> None:
    host.holding = True
    focus_query(host.page)
    for _ in range(10):
        host.page.keyboard.press("ArrowRight")
    host.page.wait_for_function("() => window.sent.length === 2")
    assert host.page.locator(".qkv").get_attribute("data-waiting") == "3"
    host.release()
    host.page.wait_for_function("() => window.sent.length === 3")
    newest = host.page.evaluate("window.sent[2].edit.query")
    assert newest == pytest.approx([2.5, 1.0])
    host.release()
    host.release()
    host.settle()
    assert not host.held


def test_the_hand_moves_before_the_kernel_answers(host: Host) -> None:
    host.holding = True
    tip = host.page.get_by_role("slider", name="query q")
    before = float(tip.get_attribute("cx") or 0)
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    assert float(tip.get_attribute("cx") or 0) > before
    host.release()
    host.settle()


def waits(page: Page) -> str:
    """What is said of a kernel that is late; "" where nothing is."""
    line = page.locator(".qkv-patience")
    return line.inner_text() if line.is_visible() else ""


def test_a_silent_kernel_is_waited_for_and_the_newest_edit_arrives(host: Host) -> None:
    host.holding = True
    host.let_time_stand()
    focus_query(host.page)
    for _ in range(10):
        host.page.keyboard.press("ArrowRight")
    host.page.clock.run_for(900)
    assert not waits(host.page)
    host.page.clock.run_for(9000)
    assert waits(host.page) == "The kernel has not answered yet. This waits."
    assert "No kernel" not in host.page.inner_text("body")
    tip = host.page.get_by_role("slider", name="query q")
    assert tip.get_attribute("aria-valuetext") == "x 2.50, y 1.00"
    # What is computed is old, is seen to be old, and is true of the old numbers.
    assert "mine(q, k₁) = 4.50" in host.page.inner_text(".vec-lines")
    old = host.page.locator(".vec-hand")
    assert old.get_attribute("aria-busy") == "true"
    assert old.evaluate("(element) => Number(getComputedStyle(element).opacity)") < 0.6
    for left in (2, 1, 0):
        host.release()
        host.page.wait_for_selector(f'.qkv[data-waiting="{left}"]', state="attached")
    assert "mine(q, k₁) = 5.50" in host.page.inner_text(".vec-lines")
    assert old.get_attribute("aria-busy") is None
    assert not waits(host.page)


def test_a_kernel_that_is_known_to_be_busy_is_called_so(host: Host) -> None:
    host.page.evaluate("window.manager = { kernel: { status: 'busy' } }")
    host.holding = True
    host.let_time_stand()
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    host.page.clock.run_for(1100)
    assert waits(host.page) == "The kernel is busy. This waits."


@pytest.mark.parametrize(
    "kernel",
    ["null", "{ status: 'dead' }", "{ status: 'idle', connectionStatus: 'disconnected' }"],
)
def test_a_kernel_that_dies_while_it_is_waited_for_is_gone(host: Host, kernel: str) -> None:
    host.page.evaluate("window.manager = { kernel: { status: 'busy' } }")
    host.holding = True
    host.let_time_stand()
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    host.page.clock.run_for(5000)
    host.page.evaluate(f"window.manager = {{ kernel: {kernel} }}")
    host.page.clock.run_for(1100)
    assert host.page.get_by_role("alert").inner_text() == GONE
    assert not waits(host.page)
    # The picture goes back to what its numbers say, and an answer takes the notice away.
    tip = host.page.get_by_role("slider", name="query q")
    assert "x 2.00, y 1.00, length 2.24" in (tip.get_attribute("aria-valuetext") or "")
    host.page.evaluate("window.manager = { kernel: { status: 'idle' } }")
    host.holding = False
    host.page.keyboard.press("ArrowRight")
    host.page.wait_for_selector('.qkv[data-waiting="0"]', state="attached")
    assert not host.page.get_by_role("alert").is_visible()


def test_a_lost_connection_is_reported_at_once(host: Host) -> None:
    host.lose()
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    assert host.page.get_by_role("alert").inner_text() == GONE


def test_a_connection_that_cannot_send_is_reported_at_once(host: Host) -> None:
    host.page.evaluate("() => { window.kernel = () => { throw new Error('gone'); } }")
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    assert host.page.get_by_role("alert").inner_text() == GONE


def test_a_refusal_of_the_kernel_is_said_in_words(host: Host) -> None:
    host.page.evaluate("() => window.deliver({ method: 'custom', content: {} })")  # another view's
    host.holding = True
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    host.page.wait_for_function("() => window.sent.length === 1")
    host.held[0]["edit"] = {"query": [1.0]}
    host.release()
    words = "The kernel could not do this. ValueError: query has shape (1,)"
    assert host.page.get_by_role("alert").inner_text().startswith(words)


def test_the_theme_follows_the_page(host: Host) -> None:
    root = host.page.locator(".qkv")
    colours = []
    for light in ("true", "false"):
        host.page.evaluate("(light) => { document.body.dataset.jpThemeLight = light }", light)
        host.page.wait_for_selector(f'.qkv[data-theme="{"light" if light == "true" else "dark"}"]')
        colours.append(root.evaluate("(e) => getComputedStyle(e).getPropertyValue('--qkv-query')"))
    assert colours[0] != colours[1]


@pytest.mark.parametrize(("background", "theme"), [("#fafafa", "light"), ("#1e1e1e", "dark")])
def test_elsewhere_the_pages_background_tells_the_theme(host: Host, background: str, theme: str) -> None:
    host.page.evaluate(
        "(colour) => { delete document.body.dataset.jpThemeLight; document.body.style.background = colour }",
        background,
    )
    host.page.wait_for_selector(f'.qkv[data-theme="{theme}"]')


@pytest.mark.parametrize(("paper", "theme"), [("white", "light"), ("#111", "dark")])
def test_the_paper_below_a_cells_output_tells_the_theme(host: Host, paper: str, theme: str) -> None:
    """In VS Code on a dark system the paper is white all the same, and the page is transparent."""
    host.page.emulate_media(color_scheme="dark" if theme == "light" else "light")
    host.page.evaluate(
        "(paper) => { delete document.body.dataset.jpThemeLight;"
        " document.body.style.background = 'transparent';"
        " document.documentElement.style.setProperty('--jp-layout-color0', paper) }",
        paper,
    )
    host.page.wait_for_selector(f'.qkv[data-theme="{theme}"]')
    host.page.evaluate("document.documentElement.style.removeProperty('--jp-layout-color0')")
    host.page.emulate_media(color_scheme="null")


def test_a_notebook_that_looks_at_keys_first_leaves_typed_ones_alone(host: Host) -> None:
    """Notebook 7 listens on the document while keys go down, and heeds Lumino's attribute."""
    host.page.evaluate(
        """() => { window.shortcuts = [];
        document.addEventListener("keydown", (event) => {
          if (!event.target.hasAttribute("data-lm-suppress-shortcuts"))
            window.shortcuts.push(event.key);
        }, { capture: true }); }"""
    )
    focus_query(host.page)
    for key in ("d", "ArrowRight", "Enter", "Control+s", "Shift+Enter", "x"):
        host.page.keyboard.press(key)
    assert host.page.evaluate("window.shortcuts") == ["Control", "s", "Enter"]


def test_a_view_that_is_closed_leaves_no_listener(host: Host) -> None:
    assert host.page.evaluate("window.listening()") > 0
    host.page.evaluate("window.unmount()")
    assert host.page.evaluate("window.listening()") == 0


def test_reduced_motion_is_honoured(host: Host) -> None:
    host.page.emulate_media(reduced_motion="reduce")
    moving = (
        "() => [...document.querySelectorAll('.qkv *')].filter((e) => "
        "parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    )
    assert host.page.evaluate(moving) == 0


def test_a_closed_widget_leaves_nothing_behind(host: Host) -> None:
    host.page.evaluate("window.unmount()")
    assert host.page.evaluate("document.getElementById('widget').childElementCount") == 0


def test_an_answer_is_drawn_once(host: Host) -> None:
    host.holding = True
    focus_query(host.page)
    host.page.keyboard.press("ArrowRight")
    host.page.wait_for_function("() => window.sent.length === 1")
    host.page.evaluate("""() => {
      const line = document.querySelector(".vec-lines").firstChild;
      const copy = line.cloneNode.bind(line);
      window.drawn = 0;  // each drawing compares the line that stands with the one that is wanted
      line.cloneNode = () => { window.drawn += 1; return copy(); };
    }""")
    host.release()
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
