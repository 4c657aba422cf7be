"""Judge a function: right, wrong and why, not attempted, or raised.

`verdict` is the one judge of the course. A notebook asks it about the learner's own function, the
grader about a stand-in that runs in another process; the same code gets the same judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qkvlib.calling import Raised, Returned, call
from qkvlib.checking.cases import DrawnCases, drawn_cases, on_copies, what_counts
from qkvlib.checking.shown import Evidence, Verdict
from qkvlib.exercises.kit.comparison import alike, difference, remark, show
from qkvlib.exercises.kit.exercise import Answer, Case, Exercise, Mistake

Reply = Returned | Raised

# A right answer takes milliseconds. After this long, a call is taken to be an endless loop.
SECONDS_A_CALL = 3.0
_MOST_PRINTED = 600  # letters


def verdict(
    name: str, function: Callable[..., Any], seed: int = 0, seconds: float | None = SECONDS_A_CALL
) -> Verdict:
    """Judge `function` as an answer to the exercise `name`, on the cases of `seed`.

    It prints nothing and lets nothing of the learner's through: no exception, no endless loop
    (`seconds` a call; None leaves that to the caller).
    """
    drawn = drawn_cases(name, seed)
    exercise, expected = drawn.exercise, drawn.expected
    said = None
    for i, case in enumerate(drawn.cases):
        reply = call(function, case.inputs, seconds)
        if isinstance(reply, Raised) and reply.kind == "NotImplementedError":
            return Verdict(
                name, "not attempted", 0, exercise.points,
                "Nothing to judge yet. Write your answer in place of the line "
                "`raise NotImplementedError`. If you have written it, delete that line.",
            )  # fmt: skip
        words = complaint(exercise, case, reply, expected[i])
        if words is None:
            said = said or _remark(exercise, reply, expected[i])
            continue
        replies = _all_replies(function, drawn.cases, seconds, reply)
        known = _name_the_mistake(drawn, replies)
        if known is None and isinstance(reply, Returned):
            words = "\n".join([words, *_what_is_known(drawn, function, seconds, replies, i)])
        return Verdict(
            name, "raised" if isinstance(reply, Raised) else "wrong", 0, exercise.points,
            words, known, _evidence(exercise, case, reply, expected[i]),
        )  # fmt: skip
    right = f"`{name}` is right."
    return Verdict(
        name, "right", exercise.points, exercise.points, f"{right}\n{said}" if said else right
    )


def complaint(exercise: Exercise, case: Case, reply: Reply, expected: Any) -> str | None:
    """What is wrong with one reply, or None."""
    if isinstance(reply, Raised):
        return _how_it_raised(exercise, case, reply)
    value = what_counts(exercise, case, reply)
    words = difference(value, expected, exercise.returns)
    if words is not None:
        # Where there is one answer and nothing goes in, to say what was expected is to tell it.
        tells = exercise.is_secret and alike(value, expected) and not getattr(expected, "ndim", 0)
        return f"{show(value)} is not it." if tells else words
    changed = [f"`{exercise.arguments[i]}`" for i in reply.changed]
    changed = [name for name in changed if name.strip("`") not in exercise.changes]
    if changed:
        return (
            f"The result is right, but your function changed its input {', '.join(changed)}, and "
            "whoever called it would be surprised. Work on a copy: `x = x.clone()`, or write "
            "`x = x - 1` in place of `x -= 1`."
        )
    return None


def _how_it_raised(exercise: Exercise, case: Case, reply: Raised) -> str:
    if reply.kind == "TookTooLong":
        return (
            f"Stopped: {reply.message}. Is there a loop that never ends? "
            "A right answer takes a few thousandths of a second."
        )
    words = f"Your function raised {reply.kind}: {reply.message}"
    if reply.line:
        return f"{words}\nin your line:  {reply.line}"
    if reply.kind == "TypeError" and "argument" in reply.message:
        called = ", ".join(exercise.arguments[: len(case.inputs)])
        return f"{words}\nIt is called as  {exercise.name}({called})"
    return words


def _remark(exercise: Exercise, reply: Reply, expected: Any) -> str | None:
    if isinstance(reply, Raised) or exercise.judged_by is not None:
        return None
    return remark(reply.value, expected)


def _all_replies(
    function: Answer, cases: Sequence[Case], seconds: float | None, first_failure: Reply
) -> list[Reply]:
    """The replies to all cases, or none when the function does not come back in time."""
    if isinstance(first_failure, Raised) and first_failure.kind == "TookTooLong":
        return []
    replies: list[Reply] = []
    for case in cases:
        replies.append(call(function, case.inputs, seconds))
        if getattr(replies[-1], "kind", "") == "TookTooLong":
            return []
    return replies


def _name_the_mistake(drawn: DrawnCases, replies: list[Reply]) -> Mistake | None:
    """The known wrong answer that gives the learner's numbers on every case, if there is one."""
    if not replies:
        return None
    given = [
        what_counts(drawn.exercise, case, reply) if isinstance(reply, Returned) else reply
        for case, reply in zip(drawn.cases, replies, strict=True)
    ]
    known = drawn.exercise.mistakes
    return next((one for one in known if _behaves_like(drawn, one, given)), None)


def _behaves_like(drawn: DrawnCases, known: Mistake, given: list[Any]) -> bool:
    """Whether the mistake gives the same: equal values, and exceptions where they were raised.

    A mistake that raises every time has to raise with the same words.
    """
    some_value = same_words = False
    for i, got in enumerate(given):
        theirs = drawn.mistaken(known, i)
        if isinstance(theirs, Raised) or isinstance(got, Raised):
            if not (isinstance(theirs, Raised) and isinstance(got, Raised)):
                return False
            same_words = (theirs.kind, theirs.message) == (got.kind, got.message)
        elif difference(got, theirs) is not None:
            return False
        else:
            some_value = True
    return some_value or same_words


def _what_is_known(
    drawn: DrawnCases, function: Answer, seconds: float | None, replies: list[Reply], failed: int
) -> list[str]:
    """What general probes find in a wrong result that is no known mistake."""
    from qkvlib.checking import probes

    exercise, cases, expected = drawn.exercise, drawn.cases, drawn.expected
    if exercise.judged_by is not None or exercise.is_secret or not replies:
        return []
    names, inputs = exercise.arguments, cases[failed].inputs
    judged = zip(cases, replies, expected, strict=True)
    right = [case.what for case, reply, wanted in judged
             if complaint(exercise, case, reply, wanted) is None]  # fmt: skip

    def value(changed: tuple[Any, ...]) -> Any:
        reply = call(function, changed, seconds)
        return reply.value if isinstance(reply, Returned) else None

    reply = replies[failed]
    found = list(probes.ignored_inputs(value, on_copies(exercise), names, inputs))
    if isinstance(reply, Returned):
        wanted = expected[failed]
        found += probes.sentences(reply.value, wanted, names, inputs, exercise.returns)
    if right:
        found.append(f"It is right in {len(right)} of {len(cases)} cases, for example: {right[0]}.")
    return found


def _evidence(exercise: Exercise, case: Case, reply: Reply, wanted: Any) -> Evidence | None:
    """What went in and came out. Where the expected result is the answer, there is none."""
    if exercise.is_secret:
        return None
    if isinstance(reply, Returned):
        got = show(reply.value)
    else:  # a call that was stopped gave nothing, and the message has said so
        got = "" if reply.kind == "TookTooLong" else f"{reply.kind}: {reply.message}"
    inputs = zip(exercise.arguments, case.inputs, strict=False)
    expected = "" if exercise.judged_by else show(wanted)
    shown = tuple((k, show(v)) for k, v in inputs)
    return Evidence(case.what, shown, got, expected, _shortened(reply.printed))


def _shortened(printed: str) -> str:
    """The beginning of what was printed; an endless loop prints without end, too."""
    beginning = printed[:_MOST_PRINTED].strip()
    return beginning if len(printed) <= _MOST_PRINTED else f"{beginning} ..."
