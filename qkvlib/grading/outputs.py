"""Everything that is written from the record: tables, reports, the overview, the marks file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from qkvlib.grading import files, marks, tables
from qkvlib.grading.overview import overview
from qkvlib.grading.report import answers_page, report
from qkvlib.grading.run import Graded


def write_all(out: Path, graded: Graded) -> tuple[list[Path], list[float], float]:
    """Write all files, each in one step. The chief paths, every student's total, and the most."""
    given = marks.collect(out / "marks.csv", graded.results)
    best = tables.possible(graded, given)
    totals = [tables.total(result, given) for result in graded.results]
    written = tables.write(out, graded, given)
    for result, total in zip(graded.results, totals, strict=True):
        path = out / "reports" / f"{tables.file_name(result['student'])}.html"
        files.write(path, report(result, total, best, given))
    files.write(out / "overview.html", overview(graded, totals, best, given))
    written += [out / "overview.html", out / "reports"]
    if given.rows:
        text = io.StringIO()
        csv.writer(text).writerows([tables.cell(x) for x in row] for row in marks.table(given))
        files.write(out / "marks.csv", text.getvalue(), lasting=True)  # a human's own work
        files.write(out / "answers.html", answers_page(graded.results, given))
        written += [out / "marks.csv", out / "answers.html"]
    return written, totals, best


def summary(graded: Graded, totals: Sequence[float], best: float, written: Sequence[Path]) -> str:
    """What stands at the end of a run: the class in a table, and where the files are."""
    lines = [f"{len(graded.results)} students, {graded.new} graded now, of {best:g} points:"]
    for result, total in list(zip(graded.results, totals, strict=True))[:60]:
        note = "  NOT GRADED" if result.get("fault") else "  look" if result.get("problems") else ""
        lines.append(f"  {total:7g}  {result['name'][:50]}{note}")
    if len(totals) > 60:
        lines.append(f"  ... and {len(totals) - 60} more in grades.csv")
    if graded.problems:
        lines += ["", f"{len(graded.problems)} things need a human:"]
        lines += [f"  {line}" for line in graded.problems]
    return "\n".join([*lines, "", *(str(path) for path in written)])
