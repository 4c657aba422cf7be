"""Answers in words are marked by keys, without names, and each mark is saved at once."""

from __future__ import annotations

import csv
import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from qkvlib.tools.grading.publish import marks
from qkvlib.tools.grading.publish.csv_files import harmless
from qkvlib.tools.grading.publish.marking_server import MarkingServer
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Result, WrittenAnswer

AXE = Path(__file__).resolve().parents[4] / "node_modules/axe-core/axe.min.js"
NAMES = ["=ada;-1", 'bob "the" <b>', "cem", "dora"]
FORMULAS = ["=1+1", " \t-2", "a;=1", 'x|"@y', "％1", "＋1", "fine, really", 'say "so"', "a\nb", "%"]


def graded() -> GradedClass:
    asked = {
        "why": ExerciseFacts(1, 2, "Why `softmax`?", ("a blend", "a gradient")),
        "who": ExerciseFacts(2, 6, "Who?", ()),
    }
    results = tuple(
        Result(
            key=name, student=name, name=f"{name} N.", handed_in="2026-11-20T12:00:00", points=0,
            answers=(WrittenAnswer("why", 2, f"Because of {i}."), WrittenAnswer("who", 6, "So.")),
        )
        for i, name in enumerate(NAMES)
    )  # fmt: skip
    return GradedClass({"dot": ExerciseFacts(1, 1)}, results, (), 4, asked)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_all(tmp_path, graded())
    return tmp_path


@contextmanager
def serving(out: Path) -> Iterator[MarkingServer]:
    with MarkingServer(out) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server(out: Path) -> Iterator[MarkingServer]:
    with serving(out) as found:
        yield found


def table(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {
            (row["student"], row["answer"]): (row["points"], row["comment"])
            for row in csv.DictReader(file)
        }


def ask(
    server: MarkingServer, way: str, path: str, body: Any = None, **headers: str
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    sent = {"X-Token": server.token, "Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    content = body if isinstance(body, str | None) else json.dumps(body)
    connection.request(way, path, content, sent)
    reply = connection.getresponse()
    found = reply.status, reply.read().decode()
    connection.close()
    return found


MARK = {"student": "cem", "answer": "why", "points": "1.5", "comment": "=good"}


def test_a_mark_is_saved_and_nothing_else_changes(server: MarkingServer, out: Path) -> None:
    before = table(out / "marks.csv")
    assert ask(server, "POST", "/mark", MARK) == (200, "Saved.")
    assert table(out / "marks.csv") == before | {("cem", "why"): ("1.5", "'=good")}
    assert write_all(out, graded()).totals == [0, 0, 1.5, 0]


def test_whoever_marks_in_a_spreadsheet_meanwhile_loses_nothing(
    server: MarkingServer, out: Path
) -> None:
    marks.save(out / "marks.csv", "dora", "who", "6", "all of it")
    assert ask(server, "POST", "/mark", MARK)[0] == 200
    assert table(out / "marks.csv")["dora", "who"] == ("6", "all of it")
    status, found = ask(server, "GET", "/marks")
    assert status == 200
    assert {"points": "6"}.items() <= next(
        one for one in json.loads(found) if (one["student"], one["answer"]) == ("dora", "who")
    ).items()


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Token": "x"}, {"X_Token": ""}, {"Host": "evil.example"}, {"Origin": "http://evil.example"},
        {"Origin": "null"}, {"Host": "localhost"},
    ],
)  # fmt: skip
def test_nobody_else_can_read_or_mark(
    headers: dict[str, str], server: MarkingServer, out: Path
) -> None:
    before = (out / "marks.csv").read_bytes()
    assert ask(server, "POST", "/mark", MARK, **headers)[0] == 403
    assert ask(server, "GET", "/marks", **headers)[0] == 403
    assert ask(server, "GET", "/", **headers)[0] == 403  # the token is in the address, not a header
    assert (out / "marks.csv").read_bytes() == before


def test_only_this_computer_is_spoken_to(server: MarkingServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert ask(server, "GET", f"/?token={server.token}")[0] == 200
    for path in ("/marks.csv", "/../results.jsonl", "/answers.html"):
        assert ask(server, "GET", path)[0] == 404


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        (MARK | {"points": "3"}, 409, "'3' is none of 0 to 2 points"),
        (MARK | {"points": "-1"}, 409, "none of 0 to 2"),
        (MARK | {"points": "nan"}, 409, "none of 0 to 2"),
        (MARK | {"points": "many"}, 409, "none of 0 to 2"),
        (MARK | {"points": 1}, 409, "no mark"),
        (MARK | {"student": "eve"}, 409, "not in marks.csv"),
        ({"points": "1"}, 409, "no mark"),
        ([1], 409, "no mark"),
        ("{", 409, "no mark"),
        ("x" * 30_000, 413, "too long"),
    ],
)
def test_what_is_no_mark_is_refused(
    sent: Any, status: int, words: str, server: MarkingServer, out: Path
) -> None:
    before = (out / "marks.csv").read_bytes()
    found = ask(server, "POST", "/mark", sent)
    assert found[0] == status
    assert words in found[1]
    assert (out / "marks.csv").read_bytes() == before


def test_without_answers_there_is_nothing_to_mark(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run `qkv grade` first"):
        MarkingServer(tmp_path)


def at(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator("article:not(.away)").evaluate("one => ({...one.dataset})")
    return found


def test_keys_mark_move_and_undo_and_each_is_saved(
    browser: Browser, server: MarkingServer, out: Path
) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.address)
    expect(page.locator("#count")).to_contain_text("0 of 8 marked. This is number 1.")
    expect(page.locator("#download")).to_be_hidden()  # it saves by itself
    first = at(page)
    page.keyboard.press("2")
    expect(page.locator("#said")).to_have_text("Saved.")
    page.keyboard.press("j")
    second = at(page)
    assert second["student"] != first["student"]
    page.keyboard.press("3")  # of 2 points
    expect(page.locator("#said")).to_have_text("This answer has 0 to 2 points.")
    page.keyboard.press("1")
    page.keyboard.press(".")
    page.keyboard.press("c")
    page.keyboard.type("jk 2: =mind the length")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.locator("#said")).to_have_text("Saved.")
    assert at(page)["points"] == "2"
    found = table(out / "marks.csv")
    assert found[first["student"], "why"] == ("2", "")
    assert found[second["student"], "why"] == ("1.5", "jk 2: =mind the length")
    for points, words in (("1.5", ""), ("1", ""), ("", "")):
        page.keyboard.press("u")
        expect(page.locator("#said")).to_have_text("Saved.")
        assert (at(page)["student"], at(page)["points"], at(page)["comment"]) == (
            second["student"], points, words,
        )  # fmt: skip
    page.keyboard.press("u")
    expect(page.locator("#said")).to_have_text("Saved.")
    page.keyboard.press("n")
    expect(page.locator("#given")).to_have_text("not marked of 2")
    expect(page.locator("#count")).to_contain_text("0 of 8 marked")
    assert set(table(out / "marks.csv").values()) == {("", "")}
    assert complaints == []
    page.close()


def test_who_goes_on_later_begins_where_nothing_is_marked(
    browser: Browser, server: MarkingServer, out: Path
) -> None:
    page = browser.new_page()
    page.goto(server.address)
    page.get_by_label("Go on after points").check()
    page.locator("article:not(.away)").focus()
    for key in "210":
        page.keyboard.press(key)
    expect(page.locator("#count")).to_contain_text("3 of 8 marked. This is number 4.")
    expect(page.locator("#said")).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#count")).to_contain_text("3 of 8 marked. This is number 4.")
    page.close()


def test_saved_is_said_when_nothing_is_on_its_way(
    browser: Browser, server: MarkingServer, out: Path
) -> None:
    page = browser.new_page()
    page.goto(server.address)
    page.get_by_label("Go on after points").check()
    page.locator("article:not(.away)").focus()
    for _ in range(8):
        page.keyboard.press("1")
    expect(page.locator("#said")).to_have_text("Saved.")
    assert [points for points, _ in table(out / "marks.csv").values()] == ["1"] * 8
    page.close()


def test_names_are_hidden_until_they_are_asked_for_and_keys_can_be_switched_off(
    browser: Browser, server: MarkingServer
) -> None:
    page = browser.new_page()
    page.goto(server.address)
    expect(page.locator("#count")).to_contain_text("of 8")
    shown = page.locator("body").inner_text()
    assert " N." not in shown
    order = [one["student"] for one in json.loads(ask(server, "GET", "/marks")[1])][::2]
    asked = page.locator("article").evaluate_all("all => all.map((one) => one.dataset.student)")
    assert sorted(asked[:4]) == sorted(asked[4:]) == sorted(order)
    assert asked[:4] != asked[4:]  # each question is marked in an order of its own
    page.get_by_label("Show names").check()
    assert f"{at(page)['student'].removeprefix(chr(39))} N." in page.locator("body").inner_text()
    page.get_by_label("Keys:").uncheck()
    page.keyboard.press("2")
    expect(page.locator("#count")).to_contain_text("0 of 8 marked")
    page.close()


def test_a_mark_that_could_not_be_saved_is_said_and_goes_with_the_next(
    browser: Browser, out: Path
) -> None:
    with serving(out) as server:
        page = browser.new_page()
        page.goto(server.address)
        expect(page.locator("#count")).to_contain_text("0 of 8 marked")
        kept = (out / "marks.csv").read_text()
        (out / "marks.csv").write_text("student,answer\n")
        page.keyboard.press("2")
        expect(page.locator("#said")).to_contain_text("NOT SAVED: ")
        (out / "marks.csv").write_text(kept)
        page.keyboard.press("j")
        page.keyboard.press("1")
        expect(page.locator("#said")).to_have_text("Saved.")
        assert sorted(points for points, _ in table(out / "marks.csv").values())[-2:] == ["1", "2"]
        (out / "marks.csv").write_text("student,answer\n")
        other = browser.new_page()
        other.goto(server.address)
        expect(other.locator("#words")).to_contain_text("Nothing can be marked: ")
        other.close()
        (out / "marks.csv").write_text(kept)
        page.route("**/mark", lambda route: route.abort())
        page.keyboard.press("2")
        expect(page.locator("#said")).to_contain_text("NOT SAVED: `qkv mark` is not running")
    page.close()


def test_the_page_as_a_file_hands_the_table_over_and_no_cell_of_it_is_a_formula(
    browser: Browser, out: Path
) -> None:
    marks.save(out / "marks.csv", "cem", "why", "1", "")
    found = graded()
    write_all(out, GradedClass(found.exercises, found.results[:2], (), 0, found.questions))
    page = browser.new_page()
    page.goto((out / "answers.html").as_uri())
    expect(page.locator("#count")).to_contain_text("0 of 4 marked")
    page.keyboard.press("2")
    page.locator("#comment").fill('a;=1, "so"\nand so')
    with page.expect_download() as download:
        page.get_by_role("button", name="Download marks.csv").click()
    before = table(out / "marks.csv")
    who = at(page)["student"]
    download.value.save_as(out / "marks.csv")
    assert table(out / "marks.csv") == before | {
        (who, "why"): ("2", harmless('a;=1, "so"\nand so'))
    }
    assert write_all(out, found).totals[NAMES.index("cem")] == 1  # who is not on the page is kept
    page.close()


def test_the_page_defuses_as_the_tables_do(browser: Browser, out: Path) -> None:
    page = browser.new_page()
    page.goto((out / "answers.html").as_uri())
    script = (Path(marks.__file__).parent / "marking.js").read_text(encoding="utf-8")
    start = script.index("const FORMULA")
    pattern = script[start : script.index("\n", start)]
    start = script.index("function harmless(")
    function = script[start : script.index("\n}", start) + 2]
    shown = page.evaluate(
        f"(all) => {{ {pattern}\n{function}\nreturn all.map(harmless); }}", FORMULAS
    )
    assert shown == [harmless(text) for text in FORMULAS]
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(browser: Browser, server: MarkingServer, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(server.address)
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
    (student,) = {
        row.student for row in marks.saved(tmp_path / "marks.csv") if "ada" in row.student
    }
    marks.save(tmp_path / "marks.csv", student, "why", "1", "He said it aloud.")
    write_all(tmp_path, replace(whole, results=(empty, *others)))
    page = (tmp_path / "answers.html").read_text(encoding="utf-8")
    assert page.count('<article tabindex="-1"') == 2 * len(NAMES), "what has a mark is shown"
