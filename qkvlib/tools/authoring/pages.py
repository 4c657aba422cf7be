"""Gather from all chapters the tables of three pages, the pictures and two data files of the package.

`qkv build` writes the parts of these pages between markers, from the front matter of `solutions/*.py` and
from the exercise bank. It also writes the drawings in `lessons/pictures/`, and two files of the package, from
which a learner's copy knows the chapters and the answers to their questions, because it has no sources.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from qkvlib.course.chapters import DOOR, Chapter
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.authoring import answers, elsewhere, front_matter, pictures
from qkvlib.tools.authoring.build import sources, write_changed
from qkvlib.tools.authoring.front_matter import SourceError

FACTS = Path("qkvlib/course/chapters.json")
ANSWERS = Path("qkvlib/widgets/predict/answers.json")


def write(root: Path) -> list[Path]:
    """Write every gathered file that is out of date, and return these files."""
    return [path for path, text in gathered(root).items() if write_changed(path, text)]


def stale(root: Path) -> dict[Path, str]:
    """Return the gathered files that are out of date, each with the difference."""
    found = {}
    for path, text in gathered(root).items():
        if not path.exists():
            found[path] = "is missing"
            continue
        before, after = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
        differences = list(difflib.unified_diff(before, after, "there", "chapters", n=0, lineterm=""))
        if differences:
            found[path] = "\n".join(differences[:40])
    return found


def gathered(root: Path) -> dict[Path, str]:
    """Return every gathered file with its right content."""
    lessons = [front_matter.read(source).chapter for source in sources(root)]
    facts = _json([asdict(lesson) for lesson in lessons])
    known = _json(_answers(root))
    pages = {root / page: _page(root / page, made, lessons) for page, made in generated_parts(root).items()}
    drawn = {root / path: svg for path, svg in pictures.gathered(lessons).items()}
    badges = {root / pictures.FOLDER / name: svg for name, svg in elsewhere.badge_files(root).items()}
    return {root / FACTS: facts, root / ANSWERS: known, **pages, **drawn, **badges}


def _answers(root: Path) -> dict[str, dict[str, Any]]:
    texts = (source.read_text(encoding="utf-8") for source in sources(root))
    return {name: answer for text in texts for name, answer in answers.of_questions(text).items()}


def _json(facts: object) -> str:
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def shows_the_map(source: Path) -> bool:
    """Tell whether a lesson's outputs show the chapters, and so change with their facts."""
    return "\ncourse_map()" in source.read_text(encoding="utf-8")


def _page(path: Path, parts: dict[str, Part], lessons: Sequence[Chapter]) -> str:
    """Return a page with its own text, and with every generated part written again."""
    text = path.read_text(encoding="utf-8")
    for name, part in parts.items():
        start, end = f"<!-- {name}: generated -->\n", f"<!-- end of {name} -->"
        if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
            raise SourceError(path, 1, f"it needs {start.strip()!r}, then {end!r}, once each")
        before, after = text.index(start) + len(start), text.index(end)
        made = part(lessons)
        text = text[:before] + (f"\n{made}\n\n" if made else "") + text[after:]
    return text


# --- the parts -------------------------------------------------------------------------------


def questions(lessons: Sequence[Chapter]) -> str:
    """For the front page: a line for each lesson, with the question that it answers."""
    rows = [
        [_number(one), f"[{one.title}](lessons/{one.name}.ipynb)", one.question, str(one.minutes)]
        for one in lessons
    ]
    return _table(["", "chapter", "question", "minutes"], rows)


def settled(lessons: Sequence[Chapter]) -> str:
    """For readers who choose a lesson: what it settles, and how long it takes."""
    rows = []
    for one in lessons:
        link = f"[{one.title}]({one.name}.ipynb)"
        rows.append([_number(one), link, one.settles, str(one.minutes), one.builds_on])
    hours = round(sum(one.minutes for one in lessons) / 60)
    heads = ["", "lesson", "what it settles", "minutes", "builds on"]
    return f"{_table(heads, rows)}\n\nIn order they take about {hours} hours."


def route(lessons: Sequence[Chapter]) -> str:
    """For readers who have a day: the sections at the heart of the course."""
    rows = [
        [_number(one), f"[{one.title}]({one.name}.ipynb)", str(one.heart_minutes), "; ".join(one.heart)]
        for one in lessons
        if one.heart
    ]
    hours = round(sum(one.heart_minutes for one in lessons) / 60)
    table = _table(["", "lesson", "minutes", "sections"], rows)
    return f"{table}\n\nTogether they take about {hours} hours."


def goals(lessons: Sequence[Chapter]) -> str:
    """For instructors: what a learner can do afterwards, the minutes, the points."""
    rows = []
    for chapter in _chapters(lessons):
        by_machine = sum(exercise.points for exercise in chapter.exercises)
        by_hand = sum(o.points for o in EXPLANATIONS.values() if o.chapter == int(chapter.number))
        points = f"{by_machine} + {by_hand}" if by_hand else str(by_machine)
        rows.append([_number(chapter), chapter.title, chapter.goal, str(chapter.minutes), points])
    return _table(["", "chapter", "afterwards a learner can", "minutes", "points"], rows)


def dependencies(lessons: Sequence[Chapter]) -> str:
    """For instructors: what a chapter's text builds on, and which earlier exercises its own exercises
    call."""
    rows = []
    for chapter in _chapters(lessons):
        called = sorted(
            {
                name
                for one in chapter.exercises
                for name in one.builds_on
                if EXERCISES[name].chapter < int(chapter.number)
            },
            key=list(EXERCISES).index,
        )
        names = ", ".join(f"`{name}` ({EXERCISES[name].chapter})" for name in called)
        rows.append([f"{_number(chapter)} {chapter.title}", chapter.builds_on, names])
    return _table(["chapter", "its text builds on", "its exercises call, of earlier chapters"], rows)


def mistakes(lessons: Sequence[Chapter]) -> str:
    """List the named mistakes by chapter and exercise, in the words that the learner gets."""
    parts = []
    for chapter in _chapters(lessons):
        if chapter.exercises:
            parts.append(f"### {_number(chapter)}. {chapter.title}")
        for exercise in chapter.exercises:
            listed = "\n".join(f"- {_in_a_cell(one.diagnosis)}" for one in exercise.mistakes)
            plural = "point" if exercise.points == 1 else "points"
            parts.append(f"**`{exercise.name}`**, {exercise.points} {plural}\n\n{listed}")
    return "\n\n".join(parts)


Part = Callable[[Sequence[Chapter]], str]


def generated_parts(root: Path) -> dict[Path, dict[str, Part]]:
    """Return the pages with generated parts, and the function that makes each part."""
    return {
        Path("README.md"): {
            "picture": partial(elsewhere.first_picture, root),
            "badges": partial(elsewhere.front_page, root),
            "chapters": questions,
        },
        Path("lessons/README.md"): {"lessons": settled, "route": route},
        Path("solutions/README.md"): {
            "goals": goals,
            "dependencies": dependencies,
            "mistakes": mistakes,
        },
    }


def _chapters(lessons: Sequence[Chapter]) -> list[Chapter]:
    return [one for one in lessons if one.number != DOOR]


def _number(lesson: Chapter) -> str:
    return "" if lesson.number == DOOR else str(int(lesson.number))


def _table(heads: list[str], rows: list[list[str]]) -> str:
    return "\n".join([_row(heads), "|" + "---|" * len(heads), *map(_row, rows)])


def _row(cells: list[str]) -> str:
    return "|" + "".join(f" {_in_a_cell(cell)} |" if cell else " |" for cell in cells)


def _in_a_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
