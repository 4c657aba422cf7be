"""Test an exercise on a page: written, checked, stored, downloaded, and brought back.

A fake replaces the worker with Python. Each test begins with nothing stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.inbox.notebook_file import read_notebook
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.site.conftest import ROOT, Site
from tests.tools.site.test_every_page import AXE, COLOURS, LOOK

pytestmark = pytest.mark.whole
FAKE = (Path(__file__).parent / "fake_worker.js").read_text(encoding="utf-8")
LESSON = "01_similarity"
RIGHT = "def dot(a, b):\n    return (a * b).sum()"
_HEIGHT = "e => e.offsetHeight"
WRONG = "def dot(a, b):\n    return a * b"


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    found = browser.new_context(viewport={"width": 1440, "height": 900})
    found.route(
        "**/assets/worker*.js", lambda route: route.fulfill(body=FAKE, content_type="text/javascript")
    )
    yield found
    found.close()


@pytest.fixture
def page(context: BrowserContext, site: Site) -> Iterator[Page]:
    """Open chapter 1 as a first-time visitor."""
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.address}/{LESSON}.html")
    page.evaluate("localStorage.clear()")
    page.reload()
    yield page
    page.close()
    assert not wrong
    assert all(url.startswith((site.address, "data:", "blob:")) for url in asked)


def exercise(page: Page, name: str = "dot") -> Locator:
    place = page.locator(f'[data-exercise="{name}"]')
    place.scroll_into_view_if_needed()
    expect(place).to_have_attribute("data-awake", "")
    return place


def field(place: Locator) -> Locator:
    return place.get_by_role("textbox")


def write(place: Locator, text: str) -> None:
    field(place).fill(text)


def check(place: Locator) -> Locator:
    place.get_by_role("button", name="Check").click()
    verdict = place.get_by_role("status")
    expect(verdict).to_contain_text("In words.")
    return verdict


def test_a_stub_becomes_an_editor_that_is_as_large(page: Page, context: BrowserContext, site: Site) -> None:
    asleep = context.new_page()
    asleep.route("**/assets/exercises*.js", lambda route: route.abort())
    asleep.goto(f"{site.address}/{LESSON}.html")
    stubs = asleep.locator("[data-exercise] > .code")
    exercise(page)
    editors = page.locator("[data-exercise] > .code")
    expect(editors).to_have_count(stubs.count())
    for stub, editor in zip(stubs.all(), editors.all(), strict=True):
        assert stub.inner_text().split() == editor.inner_text().split()
        assert stub.evaluate(_HEIGHT) == pytest.approx(editor.evaluate(_HEIGHT), abs=1)
    asleep.close()


def test_a_check_gets_what_is_written_down_to_the_exercise(page: Page) -> None:
    write(exercise(page), RIGHT)
    verdict = check(exercise(page, "centre"))
    expect(verdict).to_contain_text("centre: not attempted")
    expect(verdict).to_contain_text("dot,centre, last centre")


def test_a_verdict_shows_and_does_nothing(page: Page) -> None:
    place = exercise(page)
    write(place, f"{WRONG}  # print")
    verdict = check(place)
    expect(verdict).to_contain_text("dot: wrong")
    assert verdict.locator(".printed").inner_text() == "seen <b>\n"
    assert verdict.locator("script, img, details, [onclick]").count() == 0
    assert "url" not in verdict.inner_html()
    assert "5px solid" in verdict.inner_html()
    expect(verdict.locator("td pre")).to_have_css("white-space", "pre-wrap")
    above = verdict.evaluate("e => [...e.children].map((one) => one.className)")
    assert above.index("printed") < len(above) - 1


@pytest.mark.parametrize("keys", ["Control+Enter", "Shift+Enter"])
def test_a_key_checks(page: Page, keys: str) -> None:
    place = exercise(page)
    field(place).press(keys)
    expect(place.get_by_role("status")).to_contain_text("dot: not attempted")
    assert place.locator(".cm-line").count() == 7


def test_while_it_loads_the_bar_says_how_much_is_left(page: Page) -> None:
    place = exercise(page)
    seen = """e => new Promise((done) => {
        const words = [];
        new MutationObserver(() => {
          const loading = e.querySelector(".loading");
          const said = loading.hidden ? "" : loading.innerText.trim();
          if (said && said !== words.at(-1)) words.push(said);
          if (e.querySelector(".verdict").innerText.includes("In words")) done(words);
        }).observe(e, { subtree: true, childList: true, attributes: true, characterData: true });
        e.querySelector(".check").click();
    })"""
    assert place.evaluate(seen) == [
        "Loading Python: 4.0 of 4.0 MB left.",
        "Loading Python: 2.0 of 4.0 MB left.",
        "Starting Python.",
    ]
    expect(place.locator(".loading")).to_be_hidden()
    expect(place.get_by_role("progressbar")).to_have_count(0)


def test_tab_indents_and_escape_lets_one_out(page: Page) -> None:
    place = exercise(page)
    field(place).press("Control+End")
    field(place).press("Tab")
    assert "        raise NotImplementedError" in field(place).inner_text()
    expect(field(place)).to_be_focused()
    field(place).press("Escape")
    field(place).press("Tab")
    expect(place.get_by_role("button", name="Check")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(field(place)).to_be_focused()
    field(place).press("Escape")
    page.keyboard.press("Shift+Tab")
    expect(field(place)).not_to_be_focused()


def test_hints_come_one_by_one_and_are_remembered(page: Page) -> None:
    place = exercise(page)
    hints = EXERCISES["dot"].hints
    shown = place.locator(".hints details:visible")
    expect(shown).to_have_count(0)
    for number, words in enumerate(hints, 1):
        place.get_by_role("button", name=f"Hint {number} of {len(hints)}").click()
        expect(shown).to_have_count(number)
        expect(place.locator(".hints p").nth(number - 1)).to_be_visible()
        assert words[:20].split("`")[0] in place.locator(".hints").inner_text()
    expect(place.get_by_role("button", name="Hint")).to_have_count(0)
    page.reload()
    exercise(page)
    expect(shown).to_have_count(len(hints))
    assert page.evaluate('localStorage["qkvlib/hints/dot"]') == "3"


def test_start_again_asks_nothing_and_can_be_taken_back(page: Page) -> None:
    place = exercise(page)
    again = place.get_by_role("button", name="Start again")
    again.click()
    expect(again).to_be_visible()
    write(place, WRONG)
    again.click()
    expect(field(place)).to_contain_text("raise NotImplementedError")
    page.reload()
    place = exercise(page)
    place.get_by_role("button", name="Bring mine back").click()
    expect(field(place)).to_contain_text("return a * b")
    again = place.get_by_role("button", name="Start again")
    again.click()
    place.get_by_role("button", name="Bring mine back").click()
    for text in ("raise NotImplementedError", "return a * b"):  # each was a separate step
        page.keyboard.press("Control+z")
        expect(field(place)).to_contain_text(text)


def test_what_is_written_and_what_was_said_are_kept(page: Page, site: Site) -> None:
    place = exercise(page)
    write(place, WRONG)
    check(place)
    kept = page.evaluate('JSON.parse(localStorage["qkvlib/mistakes/dot.no_sum"])')
    assert kept["chapter"] == 1
    assert len(kept["day"]) == len("2026-01-31")
    write(place, RIGHT)
    check(place)
    expect(place.locator(".standing")).to_have_text("✓ Solved")
    write(place, WRONG)
    check(place)  # an exercise that was right once stays right
    page.reload()
    place = exercise(page)
    expect(field(place)).to_contain_text("return a * b")
    expect(place.locator(".standing")).to_have_text("✓ Solved")
    page.goto(f"{site.address}/index.html")
    expect(page.locator('[data-chapter="01"]')).to_contain_text("1 of 4 exercises solved")


def test_what_cannot_be_loaded_is_said_and_asked_for_again(page: Page) -> None:
    place = exercise(page)
    write(place, "explode")
    place.get_by_role("button", name="Check").click()
    verdict = place.get_by_role("status")
    expect(verdict).to_contain_text("Check once more; in JupyterLab it may go on.")
    expect(verdict).to_contain_text("What you have written is kept.")
    expect(place.locator(".loading")).to_be_hidden()
    write(place, RIGHT)
    check(place)


def test_a_script_that_cannot_be_loaded_is_no_fault_of_the_browsers(browser: Browser, site: Site) -> None:
    page = browser.new_page()
    away = [True]
    page.route(
        "**/assets/worker*.js",
        lambda route: route.abort() if away[0] else route.fulfill(body=FAKE, content_type="text/javascript"),
    )
    page.goto(f"{site.address}/{LESSON}.html")
    place = exercise(page)
    write(place, RIGHT)
    place.get_by_role("button", name="Check").click()
    expect(place.get_by_role("status")).to_contain_text("Are you connected?")
    away[0] = False
    check(place)
    page.close()


NO_STORE = """Object.defineProperty(globalThis, "caches", {
  get() { throw new DOMException("It is insecure.", "SecurityError"); },
});
"""


def test_without_a_store_the_real_worker_checks(browser: Browser, site: Site) -> None:
    page = browser.new_page()
    page.add_init_script(NO_STORE)
    (worker,) = (site.folder / "assets").glob("worker*.js")
    body = NO_STORE + worker.read_text(encoding="utf-8")
    page.route("**/assets/worker*.js", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    page.goto(f"{site.address}/{LESSON}.html")
    place = exercise(page)
    write(place, WRONG)
    place.get_by_role("button", name="Check").click()
    expect(place.get_by_role("status")).to_contain_text("dot: Not yet", timeout=60_000)
    for text, words in (
        ("import pandas", "This page has a small torch"),
        ("def dot(a, b):\n    return torch.zeros(300_000_000)", "a tensor of 1.2 GB is more"),
        ("def dot(a, b):\n    return a.expand(10**9, 3).exp()", "a tensor of 12.0 GB is more"),
        ("def dot(a, b):\n    return a.expand(10**9, 3).sum()", "a tensor of 12.0 GB is more"),
        ("def dot(a, b):\n    return [0, 0] * 2_000_000_000", "There is not enough memory"),
    ):
        write(place, text)
        place.get_by_role("button", name="Check").click()
        expect(place.get_by_role("status")).to_contain_text(words)
    page.close()


def test_a_browser_that_can_neither_check_nor_keep_says_so(context: BrowserContext, site: Site) -> None:
    page = context.new_page()
    page.add_init_script(
        "delete globalThis.WebAssembly;"
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('no') } });"
    )
    page.goto(f"{site.address}/{LESSON}.html")
    place = exercise(page)
    for told in (page.locator(".work"), page.locator(".foot")):
        expect(told).to_contain_text("This browser keeps nothing once the page is closed.")
        expect(told).not_to_contain_text("kept in this browser")
    asks = page.locator(".qkv-predict", has_text="How sure are you?").first
    asks.get_by_role("radio").first.check()
    asks.get_by_role("button", name="Commit").click()
    expect(asks).to_contain_text("your prediction")
    expect(page.locator("details.outcome").first).to_have_attribute("open", "")
    write(place, RIGHT)  # it is lost with the page, but not before
    place.get_by_role("button", name="Check").click()
    verdict = place.get_by_role("status")
    expect(verdict).to_contain_text("This browser cannot run Python in a page, so nothing is checked here.")
    expect(verdict).to_contain_text("What you have written stays here until you close the page.")
    expect(page.locator(".work")).to_contain_text("Take it away before you close the page.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Take it away").click()
    notebook = nbformat.read(download.value.path(), 4)
    assert RIGHT in [cell.source for cell in notebook.cells]
    page.close()


def test_the_notebook_taken_away_gets_full_marks(page: Page, tmp_path: Path) -> None:
    solved = nbformat.read(ROOT / "solutions" / f"{LESSON}.ipynb", as_version=4)
    marks = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in solved.cells}
    names = [one.name for one in EXERCISES.values() if one.chapter == 1]
    for name in names:
        write(exercise(page, name), marks[name])
    page.get_by_label("Your answer").fill("A long <b>vector</b>.")
    work = page.locator(".work")
    with page.expect_download() as download:
        work.get_by_role("button", name="Take it away").click()
    told = work.get_by_role("status")
    expect(told).to_have_text(f"4 exercises and the answer in words in the notebook {LESSON}.ipynb.")
    assert download.value.suggested_filename == f"{LESSON}.ipynb"
    file = tmp_path / f"{LESSON}.ipynb"
    download.value.save_as(file)
    nbformat.validate(nbformat.read(file, as_version=4))
    assert not any("Not attempted" in str(cell) for cell in json.loads(file.read_text())["cells"])

    read = read_notebook(file.read_bytes())
    assert [answer.text for answer in read.answers] == ["A long <b>vector</b>."]
    host = SandboxHost(WallPlan())
    verdicts = list(Judge(host).notebook(read.cells, names, seed=1))
    host.close()
    assert [(one.exercise, one.outcome) for one in verdicts] == [(name, "right") for name in names]


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_exercise_keeps_nobody_out(page: Page, dark: bool) -> None:
    page.emulate_media(color_scheme="dark" if dark else "light")
    place = exercise(page)
    write(place, f'{WRONG}  # print\n"text"')
    check(place)
    place.get_by_role("button", name="Hint").click()
    field(place).focus()
    page.add_script_tag(path=AXE)
    assert page.evaluate(LOOK) == []
    assert page.evaluate(COLOURS) == []


@pytest.mark.parametrize("scripted", [True, False])
def test_what_is_left_of_a_broken_line_hangs_below_its_beginning(
    browser: Browser, site: Site, scripted: bool
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740}, java_script_enabled=scripted)
    page.goto(f"{site.address}/{LESSON}.html")
    place = exercise(page) if scripted else page.locator("[data-exercise]").first
    line = place.locator(".line, .cm-line").filter(has_text="# Write your answer")
    box = line.bounding_box()
    assert box
    assert box["height"] > 30, "it is broken"
    letters = line.evaluate("one => parseFloat(getComputedStyle(one).paddingLeft)")
    indent = line.evaluate("one => parseFloat(getComputedStyle(one).textIndent)")
    assert letters == -indent > 40
    page.close()
