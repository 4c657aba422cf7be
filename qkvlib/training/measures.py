"""How good a model is, and where its attention rests."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.attention import attention_entropy
from qkvlib.models.base import Model
from qkvlib.tasks.base import NO_ANSWER, Batch


@dataclass(frozen=True)
class Score:
    """What `measure` found. All but `entropy` are shares, from 0 to 1.

    accuracy: right answers; all_right: examples with no wrong answer. The rest is of one attention
    map: mass, the weight on the place that holds the answer; hits, how often the largest weight is
    there; entropy, in nats, of the rows that are asked.
    """

    accuracy: float
    all_right: float
    mass: float
    hits: float
    entropy: float


@torch.no_grad()
def measure(model: Model, batch: Batch, head: int = 0) -> Score:
    """Answer a batch, `task.test()` for example, and look at one head of the model's last map."""
    logits, maps = model(*batch.inputs)
    asked = batch.answers != NO_ANSWER
    right = logits.reshape(*asked.shape, -1).argmax(-1) == batch.answers
    mass = hits = entropy = float("nan")
    if maps:
        # two questions may lie on one card: its row of weights counts for both
        weights = list(maps.values())[-1][:, head].expand(-1, asked.shape[1], -1)
        if batch.looks_at is not None:
            mass = mass_on(weights, batch.looks_at)
            hits = float((weights.argmax(-1) == batch.looks_at).sum() / (batch.looks_at >= 0).sum())
        entropy = float(attention_entropy(weights)[asked].mean())
    return Score(
        accuracy=float(right[asked].float().mean()),
        all_right=float((right | ~asked).all(-1).float().mean()),
        mass=mass,
        hits=hits,
        entropy=entropy,
    )


def mass_on(weights: Float[Tensor, "b q n"], places: Int[Tensor, "b q"]) -> float:
    """The mean weight on one place a row; rows whose place is -1 are left out."""
    counted = places >= 0
    there = weights.gather(-1, places.clamp_min(0)[..., None])[..., 0]
    return float(there[counted].mean())


def accuracy(logits: Float[Tensor, "*any"], answers: Int[Tensor, "*b q"]) -> float:
    """The share of right answers, over all places where one is asked."""
    chosen = logits.detach().reshape(*answers.shape, -1).argmax(-1)
    return (chosen == answers).sum().item() / (answers != NO_ANSWER).sum().item()
