"""Write the parts of `solutions/README.md` that the course itself knows.

`python -m qkvlib.authoring.teachers_page` puts them between their markers: the learning goals, as
each chapter states them; what builds on what, from the bank; and the mistakes that it can name.
"""

from __future__ import annotations

import re
from pathlib import Path

from qkvlib.course.chapters import CHAPTERS, Chapter
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS

PAGE = Path("solutions/README.md")


def goals(root: Path) -> str:
    """A line a chapter: what a learner can do afterwards, the minutes, the points."""
    lines = ["| | chapter | afterwards a learner can | minutes | points |", "|---|---|---|---|---|"]
    for chapter in CHAPTERS:
        by_machine = sum(exercise.points for exercise in chapter.exercises)
        by_hand = sum(o.points for o in EXPLANATIONS.values() if o.chapter == int(chapter.number))
        points = f"{by_machine} + {by_hand}" if by_hand else str(by_machine)
        lines.append(
            f"| {int(chapter.number)} | {chapter.title} "
            f"| {_said(root, chapter, 'You will be able to').rstrip('.')} "
            f"| {chapter.minutes} | {points} |"
        )
    return "\n".join(lines)


def dependencies(root: Path) -> str:
    """A line a chapter: what its text builds on, and whose exercises its own exercises call."""
    lines = ["| chapter | its text builds on | its exercises call, of earlier chapters |",
             "|---|---|---|"]  # fmt: skip
    for chapter in CHAPTERS:
        called = sorted(
            {name for one in chapter.exercises for name in one.builds_on
             if EXERCISES[name].chapter < int(chapter.number)},
            key=list(EXERCISES).index,
        )  # fmt: skip
        names = ", ".join(f"`{name}` ({EXERCISES[name].chapter})" for name in called)
        text = _said(root, chapter, "It builds on").split(":")[0].split(".")[0]
        lines.append(f"| {int(chapter.number)} {chapter.title} | {text} | {names} |")
    return "\n".join(lines)


def mistakes(root: Path) -> str:
    """By chapter and exercise: each mistake that is named, in the words that the learner gets."""
    parts = []
    for chapter in CHAPTERS:
        parts.append(f"### {int(chapter.number)}. {chapter.title}")
        for exercise in chapter.exercises:
            listed = "\n".join(f"- {_one_line(one.diagnosis)}" for one in exercise.mistakes)
            plural = "point" if exercise.points == 1 else "points"
            parts.append(f"**`{exercise.name}`**, {exercise.points} {plural}\n\n{listed}")
    return "\n\n".join(parts)


SECTIONS = {"goals": goals, "dependencies": dependencies, "mistakes": mistakes}


def page(root: Path) -> str:
    """The page as it should be: its own text, with every generated part anew."""
    text = (root / PAGE).read_text(encoding="utf-8")
    for name, write in SECTIONS.items():
        start, end = f"<!-- {name}: generated -->\n", f"<!-- end of {name} -->"
        if text.count(start) != 1 or text.count(end) != 1:
            raise ValueError(f"{PAGE} needs {start.strip()!r} and {end!r}, once each")
        before, after = text.index(start) + len(start), text.index(end)
        text = f"{text[:before]}\n{write(root)}\n\n{text[after:]}"
    return text


def _said(root: Path, chapter: Chapter, after: str) -> str:
    """What stands in the chapter's opening behind these words, to the end of the paragraph."""
    source = (root / f"solutions/{chapter.name}.py").read_text(encoding="utf-8")
    found = re.search(rf"\*{after}\* (.*?)\n(?:#\n|\n)", source, re.DOTALL)
    if not found:
        raise ValueError(f"{chapter.name}.py does not say {after!r}")
    return _one_line(found[1].replace("\n# ", " "))


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    root = Path.cwd()
    (root / PAGE).write_text(page(root), encoding="utf-8")
    print(f"{PAGE} is up to date")


if __name__ == "__main__":
    main()
