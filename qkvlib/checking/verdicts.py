"""Judge a function: right, wrong and why, not attempted, or raised.

`verdict` is the only judge of the course. A notebook calls it with the learner's own function, and the grader
with a stand-in for a function in another process. The same code gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from torch import Tensor

from qkvlib.calling.call import Raised, Returned, ask_ahead, call
from qkvlib.calling.session import seeds_kept
from qkvlib.checking.cases import DrawnCases, drawn_cases, on_copies, what_counts
from qkvlib.checking.errors import in_plain_words
from qkvlib.checking.shown import Evidence, Verdict
from qkvlib.exercises.kit.comparison import (
    AskShifts,
    alike,
    as_expected,
    difference,
    kind_of,
    remark,
    show,
    show_apart,
)
from qkvlib.exercises.kit.exercise import Answer, Case, Exercise, Mistake

Reply = Returned | Raised

# A right answer takes milliseconds. A call that takes longer than this is treated as an endless loop.
SECONDS_A_CALL = 3.0
_MOST_PRINTED = 600  # characters
_NUMBERS_THAT_CONFIRM, _MOST_SEEDS = 100, 8  # how many whole numbers must agree before a mistake is named


def verdict(
    name: str, function: Callable[..., Any], seed: int = 0, seconds: float | None = SECONDS_A_CALL
) -> Verdict:
    """Judge `function` as an answer to the exercise `name`, on the cases of `seed`.

    It prints nothing, and contains whatever the function does: it raises no exception of the learner's, and
    stops endless loops (after `seconds` a call; None leaves that to the caller).
    """
    with seeds_kept():
        return _verdict(drawn_cases(name, seed), function, seconds)


def _verdict(drawn: DrawnCases, function: Callable[..., Any], seconds: float | None) -> Verdict:
    name = drawn.exercise.name
    exercise, expected = drawn.exercise, drawn.expected
    said, needs_care = list[str](), False
    for i, case in enumerate(drawn.cases):
        reply = call(function, case.inputs, seconds)
        if not i and _is_untouched(reply):
            return Verdict(
                name,
                "not attempted",
                0,
                exercise.points,
                "Nothing to judge yet. Write your answer in place of the line "
                "`raise NotImplementedError`. If you have written it, delete that line.",
            )
        words = complaint(drawn, i, reply)
        if words is None:
            remarks, care = _remarks(exercise, reply, expected[i])
            said, needs_care = said or remarks, needs_care or care
            continue
        known, evidence = None, None
        # A value that cannot be inspected gets no remarks, but the verdict stands.
        with suppress(Exception):
            evidence = _evidence(exercise, case, reply, expected[i])
            replies = _all_replies(function, drawn.cases, seconds, reply)
            known = _name_the_mistake(drawn, replies, function, seconds)
            if known is None and isinstance(reply, Returned):
                found = _what_is_known(drawn, function, seconds, replies)
                words = "\n".join([words, *found, *_fickle(drawn, function, seconds, replies)])
        return Verdict(
            name,
            "raised" if isinstance(reply, Raised) else "wrong",
            0,
            exercise.points,
            words,
            known,
            evidence,
        )
    words = "\n".join([f"`{name}` is right.", *said])
    points = exercise.points
    return Verdict(name, "right", points, points, words, needs_care=needs_care)


def _is_untouched(reply: Reply) -> bool:
    """Tell whether the lesson's own `raise NotImplementedError` raised it, and not a missing function of
    torch."""
    return (
        isinstance(reply, Raised)
        and reply.kind == "NotImplementedError"
        and (not reply.message or reply.line.startswith("raise NotImplementedError"))
    )


def complaint(drawn: DrawnCases, number: int, reply: Reply) -> str | None:
    """Return what is wrong with the reply to one of the cases, or None."""
    shifts = partial(drawn.shifts, number)
    case, expected = drawn.cases[number], drawn.expected[number]
    try:
        return _complaint(drawn.exercise, case, reply, expected, shifts)
    except Exception:  # a value can misbehave in more ways than we can list
        value = reply.value if isinstance(reply, Returned) else None
        return f"Your function returned {kind_of(value)}, but the exercise asks for something else."


def _complaint(exercise: Exercise, case: Case, reply: Reply, expected: Any, shifts: AskShifts) -> str | None:
    if isinstance(reply, Raised):
        return _how_it_raised(exercise, case, reply)
    value = what_counts(exercise, case, reply)
    words = difference(value, expected, exercise.returns, shifts)
    if words is not None:
        # An exercise without inputs has only one answer, and "expected 8" would give it away.
        tells = exercise.is_secret and alike(value, expected) and not getattr(expected, "ndim", 0)
        return f"{show(value)} is not the answer." if tells else words + _cure(words, case, exercise)
    changed = [f"`{exercise.arguments[i]}`" for i in _wrongly_changed(exercise, reply)]
    if changed:
        return (
            f"The result is right, but your function changed its input {', '.join(changed)}, which would "
            f"surprise the code that called it. Work on a copy: `x = x.clone()`, or write `x = x - 1` "
            f"instead of `x -= 1`."
        )
    return None


def _cure(words: str, case: Case, exercise: Exercise) -> str:
    """If the inputs have the expected dtype, say how to make a tensor of that dtype."""
    if "has dtype" not in words:
        return ""
    named = zip(exercise.arguments, case.inputs, strict=False)
    given = [(name, value) for name, value in named if isinstance(value, Tensor)]
    for name, value in given:
        dtype = str(value.dtype).removeprefix("torch.")
        if f"Expected {dtype}." in words:
            return f" `{name}` has that dtype, and so does `torch.zeros(..., dtype={name}.dtype)`."
    return ""


def _how_it_raised(exercise: Exercise, case: Case, reply: Raised) -> str:
    if reply.kind == "TookTooLong":
        return (
            f"Stopped: {reply.message}. Is there a loop that never ends? "
            "A right answer takes a few thousandths of a second."
        )
    words = f"Your function raised {reply.kind}: {reply.message}"
    meaning = in_plain_words(reply.kind, reply.message)
    if reply.line:
        words += f"\nin your line:  {reply.line}"
    if meaning:
        return f"{words}\n{meaning}"
    if reply.line:
        return words
    if reply.kind == "TypeError" and "argument" in reply.message:
        called = ", ".join(exercise.arguments[: len(case.inputs)])
        return f"{words}\nIt is called as  {exercise.name}({called})"
    return words


def _remarks(exercise: Exercise, reply: Reply, expected: Any) -> tuple[list[str], bool]:
    """Return remarks about a right reply, and whether the lesson has to correct something before it goes
    on."""
    if isinstance(reply, Raised):
        return [], False
    words = None if exercise.judged_by else remark(reply.value, expected)
    of_another_kind = exercise.judged_by is None and as_expected(reply.value, expected) is not reply.value
    said = [words] if words else []
    said += [f"But {left}. The lesson corrects that after every call." for left in reply.left]
    return said, of_another_kind or bool(reply.left)


def _all_replies(
    function: Answer, cases: Sequence[Case], seconds: float | None, first_failure: Reply
) -> list[Reply]:
    """Return the replies to all cases; none if the function does not return in time."""
    if isinstance(first_failure, Raised) and first_failure.kind == "TookTooLong":
        return []
    replies: list[Reply] = []
    for case in cases:
        replies.append(call(function, case.inputs, seconds))
        if getattr(replies[-1], "kind", "") == "TookTooLong":
            return []
    return replies


def _name_the_mistake(
    drawn: DrawnCases, replies: list[Reply], function: Answer, seconds: float | None
) -> Mistake | None:
    """Return the known mistake that gives the learner's numbers in every case, if there is one."""
    if not replies:
        return None
    given = _what_counts_of(drawn, replies)
    for known in drawn.exercise.mistakes:
        if (
            _behaves_like(drawn, known, given)
            and (_is_wrong(drawn, given) or _leaves_alike(drawn, known, replies))
            and _goes_on_alike(drawn, known, function, seconds)
        ):
            return known
    return None


def _is_wrong(drawn: DrawnCases, given: list[Any]) -> bool:
    """Tell whether a result is wrong or missing, and not only a change to the inputs."""
    return any(
        isinstance(got, Raised) or difference(got, wanted) is not None
        for got, wanted in zip(given, drawn.expected, strict=True)
    )


def _leaves_alike(drawn: DrawnCases, known: Mistake, replies: list[Reply]) -> bool:
    """Tell whether the mistake changes the inputs in the same way as the learner's function."""
    return all(
        difference(reply.inputs[place], drawn.inputs_after(known, i)[place]) is None
        for i, reply in enumerate(replies)
        if isinstance(reply, Returned)
        for place in _wrongly_changed(drawn.exercise, reply)
    )


def _wrongly_changed(exercise: Exercise, reply: Returned) -> list[int]:
    """Return the positions of the inputs that the function has changed but should not have."""
    return [i for i in reply.changed if exercise.arguments[i] not in exercise.changes]


def _goes_on_alike(drawn: DrawnCases, known: Mistake, function: Answer, seconds: float | None) -> bool:
    """Tell whether the mistake gives the learner's results in further cases, too.

    This is checked if the results are whole numbers or words. A few of those prove little: two different
    programs can agree on a dozen of them by chance. No points depend on it, so everyone gets the same cases.
    """
    if drawn.exercise.is_secret or any(map(_holds_floats, drawn.expected)):
        return True
    seen = sum(map(_how_many_numbers, drawn.expected))
    for seed in range(1, 1 + _MOST_SEEDS):
        if seen >= _NUMBERS_THAT_CONFIRM:
            break
        more = drawn_cases(drawn.exercise.name, seed)
        ask_ahead(function, [case.inputs for case in more.cases])
        replies = [call(function, case.inputs, seconds) for case in more.cases]
        given = _what_counts_of(more, replies)
        if not _behaves_like(more, known, given):
            return False
        seen += sum(map(_how_many_numbers, given))
    return True


def _how_many_numbers(value: Any) -> int:
    if isinstance(value, (tuple, list, dict)):
        return sum(map(_how_many_numbers, value))
    return value.numel() if isinstance(value, Tensor) else 1


def _holds_floats(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds_floats, value))
    return type(value) is float or (isinstance(value, Tensor) and value.is_floating_point())


def _what_counts_of(drawn: DrawnCases, replies: list[Reply]) -> list[Any]:
    return [
        what_counts(drawn.exercise, case, reply) if isinstance(reply, Returned) else reply
        for case, reply in zip(drawn.cases, replies, strict=True)
    ]


def _behaves_like(drawn: DrawnCases, known: Mistake, given: list[Any]) -> bool:
    """Tell whether the mistake gives the same results, and raises errors where the learner's function does.

    If the mistake is right whenever it returns, only its errors distinguish it from others, so they have to
    be the same, word for word.
    """
    same_words = True
    for i, got in enumerate(given):
        theirs = drawn.result_of(known, i)
        if isinstance(theirs, Raised) or isinstance(got, Raised):
            if not (isinstance(theirs, Raised) and isinstance(got, Raised)):
                return False
            same_words &= (theirs.kind, theirs.message) == (got.kind, got.message)
        elif difference(got, theirs) is not None:
            return False
    return same_words or any(
        difference(drawn.result_of(known, i), drawn.expected[i]) is not None
        for i, got in enumerate(given)
        if not isinstance(got, Raised)
    )


def _what_is_known(
    drawn: DrawnCases, function: Answer, seconds: float | None, replies: list[Reply]
) -> list[str]:
    """Return what general probes find in wrong results that match no known mistake."""
    from qkvlib.checking import probes

    exercise, cases = drawn.exercise, drawn.cases
    if exercise.judged_by is not None or exercise.is_secret or not replies:
        return []
    right, failures = [], list[probes.Failure]()
    all_returned = True
    for i, (case, reply, wanted) in enumerate(zip(cases, replies, drawn.expected, strict=True)):
        if complaint(drawn, i, reply) is None:
            right.append(case.what)
        elif isinstance(reply, Returned):
            failures.append(probes.Failure(case.inputs, reply.value, wanted))
        else:
            all_returned = False

    def value(changed: tuple[Any, ...]) -> Any:
        reply = call(function, changed, seconds)
        return reply.value if isinstance(reply, Returned) else None

    found = list[str]()
    with suppress(Exception):  # something that cannot be computed with can still be right elsewhere
        if all_returned:
            every = [case.inputs for case in cases]
            given = [reply.value for reply in replies if isinstance(reply, Returned)]
            own = on_copies(exercise)
            found += probes.ignored_inputs(value, own, exercise.arguments, every, given)
            found += probes.sentences(failures, exercise.arguments, exercise.returns)
    if right:
        share = f"{len(right)} of {len(cases)} cases"
        found.append(f"Your function is right in {share}, for example: {right[0]}.")
    return found


def _fickle(drawn: DrawnCases, function: Answer, seconds: float | None, replies: list[Reply]) -> list[str]:
    """Return a sentence if the same inputs give a different result the second time."""
    exercise, case = drawn.exercise, drawn.cases[-1]
    if exercise.is_secret or not replies or not isinstance(first := replies[-1], Returned):
        return []
    # A new tuple, so that a function in another process is really called again.
    second = call(function, (*case.inputs,), seconds)
    if isinstance(second, Returned):
        one, other = (what_counts(exercise, case, reply) for reply in (first, second))
        if difference(other, one) is None:
            return []
    return [
        "Called twice with the same inputs, your function gave two different results. Does it draw random "
        "numbers, or keep something from one call to the next?"
    ]


def _evidence(exercise: Exercise, case: Case, reply: Reply, wanted: Any) -> Evidence | None:
    """Return the inputs and the result. If the expected result is the answer itself, return nothing."""
    if exercise.is_secret:
        return None
    expected = "" if exercise.judged_by else show(wanted)
    if isinstance(reply, Returned):
        got, apart = show_apart(reply.value, wanted)
        expected = expected and apart
    else:  # a call that was stopped returned nothing, and the message says so
        got = "" if reply.kind == "TookTooLong" else f"{reply.kind}: {reply.message}"
    inputs = zip(exercise.arguments, case.inputs, strict=False)
    shown = tuple((k, show(v)) for k, v in inputs)
    return Evidence(case.what, shown, got, expected, _shortened(reply.printed))


def _shortened(printed: str) -> str:
    """Return the beginning of what was printed, because an endless loop prints without end, too."""
    beginning = printed[:_MOST_PRINTED].strip()
    return beginning if len(printed) <= _MOST_PRINTED else f"{beginning} ..."
