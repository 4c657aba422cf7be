"""The two READMEs beside the notebooks say what the course says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qkvlib.authoring import teachers_page as handbook
from qkvlib.course.chapters import CHAPTERS
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS

ROOT = Path(__file__).parents[2]
LESSONS = (ROOT / "lessons/README.md").read_text(encoding="utf-8")
SOLUTIONS = (ROOT / handbook.PAGE).read_text(encoding="utf-8")


def test_the_instructors_page_is_what_the_course_generates() -> None:
    written = handbook.page(ROOT) == SOLUTIONS
    assert written, "run `python -m qkvlib.authoring.teachers_page` in the repository"


def test_every_mistake_of_the_bank_is_on_the_instructors_page() -> None:
    listed = handbook.mistakes(ROOT)
    for exercise in EXERCISES.values():
        if exercise.chapter == 0:  # the door's one exercise is there to be got wrong
            continue
        for mistake in exercise.mistakes:
            assert " ".join(mistake.diagnosis.split()).replace("|", "\\|") in listed


def test_a_page_without_its_markers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "solutions").mkdir()
    (tmp_path / handbook.PAGE).write_text("# Teaching\n", encoding="utf-8")
    with pytest.raises(ValueError, match="needs '<!-- goals: generated -->'"):
        handbook.page(tmp_path)


def test_the_rubric_says_what_the_marker_looks_for() -> None:
    rubric = SOLUTIONS[SOLUTIONS.index("## The capstone's rubric") :]
    capstone = EXPLANATIONS["capstone"]
    for criterion in capstone.look_for:
        assert criterion.removeprefix("a ") in rubric
    points = [int(number) for number in re.findall(r"^\| (\d) \|", rubric, re.MULTILINE)]
    assert sum(points) == capstone.points


def test_readers_of_the_lessons_find_every_chapter_with_its_minutes() -> None:
    for c in CHAPTERS:
        link = rf"\[{re.escape(c.title)}\]\({c.name}\.ipynb\)"
        row = rf"^\| {int(c.number)} \| {link} \|.*\| {c.minutes} \|"
        assert re.search(row, LESSONS, re.MULTILINE), c.name


@pytest.mark.parametrize("folder", ["lessons", "solutions"])
def test_every_link_leads_to_a_file(folder: str) -> None:
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / folder / target).exists(), target
