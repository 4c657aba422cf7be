"""The map of the course is complete, and shows what this learner has done."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import torch

from qkvlib import AttentionLab, course_map, progress
from qkvlib.course.chapters import CHAPTERS, Chapter

ROOT = Path(__file__).parent.parent


def row(number: int) -> list[str]:
    return repr(course_map()).splitlines()[number].split()


def test_every_chapter_is_on_the_map_in_order() -> None:
    sources = sorted(path.stem for path in (ROOT / "solutions").glob("*.py"))
    assert ["00_start_here", *(chapter.name for chapter in CHAPTERS)] == sources


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_lesson_says_the_same_as_the_map(chapter: Chapter) -> None:
    text = (ROOT / f"solutions/{chapter.name}.py").read_text(encoding="utf-8")
    assert text.startswith(f"# %% [markdown]\n# # {int(chapter.number)}. {chapter.title}: ")
    assert f"*It takes* about {chapter.minutes} minutes." in text


def test_the_readme_shows_the_same_chapters() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for c in CHAPTERS:
        link = f"[{c.title}](lessons/{c.name}.ipynb)"
        assert f"| {int(c.number)} | {link} | {c.question} | {c.minutes} |" in readme


def test_the_map_counts_what_was_done(home: Path) -> None:
    first, second = (str(len(chapter.exercises)) for chapter in CHAPTERS[:2])
    assert row(1)[-5:] == ["0", "of", first, "0", "0"]
    progress.record("exercises", "dot", "right")
    progress.record("exercises", "nearest", "wrong")
    progress.record("exercises", "softmax", "right")
    progress.record("predictions", "01-long-vector", "A")
    progress.record("predictions", "02-turned-around", "A")
    progress.record("goals", "01-third-key", True)
    assert row(1)[-5:] == ["1", "of", first, "1", "1"]
    assert row(2)[-5:] == ["1", "of", second, "1", "0"]


def test_the_map_leads_to_the_lessons() -> None:
    for chapter in CHAPTERS:
        assert f'href="{chapter.name}.ipynb"' in course_map().html


def test_steps_alone_meet_the_goal_of_chapter_5_and_not_at_once(home: Path) -> None:
    text = (ROOT / "solutions/05_one_head.py").read_text(encoding="utf-8")
    (cell,) = (cell for cell in text.split("# %%") if '"05-nobody-labelled"' in cell)
    *imports, shown = ast.parse(cell).body
    names = {"torch": torch, "AttentionLab": AttentionLab}
    exec(compile(ast.Module(imports, []), "imports", "exec"), names)
    assert isinstance(shown, ast.Expr)
    lab = eval(compile(ast.Expression(shown.value), "lab", "eval"), names)
    w_v = lab.w_v
    lab.step(5)
    assert not progress.recall("goals", "05-nobody-labelled")
    lab.step(10)
    assert progress.recall("goals", "05-nobody-labelled")
    assert torch.equal(lab.w_v, w_v)
