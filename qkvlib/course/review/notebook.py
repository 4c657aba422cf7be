"""`review()`: today's questions below a cell, in the form in which a lesson asks."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from qkvlib.checking.shown import display
from qkvlib.course.review.question import Question, make
from qkvlib.learner import memory
from qkvlib.learner.memory import Missed
from qkvlib.widgets.predict.widget import Prediction

OFF = 'Review is off: nothing you miss is kept, and nothing is asked again. `review("on")` begins again.'
ON = "Review is on: what you miss is kept on this computer, and asked again after 2, 7 and 21 days."
AS_YOU_LIKE = "Answer as you like: in your head, on paper, or with a line of Python."
_FIRST_COUNTS = (
    "Your first answer to each counts. What you get right rests for some days, and the rest comes back "
    f"tomorrow.\n{AS_YOU_LIKE}"
)


def review(switch: Literal["on", "off"] | None = None) -> None:
    """Ask what you missed, days later: at most five questions a day, with new numbers or words.

        review()            today's questions
        review("off")       keep nothing, ask nothing; review("on") begins again

    In a terminal, `qkv forget` deletes all that is kept for it.
    """
    if switch is not None:
        if switch not in ("on", "off"):
            raise ValueError(f'review takes "on", "off" or nothing, not {switch!r}')
        memory.switch(switch == "on")
        display(ON if switch == "on" else OFF)
        return
    today = date.today()
    asked = questions(today)
    display(_FIRST_COUNTS if asked else nothing_due(today))
    for due in asked:
        display(Asked(due, today))


@dataclass(frozen=True)
class Due:
    """One thing to ask today."""

    missed: Missed
    question: Question
    alike: list[Missed] = field(default_factory=list)
    """What else was missed that has the same new words, and is answered with it."""

    def answered(self, choice: int, today: date) -> None:
        """Keep how it went."""
        for one in (self.missed, *self.alike):
            memory.keep_review(one, choice == self.question.answer, today)


def questions(today: date) -> list[Due]:
    """What to ask today. It is the same whenever it is asked for, until it is answered."""
    found = dict[tuple[str, frozenset[str]], Due]()
    for missed in memory.due(today):
        question = make(missed, zlib.crc32(f"{missed.name} {today}".encode()))
        if question is None:  # of another version of the course
            memory.let_rest(missed, today)
            continue
        same = (question.given, frozenset(question.choices))
        if same in found:
            found[same].alike.append(missed)
        else:
            found[same] = Due(missed, question)
    return list(found.values())


def nothing_due(today: date) -> str:
    """What is said where there is nothing to ask."""
    if not memory.is_on():
        return OFF
    next_day = memory.next_day(today)
    if next_day is None:
        return "Nothing is due. What a check names, or a prediction misses, is asked again later."
    return f"Nothing is due today. The next questions come on {next_day.isoformat()}."


class Asked(Prediction):
    """One question of a review. The first answer counts, however often it is answered afresh."""

    def __init__(self, due: Due, today: date) -> None:
        question = due.question
        super().__init__(
            f"review-{due.missed.name}",
            _without_ticks(question.asked),
            [_without_ticks(choice) for choice in question.choices],
            is_question=True,
            unless={i: _without_ticks(_words_after(question, i)) for i in range(len(question.choices))},
            given=question.given,
        )
        self._due, self._today, self._counted = due, today, False
        self.reveal(question.answer)

    def keep_choice(self) -> None:
        """Count the first answer; a prediction's own keeping is not for this."""
        assert self.choice is not None
        if not self._counted:
            self._counted = True
            self._due.answered(self.choices.index(self.choice), self._today)


def _words_after(question: Question, choice: int) -> str:
    """What is said of an answer, beside whether it is right."""
    same = choice != question.answer and question.choices[choice] == question.before
    return f"You answered like that before. {question.because}" if same else question.because


def _without_ticks(text: str) -> str:
    """A widget shows text as it is: the marks of code would stand there."""
    return text.replace("`", "")
