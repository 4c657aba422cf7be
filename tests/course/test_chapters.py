"""Test that the map of the course is complete and shows what this learner has done."""

from __future__ import annotations

import re
from pathlib import Path

from qkvlib import course_map
from qkvlib.course.chapters import chapters
from qkvlib.learner import progress
from tests.page.of_lessons import of_lesson

ROOT = Path(__file__).parents[2]


def row(number: int) -> list[str]:
    return repr(course_map()).splitlines()[number].split()


def test_the_map_counts_what_was_done(home: Path) -> None:
    first, second = (
        f"{{}} of {len(one.exercises)} {{}} of {one.questions} {{}} of {one.goals}" for one in chapters()[:2]
    )
    assert row(1)[-9:] == first.format(0, 0, 0).split()
    progress.record("exercises", "dot", "right")
    progress.record("exercises", "nearest", "wrong")
    progress.record("exercises", "softmax", "right")
    progress.record("predictions", "01-long-vector", "A")
    progress.record("predictions", "02-turned-around", "A")
    progress.record("goals", "01-third-key", True)
    assert row(1)[-9:] == first.format(1, 1, 1).split()
    assert row(2)[-9:] == second.format(1, 1, 0).split()


def test_the_map_knows_every_question_and_goal_by_its_name() -> None:
    for chapter in chapters():
        source = (ROOT / "solutions" / f"{chapter.name}.py").read_text(encoding="utf-8")
        names = set(re.findall(rf'"({chapter.number}-[\w-]+)"', source))
        assert len(names) == chapter.questions + chapter.goals


def test_the_map_leads_to_the_lessons() -> None:
    for chapter in chapters():
        assert f'href="{chapter.name}.ipynb"' in course_map().html


def test_steps_alone_meet_the_goal_of_chapter_5_and_not_at_once(home: Path) -> None:
    lab = of_lesson("05")
    assert lab.goal.name == "05-nobody-labelled"

    def steps(count: int) -> bool:
        """Take this many steps, and return whether the goal's weights are reached."""
        for _ in range(count):
            found = lab.gradients
            step = {
                name: (getattr(lab, name) - lab.learning_rate * getattr(found, f"d_{name}")).flatten()
                for name in ("w_q", "w_k")
            }
            lab.receive({name: new.tolist() for name, new in step.items()} | {"losses": [0], "met": False})
        wanted = lab.goal.conditions
        return all(
            lab.weights[lab.tokens.index(one.row), lab.tokens.index(one.column)] >= one.weight
            for one in wanted
        )

    assert not steps(5)
    assert steps(10)
