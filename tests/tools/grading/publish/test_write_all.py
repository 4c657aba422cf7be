"""Test that the output for people and platforms is complete, harmless, and replaced in one step."""

from __future__ import annotations

import codecs
import csv
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.publish import pages as publish_pages
from qkvlib.tools.grading.publish import tables
from qkvlib.tools.grading.publish.csv_files import TableError, harmless
from qkvlib.tools.grading.publish.write_all import summary, write_all
from qkvlib.tools.grading.results import (
    ExerciseFacts,
    GradedClass,
    Outcome,
    Result,
    Row,
    ShownCase,
    WrittenAnswer,
)
from tests.tools.grading import classroom
from tests.tools.grading.classroom import MOST, NAMES

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'`</pre>"
FORMULA = '=HYPERLINK("http://x","y")'


def row(name: str, outcome: Outcome, **more: Any) -> Row:
    most = EXERCISES[name].points
    return Row(name, 1, outcome, most if outcome == "right" else 0, most, file="01", **more)


def result(student: str, rows: list[Row], **more: Any) -> Result:
    return classroom.result(student, exercises=tuple(rows), points=sum(r.points for r in rows), **more)


@pytest.fixture
def graded() -> GradedClass:
    known = EXERCISES["dot"].mistakes[0]
    wrong = row(
        "dot",
        "wrong",
        message=EVIL,
        mistake=known.name,
        diagnosis=known.diagnosis,
        question=known.question,
        evidence=ShownCase(EVIL, (("a", EVIL),), EVIL, "1"),
    )
    rest = [row(name, "right") for name in NAMES[1:]]
    answers = (WrittenAnswer("why", 3, EVIL),)
    halved = [replace(one, late_factor=0.5) for one in [wrong, *rest]]
    results = (
        result("ada", [row("dot", "right"), *rest], answers=answers),
        result(EVIL, [wrong, *rest], number="7", answers=answers),
        result(FORMULA, halved, late_days=2, late_factor=0.5),
        result("../../up", [row(name, "raised") for name in NAMES], fault="gone"),
    )
    catalogue = {name: ExerciseFacts(1, EXERCISES[name].points) for name in NAMES}
    return GradedClass(catalogue, results, (f"{EVIL}: odd",), 4, {"why": ExerciseFacts(1, 3)})


def pages(out: Path) -> Iterator[Path]:
    yield from out.rglob("*.html")


def test_no_page_asks_another_host_for_anything(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    found = list(pages(tmp_path))
    assert len(found) == len(graded.results) + 2
    for path in found:
        assert "default-src 'none'" in path.read_text()
        assert not re.search(r"https?://(?!x)", path.read_text())


def test_the_report_names_the_mistake_and_asks_its_question(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    text = unescape((tmp_path / "reports" / f"{tables.file_name(EVIL)}.html").read_text())
    known = EXERCISES["dot"].mistakes[0]
    for words in (known.diagnosis, known.question, "The smallest case that fails"):
        assert words.split("`")[0][:30] in text
    overview = (tmp_path / "overview.html").read_text()
    assert "What to teach next" in overview
    assert "2 of 4 students (50%) share one mistake in <code>dot</code>" in overview
    assert "It is taught in chapter 1, The dot product, before “Exercise: dot”." in overview
    assert f"Ask them: {known.question.split('`')[0][:20]}" in unescape(overview)
    assert "(stopped with an error)" in overview


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_what_a_spreadsheet_takes_for_a_formula_is_defused_and_no_number_is() -> None:
    assert harmless("\t =1") == "\t '=1"
    assert harmless("＝1") == "'＝1"
    assert harmless(-1.5) == -1.5


HIDDEN = 'ada;=1+1\t=1+1;" @x|-1'


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_no_cell_is_a_formula_wherever_a_spreadsheet_cuts_it(
    sign: str, graded: GradedClass, tmp_path: Path
) -> None:
    ada, *rest = graded.results
    ada = replace(ada, student=HIDDEN, name=HIDDEN, number=HIDDEN, problems=(HIDDEN,))
    write_all(tmp_path, replace(graded, results=(ada, *rest)))
    for name in ("grades", "canvas", "moodle", "marks"):
        with (tmp_path / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            cells = [cell.strip(' "') for line in csv.reader(file, delimiter=sign) for cell in line]
        assert any("1+1" in cell for cell in cells)
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]


def test_a_mark_finds_its_student_whatever_the_name(graded: GradedClass, tmp_path: Path) -> None:
    results = tuple(replace(graded.results[0], student=name) for name in (HIDDEN, FORMULA))
    changed = replace(graded, results=results)
    write_all(tmp_path, changed)
    path = tmp_path / "marks.csv"
    path.write_text(path.read_text().replace(",why,,3,", ",why,2,3,"))
    for _ in "12":
        assert write_all(tmp_path, changed).totals == [MOST + 2, MOST + 2]


def test_the_tables_hold_every_student_with_lateness_taken_off(graded: GradedClass, tmp_path: Path) -> None:
    _, _, totals, best, _ = write_all(tmp_path, graded)
    assert best == MOST + 3
    assert totals == [MOST, MOST - 1, (MOST - 1) / 2, 0]
    people = read(tmp_path / "grades.csv")
    assert [float(line[3]) for line in people[1:]] == totals
    canvas = read(tmp_path / "canvas.csv")
    assert canvas[1][-1] == str(best)
    assert len(canvas) == 2 + len(totals) - 1, "whoever is not graded is no 0"
    moodle = read(tmp_path / "moodle.csv")
    assert moodle[2][0] == "Participant 7"
    # `importgradeslib.php` rejects a worksheet without one of these.
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(moodle[0])


def test_what_could_not_be_judged_is_no_zero_and_no_cell_is_endless(tmp_path: Path) -> None:
    odd = classroom.result("ada", points=None, problems=("x" * 40_000,), handed_in="")
    write_all(tmp_path, GradedClass({}, (odd,), (), 1, {}), "Homework 1 (77)")
    rows = {name: (tmp_path / f"{name}.csv").read_text() for name in ("grades", "canvas", "moodle")}
    assert ["ada" in text for text in rows.values()] == [True, False, False]
    assert rows["canvas"].splitlines()[0].endswith("Section,Homework 1 (77)")
    assert len(rows["grades"]) < 10_000
    report = next((tmp_path / "reports").iterdir()).read_text()
    assert "handed in" not in report.split("</p>")[0]
    assert "x" * 100 in report


def test_no_students_name_leads_out_of_the_folder() -> None:
    names = [
        "../../up",
        "..",
        "a/b",
        "a\\b",
        "CON",
        "",
        "x" * 300,
        "é",
        "ada",
        "Ada",
        "ADA",
        tables.file_name("Ada"),
        "Ada Lovelace",
        "a b",
    ]
    found = [tables.file_name(name) for name in names]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,80}", name) for name in found)
    assert len({name.lower() for name in found}) == len(names)
    assert tables.file_name("ada") == "ada"
    # Their hashes begin with the same 24 bits.
    assert tables.file_name("Ada Brook") != tables.file_name("Ada&%)?:&!Brook")


def test_marks_given_by_hand_are_kept_and_added(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    path = tmp_path / "marks.csv"
    page, report = tmp_path / "overview.html", tmp_path / "reports" / "ada.html"
    assert "The words of 2 are not marked yet, and can bring 3 points." in page.read_text()
    assert "3 points for your own words may still be added." in report.read_text()
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "student,answer,points,possible,comment"
    edited = [line.replace("why,,3,", "why,2.5,3,good") for line in lines]
    path.write_text("\n".join(edited) + "\n")
    totals = write_all(tmp_path, graded).totals
    assert totals[:2] == [MOST + 2.5, MOST - 1 + 2.5]
    assert "good" in path.read_text()
    assert "good" in report.read_text()
    assert "not marked yet" not in page.read_text() + report.read_text()
    assert "still be added" not in report.read_text()


def test_a_mark_of_an_answer_that_has_been_rewritten_is_said(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    path = tmp_path / "marks.csv"
    path.write_text(path.read_text(encoding="utf-8-sig").replace("ada,why,,", "ada,why,2.5,"))
    of_two = replace(graded, rewritten=(("ada", "why"), ("eve", "why")))
    new = set(write_all(tmp_path, of_two).graded.problems) - set(graded.problems)
    assert len(new) == 1
    said = new.pop()
    assert said.startswith("ada: the answer to 'why' has changed")
    assert "2.5, still counts" in said


def test_a_question_of_somebodys_own_changes_nothing(graded: GradedClass, tmp_path: Path) -> None:
    ada, evil, *_ = graded.results
    mine = WrittenAnswer("mine", 99, "x")
    ada = replace(ada, answers=(mine, WrittenAnswer("why", 99, "x")))
    for results in ((ada,), (ada, evil)):  # even a class of one or two moves very little
        assert write_all(tmp_path, replace(graded, results=results)).best == MOST + 3
    assert "mine" not in (tmp_path / "marks.csv").read_text()
    assert "no question of the course" in (tmp_path / "reports" / "ada.html").read_text()


def test_the_summary_says_what_needs_a_human(graded: GradedClass, tmp_path: Path) -> None:
    text = summary(write_all(tmp_path, graded))
    assert "Please look at this by hand:" in text
    assert "NOT GRADED" in text
    assert str(tmp_path / "grades.csv") in text


def test_two_students_of_one_name_are_told_apart_in_the_summary(graded: GradedClass, tmp_path: Path) -> None:
    rows = [row(name, "right") for name in NAMES]
    long = "Ada " * 20
    twins = tuple(replace(result(key, rows), name=long) for key in ("ada-1", "ada-2"))
    other = replace(result("bob", rows), name="Bob")
    lines = summary(write_all(tmp_path, replace(graded, results=(*twins, other)))).splitlines()
    shown = [line.split(maxsplit=1)[1] for line in lines[1:4]]
    assert shown == [f"{long[:50]} (ada-1)", f"{long[:50]} (ada-2)", "Bob"]


def test_marks_of_another_homework_count_there_alone(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    path = tmp_path / "marks.csv"
    path.write_text(path.read_text().replace(",why,,3,", ",why,3,3,"))
    other = replace(graded, questions={"else": ExerciseFacts(2, 4)})
    written = write_all(tmp_path, other)
    assert written.totals == [MOST, MOST - 1, (MOST - 1) / 2, 0]
    assert ",why,3," in path.read_text(), "they are kept"
    assert write_all(tmp_path, graded).totals[0] == MOST + 3


def test_nothing_is_written_before_all_is_made(
    graded: GradedClass, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks_alone = tmp_path / "first" / "marks.csv"
    classroom.write(tmp_path, "first/marks.csv", text="student,answer\n")
    with pytest.raises(TableError):
        write_all(marks_alone.parent, graded)
    assert list(marks_alone.parent.iterdir()) == [marks_alone]
    shutil.rmtree(marks_alone.parent)
    write_all(tmp_path, graded)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fails(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(publish_pages, "overview", fails)
    changed = replace(graded, results=graded.results[:1])
    with pytest.raises(ZeroDivisionError):
        write_all(tmp_path, changed)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_that_canvas_cannot_match_anonymous_rows_is_a_note(graded: GradedClass, tmp_path: Path) -> None:
    assert write_all(tmp_path, graded).graded.notes == ()
    anonymous = replace(graded.results[0], student="anon_aB3xY", name="anon_aB3xY")
    written = write_all(tmp_path, replace(graded, results=(anonymous, *graded.results[1:])))
    line = "canvas.csv: Canvas cannot match rows without an ID. 1 of 4 students handed in anonymously."
    assert written.graded.notes == (line,)
    assert f"Note: {line}" in summary(written)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_table_is_read_as_excel_saves_it(
    encoding: str, sign: str, graded: GradedClass, tmp_path: Path
) -> None:
    results = (replace(graded.results[0], student="Zoë Müller"),)
    changed = replace(graded, results=results)
    write_all(tmp_path, changed)
    path = tmp_path / "marks.csv"
    assert path.read_bytes().startswith(codecs.BOM_UTF8), "Excel takes it for UTF-8"
    lines = path.read_text(encoding="utf-8-sig").replace(",why,,3,", ",why,2,3,größer")
    path.write_bytes(lines.replace(",", sign).encode(encoding))
    assert write_all(tmp_path, changed).totals == [MOST + 2]
    text = path.read_text(encoding="utf-8-sig")
    assert sign.join(("Zoë Müller", "why", "2", "3", "größer")) in text


def test_a_table_of_marks_that_cannot_be_is_named_with_its_line(graded: GradedClass, tmp_path: Path) -> None:
    write_all(tmp_path, graded)
    path = tmp_path / "marks.csv"
    head = b"student,answer,points,possible,comment\n"
    for content, words in (
        (head + b"ada,why,many,3,\n", "line 2: 'many' under points"),
        (head + b"ada,why,4,3,\n", "ada has 4 points for why, of 3"),
        (head + b"ada,of another homework,-1,3,\n", "line 2: '-1' under points"),
        (head + b"a,why,1,3,\x81\n", "line 2: byte 0x81 is no letter"),
        (head + b'a,why,1,3,"' + b"x" * 200_000 + b'"\n', "line 2, is no line of a table"),
        (head + b"a,why,1,5,3,good\n", "line 2: 'good' is in no column"),
        (head + b'a,why,1,3,"good\nb,why,2,3,\n', "line 2, is no line of a table"),
        (b"marked by," + head, "the column 'marked by' would be lost"),
    ):
        path.write_bytes(content)
        with pytest.raises(TableError, match=words):
            write_all(tmp_path, graded)


def test_of_two_lines_on_one_answer_the_mark_counts_and_two_marks_are_refused(
    graded: GradedClass, tmp_path: Path
) -> None:
    """This happens when two people have marked and combined their tables."""
    path = tmp_path / "marks.csv"
    head = "student,answer,points,possible,comment\n"
    for lines in ("ada,why,2,3,\nada,why,,3,\n", "ada,why,,3,\nada,why,2,3,\n"):
        path.write_text(head + lines)
        assert write_all(tmp_path, graded).totals[0] == MOST + 2
    path.write_text(f"{head}ada,why,2,3,\nada,why,1,3,\n")
    with pytest.raises(TableError, match="line 3: '1' under points is not the 2"):
        write_all(tmp_path, graded)


def test_a_mark_is_found_whatever_room_is_around_its_names(graded: GradedClass, tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("student,answer,points,possible,comment\n ada ,why , 2,3,\n,,,,\n")
    assert write_all(tmp_path, graded).totals[0] == MOST + 2
    assert "\n,,," not in path.read_text(encoding="utf-8-sig")


def test_a_report_says_that_only_the_words_are_late(graded: GradedClass, tmp_path: Path) -> None:
    late = replace(graded.results[0], late_days=2, late_factor=0.8)
    (tmp_path / "marks.csv").write_text("student,answer,points,possible,comment\nada,why,2,3,\n")
    assert write_all(tmp_path, replace(graded, results=(late,))).totals == [MOST + 1.6]
    report = (tmp_path / "reports" / "ada.html").read_text()
    assert "2 days late: what that costs stands with each exercise and answer." in report
    assert "2 of 3 points, 80% of them for being late" in report
