"""Test that no attack gains a point or does harm, and that honest work after it is graded as usual."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.child.walls import NEEDED, WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.grading.classroom import HASTY, IMPORTS, MOST, NAMES, RIGHT, ZERO
from tests.tools.grading.sandbox.attacks import ANSWERS, ATTACKS

SLOWEST = 25.0
PRECIOUS = "three years of work"
# One wrong answer and two right ones, in one sandbox.
HONEST = [IMPORTS, ZERO[1], RIGHT["cosine_similarity"], RIGHT["nearest"]]
HONEST_POINTS = MOST - EXERCISES["dot"].points


class Loot:
    """A folder worth stealing from and a port worth connecting to; it notes if either was touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "answers.py").write_text(ANSWERS)
        self.precious = folder / "precious.txt"
        self.precious.write_text(PRECIOUS)
        self.before = self._state()
        self.server = _server()
        self.server.setblocking(False)
        self.port = self.server.getsockname()[1]

    def harmed(self) -> bool:
        """Return whether anything was changed, connected to, or left running."""
        try:
            self.server.accept()
        except BlockingIOError:
            return self._state() != self.before
        return True

    def _state(self) -> object:
        entries = sorted(path.name for path in self.folder.iterdir())
        if not self.precious.exists():
            return entries
        status = self.precious.stat()
        if not status.st_mode & 0o400:
            return entries, status.st_mode
        return entries, self.precious.read_text(), status.st_mode, status.st_mtime


def _server() -> socket.socket:
    """Listen outside the system's range of automatic ports, where another test might connect by chance."""
    for port in range(20_000, 30_000):
        with suppress(OSError):
            return socket.create_server(("127.0.0.1", port))
    raise OSError("no free port from 20000 to 30000")


@pytest.fixture
def loot(tmp_path: Path) -> Iterator[Loot]:
    found = Loot(tmp_path / "loot")
    yield found
    found.server.close()


@pytest.fixture(scope="module")
def walled() -> Iterator[Judge]:
    judge = Judge(SandboxHost(WallPlan(memory_mb=512)), HASTY)
    yield judge
    judge.host.close()


@pytest.fixture(name="open_air")
def judge_in_the_open_air(open_air: SandboxHost) -> Judge:
    return Judge(open_air, HASTY)


def points(judge: Judge, cells: list[str]) -> int:
    return sum(verdict.points for verdict in judge.notebook(cells, NAMES, 20_261_121))


def gained(judge: Judge, name: str, loot: Loot) -> int:
    """Return the points of an attack; it must end in time, and honest work must be graded after it."""
    started = time.monotonic()
    score = points(judge, ATTACKS[name].cells(loot.folder, loot.port))
    assert time.monotonic() - started < SLOWEST
    assert points(Judge(judge.host), HONEST) == HONEST_POINTS
    return score


def some_of_each(names: Iterable[str], many: int) -> list[ParameterSet]:
    """Mark the first attacks of every family for `make test`, and all of them for `make everything`."""
    seen: Counter[str] = Counter()
    cases = []
    for name in names:
        seen[family := ATTACKS[name].family] += 1
        cases.append(pytest.param(name, marks=[pytest.mark.sweep] if seen[family] > many else []))
    return cases


@pytest.mark.parametrize("name", some_of_each(ATTACKS, 4))
def test_an_attack_gains_nothing_and_harms_nothing(name: str, walled: Judge, loot: Loot) -> None:
    assert gained(walled, name, loot) == 0
    assert not loot.harmed()
    assert walled.walls >= set(NEEDED)


FORGING = [n for n, attack in ATTACKS.items() if attack.family == "forging"]
LYING = [n for n, attack in ATTACKS.items() if attack.family == "lying"]
READING = [n for n, attack in ATTACKS.items() if attack.family == "reading"]
HARMING = [n for n, attack in ATTACKS.items() if attack.family == "harming"]


# Every fifth is tested here; `python -m tests.benchmarks.attacks --walls-down` runs all of them.
@pytest.mark.parametrize("name", some_of_each([*FORGING, *LYING[::5]], 4))
def test_forging_fails_even_with_the_walls_down(name: str, open_air: Judge, loot: Loot) -> None:
    assert gained(open_air, name, loot) == 0


@pytest.mark.parametrize("name", some_of_each(READING, 2))
def test_the_reading_attacks_do_read_where_there_are_no_walls(name: str, open_air: Judge, loot: Loot) -> None:
    assert gained(open_air, name, loot) == MOST


@pytest.mark.parametrize("name", some_of_each(HARMING, 2))
def test_the_harming_attacks_do_harm_where_there_are_no_walls(name: str, open_air: Judge, loot: Loot) -> None:
    gained(open_air, name, loot)
    assert loot.harmed()


def test_no_process_outlives_its_sandbox_with_the_walls_down(open_air: Judge, loot: Loot) -> None:
    points(open_air, ATTACKS["a process left behind"].cells(loot.folder, loot.port))
    number = int((loot.folder / "child.txt").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
