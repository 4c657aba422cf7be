"""Test that `check_task` accepts a good task, and names the fault in a bad one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Generator

from qkvlib import check_task
from qkvlib.tasks import Batch, Recall, Task, TwoQuestions


@pytest.mark.parametrize("task", [TwoQuestions(), Recall()])
def test_the_courses_own_tasks_are_let_through_and_shown(
    task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_task(task) is task
    said = capsys.readouterr().out
    assert said.startswith("✓ A deal of your task:\n  cards:    ")
    batch = task.batch(5, Generator().manual_seed(0))
    card = task.words(batch.inputs[1][0])[batch.looks_at[0, 0]]  # type: ignore[index]
    answer = task.answers[batch.answers[0, 0]]
    assert f"answer 1: {answer}, on card {card!r}" in said
    assert "But" not in said


@dataclass(frozen=True)
class Three(TwoQuestions):
    """A task with three questions; `answers` names their answers in order."""

    answers = tuple(f"{which} {colour}" for which in "abc" for colour in TwoQuestions.answers)

    @property
    def n_answers(self) -> int:
        return 24

    def batch(self, size: int, generator: Generator) -> Batch:
        inputs, answers, looks_at = super().batch(size, generator)
        last = [torch.cat([part, part[:, :1]], dim=1) for part in (answers, looks_at)]
        return Batch(inputs, last[0], last[1])


def test_answers_may_have_names_of_their_own_for_each_question(capsys: pytest.CaptureFixture[str]) -> None:
    check_task(Three())
    said = capsys.readouterr().out
    assert "answer 1: a " in said
    assert "answer 3: c " in said


def spoilt(**changes: Any) -> Task:
    """Return the task of chapter 9, but with these parts of its batches changed."""

    @dataclass(frozen=True)
    class MyTask(TwoQuestions):
        """A task with the given changes."""

        def batch(self, size: int, generator: Generator) -> Any:
            good = super().batch(size, generator)
            if "instead" in changes:
                return changes["instead"](good, size, generator)
            return good._replace(**{name: change(good) for name, change in changes.items()})

    return MyTask()


def named(names: tuple[str, ...]) -> Task:
    """Return the task of chapter 9 with other names for its answers."""
    return type("MyTask", (TwoQuestions,), {"answers": names})()


def no_seed(good: Batch, size: int, generator: Generator) -> Batch:
    return good._replace(inputs=(good.inputs[0], good.inputs[1].roll(int(torch.randint(6, ())), 1)))


WRONG = {
    "is a class. Make an instance of it": lambda: TwoQuestions,
    "this is a int, not a task": lambda: 3,
    "stopped with ZeroDivisionError": lambda: spoilt(instead=lambda *_: 1 // 0),
    "batch returns a tuple": lambda: spoilt(instead=lambda good, *_: tuple(good)),
    "inputs holds 1 tensors": lambda: spoilt(inputs=lambda good: good.inputs[:1]),
    "the question has shape (5, 2)": lambda: spoilt(
        inputs=lambda good: (good.inputs[0][:, 0], good.inputs[1])
    ),
    "the question has 2 cards": lambda: spoilt(inputs=lambda good: (good.inputs[0].mT, good.inputs[1])),
    "cards holds torch.float32": lambda: spoilt(inputs=lambda good: (good.inputs[0], good.inputs[1].float())),
    "cards holds the number 1": lambda: spoilt(inputs=lambda good: (good.inputs[0], good.inputs[1] + 1000)),
    "answers has shape (5,)": lambda: spoilt(answers=lambda good: good.answers[:, 0]),
    "answers is a list": lambda: spoilt(answers=lambda good: good.answers.tolist()),
    "answers holds the number": lambda: spoilt(answers=lambda good: good.answers + 8),
    "n_answers is 16, which cannot": lambda: spoilt(answers=lambda good: torch.zeros(5, 3, dtype=torch.long)),
    "n_answers is 16, which cannot be divided equally among 0": lambda: spoilt(
        answers=lambda good: good.answers[:, :0]
    ),
    "`answers` has 3 names, but a question has 8": lambda: named(("red", "green", "blue")),
    "2000 examples were requested": lambda: spoilt(
        inputs=lambda good: tuple(part[:64] for part in good.inputs)
    ),
    "looks_at is missing": lambda: spoilt(looks_at=lambda _: None),
    "looks_at has shape (5, 1)": lambda: spoilt(looks_at=lambda good: good.looks_at[:, :1]),
    "looks_at holds the number": lambda: spoilt(looks_at=lambda good: good.looks_at + 6),
    "5 examples were requested": lambda: spoilt(inputs=lambda good: (good.inputs[0], good.inputs[1][:4])),
    "two batches from the same seed differ": lambda: spoilt(instead=no_seed),
    "every seed deals the same cards": lambda: spoilt(
        instead=lambda _good, size, _g: TwoQuestions().batch(size, Generator().manual_seed(7))
    ),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_wrong_is_said_and_the_lesson_goes_on(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    torch.manual_seed(0)
    assert check_task(WRONG[words]()) == TwoQuestions()  # type: ignore[arg-type]
    said = capsys.readouterr().out
    assert said.startswith("✗ ")
    assert words in said
    assert "use the task of chapter 9" in said
