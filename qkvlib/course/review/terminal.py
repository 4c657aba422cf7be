"""`qkv review`: today's questions, one after the other, in plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from datetime import date

from qkvlib.course.review import sitting

_LETTERS = "abcdefgh"
_WIDTH = 88


def review(today: date, read: Callable[[str], str] = input, write: Callable[[str], None] = print) -> None:
    """Ask what is due today. An answer is kept at once; q ends, and the rest stays due."""
    asked = sitting.questions(today)
    if not asked:
        write(sitting.nothing_due(today))
        return
    write(sitting.AS_YOU_LIKE)
    for number, due in enumerate(asked, 1):
        question = due.question
        write("\n" + _filled(f"{number} of {len(asked)}. {question.asked}"))
        if question.given:
            write("\n" + textwrap.indent(question.given, "    ") + "\n")
        for letter, text in zip(_LETTERS, question.choices, strict=False):
            write(_choice(letter, text))
        choice = _answer(len(question.choices), read, write)
        if choice is None:
            write("The rest stays due.")
            return
        is_right = due.answered(choice, today)
        letter = _LETTERS[question.answer]
        said = "Right: it rests now." if is_right else f"It is {letter}. It comes back tomorrow."
        write(_filled(f"{said} {sitting.words_after(question, choice)}"))
    write("\n" + sitting.nothing_due(today))


def _answer(choices: int, read: Callable[[str], str], write: Callable[[str], None]) -> int | None:
    """The place of the choice; None where the learner has had enough."""
    last = _LETTERS[choices - 1]
    while True:
        try:
            said = read(f"\nYour answer (a to {last}, or q to stop): ").strip().lower().rstrip(")")
        except (EOFError, KeyboardInterrupt):
            write("")
            return None
        if said in ("q", "quit"):
            return None
        if len(said) == 1 and said in _LETTERS[:choices]:
            return _LETTERS.index(said)
        write(f"One letter, from a to {last}.")


def _choice(letter: str, text: str) -> str:
    words = text if "\n" in text else textwrap.fill(text, _WIDTH - 6)
    return f"  {letter})  " + words.replace("\n", "\n      ")


def _filled(text: str) -> str:
    return textwrap.fill(text, _WIDTH)
