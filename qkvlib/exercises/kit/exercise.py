"""What an exercise is: a reference answer, cases, and the wrong answers that people write.

A file of the bank writes one down with an `ExerciseBuilder`, from top to bottom. The bank builds
an `Exercise` of it, which nobody changes any more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, TypeVar

import torch

Answer = Callable[..., Any]
Program = TypeVar("Program", bound=Answer)


@dataclass(frozen=True)
class Case:
    """One call of the learner's function. `what` says in words what is special about it.

    If the result depends on numbers being equal, the case is `exact`: they are equal in binary, too, and
    changing their last digits would change the result.
    """

    what: str
    inputs: tuple[Any, ...]
    exact: bool = False


Cases = Callable[[torch.Generator], list[Case]]


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer as a program, and the words for the learner who wrote it."""

    program: Answer
    diagnosis: str
    question: str

    @property
    def name(self) -> str:
        return self.program.__name__


@dataclass(frozen=True, kw_only=True)
class Task:
    """What the file of an exercise says in words and names.

    `returns` names the parts of the result when there are several. `lends` are functions of the
    course that the lesson hands out for this exercise and that are no exercises themselves: the
    grader lends them, too. `changes` names the arguments that the function is meant to write into;
    any other input has to stay as it was. `needed_later` says what cells below ask of the function,
    though its task does not: "float64", to compute with twice as many digits, and "gradients", to
    let them back through.
    """

    points: int
    hints: tuple[str, str, str]
    returns: tuple[str, ...] = ()
    builds_on: tuple[str, ...] = ()
    lends: tuple[Answer, ...] = ()
    changes: tuple[str, ...] = ()
    needed_later: tuple[Literal["float64", "gradients"], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Exercise(Task):
    """A function for the learner to write, and all that is needed to judge it.

    `cases` draws the calls from a seeded generator, smallest first. `mistakes` are caught and
    named. `alternatives` are right answers in other styles, which must pass. What is compared with
    the reference is the value that comes back. Where many values are right,
    `judged_by(value, *inputs)` gives what is compared in its place: the goals that chosen weights
    reach, what a program does whose lines were put in order, the state of the parameters after a
    step. It sees the inputs as the call left them.
    """

    chapter: int
    reference: Answer
    cases: Cases
    mistakes: tuple[Mistake, ...]
    alternatives: tuple[Answer, ...]
    judged_by: Answer | None = None

    @property
    def name(self) -> str:
        return self.reference.__name__

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """Return the names of the arguments, in order."""
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def is_secret(self) -> bool:
        """Tell whether showing the expected result would give the answer away."""
        return not self.arguments

    def draw(self, seed: int) -> list[Case]:
        """Draw the cases of this seed."""
        return self.cases(torch.Generator().manual_seed(seed))


@dataclass(frozen=True, eq=False, kw_only=True)
class ExerciseBuilder(Task):
    """An exercise while its file is being read: what is decorated with it belongs to it.

        exercise = ExerciseBuilder(points=1, hints=("...", "...", "..."))

        exercise.reference(attention.dot)   # or, above a function written in the file:
                                            # @exercise.reference

        @exercise.cases
        def cases(generator: torch.Generator) -> list[Case]: ...

        @exercise.mistake("What went wrong, in a sentence.", "A question that leads to the cure?")
        def products_not_summed(a: Tensor, b: Tensor) -> Tensor: ...

        @exercise.alternative
        def by_einsum(a: Tensor, b: Tensor) -> Tensor: ...

    Each decorator is named after a field of `Exercise`.
    """

    _programs: dict[str, Answer] = field(default_factory=dict, init=False)
    _mistakes: list[Mistake] = field(default_factory=list, init=False)
    _alternatives: list[Answer] = field(default_factory=list, init=False)

    def reference(self, answer: Program) -> Program:
        """Register the right answer, which all others are compared with. It gives the exercise its name."""
        return self._only("reference", answer)

    def cases(self, draw: Cases) -> Cases:
        """Register the function that draws the cases."""
        return self._only("cases", draw)

    def judged_by(self, judge: Program) -> Program:
        """Register the function that turns a value into what is compared, if many values are right."""
        return self._only("judged_by", judge)

    def _only(self, what: str, program: Program) -> Program:
        if what in self._programs:
            raise ValueError(f"an exercise has one `{what}`")
        self._programs[what] = program
        return program

    def mistake(self, diagnosis: str, question: str) -> Callable[[Answer], Mistake]:
        """Register a known wrong answer: the function below, a diagnosis, and a question that helps."""

        def register(program: Answer) -> Mistake:
            known = Mistake(program, diagnosis, question)
            if known.name in {one.name for one in self._mistakes}:
                raise ValueError(f"two mistakes of one exercise are called {known.name!r}")
            self._mistakes.append(known)
            return known

        return register

    def alternative(self, answer: Program) -> Program:
        """Register a right answer in a different style, which must pass."""
        self._alternatives.append(answer)
        return answer

    def build(self, chapter: int) -> Exercise:
        """Build the exercise, once its file has been read."""
        if not {"reference", "cases"} <= self._programs.keys():
            raise ValueError("an exercise needs a reference and cases")
        return Exercise(
            **{one.name: getattr(self, one.name) for one in fields(Task)},
            chapter=chapter,
            reference=self._programs["reference"],
            cases=self._programs["cases"],
            judged_by=self._programs.get("judged_by"),
            mistakes=tuple(self._mistakes),
            alternatives=tuple(self._alternatives),
        )


def asked_once(generator: torch.Generator) -> list[Case]:
    """Return the only case of an exercise whose function takes no arguments."""
    return [Case("your answer", ())]
