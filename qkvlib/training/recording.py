"""A finished run to look at: weights, gradients and attention at the steps that were kept."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.training.measures import accuracy


@dataclass(frozen=True)
class Settings:
    """What a run was given, as it describes itself, and how it ended."""

    model: str
    task: str
    outcome: str
    steps: int = 0
    optimiser: str = ""
    freeze: list[str] = field(default_factory=list)
    batch_size: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Recording:
    """What a run went through. The first axis of every tensor here is the kept steps.

    At a kept step t stand the weights after t updates, the loss and accuracy of the batch drawn
    then, and the gradient that this batch gave. The last kept step is the end of the run. Attention
    is that of the same few examples at every step; `rows` and `columns` name their places.
    """

    steps: Int[Tensor, " kept"]
    losses: Float[Tensor, " kept"]
    accuracy: Float[Tensor, " kept"]
    weights: dict[str, Float[Tensor, "kept ..."]]
    gradients: dict[str, Float[Tensor, "kept ..."]]
    attention: dict[str, Float[Tensor, "kept example head query key"]]
    rows: list[list[str]]
    columns: list[list[str]]
    settings: Settings

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return (
            f"Recording of {self.settings.model} on {self.settings.task}: "
            f"{self.settings.outcome}, {len(self)} steps kept, "
            f"loss {self.losses[0]:.2f} -> {self.losses[-1]:.2f}, "
            f"accuracy {self.accuracy[0]:.2f} -> {self.accuracy[-1]:.2f}"
        )

    def index(self, step: int) -> int:
        """Where along the first axis the last kept step up to `step` stands."""
        return max(int(torch.searchsorted(self.steps, step, right=True)) - 1, 0)

    def weights_at(self, step: int) -> dict[str, Tensor]:
        """All weights as they were then: `model.with_weights(recording.weights_at(40))`."""
        index = self.index(step)
        return {name: kept[index].clone() for name, kept in self.weights.items()}


@dataclass(frozen=True)
class Keep:
    """Which steps to keep: every `every`-th, but no more than `at_most` and `megabytes`.

    Where `every` is left out, about fifty are kept. When the room is full, every second kept step
    is dropped and the distance doubles. So a run may be as long as it likes, and what was kept is
    still spread evenly over it.
    """

    every: int | None = None
    at_most: int = 512
    megabytes: float = 64.0


class Recorder:
    """Room for the kept steps, made before the run: one row of numbers for each.

    A row holds the loss, the accuracy, every weight and every gradient, laid end to end, so that
    one copy keeps a step.
    """

    def __init__(
        self, weights: Mapping[str, Tensor], trained: Mapping[str, Tensor], keep: Keep, steps: int
    ) -> None:
        self.weights, self.trained = dict(weights), dict(trained)
        self.last_step, self.stride = steps, keep.every or max(1, steps // 50)
        self.kept: list[int] = []
        width = 2 + sum(w.numel() for w in (*weights.values(), *trained.values()))
        fits = int(keep.megabytes * 2**20 / (4 * width))
        self.rows = torch.zeros(max(3, min(keep.at_most, fits, steps // self.stride + 2)), width)
        self._flat = [weight.detach().view(-1) for weight in weights.values()]
        self._none = {name: torch.zeros(weight.numel()) for name, weight in trained.items()}

    def wants(self, step: int) -> bool:
        """Whether this step's turn has come."""
        return step == self.last_step or step % self.stride == 0

    @torch.no_grad()
    def see(self, step: int, loss: Tensor, logits: Tensor, answers: Int[Tensor, "*b q"]) -> None:
        """Keep this step if its turn has come; FloatingPointError if the loss is no number."""
        broken = not math.isfinite(loss.item())
        if broken or step == self.last_step:
            self._keep(step, loss, logits, answers)  # one row is always left for it
        elif step % self.stride == 0:
            if len(self.kept) == len(self.rows) - 1:
                self._thin()
            if step % self.stride == 0:
                self._keep(step, loss, logits, answers)
        if broken:
            raise FloatingPointError

    def _keep(self, step: int, loss: Tensor, logits: Tensor, answers: Tensor) -> None:
        row = self.rows[len(self.kept)]
        row[0], row[1] = loss, accuracy(logits, answers)
        gradients = [
            self._none[name] if weight.grad is None else weight.grad.reshape(-1)
            for name, weight in self.trained.items()
        ]
        torch.cat([*self._flat, *gradients], out=row[2:])
        self.kept.append(step)

    def _thin(self) -> None:
        """Drop every second kept step; the first stays."""
        half = self.kept[::2]
        self.rows[: len(half)] = self.rows[: len(self.kept) : 2].clone()
        self.kept = half
        self.stride *= 2

    def unpacked(self) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """The weights and the gradients of the kept steps, cut out of the rows again."""
        start, groups = 2, []
        for named in (self.weights, self.trained):
            group = {}
            for name, weight in named.items():
                end = start + weight.numel()
                group[name] = self.rows[: len(self.kept), start:end].unflatten(1, weight.shape)
                start = end
            groups.append(group)
        return groups[0], groups[1]

    def recording(
        self,
        attention: dict[str, Tensor],
        rows: list[list[str]],
        columns: list[list[str]],
        settings: Settings,
    ) -> Recording:
        """What was kept, with what was found out about it afterwards."""
        weights, gradients = self.unpacked()
        count = len(self.kept)
        return Recording(
            steps=torch.tensor(self.kept),
            losses=self.rows[:count, 0],
            accuracy=self.rows[:count, 1],
            weights=weights,
            gradients=gradients,
            attention=attention,
            rows=rows,
            columns=columns,
            settings=settings,
        )
