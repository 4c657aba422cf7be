"""What an exercise is: a reference answer, cases, and the wrong answers that people write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

Answer = Callable[..., Any]


@dataclass(frozen=True)
class Case:
    """One call of the learner's function. `what` says in words what is special about it."""

    what: str
    inputs: tuple[Any, ...]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer as a program, and what to say to whoever wrote it."""

    program: Answer
    diagnosis: str
    question: str

    @property
    def name(self) -> str:
        return self.program.__name__


def mistake(diagnosis: str, question: str) -> Callable[[Answer], Mistake]:
    """Make a Mistake of the function below: a diagnosis, and a question that leads to the cure."""
    return lambda program: Mistake(program, diagnosis, question)


@dataclass(frozen=True)
class Exercise:
    """A function for the learner to write, and all that is needed to judge it.

    `cases` draws the calls from a seeded generator, smallest first. `mistakes` are caught and
    named. `alternatives` are right answers in other styles, which must pass. `returns` names the
    parts of the result when there are several. `lends` are functions of the course that the lesson
    hands out for this exercise and that are no exercises themselves: the grader lends them, too.

    What is compared with the reference is the value that comes back. Two fields change that:

    - `changes` names the arguments that the function is meant to write into; any other input has
      to stay as it was.
    - `judged_by(value, *inputs)` gives what is compared in place of the value, where many values
      are right: the goals that chosen weights reach, what a program does whose lines were put in
      order, the state of the parameters after a step. It sees the inputs as the call left them.
    """

    chapter: int
    points: int
    reference: Answer
    cases: Callable[[torch.Generator], list[Case]]
    mistakes: tuple[Mistake, ...]
    alternatives: tuple[Answer, ...]
    hints: tuple[str, str, str]
    returns: tuple[str, ...] = ()
    builds_on: tuple[str, ...] = ()
    lends: tuple[Answer, ...] = ()
    changes: tuple[str, ...] = ()
    judged_by: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        return self.reference.__name__

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments, in order."""
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def is_secret(self) -> bool:
        """Whether to show the expected result would be to give the answer away."""
        return not self.arguments

    def draw(self, seed: int) -> list[Case]:
        """The cases of this seed."""
        return self.cases(torch.Generator().manual_seed(seed))


def asked_once(generator: torch.Generator) -> list[Case]:
    """The one case of an exercise whose function takes no arguments."""
    return [Case("your answer", ())]
