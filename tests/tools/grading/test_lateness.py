"""Test the penalty for lateness: by student, by exercise, by the notebook that has the exercise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qkvlib.tools.grading.inbox.submissions import File, Student, Submission
from qkvlib.tools.grading.lateness import Extension, LatePolicy, is_later, whose
from qkvlib.tools.grading.results import Result, Row, WrittenAnswer

DAY = 86_400.0
DUE = 1_000_000.0


def handed_in(*whens: float | None, late: bool = False, number: str = "7") -> Submission:
    """Return a student's notebooks, called 0, 1 and so on, each with its time of submission."""
    student = Student(f"ada_{number}", "ada", number)
    files = [File(student, str(i), Path("x"), None, when, 9e9, late) for i, when in enumerate(whens)]
    return Submission(student, tuple(files), ())


def judged(submission: Submission) -> Result:
    """Return a result with one exercise in each notebook, each from a different chapter."""
    rows = [Row(f"e{i}", i, "right", 2, 2, file=str(i)) for i in range(len(submission.files))]
    return Result(key="", student="ada_7", name="ada", number="7", handed_in="", exercises=tuple(rows))


def applied(policy: LatePolicy, *whens: float | None, late: bool = False) -> Result:
    submission = handed_in(*whens, late=late)
    return policy.applied(judged(submission), submission)


@pytest.mark.parametrize(
    ("later", "days", "factor"),
    [(0, 0, 1), (1, 1, 0.9), (DAY, 1, 0.9), (2.5 * DAY, 3, 0.7), (30 * DAY, 30, 0)],
)
def test_each_day_that_was_begun_costs_what_was_said(later: float, days: int, factor: float) -> None:
    result = applied(LatePolicy(DUE, 10), DUE + later)
    assert result.late_days == days
    assert result.late_factor == pytest.approx(factor)
    assert [row.late_factor for row in result.exercises] == pytest.approx([factor])


def test_where_nothing_is_due_the_platforms_word_is_taken() -> None:
    assert applied(LatePolicy(None, 10), 5.0, late=True).late_days == 1
    assert applied(LatePolicy(None, 10, {"ada_7": Extension(1)}), 5.0, late=True).late_days == 0


def test_an_exercise_is_as_late_as_the_notebook_it_is_in() -> None:
    result = applied(LatePolicy(DUE, 10), DUE, DUE + 2 * DAY)
    assert [row.late_factor for row in result.exercises] == [1.0, 0.8]
    assert (result.late_days, result.late_factor) == (2, 0.8)


def test_what_was_in_no_notebook_makes_nobody_late() -> None:
    submission = handed_in(DUE, DUE + DAY)
    first, _ = judged(submission).exercises
    missing = Row("e1", 1, "not attempted", 0, 2)
    result = replace(judged(submission), exercises=(first, missing))
    assert LatePolicy(DUE, 10).applied(result, submission).late_days == 0


@pytest.mark.parametrize("due", [None, DUE])
def test_where_no_time_is_known_late_is_a_day_and_nothing_else_is_late(due: float | None) -> None:
    """A file's own date, here long after the deadline, makes no one late."""
    assert applied(LatePolicy(due, 10), None).late_factor == 1
    assert applied(LatePolicy(due, 10), None, late=True).late_factor == 0.9


def test_that_no_time_is_known_is_a_note_and_no_problem() -> None:
    policy, known = LatePolicy(DUE, 10), handed_in(DUE, number="8")
    assert policy.notes([handed_in(None), known]) == [
        "The time of submission is not known for 1 of 2 students. They count as on time."
    ]
    assert policy.notes([handed_in(None), handed_in(None, late=True), known]) == [
        "The time of submission is not known for 2 of 3 students. 1 of them has LATE in a file name, which "
        "counts as one day; the others count as on time."
    ]
    assert policy.notes([known]) == []
    assert LatePolicy().notes([handed_in(None, late=True)]) == []


def test_one_option_without_the_other_is_pointed_out() -> None:
    found = [handed_in(None, late=True), handed_in(DUE, number="8")]
    assert LatePolicy(DUE, 0).notes(found[1:]) == ["--due without --late takes nothing off."]
    assert LatePolicy(None, 10).notes(found) == [
        "--late without --due: only LATE in a file name counts, as one day (1 of 2 students)."
    ]


def test_lateness_that_a_run_forgets_is_said() -> None:
    late = applied(LatePolicy(DUE, 10), DUE + DAY)
    plain = applied(LatePolicy(), DUE + DAY)
    line = "Lateness counts less than in an earlier run for 1 student. Repeat --due and --late in every run."
    assert LatePolicy().forgotten([late], [plain]) == [line]
    assert LatePolicy(DUE).forgotten([late], [applied(LatePolicy(DUE), DUE + DAY)]) == [line]
    assert LatePolicy(DUE + DAY, 10).forgotten([late], [plain]) == []
    assert LatePolicy(extensions={"ada_7": Extension(3)}).forgotten([late], [plain]) == []
    assert LatePolicy().forgotten([plain], [plain]) == []


@pytest.mark.parametrize("name", ["ada_7", "ada", "7"])
@pytest.mark.parametrize(
    ("granted", "days", "factor"),
    [(Extension(days=1), 2, 0.8), (Extension(days=3), 0, 1.0), (Extension(due=DUE + 2.5 * DAY), 1, 0.9)],
)
def test_an_extension_moves_the_deadline(name: str, granted: Extension, days: int, factor: float) -> None:
    policy, problems = LatePolicy(DUE, 10, {name: granted}).matched([handed_in(DUE)])
    assert not problems
    result = applied(policy, DUE + 3 * DAY)
    assert result.late_days == days
    assert result.late_factor == pytest.approx(factor)


def test_an_extension_that_is_not_one_students_is_pointed_out() -> None:
    policy = LatePolicy(DUE, 10, {"ada": Extension(1), "eve": Extension(1)})
    two = [handed_in(DUE), handed_in(DUE, number="8")]
    assert policy.matched(two) == (
        LatePolicy(DUE, 10),
        [
            "extensions.csv: 'ada' is 2 of the students who handed in",
            "extensions.csv: 'eve' is none of the students who handed in",
        ],
    )


def test_a_name_that_looks_like_another_gets_none_of_its_extension() -> None:
    jane = Submission(Student("Jane Doe", "Jane Doe"), (), ())
    other = Submission(Student("Jane Doe~fd891e", "Jane Doe"), (), ())
    granted = {"Jane Doe": Extension(5)}
    assert LatePolicy(DUE, 10, granted).matched([other, jane]) == (LatePolicy(DUE, 10, granted), [])
    assert whose("Jane Doe", [other, jane]) == [jane]


def test_answers_in_words_are_as_late_as_their_own_notebook() -> None:
    """Otherwise a notebook with nothing but words could be handed in whenever its author likes."""
    submission = handed_in(DUE, DUE + 3 * DAY)
    first, _ = judged(submission).exercises
    words = (WrittenAnswer("why", 2, " ", "0"), WrittenAnswer("why", 2, "So.", "1"))
    result = replace(judged(submission), exercises=(first,), answers=words)
    found = LatePolicy(DUE, 10).applied(result, submission)
    assert ([row.late_factor for row in found.exercises], found.late_factor) == ([1.0], 0.7)
    assert found.late_days == 3


def test_only_what_counts_as_later_is_recorded_again() -> None:
    plain, late = applied(LatePolicy(), DUE + DAY), applied(LatePolicy(DUE, 10), DUE + DAY)
    assert is_later(late, plain)
    assert not is_later(plain, late)
    assert not is_later(late, late)
