"""Judge one notebook: run its cells in a sandbox, and get a verdict on each function.

Trusted. If a function hangs, or its process dies, the learner loses only that function: the rest is judged in
a fresh sandbox. A cell that hangs is run again for its definitions only.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.util import find_spec
from inspect import signature
from typing import Any

from qkvlib.checking import verdict
from qkvlib.checking.shown import Outcome, Verdict
from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.judge.own_limits import own_seconds
from qkvlib.tools.grading.judge.remote_function import LoanWanted, RemoteFunction, packed_cases
from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.host import Sandbox, SandboxHost, SandboxLost
from qkvlib.tools.grading.seeds import derived
from qkvlib.tools.grading.settings import TimeLimits

_FROM_WORST = ("not attempted", "raised", "wrong", "right")
_MOST_SANDBOXES = 40
_MOST_STUCK_CELLS = 3


class _StuckError(Exception):
    """A cell did not finish; `number` says which one, or is None if that is unknown."""

    def __init__(self, number: int | None) -> None:
        super().__init__(number)
        self.number = number


class _KilledError(Exception):
    """The sandbox was killed, for the first time here: perhaps not because of the learner."""


class TimeLeft:
    """A clock that runs only while a learner's code runs, and not while the grader works."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def seconds(self) -> float:
        """Return the seconds that are left; negative when the time is over."""
        return self._end - time.monotonic()

    def give_back(self, seconds: float) -> None:
        """Return seconds that the grader used, and not the learner."""
        self._end += seconds


@dataclass
class Judge:
    """Judge a student's notebooks, one after another. `walls` are the restrictions in place for all of them.

    `missing` are modules that they imported and that are not installed here, `wanting` the exercises that
    could not be judged for want of a loan.
    """

    host: SandboxHost
    time_limits: TimeLimits = field(default_factory=TimeLimits)
    walls: frozenset[str] | None = None
    missing: set[str] = field(default_factory=set)
    wanting: set[str] = field(default_factory=set)

    def notebook(
        self,
        cells: Sequence[str],
        names: Sequence[str],
        seed: int,
        time_left: TimeLeft | None = None,
        alone: bool = True,
    ) -> list[Verdict]:
        """Return the verdicts on `names`, in the order of the course, as defined in these cells.

        Each sandbox gets its own cases, all drawn from `seed`. All runs together take no more than
        `time_left`, by default the time of one student. Unless they run `alone` on the machine, nothing is
        lent, and there is no verdict on an exercise that asks for a loan.
        """
        order = [name for name in EXERCISES if name in set(names)]
        time_left = time_left or TimeLeft(self.time_limits.student)
        first = _NotebookUnderTest(self, cells, seed, time_left, alone)
        first.judge(order, thorough=False)
        # It may fail only because something that it needs was not run: run everything, once.
        again = [name for name in order if name in first.worth_another_look()]
        if again:
            first.judge(again, thorough=True)
        return [first.verdicts[name] for name in order if name not in self.wanting]


@dataclass
class _NotebookUnderTest:
    """Everything that is known about one notebook while it is being judged."""

    by: Judge
    cells: Sequence[str]
    seed: int
    time: TimeLeft
    alone: bool
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    careful_with: set[int] = field(default_factory=set)
    killed: bool = False
    left_out: bool = False
    thorough: bool = False
    sandboxes: int = 0

    def worth_another_look(self) -> set[str]:
        """Return what raised an error, and what is not defined although the text seems to define it.

        If every statement was run, a second run would give the same.
        """
        if not self.left_out:
            return set()
        text = "\n".join(self.cells)
        return {
            name
            for name, judged in self.verdicts.items()
            if (judged.outcome == "raised" and name not in self.ended)
            or (judged.message == _missing(name).message and name in text)
        }

    def judge(self, names: Iterable[str], thorough: bool) -> None:
        """Judge `names`, in as many sandboxes as necessary."""
        self.thorough = thorough
        waiting, faults = list(names), 0
        optimiser = any("optim" in cell for cell in self.cells)
        for _ in range(_MOST_SANDBOXES):
            if not waiting or self.time.seconds() <= 0:
                break
            asked = time.monotonic()
            try:
                with self.by.host.open(optimiser) as sandbox:
                    self.time.give_back(time.monotonic() - asked)
                    self._in_one_sandbox(sandbox, waiting)
            except _StuckError as stuck:
                if stuck.number is None or stuck.number in self.careful_with:
                    break
                self.careful_with.add(stuck.number)
                if len(self.careful_with) >= _MOST_STUCK_CELLS:
                    self.careful_with |= set(range(len(self.cells)))
            except _KilledError:
                self.killed = True  # it is judged once more
            except SandboxLost:
                faults += 1
                if faults == 3:
                    raise
        for name in waiting:
            self._keep(name, _stopped(name))
            self.ended.add(name)  # running even more code would not end better

    def _in_one_sandbox(self, sandbox: Sandbox, waiting: list[str]) -> None:
        """Judge until nothing is left, or until the sandbox has to be abandoned."""
        walls = frozenset(sandbox.walls)
        self.by.walls = walls if self.by.walls is None else self.by.walls & walls
        seed = derived(self.seed, self.sandboxes)
        self.sandboxes += 1
        found = self._load(sandbox)
        while waiting and self.time.seconds() > 0:
            name = waiting[0]
            usable = self._judge_versions(sandbox, name, found.get(name, 0), seed)
            waiting.pop(0)
            if not usable:
                return

    def _load(self, sandbox: Sandbox) -> dict[str, int]:
        texts = [cell.encode("utf-8", "replace") for cell in self.cells]
        seconds = min(self.by.time_limits.cells, self.time.seconds())
        end = time.monotonic() + seconds
        header: protocol.Load = {
            "kind": "load",
            "sizes": [len(text) for text in texts],
            "names": _names(),
            "thorough": self.thorough,
            "careful_with": sorted(self.careful_with),
            "seconds": seconds / 3,
        }
        at = None
        try:
            protocol.send(sandbox.sock, header, b"".join(texts), end)
            for _ in range(3 * len(texts) + 10_000):
                reply, _ = sandbox.receive(end)
                if reply.get("kind") == "loaded":
                    self.left_out = self.left_out or reply.get("left_out") != 0
                    self.by.missing |= _module_names(reply.get("missing"))
                    return _counts(reply.get("found"))
                at = _cell_number(reply.get("cell"), len(texts))
        except protocol.DisconnectedError:
            self._raise_if_the_machine_failed()
            self._raise_if_killed()
            raise _StuckError(at) from None
        except (protocol.DeadlineError, protocol.ProtocolError):
            pass
        raise _StuckError(at)

    def _judge_versions(self, sandbox: Sandbox, name: str, versions: int, seed: int) -> bool:
        """Judge the latest version, and earlier ones if it is wrong. Return whether the sandbox can go on."""
        if versions == 0:
            self._keep(name, _missing(name))
        lends = _lends(name)
        helpers = {helper: self.right.get(helper) for helper in lends}
        left = self.by.time_limits.exercise
        # Of an answer that is the same for everyone, only the last version counts: more would be guesses.
        oldest = versions - 1 if EXERCISES[name].is_secret and versions else 0
        for version in reversed(range(oldest, versions)):
            remote = RemoteFunction(
                sandbox,
                name,
                version,
                packed_cases(name, seed),
                lends,
                helpers,
                self.by.time_limits.call,
                min(left, self.time.seconds()),
                self.alone,
            )
            judged = self._ask_for_a_verdict(name, remote, seed)
            left = remote.seconds_left
            if remote.wants_a_loan:
                self.by.wanting.add(name)
                return remote.ended is None
            if remote.ended is not None:
                self._raise_if_the_machine_failed()
                if remote.ended.kind == "EndOfProcess":
                    judged = self._said_of_the_killed(judged)
                self.ended.add(name)
            self._keep(name, judged)
            if judged.outcome == "right":
                self.right[name] = version
                return True
            if remote.ended is not None:
                return False
        return True

    def _ask_for_a_verdict(self, name: str, remote: RemoteFunction, seed: int) -> Verdict:
        """Return the verdict. A value too strange to compare is wrong, but no reason to stop."""
        with own_seconds(self.by.time_limits.own):
            remote.begin()  # the sandbox works while we compute what is expected
            try:
                judged = verdict(name, remote, seed, seconds=None)
            except LoanWanted:
                judged = _missing(name)  # which nobody will read
            except Exception as error:
                words = f"Your result cannot be compared: {error}"
                judged = Verdict(name, "raised", 0, EXERCISES[name].points, words)
            remote.finish()  # replies that nothing has read may ask for loans, which take our time as well
        return judged

    def _keep(self, name: str, judged: Verdict) -> None:
        before = self.verdicts.get(name)
        if before is None or is_better(judged.outcome, before.outcome):
            self.verdicts[name] = judged

    def _raise_if_killed(self) -> None:
        """Raise once for each notebook: one that always kills itself gets only a second chance."""
        if not self.killed and self.by.host.was_killed():
            raise _KilledError

    def _said_of_the_killed(self, judged: Verdict) -> Verdict:
        """Return the verdict on what ended the process. A process that was killed gets a second look."""
        self._raise_if_killed()
        if not (self.killed and self.by.host.was_killed()):
            return judged
        words = (
            f"{judged.message}\nIt was killed, and so it was when we tried again. The system does "
            "that when the machine has no more memory: if your function needs little, tell your "
            "instructor."
        )
        return replace(judged, message=words)

    def _raise_if_the_machine_failed(self) -> None:
        if not self.by.host.alive():
            raise SandboxLost("the process that submissions are forked from is gone")


@lru_cache
def _names() -> dict[str, list[str]]:
    """Return what a sandbox may be asked for, what it may ask for, and the names of the arguments."""
    functions = {name: exercise.reference for name, exercise in EXERCISES.items()}
    lent = {one.__name__: one for exercise in EXERCISES.values() for one in exercise.lends}
    functions |= dict(sorted(lent.items()))
    return {name: list(signature(function).parameters) for name, function in functions.items()}


def _lends(name: str) -> Mapping[str, Callable[..., Any]]:
    """Return the references of everything that an exercise builds on, directly or indirectly.

    A secret one is never lent: its right answer, the same in every sandbox, would be worth passing on.
    """
    found: dict[str, Callable[..., Any]] = {one.__name__: one for one in EXERCISES[name].lends}
    seen, left = {name, *found}, list(EXERCISES[name].builds_on)
    while left:
        earlier = left.pop()
        if earlier in EXERCISES and earlier not in seen:
            seen.add(earlier)
            left += EXERCISES[earlier].builds_on
            if not EXERCISES[earlier].is_secret:
                found[earlier] = EXERCISES[earlier].reference
    return found


def is_better(one: Outcome, other: Outcome) -> bool:
    """Tell which of two answers to one exercise counts."""
    return _FROM_WORST.index(one) > _FROM_WORST.index(other)


def _missing(name: str) -> Verdict:
    words = f"No function called `{name}` is defined in this notebook."
    return Verdict(name, "not attempted", 0, EXERCISES[name].points, words)


def _stopped(name: str) -> Verdict:
    words = "Not judged: code in this notebook took too long or ended the process it ran in, again and again."
    return Verdict(name, "raised", 0, EXERCISES[name].points, words)


def _counts(found: object) -> dict[str, int]:
    """Return how many versions there are of each function, without trusting the message."""
    if type(found) is not dict:
        raise protocol.ProtocolError("no list of functions")
    return {
        name: count
        for name, count in found.items()
        if name in EXERCISES and type(count) is int and 0 < count <= 6
    }


def _module_names(found: object) -> set[str]:
    """Return the names of modules that a sandbox reports as missing."""
    words = found if type(found) is list else []
    names = {word for word in words[:9] if type(word) is str and re.fullmatch(r"\w[\w.]{0,59}", word)}
    return {name for name in names if not _is_installed(name.partition(".")[0])}


def _is_installed(name: str) -> bool:
    """Tell whether a module is here, without importing it: a notebook can report any name."""
    return name in sys.modules or find_spec(name) is not None


def _cell_number(number: object, cells: int) -> int:
    if type(number) is not int or not 0 <= number < cells:
        raise protocol.ProtocolError("no cell has that number")
    return number
