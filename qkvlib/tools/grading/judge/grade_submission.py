"""What a worker does with one student's files: read them, have them judged, return the result.

Trusted. All text from a learner is shortened and cleaned here, before anyone else sees it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from qkvlib.checking.shown import Verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError, read_notebook
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.judge.judging import Judge, TimeLeft, is_better
from qkvlib.tools.grading.judge.own_limits import OwnLimitReached, own_seconds
from qkvlib.tools.grading.results import WANTS_A_LOAN, ExerciseFacts, Judgement, Row, ShownCase, WrittenAnswer
from qkvlib.tools.grading.sandbox.child.text import clean
from qkvlib.tools.grading.sandbox.host import SandboxLost
from qkvlib.tools.grading.seeds import derived

_MOST_LETTERS, _LETTERS_AN_ANSWER = 200_000, 100  # an empty answer takes room, too


def catalogue() -> dict[str, ExerciseFacts]:
    """Return what the run has to know about the exercises, so that it need not load torch itself."""
    return {name: ExerciseFacts(exercise.chapter, exercise.points) for name, exercise in EXERCISES.items()}


def questions() -> dict[str, ExerciseFacts]:
    """Return the course's questions to be answered in words."""
    return {
        name: ExerciseFacts(one.chapter, one.points, one.question, one.look_for)
        for name, one in EXPLANATIONS.items()
    }


def grade(judge: Judge, job: Job) -> Judgement:
    """Judge one student's notebooks, by a judge of their own: of the best answers the earliest counts.

    Where something in them WANTS_A_LOAN, the judgement has the rows of everything else.
    """
    started = time.monotonic()
    best: dict[str, Row] = {}
    read = 0
    problems: list[str] = []
    answers: list[WrittenAnswer] = []
    fault = ""
    time_left = TimeLeft(job.seconds)
    for number, (file, data, trouble) in enumerate(job.contents()):
        try:
            if trouble:
                raise NotANotebookError(trouble)
            with own_seconds(judge.time_limits.own):
                notebook = read_notebook(data)
            read += 1
            seed = derived(job.seed, number)
            for verdict in judge.notebook(notebook.cells, job.names, seed, time_left, job.alone):
                row = _row(verdict, file)
                before = best.get(row.exercise)
                if before is None or _replaces(row, before):
                    best[row.exercise] = row
            answers += (
                replace(one, text=clean(one.text, 20_000), file=clean(file, 120)) for one in notebook.answers
            )
        except NotANotebookError as error:
            problems.append(f"{file}.ipynb is not a notebook: {error}")
        except (SandboxLost, OwnLimitReached, MemoryError) as error:
            fault = f"{type(error).__name__}: {error}"
    problems += [
        f"the library `{name}` is not installed where this was judged: what needs it did not run"
        for name in sorted(judge.missing)
    ]
    if (kept := _as_many_as_are_read(answers)) != answers:
        problems.append(f"of {len(answers)} answers in words the first {len(kept)} are kept")
    if time_left.seconds() <= 0:
        problems.append(f"something in it hangs: what was not done in {job.seconds:.0f} s was left")
    judged = [name for name in job.names if name not in judge.wanting]
    if judge.wanting:
        judged, fault = ([] if fault else judged), WANTS_A_LOAN  # after a fault nothing is sure
    rows = tuple(best.get(name) or _nothing(name) for name in judged)
    return Judgement(
        problems=tuple(problems),
        answers=tuple(kept),
        fault=fault,
        exercises=rows,
        points=sum(row.points for row in rows) if read else None,
        possible=sum(row.possible for row in rows),
        walls=tuple(sorted(judge.walls or ())),
        seconds=round(time.monotonic() - started, 3),
    )


def _as_many_as_are_read(answers: Sequence[WrittenAnswer]) -> list[WrittenAnswer]:
    """Return as many of a student's answers as a reader gets through: the record holds those of all."""
    lengths = accumulate(_LETTERS_AN_ANSWER + len(one.text) for one in answers)
    return [one for one, so_far in zip(answers, lengths, strict=True) if so_far <= _MOST_LETTERS]


def _replaces(row: Row, before: Row) -> bool:
    """Tell whether the later of two notebooks' answers counts: if it is better.

    Of an answer that is the same for everyone, the newest counts, or else 200 files would be 200 guesses.
    """
    if EXERCISES[row.exercise].is_secret:
        return row.outcome != "not attempted"
    return is_better(row.outcome, before.outcome)


def _row(verdict: Verdict, file: str) -> Row:
    """Return a verdict as a row, without anything that a learner could use against a reader."""
    known, evidence = verdict.mistake, verdict.evidence
    return Row(
        exercise=verdict.exercise,
        chapter=EXERCISES[verdict.exercise].chapter,
        outcome=verdict.outcome,
        points=verdict.points,
        possible=verdict.possible,
        message=clean(verdict.message),
        mistake=known.name if known else "",
        diagnosis=known.diagnosis if known else "",
        question=known.question if known else "",
        evidence=ShownCase(
            evidence.case,
            tuple((name, clean(text)) for name, text in evidence.inputs),
            clean(evidence.got),
            clean(evidence.expected),
        )
        if evidence
        else None,
        file=clean(file, 120),
    )


def _nothing(name: str) -> Row:
    words = "No notebook with this exercise could be read."
    return _row(Verdict(name, "not attempted", 0, EXERCISES[name].points, words), "")
