"""What a head does, by measurement: the job it spends most of its attention on."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.training.measures import mass_on

ENOUGH = 0.4  # a head that spends less on its best job has none to speak of


@dataclass(frozen=True)
class Job:
    """The mean weight that a head spends in one place, and the place in words."""

    place: str
    score: float

    def __str__(self) -> str:
        words = f"{self.score:.2f} of its weight {self.place}"
        return words if self.score >= ENOUGH else f"none of the usual jobs: at most {words}"


def job(weights: Float[Tensor, "b n m"], looks_at: Int[Tensor, "b q"] | None, of_itself: bool) -> Job | None:
    """The thing that a head spends most on; None where there is nothing to measure.

    Matching key: where the answer can be read. The others, only for words that look at themselves:
    the previous token, the next one, the first one, and the token itself. Rows that have no choice
    are left out: in the second row of a decoder the first token *is* the previous one.
    """
    found = [*_matches(weights, looks_at)] if looks_at is not None else []
    if of_itself and weights.shape[-1] > 2:
        found += [
            Job("on the token before", _mean(weights.diagonal(-1, -2, -1)[:, 1:])),
            Job("on the token after", _mean(weights.diagonal(1, -2, -1)[:, 1:])),
            Job("on the token itself", _mean(weights.diagonal(0, -2, -1)[:, 2:])),
            Job("on the first token", _mean(weights[:, 2:, 0])),
        ]
    return max(found, key=lambda one: one.score, default=None)


def _matches(weights: Float[Tensor, "b n m"], looks_at: Int[Tensor, "b q"]) -> list[Job]:
    """The matching key; of each question, when several lie on one card."""
    questions = looks_at.shape[1]
    if weights.shape[1] == questions:
        return [Job("where the matching key is", mass_on(weights, looks_at))]
    return [
        Job(
            f"where the key of question {question + 1} is",
            mass_on(weights[:, :1], looks_at[:, [question]]),
        )
        for question in range(questions)
    ]


def _mean(weights: Tensor) -> float:
    return float(weights.mean()) if weights.numel() else 0.0


def right_answers(logits: Tensor, answers: Int[Tensor, "b q"]) -> list[float]:
    """The share of right answers: to each question when there are a few, else to all together."""
    right = (logits.reshape(*answers.shape, -1).argmax(-1) == answers).float()
    asked = answers >= 0
    if answers.shape[1] <= 4 and bool(asked.all()):
        return [float(share) for share in right.mean(0)]
    return [float(right[asked].mean())]
