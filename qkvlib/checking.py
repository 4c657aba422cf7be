"""Judge a function: right, wrong and why, not attempted, or raised.

`verdict` is the one judge of the course. A notebook asks it about the learner's own function, the
grader about a stand-in that runs in another process; the same code gets the same judgement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from qkvlib import progress
from qkvlib.calling import Raised, Returned, call
from qkvlib.comparison import difference, show
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.exercise import Answer, Case, Exercise, Mistake

Outcome = Literal["right", "wrong", "not attempted", "raised"]
Reply = Returned | Raised

# A right answer takes milliseconds. After this long, a call is taken to be an endless loop.
SECONDS_A_CALL = 3.0


@dataclass(frozen=True)
class Evidence:
    """The smallest case that failed: what went in, what came out, what should have."""

    case: str
    inputs: tuple[tuple[str, str], ...]
    got: str
    expected: str


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one answer to one exercise. `print` it, or let a notebook show it."""

    exercise: str
    outcome: Outcome
    points: int
    possible: int
    message: str
    mistake: Mistake | None = None
    evidence: Evidence | None = None

    def __str__(self) -> str:
        from qkvlib.showing import verdict_as_text

        return verdict_as_text(self)

    def _repr_html_(self) -> str:
        from qkvlib.showing import verdict_as_html

        return verdict_as_html(self)

    __repr__ = __str__


def verdict(
    name: str, function: Callable[..., Any], seed: int = 0, seconds: float | None = SECONDS_A_CALL
) -> Verdict:
    """Judge `function` as an answer to the exercise `name`, on the cases of `seed`.

    It prints nothing and lets nothing of the learner's through: no exception, no endless loop
    (`seconds` a call; None leaves that to the caller).
    """
    exercise = EXERCISES[name]
    cases = exercise.draw(seed)
    expected = [exercise.reference(*case.inputs) for case in cases]
    for i, case in enumerate(cases):
        reply = call(function, case.inputs, seconds)
        if isinstance(reply, Raised) and reply.kind == "NotImplementedError":
            return Verdict(
                name, "not attempted", 0, exercise.points,
                "Nothing to judge yet. Write your answer in place of the line "
                "`raise NotImplementedError`.",
            )  # fmt: skip
        words = _complaint(exercise, reply, expected[i])
        if words is None:
            continue
        named = _name_the_mistake(exercise, function, cases, expected, seconds, reply)
        return Verdict(
            name, "raised" if isinstance(reply, Raised) else "wrong", 0, exercise.points,
            words, named, _evidence(exercise, case, reply, expected[i]),
        )  # fmt: skip
    return Verdict(name, "right", exercise.points, exercise.points, f"`{name}` is right.")


def _complaint(exercise: Exercise, reply: Reply, expected: Any) -> str | None:
    """What is wrong with one reply, or None."""
    if isinstance(reply, Raised):
        where = f"\nin your line:  {reply.line}" if reply.line else ""
        if reply.kind == "TookTooLong":
            return (
                f"Stopped: {reply.message}. Is there a loop that never ends? "
                "A right answer takes a few thousandths of a second."
            )
        return f"Your function raised {reply.kind}: {reply.message}{where}"
    words = difference(reply.value, expected, exercise.returns)
    if words is None and reply.changed:
        changed = ", ".join(f"`{exercise.arguments[i]}`" for i in reply.changed)
        return (
            f"The result is right, but your function changed its input {changed}, and whoever "
            "called it would be surprised. Work on a copy: `x = x.clone()`, or write "
            "`x = x - 1` in place of `x -= 1`."
        )
    return words


def _name_the_mistake(
    exercise: Exercise,
    function: Answer,
    cases: list[Case],
    expected: list[Any],
    seconds: float | None,
    first_failure: Reply,
) -> Mistake | None:
    """The known wrong answer that gives the learner's numbers on every case, if there is one."""
    if isinstance(first_failure, Raised) and first_failure.kind == "TookTooLong":
        return None
    replies = [call(function, case.inputs, seconds) for case in cases]
    return next(
        (known for known in exercise.mistakes if _behaves_like(known.program, cases, replies)), None
    )


def _behaves_like(program: Answer, cases: list[Case], replies: list[Reply]) -> bool:
    """Whether `program` gives these replies: equal values, and exceptions where they have them."""
    some_value = False
    for case, reply in zip(cases, replies, strict=True):
        known = call(program, case.inputs, None)
        if isinstance(known, Raised) or isinstance(reply, Raised):
            if type(known) is not type(reply):
                return False
        elif difference(reply.value, known.value) is not None:
            return False
        else:
            some_value = True
    return some_value


def _evidence(exercise: Exercise, case: Case, reply: Reply, expected: Any) -> Evidence:
    got = f"{reply.kind}: {reply.message}" if isinstance(reply, Raised) else show(reply.value)
    inputs = zip(exercise.arguments, case.inputs, strict=False)
    return Evidence(case.what, tuple((k, show(v)) for k, v in inputs), got, show(expected))


def check(function: Answer) -> Answer:
    """Judge your function, found by its name; show the verdict; return the one to go on with.

    That is yours when it is right, and the course's own when it is not, so that the rest of the
    lesson works either way:

        dot = check(dot)
    """
    from qkvlib.showing import display

    name = getattr(function, "__name__", "")
    if name not in EXERCISES:
        display(_no_such_exercise(function, name))
        return function
    judged = verdict(name, function)
    display(judged)
    if progress.recall("exercises", name) != "right":
        progress.record("exercises", name, judged.outcome)
    return function if judged.outcome == "right" else EXERCISES[name].reference


def _no_such_exercise(function: Any, name: str) -> str:
    import difflib

    if not callable(function):
        return (
            "check wants the function itself, not its result: "
            "`dot = check(dot)`, with no brackets after the name."
        )
    near = difflib.get_close_matches(name, EXERCISES, n=1)
    guess = f" Did you mean `{near[0]}`?" if near else ""
    return (
        f"No exercise is called {name or 'like this function'!r}.{guess} check finds an exercise "
        "by the name that stands after `def`."
    )
