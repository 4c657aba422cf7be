"""Judge a learner's code in a web page.

`qkvlib.checking` judges, as in a notebook. The rest differs: there are texts instead of cells, a run can be
stopped only by terminating this interpreter, and the page receives everything it shows as one record.
"""

from __future__ import annotations

import difflib
import functools
import linecache
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, Protocol

import qkvlib
from qkvlib.calling.call import Raised, Returned, call, call_own
from qkvlib.calling.session import seeds_kept
from qkvlib.calling.time_limit import TookTooLong
from qkvlib.checking import answers
from qkvlib.checking.cases import drawn_cases
from qkvlib.checking.errors import in_plain_words
from qkvlib.checking.shown import Verdict
from qkvlib.checking.verdicts import SECONDS_A_CALL
from qkvlib.exercises import EXERCISES

# A right answer may be this many times slower than the course's own on this computer.
_SLOWER = 20
_FILE = "<your answer>"
_ASKED_OF_A_NOTEBOOK = ("check", "hint")
_THERE_IS = (
    "This page has a small torch and Python's own library; in JupyterLab you can install what you like"
)
_SMALL = "This page's torch is a small one; JupyterLab has all of torch"

Texts = tuple[str, ...]


class Owner(Protocol):
    """The page that owns this Python. It watches the time, and ends Python when a run takes too long."""

    def begins(self, exercise: str, run: int, seconds: float) -> None:
        """Called when a learner's code starts to run."""

    def printed(self, text: str) -> None:
        """Called when it prints."""

    def ends(self) -> None:
        """Called when it has returned."""


@dataclass(frozen=True)
class Stop:
    """A run of an exercise that was ended, and what it had printed.

    Either it took too long, or this whole Python ended with it, as `error` explains.
    """

    run: int
    seconds: float
    printed: str = ""
    error: str = ""


@dataclass(frozen=True)
class Record:
    """What a page is told about an answer."""

    outcome: str
    html: str
    text: str
    message: str
    hints: tuple[str, ...]
    printed: str
    mistake: str | None

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "hints": list(self.hints)}


@dataclass(frozen=True)
class _Judged:
    verdict: Verdict
    lacks: tuple[str, ...]
    printed: str


@dataclass
class Judge:
    """Judge answers again and again, and remember the verdicts on texts that have not changed.

    `before` has, for each exercise, the lines that its lesson has run above it.
    """

    owner: Owner
    before: Mapping[str, str]
    _known: dict[tuple[Texts, Stop | None], _Judged] = field(default_factory=dict)

    def record(
        self,
        name: str,
        sources: Sequence[tuple[str, str]],
        stops: Mapping[str, Stop] | None = None,
    ) -> Record:
        """Return the record for the exercise `name`; `sources` are the lesson's answers up to it.

        If an earlier answer is not right, the course's own is used instead, as in a notebook.
        """
        names = _names_at_the_start()
        texts: Texts = ()
        for exercise, text in sources:
            texts += (text,)
            judged = self._judged(exercise, texts, (stops or {}).get(exercise), names)
            if exercise == name:
                break
        return _record(judged)

    def _judged(self, exercise: str, texts: Texts, stop: Stop | None, names: dict[str, Any]) -> _Judged:
        """Return the verdict on the last of the texts; `names` gets what cells below would find."""
        names |= {each.__name__: each for each in EXERCISES[exercise].lends}
        exec(self.before.get(exercise, ""), names)
        names.pop(exercise, None)
        runs = _Runs(self.owner, exercise, stop)
        known = self._known.get((texts, stop))
        if known is None:
            came = runs.of_text(texts[-1], names)
            known = self._known[texts, stop] = _first(exercise, came, names, runs)
        else:  # for what the text defines
            _ran(texts[-1], lambda code: exec(code, names), None)
        function = names.get(exercise)
        if callable(function):
            function = answers.to_go_on_with(function, known.verdict, known.lacks)
        names[exercise] = function if callable(function) else EXERCISES[exercise].reference
        return known


def _first(exercise: str, came: Raised | Returned, names: Mapping[str, Any], runs: _Runs) -> _Judged:
    if isinstance(came, Raised):
        return _Judged(_not_run(exercise, came), (), came.printed)
    if not callable(function := names.get(exercise)):
        return _Judged(_not_defined(exercise, names), (), came.printed)
    verdict, lacks = answers.judge(exercise, runs.of_function(function), runs.seconds)
    return _Judged(verdict, lacks, came.printed)


class _Runs:
    """Run a learner's code for one exercise; count the runs, and announce each to the owner."""

    def __init__(self, owner: Owner, exercise: str, stop: Stop | None) -> None:
        self._owner, self._exercise, self._stop = owner, exercise, stop
        self._count = 0
        self.seconds = stop.seconds if stop else _seconds(exercise)

    def of_text(self, text: str, names: dict[str, Any]) -> Returned | Raised:
        """Run a learner's text, which defines functions and may do more."""
        with seeds_kept():
            return _ran(text, lambda code: self._watched(exec)(code, names), self.seconds)

    def of_function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the same function, with each of its calls counted as a run."""
        return functools.wraps(function)(self._watched(function))

    def _watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*inputs: Any, **named: Any) -> Any:
            self._count += 1
            if self._stop and self._count >= self._stop.run:
                sys.stdout.write(self._stop.printed)
                raise MemoryError(self._stop.error) if self._stop.error else TookTooLong
            kept, sys.stdout = sys.stdout, _Told(sys.stdout, self._owner.printed)
            self._owner.begins(self._exercise, self._count, self.seconds)
            try:
                return function(*inputs, **named)
            except ImportError as error:
                if (error.name or "").split(".")[0] == "torch":
                    said = error.msg.partition(" (")[0]  # a file's path means nothing on a page
                    error.msg = f"{said}. {_SMALL}"
                elif isinstance(error, ModuleNotFoundError):
                    error.msg = f"{error.msg}. {_THERE_IS}"
                raise
            finally:
                self._owner.ends()
                sys.stdout = kept

        return watched


class _Told:
    """Collect what a call prints. Its beginning is also sent to the owner, who may have to end the call, and
    with it this object."""

    _MOST = 1_000  # characters

    def __init__(self, paper: Any, tell: Callable[[str], None]) -> None:
        self._paper, self._tell, self._left = paper, tell, self._MOST

    def write(self, text: str) -> int:
        if self._left > 0:
            self._tell(text[: self._left])
            self._left -= len(text)
        return self._paper.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._paper, name)


@functools.cache
def _seconds(exercise: str) -> float:
    """Return how long a run may take: as long as in a notebook, or longer if the course's own function takes
    longer."""

    def needed(inputs: tuple[Any, ...]) -> float:
        before = time.perf_counter()
        call_own(EXERCISES[exercise].reference, inputs)
        return _SLOWER * (time.perf_counter() - before)

    longest = SECONDS_A_CALL
    with seeds_kept():
        for case in drawn_cases(exercise, 0).cases:
            if (once := needed(case.inputs)) > longest:  # twice: the computer may have been busy
                longest = max(longest, min(once, needed(case.inputs)))
    return float(math.ceil(longest))


def _names_at_the_start() -> dict[str, Any]:
    """Return the initial names of a notebook; the notebook's own functions, which a cell may call, do nothing
    here."""
    for name in _ASKED_OF_A_NOTEBOOK:
        setattr(qkvlib, name, _given_back)
    return {"__name__": "__main__", **dict.fromkeys(_ASKED_OF_A_NOTEBOOK, _given_back)}


def _given_back(function: Any) -> Any:
    return function


def _ran(text: str, run: Callable[[CodeType], None], seconds: float | None) -> Returned | Raised:
    """Run a text: return None, or an error with the line that raised it."""
    linecache.cache[_FILE] = (len(text), None, text.splitlines(keepends=True), _FILE)
    try:
        code = compile(text, _FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:  # a text with a null character raises ValueError
        said = f"{getattr(error, 'msg', error)}"
        place = getattr(error, "lineno", None)
        line = linecache.getline(_FILE, place or 0).strip()
        return Raised(type(error).__name__, f"{said} (line {place})" if place else said, line)
    return call(run, (code,), seconds)


def _not_run(exercise: str, came: Raised) -> Verdict:
    """Return the verdict on a text that did not run to its end."""
    if came.kind == "TookTooLong":
        words = f"Stopped: {came.message}. Is there a loop that never ends?"
    else:
        words = f"Your lines raised {came.kind}: {came.message}"
    if came.line:
        words += f"\nin your line:  {came.line}"
    if meaning := in_plain_words(came.kind, came.message):
        words += f"\n{meaning}"
    return _unjudged(exercise, "raised", words)


def _not_defined(exercise: str, names: Mapping[str, Any]) -> Verdict:
    words = f"Your lines define no function `{exercise}`: it begins with `def {exercise}(`."
    own = [name for name, value in names.items() if getattr(value, "__module__", "") == "__main__"]
    if near := difflib.get_close_matches(exercise, own, n=1):
        words += f" There is one called `{near[0]}`."
    return _unjudged(exercise, "not attempted", words)


def _unjudged(name: str, outcome: Any, words: str) -> Verdict:
    exercise = EXERCISES[name]
    return Verdict(name, outcome, 0, exercise.points, words, hints=exercise.hints)


def _record(judged: _Judged) -> Record:
    verdict = judged.verdict
    return Record(
        outcome=verdict.outcome,
        html=verdict._repr_html_(),
        text=str(verdict),
        message=verdict.message,
        hints=verdict.hints,
        printed=judged.printed,
        mistake=verdict.mistake.name if verdict.mistake else None,
    )
