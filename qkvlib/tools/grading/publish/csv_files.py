"""Write tables without formulas, and read them again after an instructor has edited them.

Trusted code that writes learners' text into files which spreadsheets open. Text that could be taken for a
formula gets an apostrophe in front.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import TypeAlias

from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.lateness import end_of_day

Cell: TypeAlias = str | float

# At the start of a cell, or after a sign at which other settings would split the columns.
_FORMULA = re.compile(r"""((?:^|[;\t|])[\s"]*)([=+\-@|%＝＋－＠])""")
_NUMBER = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{0,6})?")
# 2026-11-20 23:59, and 20.11.2026 23:59, into which spreadsheets in many countries turn it; both without the
# time, too. Dates with slashes are refused, because day and month are in a different order in different
# countries.
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d?):(\d\d)(?::\d\d)?)?")
_DAY_FIRST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})")


def begin_csv(path: Path, rows: Iterable[Sequence[Cell]]) -> None:
    """Put a table where an instructor will look for it, unless it is there."""
    if not path.exists():
        write_atomically(path, csv_text(rows))


def csv_text(rows: Iterable[Sequence[Cell]], sign: str = ",") -> str:
    """Return a table without formulas, marked as UTF-8 for Excel."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=sign, lineterminator="\r\n")
    writer.writerows([harmless(value) for value in row] for row in rows)
    return f"\ufeff{text.getvalue()}"


def harmless(value: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula, whichever sign it splits the columns at."""
    if not isinstance(value, str):
        return value
    return _FORMULA.sub(r"\1'\2", value.replace("\r", " ").replace("\n", " "))


def lines_of(
    path: Path, columns: Sequence[str], optional: Sequence[str] = (), rewritten: bool = False
) -> Iterator[dict[str, Place]]:
    """Return the cells of each line that is not empty, however a spreadsheet saved the table. There may be no
    table.

    Raise TableError if a column is missing, and if a line could be read in two ways. A missing `optional`
    column is empty. A table that will be `rewritten` may have no other columns, because they would be lost.
    """
    if not path.exists():
        return
    text, begins = _text(path), 1
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, restval="", delimiter=_sign(text), strict=True)
    try:
        _check_header(path, list(reader.fieldnames or ()), columns, rewritten)
        begins = reader.line_num + 1
        for row in reader:
            if beside := [cell for cell in (row.get(""), *(row.get(None) or ())) if cell and cell.strip()]:
                raise TableError(
                    f"{path}, line {begins}: {beside[0][:40]!r} is in no column. Text with a comma or a "
                    "semicolon needs quotation marks around it"
                )
            cells = {
                name: Place(path, reader.line_num, name, (row.get(name) or "").strip())
                for name in (*columns, *optional)
            }
            if any(cell.written for cell in cells.values()):
                yield cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise TableError(f"{path}, line {begins}, is no line of a table: {error}") from None


def _check_header(path: Path, found: list[str], columns: Sequence[str], rewritten: bool) -> None:
    if mixed := [name for name in found if re.search("[,;\t]", name)]:
        raise TableError(
            f"{path}: {mixed[0]!r} is no column. Excel has put all columns into one. Take the table as "
            "it was before (one that holds nothing else yet can be deleted, and comes again), open "
            "it in Excel by Data, From Text/CSV, and fill it in there"
        )
    if missing := [name for name in columns if name not in found]:
        raise TableError(f"{path} has no column {missing[0]!r}")
    if twice := [name for name in columns if found.count(name) > 1]:
        raise TableError(f"{path} has the column {twice[0]!r} twice")
    if rewritten and (others := [name for name in found if name and name not in columns]):
        raise TableError(f"{path}: the column {others[0]!r} would be lost. Keep it in another table")


def sign_of(path: Path) -> str:
    """Return the sign that separates a table's columns; a comma if there is no table yet."""
    return _sign(_text(path)) if path.exists() else ","


def _text(path: Path) -> str:
    """Decode a table as Excel saves it: in UTF-8 or UTF-16, or in Windows's Western European encoding."""
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            line, byte = 1 + data.count(b"\n", 0, error.start), data[error.start]
    raise TableError(
        f'{path}, line {line}: byte {byte:#x} is no letter. Save it as "CSV UTF-8", and try again'
    )


def _sign(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


class TableError(ValueError):
    """A table of the instructor's cannot be used as it is; the message says which line is wrong."""


@dataclass(frozen=True)
class Place:
    """A cell of an instructor's table, with the checks on its content. An empty one gives None."""

    path: Path
    line: int
    column: str
    written: str

    def number(self) -> float | None:
        """Read a number, with a point or a comma."""
        if not self.written:
            return None
        if not _NUMBER.fullmatch(self.written):
            raise self.error("is no number from 0 on")
        return float(self.written.replace(",", "."))

    def whole(self) -> int | None:
        """Read a whole number."""
        found = self.number()
        if found is not None and found != int(found):
            raise self.error("is no whole number")
        return None if found is None else int(found)

    def moment(self) -> float | None:
        """Read a date and time of this computer's clock, even in the form in which a spreadsheet saves it.

        A date alone is the end of that day.
        """
        if not self.written:
            return None
        year_first = _DAY_FIRST.sub(lambda day: f"{day[3]}-{day[2]:0>2}-{day[1]:0>2}", self.written)
        found = _MOMENT.fullmatch(year_first)
        if not found:
            raise self.error("is no day: write 2026-11-20, or 2026-11-20 23:59")
        try:
            day = date.fromisoformat(found[1])
            if found[2] is None:
                return end_of_day(day)
            return datetime.combine(day, time(int(found[2]), int(found[3]))).timestamp()
        except (ValueError, OverflowError):
            raise self.error("is in no calendar") from None

    def error(self, words: str) -> TableError:
        """Return an error that says where the cell is, and what it contains."""
        where = f"{self.path}, line {self.line}"
        return TableError(f"{where}: {self.written[:40]!r} under {self.column} {words}")


def names_back(students: Iterable[str]) -> dict[str, str]:
    """Turn a student's name as a table writes it into the name itself."""
    return {str(harmless(student)): student for student in students}
