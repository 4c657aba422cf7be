"""Answers that are alike beyond chance: listed for a human to read, and never judged.

Two students who write the same are no news where half the class does. What counts is how rare it
is, in bits: what one student in eight writes is worth three, as three coins that fall alike. Added
up are the form of an answer, the names that were chosen in it, and its comments. What the course
itself hands out, in its references and known mistakes, counts nothing, and no word that is worth
less than a bit.

Trusted code, untrusted text. A learner's Python is cut into words here, and never parsed or run.
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

MARGIN = 3  # bits more than would be needed for one pair of the class by chance
SHORTEST = 20  # words; of a shorter answer there are not many to choose from
_LARGEST = 20_000  # letters of a function that are looked at
_MOST_SHARING = 12  # what more students share is common, and makes no pair
_BUILTINS = frozenset(dir(builtins))
# What is opened and never closed is a word, too: else its end is sought from each mark anew.
_WORD = re.compile(
    r"#[^\n]*"
    r"|(?P<text>[rbfuRBFU]{0,2}(?:'''[\s\S]*?(?:'''|\Z)|\"\"\"[\s\S]*?(?:\"\"\"|\Z)"
    r"|'(?:\\.|[^'\\\n])*'?|\"(?:\\.|[^\"\\\n])*\"?))"
    r"|\d[\w.]*|[^\W\d]\w*|\S"
)


@dataclass(frozen=True)
class Answer:
    """A function as somebody wrote it: its form without names, its names, its comments."""

    text: str
    form: tuple[str, ...]
    names: frozenset[str]
    comments: frozenset[str]


@dataclass(frozen=True)
class Shared:
    """What two students share in an exercise, and how many bits it is worth."""

    exercise: str
    bits: float
    same_form: int
    names: tuple[str, ...]
    comments: tuple[str, ...]
    texts: tuple[str, str]


@dataclass(frozen=True)
class Pair:
    """Two students, and all that they share; the rarest first."""

    students: tuple[str, str]
    bits: float
    shared: tuple[Shared, ...]


def threshold(students: int) -> float:
    """From how many bits on a pair is listed: a larger class has more pairs to agree by chance."""
    return math.log2(max(2, students * (students - 1) // 2)) + MARGIN


def function_in(text: str, name: str) -> str:
    """The last function of this name in a notebook's code; nothing where there is none."""
    start = None
    for found in re.finditer(rf"^def {re.escape(name)}\b", text, re.MULTILINE):
        start = found.start()
    if start is None:
        return ""
    lines = text[start : start + _LARGEST].split("\n")
    end = next(
        (i for i, line in enumerate(lines) if i and line.strip() and line[0] not in " \t)#"),
        len(lines),
    )
    return "\n".join(lines[:end]).strip()


def read(text: str) -> Answer:
    """An answer as it is compared. What stands in quotation marks is one word, whatever it says."""
    form, comments = [], set()
    numbers: dict[str, int] = {}
    before = ""
    for found in _WORD.finditer(text[:_LARGEST]):
        word = found[0]
        if word.startswith("#"):
            comments.add(" ".join(word.strip("# ").lower().split()))
            continue
        if found["text"]:
            form.append("''")
        elif before == "." or word in _BUILTINS or keyword.iskeyword(word) or not _is_name(word):
            form.append(word)  # nobody chose it: it is a library's, or Python's own
        else:
            form.append(f"n{numbers.setdefault(word, len(numbers))}")
        before = word
    return Answer(text, tuple(form), frozenset(numbers), frozenset(comments - {""}))


def _is_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"


def alike(
    answers: Mapping[str, Mapping[str, str]], handed_out: Mapping[str, Sequence[str]]
) -> list[Pair]:
    """The pairs that share more than chance explains, by exercise and student; most alike first.

    `handed_out` are the texts of the course's own for each exercise.
    """
    students = {student for of_one in answers.values() for student in of_one}
    shared: dict[tuple[str, str], list[Shared]] = {}
    for exercise, texts in answers.items():
        read_ones = {student: read(text) for student, text in texts.items() if text}
        for pair, found in _in_exercise(exercise, read_ones, handed_out.get(exercise, ())):
            shared.setdefault(pair, []).append(found)
    least = threshold(len(students))
    pairs = [
        Pair(pair, total, tuple(sorted(found, key=lambda one: -one.bits)))
        for pair, found in shared.items()
        if (total := sum(one.bits for one in found)) >= least
    ]
    return sorted(pairs, key=lambda pair: (-pair.bits, pair.students))


def _in_exercise(
    exercise: str, answers: Mapping[str, Answer], handed_out: Sequence[str]
) -> Iterable[tuple[tuple[str, str], Shared]]:
    everybody = len(answers)
    own = [read(text) for text in handed_out]
    known_forms = {one.form for one in own}
    known_words = {word for one in own for word in one.names | one.comments}
    forms = Counter(one.form for one in answers.values())
    words = Counter(word for one in answers.values() for word in one.names | one.comments)
    answers = {who: one for who, one in answers.items() if len(one.form) >= SHORTEST}

    def bits(many: int) -> float:
        return math.log2(everybody / many)

    def rare(found: frozenset[str]) -> list[str]:
        chosen = [one for one in found - known_words if 2 * words[one] <= everybody]
        return sorted(chosen, key=lambda word: (words[word], word))

    for first, second in _meeting(answers, known_words):
        one, two = answers[first], answers[second]
        names, comments = rare(one.names & two.names), rare(one.comments & two.comments)
        same = one.form == two.form and one.form not in known_forms
        total = sum(bits(words[word]) for word in (*names, *comments))
        total += bits(forms[one.form]) if same else 0.0
        if total > 0:
            yield (first, second), Shared(
                exercise, total, forms[one.form] if same else 0,
                tuple(names), tuple(comments), (one.text, two.text),
            )  # fmt: skip


def _meeting(answers: Mapping[str, Answer], known: set[str]) -> list[tuple[str, str]]:
    """The pairs of students who share a form or a word that few use; all others share little."""
    sharing: dict[object, list[str]] = {}
    for student, one in sorted(answers.items()):
        for key in (one.form, *((one.names | one.comments) - known)):
            sharing.setdefault(key, []).append(student)
    few = (who for who in sharing.values() if len(who) <= _MOST_SHARING)
    return sorted({pair for who in few for pair in combinations(who, 2)})
