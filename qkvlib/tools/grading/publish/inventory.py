"""The inventory in a class's work: turn letters into choices, and measure which misconceptions are gone.

Trusted code. An answer is one letter or none; nothing else that a learner wrote is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from qkvlib.course.inventory.form import read_answer
from qkvlib.course.inventory.items import FORMS, form, item
from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS
from qkvlib.tools.grading.publish.csv_files import Cell
from qkvlib.tools.grading.results import Result

ITEMS = len(form(FORMS[0]))  # of each form


@dataclass(frozen=True)
class Sheet:
    """One student's answers on one occasion."""

    right: int
    answered: int
    chosen: Mapping[str, int]
    """How often each misconception was chosen."""
    offered: Mapping[str, int]
    """In how many of the answered items it could have been."""


@dataclass(frozen=True)
class Gain:
    """How often a misconception was chosen when it was offered, before and after, as two shares."""

    misconception: str
    says: str
    before: float
    after: float

    @property
    def gain(self) -> float | None:
        """Return the share of it that is gone; negative if it has become more common."""
        return (self.before - self.after) / self.before if self.before else None


@dataclass(frozen=True)
class Inventory:
    """A class's answers by student: the sheets from before and after, either of which may be missing.

    What is said about the class is about those students who handed in both.
    """

    sheets: Mapping[str, tuple[Sheet | None, Sheet | None]]

    @property
    def pairs(self) -> list[tuple[Sheet, Sheet]]:
        """Return both sheets of the students who handed in both."""
        return [(before, after) for before, after in self.sheets.values() if before and after]

    @property
    def alone(self) -> int:
        """Return how many students handed in only one of the two."""
        return len(self.sheets) - len(self.pairs)

    @property
    def means(self) -> tuple[float, float]:
        """Return the mean number of right answers, before and after."""
        before, after = zip(*self.pairs, strict=True)
        return mean(sheet.right for sheet in before), mean(sheet.right for sheet in after)

    @property
    def gain(self) -> float | None:
        """Return the class's gain, as a share of what it could gain."""
        before, after = self.means
        return (after - before) / (ITEMS - before) if before < ITEMS else None

    def gains(self) -> list[Gain]:
        """Return every misconception that was offered both times, the most common remaining one first."""
        found = []
        for name, known in MISCONCEPTIONS.items():
            before, after = (_share(name, [pair[i] for pair in self.pairs]) for i in (0, 1))
            if before is not None and after is not None:
                found.append(Gain(name, known.says, before, after))
        return sorted(found, key=lambda one: (-one.after, -one.before))


def apart(results: Sequence[Result]) -> tuple[Inventory, list[Result]]:
    """Separate the inventory from the other results, because no report shows its letters."""
    sheets = {}
    others = []
    for result in results:
        letters: dict[str, dict[str, str]] = {"before": {}, "after": {}}
        rest = []
        for answer in result.answers:
            found = read_answer(answer.name, answer.text)
            if found is None:
                rest.append(answer)
            elif found[2] or found[1] not in letters[found[0]]:  # an empty copy changes nothing
                letters[found[0]][found[1]] = found[2]
        others.append(replace(result, answers=tuple(rest)))
        if any(letters.values()):
            sheets[result.student] = (_sheet(letters["before"]), _sheet(letters["after"]))
    return Inventory(sheets), others


def table(inventory: Inventory, results: Sequence[Result]) -> Iterator[tuple[Cell, ...]]:
    """Make the table of all who handed in a form: how many answers are right, and of how many."""
    yield ("student", "name", "before", "answered before", "after", "answered after")
    for result in results:
        if result.student in inventory.sheets:
            before, after = inventory.sheets[result.student]
            yield (result.student, result.name, *_cells(before), *_cells(after))


def _cells(sheet: Sheet | None) -> tuple[Cell, Cell]:
    return ("", "") if sheet is None else (sheet.right, sheet.answered)


def _sheet(letters: Mapping[str, str]) -> Sheet | None:
    """Return the choices that these letters make, by the names of their items; None if there are none."""
    chosen, offered = Counter[str](), Counter[str]()
    for name, letter in letters.items():
        known = item(name)
        choice = known.chosen(letter) if known else None
        if known is not None and choice is not None:
            chosen[choice] += 1
            offered.update(misconception for misconception, _ in known.wrong)
    answered = chosen.total()
    return Sheet(chosen[""], answered, chosen, offered) if answered else None


def _share(misconception: str, sheets: Sequence[Sheet]) -> float | None:
    offered = sum(sheet.offered.get(misconception, 0) for sheet in sheets)
    chosen = sum(sheet.chosen.get(misconception, 0) for sheet in sheets)
    return chosen / offered if offered else None
