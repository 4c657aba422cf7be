"""Write everything that follows from the record: tables, reports, the overview, the marks file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.publish import inventory, marks, pages, tables
from qkvlib.tools.grading.publish.csv_files import csv_text, sign_of
from qkvlib.tools.grading.publish.overrides import begin_tables, read_overrides
from qkvlib.tools.grading.publish.plan import begin_plan, read_plan
from qkvlib.tools.grading.results import GradedClass, told_apart


class Written(NamedTuple):
    """The class with the instructor's decisions, the main paths, the totals, the maximum, and the number of
    answers in words that nobody has marked."""

    graded: GradedClass
    paths: list[Path]
    totals: list[float]
    best: float
    unmarked: int


def write_all(out: Path, graded: GradedClass, column: str = "qkvlib") -> Written:
    """Write all files, each in one step, and none before all are ready.

    `column` is Canvas's name for the assignment.
    """
    stated = graded
    graded = read_plan(out / "plan.csv").apply(graded)
    decided = read_overrides(out / "overrides.csv", graded.results, graded.exercises)
    believed, results = inventory.apart(graded.results)
    graded = replace(
        graded,
        results=tuple(decided.apply(result, graded.exercises) for result in results),
        problems=(*graded.problems, *decided.problems),
    )
    worth = {name: facts.points for name, facts in graded.questions.items()}
    given = marks.collect(out / "marks.csv", graded.results, worth)
    students = {result.student for result in graded.results}
    problems, notes = given.unmatched(students, graded.elsewhere)
    graded = replace(
        graded,
        problems=(*graded.problems, *given.outdated(graded.rewritten), *problems),
        notes=(*graded.notes, *notes, *tables.unmatched(graded)),
    )
    best = tables.possible(graded, given)
    totals = [tables.total(result, given) for result in graded.results]
    files = tables.tables(out, graded, given, column)
    shown = list(files)[:3]
    for result, total in zip(graded.results, totals, strict=True):
        path = out / "reports" / f"{tables.file_name(result.student)}.html"
        files[path] = pages.report(result, total, best, given, decided)
    files[out / "overview.html"] = pages.overview(graded, totals, best, given, believed)
    shown += [out / "overview.html", out / "reports"]
    if believed.sheets:
        files[out / "inventory.csv"] = csv_text(inventory.table(believed, graded.results))
        shown.append(out / "inventory.csv")
    if given.rows:
        path = out / "marks.csv"
        files[path] = csv_text(marks.table(given), sign_of(path))
        files[out / "answers.html"] = pages.answers(graded, given)
        shown += [path, out / "answers.html"]
    begin_plan(out / "plan.csv", stated.exercises, stated.questions)
    begin_tables(out)
    for path, text in files.items():  # the marks are a person's work: they have to be on the disk
        write_atomically(path, text, lasting=path.name == "marks.csv")
    unmarked = sum(len(given.unmarked(result)) for result in graded.results)
    return Written(graded, shown, totals, best, unmarked)


def summary(written: Written) -> str:
    """Return the text at the end of a run: the class in a table, and where the files are."""
    graded, paths, totals, best, unmarked = written
    lines = [f"{len(graded.results)} students, {graded.new} graded now, of {best:g} points:"]
    called = told_apart({result.student: result.name[:50] for result in graded.results})
    for result, total in list(zip(graded.results, totals, strict=True))[:60]:
        note = "  NOT GRADED" if result.fault else "  see below" if result.problems else ""
        lines.append(f"  {total:7g}  {called[result.student]}{note}")
    if len(totals) > 60:
        lines.append(f"  ... and {len(totals) - 60} more in grades.csv")
    if graded.problems:
        many = len(graded.problems)
        lines += ["", f"Please look at {'this' if many == 1 else f'these {many}'} by hand:"]
        lines += [f"  {line}" for line in graded.problems]
    if graded.notes:
        lines += ["", *(f"Note: {line}" for line in graded.notes)]
    words = f"  ({unmarked} {'answer is' if unmarked == 1 else 'answers are'} not marked yet)"
    shown = [f"{path}{words if unmarked and path.name == 'answers.html' else ''}" for path in paths]
    return "\n".join([*lines, "", *shown])
