"""What recording costs: `python -m tests.benchmarks.training`.

The bare loop is the same training with nothing kept. Runs take turns, so that whatever else the
machine does falls on all of them alike, and the ratio is that of the medians.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from qkvlib.models import Model, OneHead, Stack
from qkvlib.tasks import Agreement, Induction, Task
from qkvlib.training import cross_entropy, one_thread, train
from qkvlib.training.optimisers import adam
from qkvlib.training.recording import Keep

STEPS = 300
ROUNDS = 15


def agreement() -> tuple[Model, Task]:
    task = Agreement()
    return OneHead(task.n_tokens, task.n_answers, d_model=12, spread=0.1), task


def induction() -> tuple[Model, Task]:
    task = Induction()
    return Stack(16, 16, 32, n_layers=2, causal=True, positions="learned", n_places=18), task


def bare(model: Model, task: Task) -> None:
    """The training loop and nothing else."""
    weights = [weight.requires_grad_() for weight in model.weights.values()]
    optimizer = torch.optim.Adam(weights, lr=0.02)
    generator = torch.Generator().manual_seed(0)
    for _ in range(STEPS):
        batch = task.batch(64, generator)
        loss = cross_entropy(model(*batch.inputs).logits, batch.answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def cloned(model: Model, task: Task) -> None:
    """The obvious way to keep every step: clone everything, and look at the probe each time."""
    weights = [weight.requires_grad_() for weight in model.weights.values()]
    optimizer = torch.optim.Adam(weights, lr=0.02)
    generator = torch.Generator().manual_seed(0)
    probe, kept = task.probe(), []
    for _ in range(STEPS):
        batch = task.batch(64, generator)
        loss = cross_entropy(model(*batch.inputs).logits, batch.answers)
        optimizer.zero_grad()
        loss.backward()
        with torch.no_grad():
            maps = model(*probe.inputs).attention
        kept.append(
            (
                loss.item(),
                {name: w.detach().clone() for name, w in model.weights.items()},
                {name: w.grad.clone() for name, w in model.weights.items() if w.grad is not None},
                {name: weights.clone() for name, weights in maps.items()},
            )
        )
        optimizer.step()


def recorded(every: int) -> Callable[[Model, Task], object]:
    def run(model: Model, task: Task) -> object:
        return train(model, task, STEPS, adam(0.02), record=Keep(every=every))

    return run


WAYS: dict[str, Callable[[Model, Task], object]] = {
    "bare loop": bare,
    "every step, cloned as it goes": cloned,
    "every step": recorded(1),
    "every tenth step": recorded(10),
}


def main() -> None:
    print(f"{STEPS} steps, medians of {ROUNDS} rounds, process time")
    for make in (agreement, induction):
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        with one_thread():
            for _ in range(ROUNDS):
                for way, run in WAYS.items():
                    model, task = make()
                    began = time.process_time()
                    run(model, task)
                    seconds[way].append(time.process_time() - began)
        middle = {way: statistics.median(each) for way, each in seconds.items()}
        print(f"\n{make.__name__}")
        for way, each in middle.items():
            ratio = each / middle["bare loop"]
            print(f"  {way:<32} {1000 * each / STEPS:6.3f} ms a step  {ratio:5.2f}")


if __name__ == "__main__":
    main()
