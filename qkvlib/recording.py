"""A finished run to look at: weights, gradients and attention at the steps that were kept."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from qkvlib.measures import accuracy

VERSION = 1

_SERIES = ("steps", "losses", "accuracy")
_GROUPS = ("weights", "gradients", "attention")


class RecordingError(ValueError):
    """A file that is no recording, or no recording that this version can read."""


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
    settings: dict[str, Any]

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return (
            f"Recording of {self.settings['model']} on {self.settings['task']}: "
            f"{self.settings['outcome']}, {len(self)} steps kept, "
            f"loss {self.losses[0]:.2f} -> {self.losses[-1]:.2f}, "
            f"accuracy {self.accuracy[0]:.2f} -> {self.accuracy[-1]:.2f}"
        )

    def index(self, step: int) -> int:
        """Where along the first axis the last kept step up to `step` stands."""
        return max(int(torch.searchsorted(self.steps, step, right=True)) - 1, 0)

    def weights_at(self, step: int) -> dict[str, Tensor]:
        """All weights as they were then: `model.with_weights(recording.weights_at(40))`."""
        index = self.index(step)
        return {name: kept[index] for name, kept in self.weights.items()}

    def save(self, path: str | Path) -> None:
        """Write the recording as one safetensors file; an interrupted write leaves no half file."""
        path = Path(path)
        tensors = {name: getattr(self, name) for name in _SERIES}
        for group in _GROUPS:
            tensors |= {f"{group}/{name}": t for name, t in getattr(self, group).items()}
        about = {"rows": self.rows, "columns": self.columns, "settings": self.settings}
        notes = {"kind": "qkvlib recording", "version": str(VERSION), "about": json.dumps(about)}
        unfinished = path.with_name(f"{path.name}.part")
        save_file({name: t.contiguous() for name, t in tensors.items()}, unfinished, notes)
        os.replace(unfinished, path)

    @staticmethod
    def load(path: str | Path) -> Recording:
        """Read what `save` wrote; RecordingError says what is wrong with any other file."""
        try:
            with safe_open(str(path), framework="pt") as file:
                notes = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except SafetensorError as error:
            raise RecordingError(
                f"{path} is damaged or no safetensors file ({error}): copy it anew, or train again"
            ) from error
        if notes.get("kind") != "qkvlib recording":
            raise RecordingError(f"{path} holds tensors, but no recording of a run")
        if notes.get("version") != str(VERSION):
            raise RecordingError(
                f"{path} is a recording of version {notes.get('version')}, but this qkvlib reads "
                f"version {VERSION}: train again, or use the qkvlib that made it"
            )
        return _assembled(path, tensors, notes)


def _assembled(
    path: str | Path, tensors: Mapping[str, Tensor], notes: Mapping[str, str]
) -> Recording:
    groups: dict[str, Any] = {group: {} for group in _GROUPS}
    for full, tensor in tensors.items():
        group, _, name = full.partition("/")
        if name:
            groups.setdefault(group, {})[name] = tensor
    try:
        about: dict[str, Any] = json.loads(notes["about"])
        series: dict[str, Any] = {name: tensors[name] for name in _SERIES}
        recording = Recording(**series, **groups, **about)
    except (KeyError, TypeError, ValueError) as error:
        raise RecordingError(
            f"{path} lacks a part of a recording ({error}): train again"
        ) from error
    lengths = {name: len(tensor) for name, tensor in tensors.items() if tensor.dim()}
    if set(lengths.values()) != {len(recording)} or len(lengths) != len(tensors):
        raise RecordingError(f"{path} disagrees about how many steps were kept: {lengths}")
    return recording


@dataclass(frozen=True)
class Keep:
    """Which steps to keep: every `every`-th, but no more than `at_most` and `megabytes`.

    When the room is full, every second kept step is dropped and the distance doubles. So a run may
    be as long as it likes, and what was kept is still spread evenly over it.
    """

    every: int = 1
    at_most: int = 512
    megabytes: float = 64.0


class Recorder:
    """Room for the kept steps, made before the run so that keeping one is a few plain copies."""

    def __init__(
        self, weights: Mapping[str, Tensor], trained: Mapping[str, Tensor], keep: Keep, steps: int
    ) -> None:
        self.last_step, self.stride, self.count = steps, keep.every, 0
        self.sources, self.trained = dict(weights), dict(trained)
        one_step = 4 * sum(w.numel() for w in (*weights.values(), *trained.values()))
        fits = int(keep.megabytes * 2**20 / one_step)
        self.room = max(3, min(keep.at_most, fits, steps // keep.every + 2))
        self.series = {name: torch.zeros(self.room) for name in ("losses", "accuracy")}
        self.series["steps"] = torch.zeros(self.room, dtype=torch.int64)
        self._weights = {n: torch.zeros(self.room, *w.shape) for n, w in weights.items()}
        self._gradients = {n: torch.zeros(self.room, *w.shape) for n, w in trained.items()}

    @torch.no_grad()
    def see(self, step: int, loss: Tensor, logits: Tensor, answers: Int[Tensor, "*b q"]) -> None:
        """Keep this step if its turn has come; FloatingPointError if the loss is no number."""
        value = loss.item()
        broken = not math.isfinite(value)
        if broken or step == self.last_step:
            self._keep(step, value, accuracy(logits, answers))  # one place is always left for it
        elif step % self.stride == 0:
            if self.count == self.room - 1:
                self._thin()
            if step % self.stride == 0:
                self._keep(step, value, accuracy(logits, answers))
        if broken:
            raise FloatingPointError

    def _keep(self, step: int, loss: float, accuracy: float) -> None:
        now = self.count
        for name, value in (("steps", step), ("losses", loss), ("accuracy", accuracy)):
            self.series[name][now] = value
        for name, weight in self.sources.items():
            self._weights[name][now].copy_(weight)
        for name, weight in self.trained.items():
            if weight.grad is not None:  # a weight that no batch has touched has none
                self._gradients[name][now].copy_(weight.grad)
        self.count += 1

    def _thin(self) -> None:
        """Drop every second kept step, the first stays."""
        for kept in (self.series, self._weights, self._gradients):
            for tensor in kept.values():
                half = tensor[: self.count : 2].clone()
                tensor[: len(half)] = half
        self.count = (self.count + 1) // 2
        self.stride *= 2

    @property
    def weights(self) -> dict[str, Float[Tensor, "kept ..."]]:
        """The weights at every step kept so far."""
        return {name: tensor[: self.count] for name, tensor in self._weights.items()}

    def recording(
        self,
        attention: dict[str, Tensor],
        rows: list[list[str]],
        columns: list[list[str]],
        settings: dict[str, Any],
    ) -> Recording:
        """What was kept, with what was found out about it afterwards."""
        series: dict[str, Any] = {n: tensor[: self.count] for n, tensor in self.series.items()}
        return Recording(
            **series,
            weights=self.weights,
            gradients={name: tensor[: self.count] for name, tensor in self._gradients.items()},
            attention=attention,
            rows=rows,
            columns=columns,
            settings=settings,
        )
