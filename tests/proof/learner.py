"""Act as a new learner on the built site, in chapters 1 to 4: `python -m tests.proof.learner [SITE]`.

Every exercise is typed into its editor, key by key, first with a mistake and then right, and
checked by the real worker. The notebooks are downloaded, and `qkv grade` must give full marks,
except for the answers in words, which people mark.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect, sync_playwright

from qkvlib.exercises import EXERCISES
from qkvlib.tools import cli
from qkvlib.tools.site.build import build
from tests.browser import started_browser
from tests.proof.under_torch import ROOT
from tests.tools.site.conftest import served

CHAPTERS = ("01", "02", "03", "04")
WORDS = "A longer key gets more, whichever way it points."
# A typical learner's slip in each right answer.
SLIPS = {
    "dot": ("total = total + a[i]", "total = a[i]"),
    "centre": ("dim=1", "dim=0"),
    "cosine_similarity": ("    b = b / b.norm(dim=1, keepdim=True)\n", ""),
    "nearest": ("argmax", "argmin"),
    "softmax": ("scores.amax(", "scores.mean("),
    "soft_lookup": ("softmax(keys @ query)", "keys @ query"),
    "predict_variance": ("64", "8"),
    "attention_weights": ("d_k**0.5", "d_k"),
    "project_qkv": ("x @ w_v", "x @ w_k"),
    "choose_w_q_w_k": ("return w_q, w_k", "return w_k, w_q"),
    "bilinear_form": ("w_q @ w_k.T", "w_k @ w_q.T"),
    "scaled_dot_product_attention": ("~mask", "mask"),
    "softmax_backward": ("(d_weights - average)", "d_weights"),
    "attention_backward": (" / q.shape[-1] ** 0.5", ""),
    "projection_gradients": ("x.T @ d_q, x.T @ d_k, x.T @ d_v", "d_q.T @ x, d_k.T @ x, d_v.T @ x"),
    "sgd_step": ("p -= lr", "p += lr"),
}
# The indentation of the line that contains the caret.
_INDENTED = """() => {
  const { anchorNode: at } = getSelection();
  const line = (at.nodeType === Node.TEXT_NODE ? at.parentElement : at).closest(".cm-line");
  return /^ */.exec(line.textContent)[0].length;
}"""


def answers(chapter: str) -> dict[str, str]:
    """Return the right answers, from the chapter's solution."""
    (path,) = (ROOT / "solutions").glob(f"{chapter}_*.ipynb")
    found = {}
    for cell in nbformat.read(path, as_version=4).cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            lines = [line for line in cell.source.splitlines() if "### " not in line]
            found[marks["grade_id"]] = "\n".join(lines) + "\n"
    return found


def rewrite(page: Page, field: Locator, text: str) -> None:
    """Put the caret after the lines that stay, delete the rest, and type."""
    there, wanted = field.locator(".cm-line").all_text_contents(), text.rstrip().split("\n")
    same = next(
        (i for i, (one, other) in enumerate(zip(there, wanted, strict=False)) if one != other),
        min(len(there), len(wanted)),
    )
    field.click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Home")
    page.keyboard.press("Home")  # before the spaces that begin the line
    for _ in range(len(there) - same - 1):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+Control+End")
    page.keyboard.press("Delete")
    for i, line in enumerate(wanted[same:]):
        if i:
            page.keyboard.press("Enter")
        indented = len(line) - len(line.lstrip())
        while page.evaluate(_INDENTED) > indented:
            page.keyboard.press("Backspace")
        page.keyboard.type(" " * (indented - page.evaluate(_INDENTED)) + line.lstrip())


def solve(page: Page, name: str, right: str) -> Iterator[str]:
    """Do one exercise; yield what went wrong."""
    place = page.locator(f'[data-exercise="{name}"]')
    place.scroll_into_view_if_needed()
    expect(place).to_have_attribute("data-awake", "")
    field, verdict = place.get_by_role("textbox"), place.get_by_role("status")
    old, new = SLIPS[name]
    assert old in right, f"the solution of {name} no longer says {old!r}"
    for text, heading in ((right.replace(old, new), "Not yet"), (right, "Right")):
        rewrite(page, field, text)
        page.keyboard.press("Shift+Enter")
        expect(verdict).to_contain_text(f"{name}: ", timeout=60_000)
        said = verdict.inner_text()
        if f"{name}: {heading}" not in said:
            yield f"{name}: {said}\n{text}"
        if heading == "Not yet" and "Think about it:" not in said:
            yield f"{name}: the mistake has no name. {said}"
        page.keyboard.press("Escape")
    if place.locator(".standing").inner_text() != "✓ Solved":
        yield f"{name}: it does not count as solved"


def learn(page: Page, address: str, handed_in: Path) -> Iterator[str]:
    """Do the chapters, and download each as a notebook; yield what went wrong."""
    for chapter in CHAPTERS:
        right = answers(chapter)
        (lesson,) = (path.stem for path in (ROOT / "lessons").glob(f"{chapter}_*.ipynb"))
        page.goto(f"{address}/{lesson}.html")
        for name, text in right.items():
            yield from solve(page, name, text)
            print(f"{chapter} {name}", flush=True)
        if (words := page.get_by_label("Your answer")).count():
            words.fill(WORDS)
        with page.expect_download() as download:
            page.get_by_role("button", name="Take it away").click()
        handed_in.mkdir(parents=True, exist_ok=True)
        download.value.save_as(handed_in / download.value.suggested_filename)


def marks(handed_in: Path, out: Path) -> Iterator[str]:
    """Run `qkv grade`; yield the exercises without full points."""
    if cli.main(["grade", str(handed_in.parent), "--out", str(out), "--jobs", "1"]):
        yield "`qkv grade` wants somebody to look"
    with (out / "grades.csv").open(encoding="utf-8-sig") as file:
        (row,) = csv.DictReader(file)
    for chapter in CHAPTERS:
        for name in answers(chapter):
            if float(row[name] or 0) != EXERCISES[name].points:
                yield f"{name}: {row[name]!r} of {EXERCISES[name].points} points"


def main(site: str = "") -> int:
    """Return the number of things that went wrong."""
    with tempfile.TemporaryDirectory() as room:
        folder = Path(site or f"{room}/site")
        if not folder.exists():
            build(ROOT, folder, ("00", *CHAPTERS))
        wrong: list[str] = []
        handed_in = Path(room, "class", "ada")
        with (
            served(folder) as address,
            sync_playwright() as playwright,
            started_browser(playwright) as browser,
        ):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.on("pageerror", lambda error: wrong.append(str(error)))
            wrong += learn(page, address, handed_in)
        wrong += marks(handed_in, Path(room, "marks"))
    print("\n".join(wrong))
    print(f"{len(wrong)} things went wrong on the way to full marks")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
