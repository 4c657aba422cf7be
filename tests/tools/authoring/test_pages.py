"""Test that tables and data generated from the chapters' front matter and the bank are up to date."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from qkvlib.course.chapters import chapters
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.authoring import pages, pictures
from qkvlib.tools.authoring.build import sources
from qkvlib.tools.authoring.front_matter import SourceError, read

ROOT = Path(__file__).parents[3]
SOLUTIONS = (ROOT / "solutions/README.md").read_text(encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the course's sources and pages, for a test to change."""
    (tmp_path / "solutions").mkdir()
    for source in (ROOT / "solutions").glob("*.py"):
        shutil.copy(source, tmp_path / "solutions")
    for page in (*pages.generated_parts(ROOT), pages.FACTS, pages.ANSWERS, Path("pyproject.toml")):
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / page, tmp_path / page)
    shutil.copytree(ROOT / pictures.FOLDER, tmp_path / pictures.FOLDER)
    return tmp_path


def test_every_page_is_what_the_chapters_make_of_it() -> None:
    assert pages.stale(ROOT) == {}, "run `qkv build`, of one chapter or of all"


def test_a_fact_is_changed_in_one_place_and_reaches_every_page(copy: Path) -> None:
    source = copy / "solutions/05_one_head.py"
    source.write_text(source.read_text("utf-8").replace("# title: Training one head", "# title: A head"))
    changed = {copy / page for page in (*pages.generated_parts(ROOT), pages.FACTS)}
    assert set(pages.stale(copy)) == changed
    assert set(pages.write(copy)) == changed
    assert pages.stale(copy) == {}
    assert pages.write(copy) == []
    for page in pages.generated_parts(ROOT):
        assert re.search(r"^\| 5 \|? ?\[?A head\b", (copy / page).read_text("utf-8"), re.MULTILINE)
    assert json.loads((copy / pages.FACTS).read_text("utf-8"))[5]["title"] == "A head"


def test_a_file_that_was_lost_is_said_so(copy: Path) -> None:
    (copy / pages.FACTS).unlink()
    assert pages.stale(copy) == {copy / pages.FACTS: "is missing"}


def test_what_would_break_a_table_is_set_apart(copy: Path) -> None:
    source = copy / "solutions/05_one_head.py"
    source.write_text(source.read_text("utf-8").replace("# title: Training one head", "# title: One | head"))
    pages.write(copy)
    assert "| 5 | [One \\| head](" in (copy / "README.md").read_text("utf-8")


def test_every_mistake_of_the_bank_is_on_the_instructors_page() -> None:
    listed = pages.mistakes(chapters())
    for exercise in EXERCISES.values():
        if exercise.chapter == 0:  # the only exercise of chapter 0 is meant to be answered wrongly
            continue
        for mistake in exercise.mistakes:
            assert " ".join(mistake.diagnosis.split()).replace("|", "\\|") in listed


def test_the_eight_hour_route_takes_eight_hours_and_no_chapters_heart_is_the_longer_part() -> None:
    lessons = [read(source).chapter for source in sources(ROOT)]
    assert "Together they take about 8 hours." in pages.route(lessons)
    for one in lessons:
        assert one.heart_minutes <= one.minutes * 0.75


@pytest.mark.parametrize("damage", ["", "<!-- end of picture -->\n<!-- picture: generated -->\n"])
def test_a_page_without_its_markers_is_refused(copy: Path, damage: str) -> None:
    (copy / "README.md").write_text(f"# The course\n{damage}", encoding="utf-8")
    with pytest.raises(SourceError, match=r"README.md:1: it needs '<!-- picture: generated -->'"):
        pages.gathered(copy)


def test_the_rubric_says_what_the_marker_looks_for() -> None:
    rubric = SOLUTIONS[SOLUTIONS.index("## The capstone's rubric") :]
    capstone = EXPLANATIONS["capstone"]
    for criterion in capstone.look_for:
        assert criterion.removeprefix("a ") in rubric
    points = [int(number) for number in re.findall(r"^\| (\d) \|", rubric, re.MULTILINE)]
    assert sum(points) == capstone.points
