"""Test the search: a learner's own words find the question, in a file small enough for a phone."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from qkvlib.course.chapters import chapters
from qkvlib.tools.site.questions import questions
from qkvlib.tools.site.search import entries
from tests.node import Node
from tests.tools.site.conftest import Site, Visit

ROOT = Path(__file__).parents[3]
MOST_BYTES = 40_000  # compressed
WORDINGS = json.loads(Path(__file__).with_name("wordings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def search() -> Iterator[Node]:
    with Node(Path(__file__).with_name("search.mjs")) as node:
        node.ask({"entries": entries(ROOT, chapters())})
        yield node


def test_what_it_looks_through_is_small_and_has_all_kinds() -> None:
    found = entries(ROOT, chapters())
    file = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    assert len(gzip.compress(file.encode())) < MOST_BYTES
    kinds = Counter(entry.kind for entry in found)
    assert kinds["question"] == len(questions(ROOT))
    assert kinds["chapter"] == len(chapters())
    assert min(kinds[kind] for kind in ("section", "word", "exercise")) > 50


def test_ten_questions_are_found_in_the_wordings_of_five_people(search: Node) -> None:
    assert len(WORDINGS) == 10
    assert all(len(set(wordings)) == 5 for wordings in WORDINGS.values())
    late = []
    for question, wordings in WORDINGS.items():
        for wording in wordings:
            titles = [title for _, title in search.ask(wording)]
            assert question in titles, f"{wording!r} does not find {question!r} but {titles}"
            late += [wording] if titles.index(question) >= 3 else []
    assert len(late) <= 8, late


@pytest.mark.parametrize(
    ("typed", "kind", "title"),
    [
        ("softm", "exercise", "softmax"),
        ("residual connection", "word", "residual connection"),
        ("cross-attention", "chapter", "Cross-attention"),
    ],
)
def test_other_things_are_found(search: Node, typed: str, kind: str, title: str) -> None:
    assert [kind, title] in search.ask(typed)[:5]


def test_a_section_is_found_by_its_heading(search: Node) -> None:
    for question in questions(ROOT)[::5]:
        section = re.findall(r"\.ipynb#([^)\s]+)", question.below)[0]
        heading = unquote(section).replace("-", " ")
        found = [title.replace("-", " ") for _, title in search.ask(heading)]
        assert heading in found[:5], f"{heading!r} finds {found}"


def test_the_frame_of_every_chapter_is_no_place_to_find(search: Node) -> None:
    assert ["section", "Your predictions"] not in search.ask("Your predictions")


@pytest.mark.whole
def test_the_search_is_used_by_keyboard_alone(visit: Visit, site: Site) -> None:
    page = opened(visit, site)
    assert not any("/search-" in url for url in visit.asked)
    page.get_by_role("link", name="Search").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Search")
    expect(dialog.get_by_label("Search the course")).to_be_focused()
    page.keyboard.type("why divide by root dk")
    expect(dialog.get_by_role("status")).to_contain_text("found")
    assert any("/search-" in url for url in visit.asked)
    page.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("listitem").first.get_by_role("link")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.address}/questions.html#Why-divide-by-the-square-root-of-d_k?")
    expect(page.get_by_role("heading", name="Why divide by the square root")).to_be_in_viewport()


@pytest.mark.whole
def test_escape_closes_the_search_and_nothing_found_is_said(visit: Visit, site: Site) -> None:
    page = opened(visit, site)
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search the course").fill("Donaudampfschiff")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(
        "Nothing found. Try fewer or other words."
    )
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("link", name="Search")).to_be_focused()


def opened(visit: Visit, site: Site) -> Page:
    visit.page.goto(f"{site.address}/index.html")
    visit.page.wait_for_load_state("networkidle")
    return visit.page
