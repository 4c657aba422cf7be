"""The next token, before it is drawn: the learner sets a temperature, top-k and top-p."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor

from qkvlib.figures import still
from qkvlib.sampling import temperature, top_k, top_p
from qkvlib.widgets.kit.goals import Aim
from qkvlib.widgets.kit.widget import Widget, tidy

_SHOWN = 6  # the number of tokens with a bar of their own

# The temperature, k and p.
Place = dict[str, float]


@dataclass(frozen=True)
class Leaves(Aim):
    """A goal for `NextToken`: leave this many tokens at each step, with one setting for all.

    Leaves("16-one-and-two", "Leave in one sound at the first step, two at the second.", (1, 2))
    """

    counts: Sequence[int] = ()


class NextToken(Widget):
    """One or more moments at which a model chooses its next token, and one setting for them all.

        NextToken({"knight": scores, "read": others}, names)

    `steps` has the model's scores at each moment, one for each of the `names`. First the scores are
    divided by the temperature, then the k likeliest are left in, and of these the fewest that have
    p together. `probabilities` has, step by step, what is left.
    """

    front_end = "next_token"

    def __init__(
        self,
        steps: Mapping[str, Float[Tensor, " n"]],
        names: Sequence[str],
        *,
        goal: Leaves | None = None,
    ) -> None:
        super().__init__()
        for step, scores in steps.items():
            if tuple(scores.shape) != (len(names),):
                raise ValueError(
                    f"the scores of {step!r} have shape {tuple(scores.shape)}, but there are "
                    f"{len(names)} names: give one score for each"
                )
        if not steps:
            raise ValueError("there is no step: give the scores of at least one")
        if goal and len(goal.counts) != len(steps):
            raise ValueError(
                f"the goal wants {len(goal.counts)} counts, but there are {len(steps)} steps: "
                "give one for each"
            )
        self._names, self._goal, self._met = list(names), goal, False
        self._scores: dict[str, Tensor] = {}
        self._tokens: dict[str, list[str]] = {}
        for step, scores in steps.items():
            ordered, order = scores.detach().double().sort(descending=True, stable=True)
            self._scores[step] = ordered
            self._tokens[step] = [self._names[i] for i in order.tolist()]
        self._start: Place = {"heat": 1.0, "k": len(names), "p": 1.0}
        self._go(**self._start)

    @property
    def probabilities(self) -> dict[str, dict[str, float]]:
        """For each step, the tokens that are left, likeliest first, and the probability of each."""
        return {
            step: {
                token: share for token, share in zip(self._tokens[step], left.tolist(), strict=True) if share
            }
            for step, left in self._left.items()
        }

    def setup(self) -> dict[str, Any]:
        return {
            "steps": [
                {"name": step, "tokens": self._tokens[step], "scores": tidy(scores.tolist())}
                for step, scores in self._scores.items()
            ],
            "shown": min(_SHOWN, len(self._names)),
            "start": self._start,
            "goal": self._goal and self._goal.for_page(),
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {**self._place, "goal": self._goal and {"met": self._met}}

    def receive(self, rest: dict[str, Any]) -> bool:
        self._go(**{name: rest.get(name, value) for name, value in self._place.items()})
        if self._goal:
            if rest["goal"]["met"] and not self._met:
                self._goal.record()
            self._met = rest["goal"]["met"]
        return False

    def static_html(self) -> str:
        parts = []
        for step, left in self._left.items():
            rows = [
                [name, f"{share:.2f}" if share else "out"]
                for name, share in zip(self._tokens[step][:_SHOWN], left.tolist(), strict=False)
            ]
            others = len(self._names) - len(rows)
            if others:
                rows.append([f"{others} others", f"{float(left[_SHOWN:].sum()):.2f}"])
            parts.append(still.table([step, "drawn with"], rows))
        return f"<p>{self._setting()}.</p>" + "".join(parts)

    def __repr__(self) -> str:
        left = ", ".join(f"{step}: {len(tokens)} left" for step, tokens in self.probabilities.items())
        return f"NextToken({self._setting()}; {left})"

    def _setting(self) -> str:
        heat, k, p = self._place.values()
        return f"temperature {heat:g}, top-k {k:g}, top-p {p:g}"

    def _go(self, heat: float, k: float, p: float) -> None:
        self._place: Place = {"heat": heat, "k": k, "p": p}
        self._left = {
            step: top_p(top_k(temperature(scores, heat), int(k)), p) for step, scores in self._scores.items()
        }
