"""`review()`: today's questions below a cell, in the form in which a lesson asks."""

from __future__ import annotations

from datetime import date
from typing import Literal

from qkvlib.checking.shown import display
from qkvlib.course.review import sitting
from qkvlib.learner import memory
from qkvlib.widgets.predict.widget import Prediction

_FIRST_COUNTS = (
    "Your first answer to each counts. What you get right rests for some days, and the rest comes back "
    f"tomorrow.\n{sitting.AS_YOU_LIKE}"
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
        display(sitting.ON if switch == "on" else sitting.OFF)
        return
    today = date.today()
    asked = sitting.questions(today)
    display(_FIRST_COUNTS if asked else sitting.nothing_due(today))
    for due in asked:
        display(Asked(due, today))


class Asked(Prediction):
    """One question of a review. The first answer counts, however often it is answered afresh."""

    def __init__(self, due: sitting.Due, today: date) -> None:
        question = due.question
        super().__init__(
            f"review-{due.missed.name}",
            _without_ticks(question.asked),
            [_without_ticks(choice) for choice in question.choices],
            is_question=True,
            unless={
                i: _without_ticks(sitting.words_after(question, i)) for i in range(len(question.choices))
            },
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


def _without_ticks(text: str) -> str:
    """A widget shows text as it is: the marks of code would stand there."""
    return text.replace("`", "")
