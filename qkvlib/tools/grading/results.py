"""What is known about a student's work after judging, and how the record stores it.

Only this file knows the record's JSON: everything else reads attributes. A field's name is its key. Learners'
text is shortened and cleaned before it gets here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

JsonObject: TypeAlias = Mapping[str, Any]  # as `json` reads it, still unchecked
Outcome = Literal["right", "wrong", "raised", "not attempted"]
T = TypeVar("T")


# The fault of a judgement that lacks rows: `queue/pool.py` has these judged at the end.
WANTS_A_LOAN = "it asks for a function of the course's, which is lent to one sandbox at a time"


# The key of a student whom Canvas does not name.
ANONYMOUS = re.compile(r"anon_(?=\d*[A-Za-z])[A-Za-z0-9]{5}")


class ResultError(ValueError):
    """This is not a result as this version of qkvlib writes it."""


@dataclass(frozen=True)
class ExerciseFacts:
    """What has to be known about an exercise, or a question in words, where no bank is loaded.

    For a question, `question` is its text and `look_for` says what a good answer contains.
    """

    chapter: int
    points: int
    question: str = ""
    look_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class ShownCase:
    """The smallest case that failed, as text: its inputs, the result, and the expected result."""

    case: str
    inputs: tuple[tuple[str, str], ...]
    got: str
    expected: str

    def lines(self) -> list[tuple[str, str]]:
        """Return every name with its value, without the empty ones."""
        named = [*self.inputs, ("got", self.got), ("expected", self.expected)]
        return [(name, value) for name, value in named if value]


@dataclass(frozen=True)
class Row:
    """One exercise of one student. `mistake`, `diagnosis` and `question` are empty if there is none.

    `late_factor` is the factor for its points.
    """

    exercise: str
    chapter: int
    outcome: Outcome
    points: int
    possible: int
    message: str = ""
    mistake: str = ""
    diagnosis: str = ""
    question: str = ""
    evidence: ShownCase | None = None
    file: str = ""
    late_factor: float = 1.0


@dataclass(frozen=True)
class WrittenAnswer:
    """An answer in words, to be marked by hand; `points` is what its notebook says it is worth.

    The course decides what it is worth.
    """

    name: str
    points: int
    text: str
    file: str = ""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What a worker finds in one student's files.

    `problems` are for the instructor to look at. `fault` says why the work could not be graded, or only in
    part. If nothing at all was judged, `points` is None.
    """

    problems: tuple[str, ...] = ()
    answers: tuple[WrittenAnswer, ...] = ()
    fault: str = ""
    exercises: tuple[Row, ...] = ()
    points: int | None = None
    possible: int = 0
    walls: tuple[str, ...] = ()
    seconds: float = 0.0

    def with_the_rest(self, rest: Judgement, order: Sequence[str]) -> Judgement:
        """The same with the rows that it lacked; the `rest` as it is, where nothing was judged there."""
        if rest.points is None:
            return rest
        rows = {row.exercise: row for row in self.exercises + rest.exercises}
        return replace(
            rest,
            problems=tuple(dict.fromkeys(self.problems + rest.problems)),
            exercises=tuple(rows[name] for name in order),
            points=(self.points or 0) + rest.points,
            possible=self.possible + rest.possible,
            walls=tuple(wall for wall in rest.walls if wall in self.walls),
        )

    def words(self) -> dict[str, WrittenAnswer]:
        """Return the answer in words that counts for each question: the first that is not empty."""
        return {one.name: one for one in reversed(self.answers) if one.text.strip()}

    def complaints(self) -> list[str]:
        """Return what a person has to look at, one line each."""
        return [*self.problems, *([f"NOT GRADED: {self.fault}"] if self.fault else [])]


@dataclass(frozen=True, kw_only=True)
class Result(Judgement):
    """One line of the record: a judgement, its student, and when the work was handed in.

    `handed_in` is empty if no platform recorded it. Points for answers in words are multiplied by
    `late_factor`. `key` is the same for the same work under the same grader. `seed` draws the cases again.
    """

    key: str
    student: str
    name: str
    number: str = ""
    handed_in: str
    late_days: int = 0
    late_factor: float = 1.0
    files: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class GradedClass:
    """A graded class: one result for each student, and what a person has to look at.

    `questions` are those to be answered in words. `rewritten` are the students and questions whose answers
    differ from those of an earlier run. `notes` are worth knowing, and ask for nothing. `elsewhere` are the
    course's questions that are not asked here.
    """

    exercises: Mapping[str, ExerciseFacts]
    results: tuple[Result, ...]
    problems: tuple[str, ...]
    new: int
    questions: Mapping[str, ExerciseFacts] = field(default_factory=dict)
    rewritten: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    elsewhere: frozenset[str] = frozenset()


def told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return a distinct name for each student, given their names by key: equal names get their keys, too."""
    many = Counter(names.values())
    return {key: name if many[name] == 1 else f"{name} ({key})" for key, name in names.items()}


def to_json(record: Any) -> dict[str, Any]:
    """Return a dataclass of this file as an object for `json`."""
    return {name: _to_json(value) for name, value in vars(record).items()}


def _to_json(value: Any) -> Any:
    if type(value) is tuple:
        return [_to_json(part) for part in value]
    return to_json(value) if is_dataclass(value) else value


def from_json(kind: type[T], value: object) -> T:
    """Return the `kind` that `to_json` wrote; raise ResultError if it is anything else."""
    return _read(kind, value, kind.__name__)


@lru_cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the type hint of each field."""
    return get_type_hints(kind)


@lru_cache
def _needed(kind: Any) -> frozenset[str]:
    return frozenset(one.name for one in fields(kind) if one.default is MISSING)


def _read(hint: Any, value: Any, where: str) -> Any:
    """Return the value, after checking it against its type hint; `where` names it in an error."""
    if type(value) is hint:
        return value
    if is_dataclass(hint):
        return _read_record(hint, value, where)
    parts = get_args(hint)
    if get_origin(hint) is UnionType and NoneType in parts:
        return None if value is None else _read(parts[0], value, where)
    if get_origin(hint) is Literal and value in parts:
        return value
    if get_origin(hint) is tuple and type(value) is list:
        if parts[-1] is Ellipsis:
            return tuple(_read(parts[0], one, where) for one in value)
        if len(parts) == len(value):
            return tuple(_read(part, one, where) for part, one in zip(parts, value, strict=True))
    if hint is float and type(value) is int:
        return value
    raise ResultError(f"{where} is {str(value)[:60]!r}")


def _read_record(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise ResultError(f"{where} is {str(value)[:60]!r}")
    hints, needed = _hints(kind), _needed(kind)
    if strange := value.keys() - hints.keys():
        raise ResultError(f"{where} has a {min(strange, key=str)!r}")
    if missing := needed - value.keys():
        raise ResultError(f"{where} has no {min(missing)!r}")
    return kind(**{name: _read(hints[name], one, f"{where}.{name}") for name, one in value.items()})
