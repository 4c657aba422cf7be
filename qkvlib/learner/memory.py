"""Remember what this learner got wrong, and when to ask each of these questions again.

Two kinds of facts are stored with the progress, only on this computer: mistakes that a check has
named, and predictions that missed. A third kind records the result of each review. Days are passed
as arguments, so that a test can go through a month in a moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from qkvlib.learner import progress

# Days to wait before each of the three reviews: they fall on days 2, 7 and 21.
WAITS = (2, 5, 14)
A_DAY = 5  # questions at most, with those already answered today
CONFIDENCE = ("a guess", "fairly sure", "certain")

Kind = Literal["mistakes", "misses"]
_KINDS: tuple[Kind, ...] = ("mistakes", "misses")
_OTHER_FORM = (TypeError, ValueError, KeyError)
_KEPT: tuple[progress.Kind, ...] = (*_KINDS, "confidence", "reviews")


@dataclass(frozen=True)
class Missed:
    """Something that was wrong, and how its reviews have gone so far."""

    kind: Kind
    name: str
    """A prediction's own; a mistake's is its exercise's, a dot and its own."""
    chapter: int
    day: date
    fact: dict[str, Any]
    step: int = 0
    """How many of the three reviews it has been answered correctly in."""
    asked: date | None = None
    """The day of its last review, if there was one."""
    was_right: bool = False

    @property
    def rests(self) -> bool:
        """Return whether all its reviews are over."""
        return self.step >= len(WAITS)

    @property
    def certain(self) -> bool:
        """Return whether the learner was sure: we remember corrections of confident answers best."""
        return self.fact.get("sure") == CONFIDENCE[-1]


def is_on() -> bool:
    """Return whether facts are stored and asked again; `review("off")` ends it."""
    return progress.recall("settings", "review") != "off"


def switch(on: bool) -> None:
    """Switch storing and asking on or off. Older facts stay until they are forgotten."""
    progress.record("settings", "review", "on" if on else "off")


def keep_mistake(exercise: str, mistake: str, chapter: int, day: date) -> None:
    """Store that a check has named what is wrong with an answer."""
    if is_on():
        fact = {"chapter": chapter, "day": day.isoformat()}
        progress.record("mistakes", f"{exercise}.{mistake}".lower(), fact)


def keep_miss(
    name: str,
    question: str,
    choices: Sequence[str],
    chose: str,
    answer: str,
    sure: str | None,
    day: date,
) -> None:
    """Store that a prediction missed, with all its details, because an experiment gave the answer."""
    if is_on() and name[:2].isdigit():
        asked = {"question": question, "choices": list(choices)}
        said = {"chose": chose, "answer": answer, "sure": sure}
        fact = {"chapter": int(name[:2]), "day": day.isoformat(), **asked, **said}
        progress.record("misses", name, fact)


def keep_review(missed: Missed, right: bool, day: date) -> None:
    """Store that it was asked again and answered."""
    fact = {"step": missed.step + int(right), "day": day.isoformat(), "right": right}
    progress.record("reviews", missed.name, fact)


def let_rest(missed: Missed, day: date) -> None:
    """Stop asking it."""
    progress.record("reviews", missed.name, {"step": len(WAITS), "day": day.isoformat(), "right": True})


def forget() -> int:
    """Delete everything that is stored here, and return the number of facts."""
    return progress.forget(_KEPT)


def all_missed() -> list[Missed]:
    """Return everything that is stored, by kind and name. Facts of another format are left out."""
    reviews = progress.recall_all("reviews")
    return [
        one
        for kind in _KINDS
        for name, fact in progress.recall_all(kind).items()
        if (one := _read(kind, name, fact, reviews.get(name)))
    ]


def due(today: date) -> list[Missed]:
    """Return what to ask today: most overdue first; among those, the answers the learner was sure of."""
    known = all_missed() if is_on() else []
    asked_today = sum(one.asked == today for one in known)
    waiting = [(when, one) for one in known if (when := _due_on(one, known)) and when <= today]
    waiting.sort(key=lambda pair: (pair[0], not pair[1].certain, pair[1].name))
    return [one for _, one in waiting][: max(0, A_DAY - asked_today)]


def next_day(today: date) -> date | None:
    """Return the next day, after today, on which something is due."""
    known = all_missed() if is_on() else []
    days = [max(when, today + timedelta(1)) for one in known if (when := _due_on(one, known))]
    return min(days, default=None)


def _due_on(one: Missed, known: Sequence[Missed]) -> date | None:
    """Return the day from which on to ask it, or None if it rests for good.

    Some learners take several days for a chapter. Its first review waits for the last thing missed.
    """
    if one.rests:
        return None
    if one.asked is not None:
        return one.asked + timedelta(WAITS[one.step] if one.was_right else 1)
    same = [other.day for other in known if other.chapter == one.chapter and other.asked is None]
    return max(same) + timedelta(WAITS[0])


def _read(kind: Kind, name: str, fact: Any, review: Any) -> Missed | None:
    try:
        missed = Missed(kind, name, int(fact["chapter"]), date.fromisoformat(fact["day"]), fact)
    except _OTHER_FORM:
        return None
    try:
        asked, step = date.fromisoformat(review["day"]), int(review["step"])
        was_right = review["right"] is True
    except _OTHER_FORM:
        return missed
    if asked < missed.day:  # it was missed again since then, and begins from the start
        return missed
    return Missed(kind, name, missed.chapter, missed.day, fact, step, asked, was_right)
