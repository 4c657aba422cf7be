"""The questions of one day, and what is said with them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import date

from qkvlib.course.review.question import Question, make
from qkvlib.learner import memory
from qkvlib.learner.memory import Missed

OFF = 'Review is off: nothing you miss is kept, and nothing is asked again. `review("on")` begins again.'
AS_YOU_LIKE = "Answer as you like: in your head, on paper, or with a line of Python."
ON = "Review is on: what you miss is kept on this computer, and asked again after 2, 7 and 21 days."


@dataclass(frozen=True)
class Due:
    """One thing to ask today."""

    missed: Missed
    question: Question
    alike: list[Missed] = field(default_factory=list)
    """What else was missed that has the same new words, and is answered with it."""

    def answered(self, choice: int, today: date) -> bool:
        """Keep how it went, and say whether it was right."""
        right = choice == self.question.answer
        for one in (self.missed, *self.alike):
            memory.keep_review(one, right, today)
        return right


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


def words_after(question: Question, choice: int) -> str:
    """What is said of an answer, beside whether it is right."""
    same = choice != question.answer and question.choices[choice] == question.before
    return f"You answered like that before. {question.because}" if same else question.because


def nothing_due(today: date) -> str:
    """What is said where there is nothing to ask."""
    if not memory.is_on():
        return OFF
    next_day = memory.next_day(today)
    if next_day is None:
        return "Nothing is due. What a check names, or a prediction misses, is asked again later."
    return f"Nothing is due today. The next questions come on {next_day.isoformat()}."
