"""Make the runs that the claims measure, each once for a seed, and cache them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import torch
from torch import Tensor

from qkvlib.models import Model
from qkvlib.tasks import Task
from qkvlib.training import train
from qkvlib.training.measures import Score, measure
from qkvlib.training.optimisers import Optimiser
from qkvlib.training.recording import Keep, Recording

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Run:
    """A trained model, its state before training, its recording, and its score on the test examples."""

    model: Model
    task: Task
    recording: Recording

    @functools.cached_property
    def before(self) -> Score:
        return measure(self.model.with_weights(self.recording.weights_at(0)), self.task.test())

    @functools.cached_property
    def after(self) -> Score:
        return measure(self.model, self.task.test())


def once(make: Callable[P, R]) -> Callable[P, R]:
    """Cache the result for each seed, with gradients, even if the first claim needs none."""
    # A claim rarely looks further back than one chapter, and a run may take some megabytes.
    return functools.lru_cache(maxsize=64)(torch.enable_grad()(make))


def trained(
    model: Model,
    task: Task,
    steps: int,
    optimiser: Optimiser,
    seed: int,
    *,
    freeze: tuple[str, ...] = (),
    every: int = 10,
) -> Run:
    """Train and wrap up; every tenth step is kept unless a claim needs more."""
    recording = train(model, task, steps, optimiser, freeze=freeze, record=Keep(every=every), seed=seed)
    return Run(model, task, recording)


def of_uniform(entropy: float, places: int) -> float:
    """Return entropy as a share of the entropy of equal weights."""
    return entropy / math.log(places)


def cosines(vectors: Tensor) -> Tensor:
    """Return the cosine of every vector with every other."""
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    return unit @ unit.transpose(-1, -2)


def within_and_across(similarity: Tensor, group: Tensor) -> tuple[float, float]:
    """Return the mean similarity within groups, and between different groups."""
    same = group[:, None] == group[None, :]
    others = ~torch.eye(len(group), dtype=torch.bool)
    return float(similarity[same & others].mean()), float(similarity[~same].mean())
