"""Test that a function lent to one sandbox answers nothing in another, even if the two communicate.

The walls are down here, and a file is the channel that all sandboxes share: the attacker controls
both ends. Nothing in these tests relies on the channel being closed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from qkvlib.tools.grading import seeds
from qkvlib.tools.grading.judge.grade_submission import grade
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.queue import pool
from qkvlib.tools.grading.queue.grade_class import Options, grade_class
from qkvlib.tools.grading.queue.record import Record
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from qkvlib.tools.grading.settings import Settings
from tests.tools.grading.classroom import IMPORTS, Heard, hand_in, job

OPEN = WallPlan(walls=())
# A sandbox with the store looks answers up in it, one that fails stores its questions, and one that is
# lent the right function fills in the answers. `print()` is omitted at first, so that an error is
# judged a second time.
ORACLE = """
import json, os, torch
STORE = {store!r}
asked = []
def told(key):
    return json.load(open(STORE)).get(key) if os.path.exists(STORE) else None
def tell(key, value):
    known = json.load(open(STORE)) if os.path.exists(STORE) else {{}}
    json.dump(known | {{key: value}}, open(STORE, "w"))
def dot(a, b):
    asked.append((a.clone(), b.clone()))
    tell("asked", 1)
    found = told(repr((a.tolist(), b.tolist())))
    if found is None: raise ValueError("not yet")
    return torch.tensor(found)
def cosine_similarity(a, b):
    while asked:
        one, other = asked.pop()
        tell(repr((one.tolist(), other.tolist())), float(dot(one, other)))
    return a
"""
SECRET = """
def choose_w_q_w_k():
    found = told("weights")
    if found is None: raise ValueError("not yet")
    return tuple(map(torch.tensor, found))
def choose_recall_weights():
    tell("weights", [x.tolist() for x in choose_w_q_w_k()])
    return torch.eye(6), torch.eye(6), torch.eye(6)
"""


@pytest.fixture(name="open_air")
def judge_in_the_open_air(open_air: SandboxHost) -> Judge:
    return Judge(open_air)


def oracle(tmp_path: Path) -> list[str]:
    return [IMPORTS, ORACLE.format(store=str(tmp_path / "store.json")), SECRET, "print()"]


def test_the_second_look_at_a_notebook_learns_nothing_from_the_first(open_air: Judge, tmp_path: Path) -> None:
    names = ["dot", "cosine_similarity", "choose_w_q_w_k", "choose_recall_weights"]
    found = open_air.notebook(oracle(tmp_path), names, 5)
    assert "asked" in (tmp_path / "store.json").read_text()  # the channel works
    assert {v.exercise: v.points for v in found} == dict.fromkeys(names, 0)


def test_a_students_second_file_learns_nothing_from_the_first(open_air: Judge, tmp_path: Path) -> None:
    data = hand_in(tmp_path / "x.ipynb", oracle(tmp_path)).read_bytes()
    assert grade(open_air, job(data, 2)).points == 0


def test_a_student_learns_nothing_from_another(tmp_path: Path) -> None:
    for name in ("ada", "bob"):
        hand_in(tmp_path / "in" / name / "01.ipynb", oracle(tmp_path))
    record = Record(tmp_path / "results.jsonl")
    options = Options(Settings(OPEN), exercises=("1", "3", "5"))
    graded = grade_class(tmp_path / "in", record, options, Heard())
    record.close()
    assert [result.points for result in graded.results] == [0, 0]


RELAY = """
import json, os, time, torch
PLACE = {place!r}
def put(name, value):
    with open(f"{{PLACE}}/.{{name}}", "w") as file: json.dump(value, file)
    os.rename(f"{{PLACE}}/.{{name}}", f"{{PLACE}}/{{name}}")
def until(end, name):
    while time.time() < end and not os.path.exists(f"{{PLACE}}/{{name}}"): time.sleep(0.005)
    return json.load(open(f"{{PLACE}}/{{name}}"))
"""
# Bob passes on his questions, and Ada gets the course's own function to answer them.
ASKS_FOR_BOB = """
def nearest(query, keys):
    import qkvlib
    until(time.time() + 2, "asked")
    end = time.time() + 2
    while time.time() < end:
        for name in [n for n in os.listdir(PLACE) if n.startswith("case")]:
            a, b = map(torch.tensor, json.load(open(f"{PLACE}/{name}")))
            os.unlink(f"{PLACE}/{name}")
            put("told" + name, qkvlib.cosine_similarity(a, b).tolist())
        time.sleep(0.005)
    return 0
"""
HANDS_ON = """
def cosine_similarity(a, b):
    name = f"case{abs(hash(str((a.tolist(), b.tolist()))))}"
    put(name, (a.tolist(), b.tolist()))
    put("asked", 1)
    return torch.tensor(until(time.time() + 2, "told" + name))
"""


def test_two_who_are_judged_at_once_hand_each_other_nothing_that_is_lent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_SECONDS_WORTH_A_WORKER", 0)
    monkeypatch.setattr(pool, "cores", lambda: 2)
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.001)
    place = tmp_path / "between"
    place.mkdir()
    for name, cells in (("ada", ASKS_FOR_BOB), ("bob", HANDS_ON)):
        hand_in(tmp_path / "in" / name / "01.ipynb", [IMPORTS, RELAY.format(place=str(place)), cells])
    record = Record(tmp_path / "results.jsonl")
    options = Options(Settings(OPEN), workers=2, exercises=("cosine_similarity", "nearest"))
    graded = grade_class(tmp_path / "in", record, options, Heard())
    record.close()
    assert (place / "asked").exists(), "the channel works"
    assert [result.points for result in graded.results] == [0, 0]


def test_every_look_draws_cases_of_its_own_and_the_same_ones_again(open_air: Judge, tmp_path: Path) -> None:
    store = tmp_path / "seen.txt"
    note = f"print(float(a.sum() + b.sum()), file=open({str(store)!r}, 'a'))"
    spy = [IMPORTS, f"def dot(a, b):\n    {note}\n    raise ValueError", "print()"]
    seen = []
    for seed in (5, 5, 6):
        open_air.notebook(spy, ["dot"], seed)
        seen.append(store.read_text().split())
        store.unlink()
    first, same, other = seen
    half = len(first) // 2
    assert first == same != other
    assert first[:half] != first[half:]  # each run judges twice


def test_a_seed_says_nothing_of_another_of_the_same_run() -> None:
    run = seeds.of_a_run()
    found = {seeds.derived(run, part) for part in ("ada", "bob", 0, 1)}
    assert len(found) == 4
    assert run not in found
    assert seeds.derived(run, "ada") == seeds.derived(run, "ada")
