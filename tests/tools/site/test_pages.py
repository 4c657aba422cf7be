"""Test the site in a browser: it works, it stores a learner's work, and it is accessible."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tools.site.conftest import Site, Visit, served
from tests.tools.site.hands import Keys
from tests.tools.site.heights import wake_all

pytestmark = pytest.mark.whole
PAGES = ("index", "01_similarity", "03_projections", "embed")


def go(visit: Visit, site: Site, name: str) -> Page:
    visit.page.goto(f"{site.address}/{name}.html")
    return visit.page


@pytest.mark.parametrize("name", ["index", "00_start_here", "embed"])
def test_a_widget_at_the_top_wakes_unasked_and_from_what_the_head_has_loaded(
    visit: Visit, site: Site, name: str
) -> None:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    page = go(visit, site, name)
    expect(page.locator(".place").first.locator(".qkv[data-ready]")).to_have_count(1)
    early = page.locator("head link[rel=modulepreload], head link[rel=preload]").evaluate_all(
        "(links) => links.map(({ href }) => href)"
    )
    assert early
    assert [visit.asked.count(address) for address in early] == [1] * len(early)


def test_a_far_widget_is_not_loaded(visit: Visit, site: Site) -> None:
    page = go(visit, site, "03_projections")
    page.wait_for_load_state("networkidle")
    assert not any("/predict-" in url or "/lab-" in url for url in visit.asked)
    page.locator('[data-kind="lab"]').first.scroll_into_view_if_needed()
    expect(page.locator(".qkv-lab[data-ready]")).to_be_visible()


# For each place that wakes: the frames from its widget's arrival to the end of its reserved height.
FRAMES_HELD = """
const held = (window.held = []);
let frame = 0;
requestAnimationFrame(function count() { frame++; requestAnimationFrame(count); });
new MutationObserver((changes) => {
  for (const { target, type } of changes) {
    if (!target.matches?.(".place")) continue;
    if (type === "childList") target.arrived = frame;
    else held.push(frame - target.arrived);
  }
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-awake"] });
"""


def test_a_place_keeps_its_height_until_its_widget_is_drawn(visit: Visit, site: Site) -> None:
    visit.page.add_init_script(FRAMES_HELD)
    page = go(visit, site, "01_similarity")
    wake_all(page)
    held = page.evaluate("held")
    assert len(held) == page.locator(".place[data-module]").count() > 1
    assert min(held) >= 1


def test_a_goal_is_met_by_keyboard_and_the_map_knows(visit: Visit, site: Site) -> None:
    page = go(visit, site, "00_start_here")
    arrows = page.locator(".qkv-vectors")
    page.locator('[data-kind="vectors"]').scroll_into_view_if_needed()
    Keys(page).turn(arrows.get_by_role("slider", name="query q"), 60)
    expect(arrows.locator(".qkv-goal-name")).to_have_text("✓ Goal met")
    page.reload()
    page.locator('[data-kind="vectors"]').scroll_into_view_if_needed()
    expect(arrows.locator(".qkv-goal-name")).to_have_text("Goal (met before)")
    go(visit, site, "index")
    expect(page.locator('[data-chapter="00"]')).to_contain_text("1 of 1 goal met")


def test_a_prediction_opens_its_outcome_and_is_kept(visit: Visit, site: Site) -> None:
    page = go(visit, site, "03_projections")
    outcome = page.get_by_text("q equals k: False")
    told = page.locator(".pre-because", has_text="says where the three come FROM")
    shut = page.locator('[data-after="03-x-x-x"] > summary').first
    expect(outcome).to_be_hidden()
    shut.scroll_into_view_if_needed()
    shut.click()
    expect(outcome).to_be_hidden()
    asked = page.locator(".qkv-predict", has_text="layer(x, x, x)").first
    asked.get_by_text("Yes, Q = K = V").click()
    asked.get_by_role("button", name="Commit").click()
    expect(asked.get_by_role("status").first).to_have_text("Committed. Read on and see.")
    expect(outcome).to_be_visible()
    expect(told.first).to_be_visible()
    page.reload()
    expect(outcome).to_be_visible()
    recap = page.locator('[data-kind="recap"]')
    recap.scroll_into_view_if_needed()
    expect(recap).to_contain_text("Yes, Q = K = V")
    go(visit, site, "index")
    expect(page.locator('[data-chapter="03"]')).to_contain_text("1 of ")
    go(visit, site, "03_projections")
    page.locator(".place", has_text="layer(x, x, x)").first.scroll_into_view_if_needed()
    asked.get_by_role("button", name="Predict afresh").click()
    expect(outcome).to_be_hidden()


def test_a_word_says_what_it_means_on_focus(visit: Visit, site: Site) -> None:
    page = go(visit, site, "01_similarity")
    word = page.locator("dfn", has_text="dot product").first
    meaning = page.locator(f"#{word.get_attribute('aria-describedby')}")
    expect(meaning).to_be_hidden()
    word.focus()
    expect(meaning).to_be_visible()
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()


def test_a_meaning_lies_over_what_comes_next(visit: Visit, site: Site) -> None:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    page = go(visit, site, "01_similarity")
    seen = page.evaluate(_MEANINGS)
    assert any(reaches for reaches, _ in seen)
    assert all(whole for _, whole in seen)


# For each tooltip: whether it extends past the end of its part of the page, and whether all of it
# is visible.
_MEANINGS = """() => [...document.querySelectorAll("main dfn")].map((word) => {
  word.focus();
  const meaning = word.nextElementSibling;
  meaning.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, bottom } = meaning.getBoundingClientRect();
  const whole = [top + 3, bottom - 3].every((y) =>
    meaning.contains(document.elementFromPoint(left + 9, y)));
  return [bottom > word.closest("main > *").getBoundingClientRect().bottom, whole];
})"""


def test_the_theme_is_chosen_and_kept(visit: Visit, site: Site) -> None:
    page = go(visit, site, "01_similarity")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    page.get_by_label("Theme").select_option("dark")
    assert page.evaluate(paper) == "rgb(17, 17, 17)"
    go(visit, site, "index")
    assert page.evaluate(paper) == "rgb(17, 17, 17)"
    expect(page.locator('.qkv[data-theme="dark"]')).to_be_visible()


@pytest.mark.parametrize("name", PAGES)
def test_without_a_script_all_can_be_read(browser: Browser, site: Site, name: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{site.address}/{name}.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for still in page.locator(".place:visible").all():
        assert still.locator("img, table, ul, p").count()
    if name == "01_similarity":
        place = page.locator('[data-exercise="dot"]')
        expect(place).to_contain_text("def dot(a, b):")
        expect(place.get_by_role("button")).to_have_count(0)
        expect(place.locator("summary").first).to_be_visible()
        expect(page.locator(".work")).to_be_hidden()
    if name == "03_projections":
        assert page.locator("math:visible").count() > 10
        page.get_by_text("What came out").first.click()
    page.close()


def test_the_quiz_counts_and_says_what_to_read_again(visit: Visit, site: Site) -> None:
    page = go(visit, site, "17_quiz")
    wake_all(page)
    told = page.locator("[data-quiz]")
    expect(told).to_contain_text("0 of 20 right, 20 not answered yet")
    first = page.locator(".qkv-predict").first
    for choice in first.get_by_role("radio").all():  # one of them is right
        choice.click(force=True)
        first.get_by_role("button", name="Commit").click()
        if "1 of 20 right" in told.inner_text():
            break
        link = told.get_by_role("link").first
        assert "chapter" in link.inner_text()
        assert ".html#" in (link.get_attribute("href") or "")
        first.get_by_role("button", name="Answer afresh").click()
    expect(told).to_contain_text("1 of 20 right, 19 not answered yet")
    expect(told.get_by_role("link")).to_have_count(0)


def test_progress_is_taken_away_and_brought_back_elsewhere(
    visit: Visit, site: Site, browser: Browser, tmp_path: Path
) -> None:
    page = go(visit, site, "03_projections")
    page.get_by_label("Your answer").fill("<b>W</b> ändert sich")
    go(visit, site, "index")
    with page.expect_download() as download:
        page.get_by_role("button", name="Take it away").click()
    expect(page.locator(".yours [role=status]")).to_have_text("1 fact in the file qkvlib-progress.json.")
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    other = browser.new_context().new_page()
    other.goto(f"{site.address}/index.html")
    told = other.locator(".yours [role=status]")
    (tmp_path / "holiday.json").write_text("[]", encoding="utf-8")
    other.get_by_label("Bring it back").set_input_files(tmp_path / "holiday.json")
    expect(told).to_have_text(
        "holiday.json holds no progress of this course. Choose the file that was taken away."
    )
    other.get_by_label("Bring it back").set_input_files(file)
    expect(told).to_have_text("1 fact brought back.")
    other.goto(f"{site.address}/03_projections.html")
    expect(other.get_by_label("Your answer")).to_have_value("<b>W</b> ändert sich")
    other.goto(f"{site.address}/index.html")
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Forget it").click()
    expect(told).to_have_text("1 fact forgotten.")
    other.context.close()


def test_a_widget_lives_on_a_page_that_is_not_ours(browser: Browser, site: Site, tmp_path: Path) -> None:
    module = next((site.folder / "widgets").glob("03-lab-1.mjs"))
    (tmp_path / "copied.mjs").write_bytes(module.read_bytes())
    (tmp_path / "index.html").write_text(
        """<!doctype html><title>A blog</title><p>Words.</p>
<div id="widget"></div>
<script type="module">import widget from "./copied.mjs";
widget.render({ el: document.getElementById("widget") });</script>""",
        encoding="utf-8",
    )
    with served(tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}/index.html")
        lab = page.locator(".qkv-lab[data-ready]")
        weight = lab.locator('[data-at="w_q 0 0"]')
        before = lab.locator(".lab-m-output").inner_text()
        weight.focus()
        weight.press("Shift+ArrowUp")
        expect(lab.locator(".lab-m-output")).not_to_have_text(before)
        page.close()


def test_what_is_far_rests_and_nothing_is_moved_by_it(visit: Visit, site: Site) -> None:
    page = go(visit, site, "01_similarity")
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 740})
        page.wait_for_load_state("networkidle")
        page.mouse.wheel(0, 100)
        page.evaluate(_TWO_FRAMES)
        before, resting, stops = page.evaluate(_PAGE)
        assert resting > 10
        page.add_style_tag(content=".scroll { content-visibility: visible !important }")
        after, _, wide = page.evaluate(_PAGE)
        assert abs(after - before) <= 1
        assert stops == wide
        page.evaluate("document.head.lastElementChild.remove()")


_TWO_FRAMES = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
# The height of the page, the number of parts that are painted only when visible, and for each part
# whether Tab reaches it or, if it is painted, whether Tab has to.
_PAGE = """() => {
  const parts = [...document.querySelectorAll(".scroll")].filter(
    (one) => one.style.contentVisibility === "auto");
  const shows = (one) => getComputedStyle(one).contentVisibility === "visible";
  return [
    document.documentElement.scrollHeight,
    parts.length,
    parts.map((one) => (shows(one) ? one.scrollWidth > one.clientWidth : one.tabIndex === 0)),
  ];
}"""
