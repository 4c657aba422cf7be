"""Make recordings of short runs, for tests of whatever shows or stores one."""

from __future__ import annotations

from functools import cache

import torch

from qkvlib.models import MultiHead, OneHead, Stack
from qkvlib.tasks import Induction, Recall, TwoQuestions
from qkvlib.training import adam, train
from qkvlib.training.recording import Keep, Recording, Settings


@cache
def one_head(seed: int = 0, freeze: tuple[str, ...] = (), steps: int = 30) -> Recording:
    model = OneHead(Recall().n_tokens, Recall().n_answers, seed=seed)
    return train(model, Recall(), steps, adam(0.02), freeze=freeze, record=Keep(every=1))


@cache
def two_heads() -> Recording:
    task = TwoQuestions()
    return train(MultiHead(task.n_tokens, task.n_answers, n_heads=2), task, 30, adam(0.01))


@cache
def two_layers() -> Recording:
    task = Induction()
    model = Stack(task.n_tokens, task.n_answers, d_model=32, n_layers=2, causal=True)
    return train(model, task, 10, adam(0.005))


def drawn(steps: int, d_model: int = 12, n_heads: int = 1, tokens: int = 16) -> Recording:
    """Make a recording of any length from random numbers: only its size matters."""
    generator = torch.Generator().manual_seed(0)
    shapes = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (d_model, d_model))
    shapes["embedding"] = (tokens, d_model)
    weights = {n: torch.randn(steps, *s, generator=generator) for n, s in shapes.items()}
    looks = torch.softmax(torch.randn(steps, 4, n_heads, 1, 6, generator=generator), -1)
    return Recording(
        steps=torch.arange(steps),
        losses=torch.linspace(2, 0, steps),
        accuracy=torch.linspace(0, 1, steps),
        weights=weights,
        gradients={name: 0.01 * weight for name, weight in weights.items()},
        attention={"heads": looks},
        rows=[["Ada"]] * 4,
        columns=[[f"card {i}" for i in range(6)]] * 4,
        settings=Settings("Drawn()", "Nothing()", "finished"),
    )
