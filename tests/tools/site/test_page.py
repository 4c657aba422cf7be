"""Test a notebook as one file in which the widgets still work, without Python or a network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Page, expect

from qkvlib.tools.site.page import LivingPage
from tests.widgets.makers import MAKERS

SOLUTIONS = Path(__file__).parents[3] / "solutions"
SETUP = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[3])!r})"
OWN = "from qkvlib.widgets import ReadAloud; from qkvlib.models import Pronouncer\n"
OWN += "ReadAloud('law', Pronouncer(n_layers=1))"
LIVE = (
    "import torch\nfrom qkvlib import AttentionLab\ntorch.manual_seed(0)\n"
    "AttentionLab(torch.eye(3), *(torch.randn(3, 2) for _ in range(3)), torch.zeros(3, 2))"
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    sources = [f"from tests.widgets.makers import MAKERS; MAKERS[{kind!r}]()" for kind in MAKERS]
    cells = [new_code_cell(source) for source in (SETUP, *sources, OWN, LIVE, "print('<b>plain</b>')")]
    nbformat.write(new_notebook(cells=cells), folder / "all.ipynb")
    command = ["nbconvert", "--to", "qkv", "--execute", "all.ipynb"]
    subprocess.run([sys.executable, "-m", *command], cwd=folder, check=True, capture_output=True)
    return folder / "all.html"


def opened(browser: Browser, path: Path, asleep: int = 0) -> tuple[Page, list[str]]:
    """Open the page without a network, wait until all but `asleep` have woken, and collect its errors."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.context.set_offline(True)
    page.goto(path.as_uri())
    expect(page.locator(".qkv[data-ready]:visible")).to_have_count(len(MAKERS) + 2 - asleep)
    return page, wrong


@pytest.mark.whole
def test_what_the_page_can_compute_moves(browser: Browser, exported: Path) -> None:
    page, wrong = opened(browser, exported)
    lab = page.locator(".qkv-lab").last
    loss = lab.locator(".lab-loss-number").inner_text()
    lab.get_by_role("button", name="Step", exact=True).click()
    expect(lab.locator(".lab-curve-text")).to_contain_text("1 move")
    expect(lab.locator(".lab-loss-number")).not_to_have_text(loss)
    lab.get_by_role("button", name="Undo").click()
    expect(lab.locator(".lab-loss-number")).to_have_text(loss)
    arrows = page.locator(".qkv-vectors")
    before = arrows.locator("table").inner_text()
    arrows.get_by_role("slider", name="query q").press("ArrowLeft")
    expect(arrows.locator("table")).not_to_have_text(before)
    asked = page.locator(".qkv-predict")
    asked.get_by_text("green").click()
    asked.get_by_role("button", name="Commit").click()
    expect(asked.get_by_role("status").first).to_have_text("It is not what you predicted.")
    replay = page.locator(".qkv-replay")
    replay.get_by_role("slider", name="step").press("End")
    expect(replay.locator(".rep-where")).not_to_have_text("step 0")
    expect(replay.get_by_text("moments of it are saved here")).to_be_visible()
    reader = page.locator(".qkv-aloud").first
    reader.get_by_role("textbox").fill("tree")
    reader.get_by_role("button").click()
    expect(reader.locator(".aloud-said")).to_contain_text("tree: T R IY.")
    page.wait_for_timeout(1500)  # longer than the page waits for a silent kernel
    expect(page.locator(".qkv-notice:visible, .qkv-patience:visible")).to_have_count(0)
    assert not wrong
    page.close()


@pytest.mark.whole
def test_what_needs_python_says_where_there_is_one(browser: Browser, exported: Path) -> None:
    page, _ = opened(browser, exported)
    reader = page.locator(".qkv-aloud").last  # this one has a learner's own model
    reader.get_by_role("textbox").fill("tree")
    reader.get_by_role("button").click()
    words = "There is no Python on this page. To try this, open the notebook in JupyterLab."
    expect(reader.locator(".qkv-patience")).to_have_text(words)
    page.close()


@pytest.mark.whole
def test_a_widget_that_cannot_wake_leaves_its_picture_and_the_others_alone(
    browser: Browser, exported: Path
) -> None:
    text = exported.read_text("utf-8")
    broken = exported.with_name("broken.html")
    known, unknown = (f'"module": "qkvlib.widgets.{kind}' for kind in ("vectors", "nothing"))
    assert known in text
    broken.write_text(text.replace(known, unknown), "utf-8")
    page, _ = opened(browser, broken, asleep=1)
    expect(page.locator("[data-qkv-model]").first.locator("svg, img, table").first).to_be_visible()
    page.close()


@pytest.mark.whole
def test_without_scripts_the_still_pictures_stand(browser: Browser, exported: Path) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(exported.as_uri())
    expect(page.get_by_text("What colour is the sky?").first).to_be_visible()
    expect(page.get_by_text("<b>plain</b>", exact=True)).to_be_visible()
    page.close()


@pytest.mark.whole
def test_a_lesson_s_formulas_are_drawn_without_a_network(browser: Browser, tmp_path: Path) -> None:
    lesson = next(path for path in SOLUTIONS.glob("08*.ipynb"))
    html, _ = LivingPage().from_filename(str(lesson))  # type: ignore[no-untyped-call]
    (tmp_path / "lesson.html").write_text(html, encoding="utf-8")
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "lesson.html").as_uri())
    page.evaluate("document.fonts.ready")
    elsewhere = [url for url in asked if url.startswith(("http:", "https:", "//"))]
    assert not elsewhere
    formulas = page.locator("math")
    text = "".join(cell.source for cell in nbformat.read(lesson, 4).cells if cell.cell_type == "markdown")
    assert formulas.count() == len(re.findall(r"(?s)\$\$.+?\$\$|\$.+?\$", text)) > 5
    assert "$" not in "".join(page.locator(".jp-MarkdownOutput").all_inner_texts())
    sizes = formulas.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert all(size > 4 for size in sizes)
    bracket, matrix = (
        page.locator(f"math:has(mtable) {part}").first.bounding_box()
        for part in ("mo:has(+ mtable)", "mtable")
    )
    assert bracket
    assert matrix
    assert bracket["height"] >= 0.9 * matrix["height"], "it has a font in which brackets grow"
    page.close()


def test_a_lesson_s_pictures_go_with_it() -> None:
    lesson = SOLUTIONS.parent / "lessons" / "08_many_heads.ipynb"
    assert "](pictures/" in lesson.read_text(encoding="utf-8")
    html, _ = LivingPage().from_filename(str(lesson))  # type: ignore[no-untyped-call]
    assert 'src="pictures/' not in html
