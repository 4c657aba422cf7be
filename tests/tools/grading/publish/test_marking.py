"""Test the page for marking answers in words: anonymous, by keys, in one file that a browser opens."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from qkvlib.tools.grading.publish import marks
from qkvlib.tools.grading.publish.csv_files import harmless
from qkvlib.tools.grading.publish.write_all import summary, write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, WrittenAnswer
from tests.tools.grading.classroom import result

AXE = Path(__file__).resolve().parents[4] / "node_modules/axe-core/axe.min.js"
NAMES = ["=ada;-1", 'bob "the" <b>', "cem", "dora"]
FORMULAS = ["=1+1", " \t-2", "a;=1", 'x|"@y', "％1", "＋1", "fine, really", 'say "so"', "a\nb", "%"]


def graded() -> GradedClass:
    asked = {
        "why": ExerciseFacts(1, 2, "Why `softmax`?", ("a blend", "a gradient")),
        "who": ExerciseFacts(2, 6, "Who?", ()),
    }
    results = tuple(
        result(
            name,
            name=f"{name} N.",
            points=0,
            answers=(WrittenAnswer("why", 2, f"Because of {i}."), WrittenAnswer("who", 6, "So.")),
        )
        for i, name in enumerate(NAMES)
    )
    return GradedClass({"dot": ExerciseFacts(1, 1)}, results, (), 4, asked)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_all(tmp_path, graded())
    return tmp_path


def table(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {
            (row["student"], row["answer"]): (row["points"], row["comment"]) for row in csv.DictReader(file)
        }


def at(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator("article:not(.away)").evaluate("one => ({...one.dataset})")
    return found


@pytest.fixture
def page(browser: Browser, out: Path) -> Iterator[Page]:
    """Open the page of answers from the disk. It must write nothing to the console."""
    found, complaints = browser.new_context().new_page(), list[str]()
    found.on("console", lambda message: complaints.append(message.text))
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.goto((out / "answers.html").as_uri())
    expect(found.locator("#count")).to_contain_text("of 8 marked")
    yield found
    assert complaints == []
    found.context.close()


def download(page: Page, out: Path) -> None:
    """Save marks.csv where `qkv grade` reads it."""
    with page.expect_download() as found:
        page.get_by_role("button", name="Download marks.csv").click()
    found.value.save_as(out / "marks.csv")


def test_keys_mark_move_and_undo(page: Page, out: Path) -> None:
    first = at(page)
    page.keyboard.press("2")
    page.keyboard.press("j")
    second = at(page)
    assert second["student"] != first["student"]
    page.keyboard.press("3")  # out of 2 points
    expect(page.locator("#said")).to_have_text("This answer has 0 to 2 points.")
    page.keyboard.press("1")
    page.keyboard.press(".")
    page.keyboard.press("c")
    page.keyboard.type("jk 2: =mind the length")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    assert at(page)["points"] == "2"
    download(page, out)
    found = table(out / "marks.csv")
    assert found[first["student"], "why"] == ("2", "")
    assert found[second["student"], "why"] == ("1.5", "jk 2: =mind the length")
    for points, words in (("1.5", ""), ("1", ""), ("", "")):
        page.keyboard.press("u")
        assert (at(page)["student"], at(page)["points"], at(page)["comment"]) == (
            second["student"],
            points,
            words,
        )
    page.keyboard.press("u")
    page.keyboard.press("n")
    expect(page.locator("#given")).to_have_text("not marked of 2")
    expect(page.locator("#count")).to_contain_text("0 of 8 marked")
    download(page, out)
    assert set(table(out / "marks.csv").values()) == {("", "")}


def test_the_browser_keeps_what_is_typed_until_the_tables_have_it(page: Page, out: Path) -> None:
    page.get_by_label("Go on after points").check()
    page.locator("article:not(.away)").focus()
    for key in "210":
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("3 not downloaded yet, kept in this browser.")
    page.reload()
    expect(page.locator("#count")).to_contain_text("3 of 8 marked. This is number 4.")
    expect(page.locator("#said")).to_contain_text("3 not downloaded yet, kept in this browser.")
    download(page, out)
    assert sum(write_all(out, graded()).totals) == 3
    page.reload()
    expect(page.locator("#count")).to_contain_text("3 of 8 marked. This is number 4.")
    assert page.evaluate("localStorage.length") == 0, "what the table has is forgotten"


def test_what_somebody_has_changed_in_the_table_counts(page: Page, out: Path) -> None:
    page.keyboard.press("2")
    who = at(page)["student"]
    path = out / "marks.csv"
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    row = next(line for line in lines if who[:3] in line and ",why," in line)
    path.write_text("\n".join(lines).replace(row, row.replace(",why,,", ",why,1,")))
    write_all(out, graded())
    page.reload()
    expect(page.locator("#said")).to_contain_text("1 kept here are given up")
    assert (
        page.locator("article").evaluate_all(
            "(all, who) => all.find((a) => a.dataset.student === who).dataset.points", who
        )
        == "1"
    )


def test_where_the_browser_keeps_nothing_that_is_said(browser: Browser, out: Path) -> None:
    page = browser.new_page()
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    page.goto((out / "answers.html").as_uri())
    page.keyboard.press("2")
    expect(page.locator("#said")).to_contain_text("NOT KEPT: this browser keeps nothing.")
    download(page, out)
    assert sum(write_all(out, graded()).totals) == 2
    page.close()


def test_two_windows_lose_nothing_of_each_other(page: Page, out: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#count")).to_contain_text("0 of 8 marked")
    page.keyboard.press("2")
    other.keyboard.press("j")
    other.keyboard.press("1")
    download(page, out)
    assert sum(write_all(out, graded()).totals) == 3
    other.close()


def test_names_are_hidden_until_they_are_asked_for_and_keys_can_be_switched_off(page: Page) -> None:
    assert " N." not in page.locator("body").inner_text()
    asked = page.locator("article").evaluate_all("all => all.map((one) => one.dataset.student)")
    assert sorted(asked[:4]) == sorted(asked[4:])
    assert asked[:4] != asked[4:]  # each question is marked in a different order
    page.get_by_label("Show names").check()
    assert f"{at(page)['student'].removeprefix(chr(39))} N." in page.locator("body").inner_text()
    page.get_by_label("Keys:").uncheck()
    page.keyboard.press("2")
    expect(page.locator("#count")).to_contain_text("0 of 8 marked")


def test_no_cell_of_the_downloaded_table_is_a_formula_and_nobody_is_lost(page: Page, out: Path) -> None:
    path = out / "marks.csv"
    path.write_text(path.read_text(encoding="utf-8-sig").replace("cem,why,,", "cem,why,1,"))
    found = graded()
    write_all(out, replace(found, results=found.results[:2]))
    page.reload()
    expect(page.locator("#count")).to_contain_text("0 of 4 marked")
    page.keyboard.press("2")
    page.locator("#comment").fill('a;=1, "so"\nand so')
    before, who = table(path), at(page)["student"]
    download(page, out)
    assert table(path) == before | {(who, "why"): ("2", harmless('a;=1, "so"\nand so'))}
    assert write_all(out, found).totals[NAMES.index("cem")] == 1  # not on the page, but kept


def test_the_page_defuses_as_the_tables_do(page: Page) -> None:
    script = (Path(marks.__file__).parent / "marking.js").read_text(encoding="utf-8")
    start = script.index("const FORMULA")
    pattern = script[start : script.index("\n", start)]
    start = script.index("function harmless(")
    function = script[start : script.index("\n}", start) + 2]
    shown = page.evaluate(f"(all) => {{ {pattern}\n{function}\nreturn all.map(harmless); }}", FORMULAS)
    assert shown == [harmless(text) for text in FORMULAS]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(browser: Browser, out: Path, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto((out / "answers.html").as_uri())
    page.keyboard.press("1")
    page.add_script_tag(path=AXE)
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    context.close()


def test_what_was_left_empty_waits_for_nobody_until_it_is_answered(tmp_path: Path) -> None:
    whole = graded()
    ada, *others = whole.results
    empty = replace(ada, answers=(WrittenAnswer("why", 2, " \n"), WrittenAnswer("who", 6, "So.")))
    write_all(tmp_path, replace(whole, results=(empty, *others)))
    page = (tmp_path / "answers.html").read_text(encoding="utf-8")
    assert page.count('data-answer="why"') == len(NAMES), "the table that is downloaded is whole"
    assert page.count('<article tabindex="-1"') == 2 * len(NAMES) - 1
    assert "1 left it empty and has no points for it." in page
    read = marks.collect(tmp_path / "marks.csv", [empty], {"why": 2, "who": 6})
    assert read.waiting(empty) == 6
    assert read.waiting(ada) == 8, "handed in again, with an answer"
    report = next((tmp_path / "reports").glob("*ada*")).read_text(encoding="utf-8")
    assert "(left empty)" in report
    path = tmp_path / "marks.csv"
    written = path.read_text(encoding="utf-8-sig")
    path.write_text(written.replace("ada;'-1,why,,2,", "ada;'-1,why,1,2,He said it aloud."))
    assert "aloud" in path.read_text()
    write_all(tmp_path, replace(whole, results=(empty, *others)))
    page = (tmp_path / "answers.html").read_text(encoding="utf-8")
    assert page.count('<article tabindex="-1"') == 2 * len(NAMES), "what has a mark is shown"


def test_marks_that_match_nothing_are_pointed_out(out: Path) -> None:
    path = out / "marks.csv"
    lines = ["eve,why,2,,", "eve,who,1,,", "cem,whi,1,,", "cem,later,1,,", "dora,later,3,,", "eve,later,3,,"]
    lines += ["bob,why,,,", "cem,nothing,,,"]  # nobody marked these
    path.write_text("\n".join(["student,answer,points,possible,comment", *lines]), encoding="utf-8")
    found = write_all(out, replace(graded(), elsewhere=frozenset({"later"}))).graded
    assert found.problems == (
        "marks.csv: no student is called 'eve'. These marks do not count",
        "marks.csv: no question is called 'whi'. These marks do not count",
    )
    assert found.notes == ("marks.csv: marks for questions that are not graded here: 3.",)
    again = write_all(out, graded()).graded.problems
    assert again[1].startswith("marks.csv: no question is called 'later' or 'whi'."), "and they are kept"


def test_very_many_names_are_not_all_listed(out: Path) -> None:
    lines = [f"eve{i},why,2,," for i in range(60)]
    text = "\n".join(["student,answer,points,possible,comment", *lines])
    (out / "marks.csv").write_text(text, encoding="utf-8")
    (line,) = write_all(out, graded()).graded.problems
    assert line.endswith("'eve12' or one of 55 more names. These marks do not count")


def test_the_terminal_says_how_many_answers_wait(out: Path) -> None:
    assert f"{out / 'answers.html'}  (8 answers are not marked yet)" in summary(write_all(out, graded()))
    path = out / "marks.csv"
    text = path.read_text(encoding="utf-8-sig")
    path.write_text(text.replace(",why,,", ",why,2,").replace(",who,,", ",who,1,"))
    assert summary(write_all(out, graded())).endswith(str(out / "answers.html"))
    path.write_text(text.replace(",why,,", ",why,2,").replace(",who,,", ",who,1,", 3))
    assert summary(write_all(out, graded())).endswith("  (1 answer is not marked yet)")
