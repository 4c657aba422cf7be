"""Tables as files: written without formulas, and read again when an instructor has edited them.

Trusted code that writes texts of learners' into files which spreadsheets open: what would be taken
for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from qkvlib.files import write_atomically

Cell: TypeAlias = str | float

# At the start of a cell, or after what may be taken for its end where columns are cut otherwise.
_FORMULA = re.compile(r"""((?:^|[;\t|])[\s"]*)([=+\-@|%＝＋－＠])""")


def write_csv(path: Path, rows: Iterable[Sequence[Cell]], lasting: bool = False) -> Path:
    """Write a table that holds no formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([harmless(value) for value in row] for row in rows)
    write_atomically(path, text.getvalue(), lasting=lasting)
    return path


def harmless(value: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula, whichever sign it cuts the columns at."""
    if not isinstance(value, str):
        return value
    return _FORMULA.sub(r"\1'\2", value.replace("\r", " ").replace("\n", " "))


def read_csv(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each line's number and cells, whether a spreadsheet saved it with commas or semicolons.

    ValueError where it has not all of the columns.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline()
        file.seek(0)
        sign = ";" if first.count(";") > first.count(",") else ","
        reader = csv.DictReader(file, delimiter=sign, restval="")
        if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
            raise ValueError(f"{path} has no column {missing[0]!r}")
        for number, row in enumerate(reader, 2):
            yield number, {name: row[name] for name in columns}


def names_back(students: Iterable[str]) -> dict[str, str]:
    """From a student's name as it stands in a table to the name itself."""
    return {str(harmless(student)): student for student in students}
