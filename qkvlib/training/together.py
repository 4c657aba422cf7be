"""Training several models at once: the same run for ten seeds, in a third of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from qkvlib.models.base import Model
from qkvlib.tasks.base import Task
from qkvlib.training.loop import (
    DivergedError,
    TrainingStopped,
    cross_entropy,
    learning,
    one_thread,
    recorded,
    train,
)
from qkvlib.training.optimisers import Optimiser
from qkvlib.training.progress_bar import progress_bar
from qkvlib.training.recording import Keep, Recorder, Recording


def train_together(
    models: Sequence[Model],
    tasks: Task | Sequence[Task],
    steps: int,
    optimiser: Optimiser,
    *,
    freeze: str | Iterable[str] = (),
    record: Keep = Keep(),  # noqa: B008  (frozen, so safe to share)
    batch_size: int = 64,
) -> list[Recording]:
    """Train models that differ in nothing but their numbers, and tell of each what happened.

        heads = [OneHead(16, 8, seed=seed) for seed in range(10)]
        train_together(heads, task, 300, adam(0.02))

    Each becomes what `train(model, task, steps, optimiser, seed=its place in the list)` makes of
    it, but for the last digits: no number of one enters another. With models this small most of
    the time goes into asking for the next operation, and here one operation serves them all.

    `tasks` is one task, or one for each model. The recordings together take no more room than
    `record` gives to one run. Stopping the cell stops them all: the models keep what they have
    learned, but there is no recording.
    """
    models, tasks = list(models), [tasks] * len(models) if isinstance(tasks, Task) else list(tasks)
    freeze = [freeze] if isinstance(freeze, str) else [*freeze]
    _need_alike(models, tasks)
    record = replace(record, megabytes=record.megabytes / len(models))
    if optimiser.mixes or any(model.runs_foreign for model in models):
        return [
            train(
                model,
                task,
                steps,
                optimiser,
                freeze=freeze,
                record=record,
                batch_size=batch_size,
                seed=seed,
            )
            for seed, (model, task) in enumerate(zip(models, tasks, strict=True))
        ]

    stacks = {name: torch.stack([m.weights[name] for m in models]) for name in models[0].weights}
    frozen = models[0].named(freeze)
    trained = {name: stack for name, stack in stacks.items() if name not in frozen}
    recorders = [_recorder(i, stacks, trained, record, steps) for i in range(len(models))]
    outcome, losses = _learn(models, tasks, steps, optimiser, stacks, trained, recorders, batch_size)
    if outcome.startswith("stopped"):
        raise TrainingStopped(outcome, None)

    def recording(place: int) -> Recording:
        recorder, model, task = recorders[place], models[place], tasks[place]
        return recorded(recorder, model, task, outcome, repr(optimiser), batch_size, place)

    if outcome.startswith("diverged"):
        first = int(losses.isfinite().logical_not().int().argmax())
        raise DivergedError(optimiser, recording(first))
    return [recording(place) for place in range(len(models))]


def _learn(
    models: Sequence[Model],
    tasks: Sequence[Task],
    steps: int,
    optimiser: Optimiser,
    stacks: dict[str, Tensor],
    trained: dict[str, Tensor],
    recorders: Sequence[Recorder],
    batch_size: int,
) -> tuple[str, Tensor]:
    """Take all models through the steps together: how it went, and their last losses."""
    generators = [torch.Generator().manual_seed(1000 + place) for place in range(len(models))]
    computed = torch.func.vmap(_loss_and_logits_of(models[0]))
    step, outcome, losses = 0, "finished", torch.zeros(len(models))
    with one_thread(), learning(trained.values()):
        optimizer = optimiser.make([*trained.values()], steps)
        try:
            bar = progress_bar(steps + 1)
            for step in bar:
                drawn = [t.batch(batch_size, g) for t, g in zip(tasks, generators, strict=True)]
                inputs = tuple(map(torch.stack, zip(*(b.inputs for b in drawn), strict=True)))
                answers = torch.stack([batch.answers for batch in drawn])
                losses, logits = computed(stacks, inputs, answers)
                bar.set_postfix_str(f"loss {losses.mean():.3f}", refresh=False)
                optimizer.zero_grad()
                losses.sum().backward()  # a weight is in one loss alone, and gets its gradient
                if recorders[0].wants(step) or not losses.isfinite().all():
                    for place, recorder in enumerate(recorders):
                        for name, weight in recorder.trained.items():
                            gradient = trained[name].grad
                            weight.grad = None if gradient is None else gradient[place]
                        recorder.see(step, losses[place], logits[place], answers[place])
                if step < steps:  # the last batch only looks at the finished models
                    optimizer.step()
        except KeyboardInterrupt:
            outcome = f"stopped at step {step} of {steps}"
        except FloatingPointError:
            outcome = f"diverged at step {step}"
    for place, model in enumerate(models):
        for name in trained:
            model.weights[name].copy_(stacks[name][place])
    return outcome, losses


def _need_alike(models: Sequence[Model], tasks: Sequence[Task]) -> None:
    """One operation serves all models only where all compute the same."""
    if not models:
        raise ValueError("there is no model to train: give a list of at least one")
    if len(tasks) != len(models):
        raise ValueError(
            f"there are {len(models)} models and {len(tasks)} tasks: give one task for all, or one for each"
        )
    kinds = {type(model): model for model in models}
    plans = [model.arguments() | {"seed": ""} for model in models]
    if len(kinds) > 1 or any(plan != plans[0] for plan in plans):
        raise ValueError(
            "models that are trained together are of one kind and differ in their seed alone, but "
            f"these are {', '.join(map(repr, models))}: train each kind by itself"
        )


def _recorder(
    place: int, stacks: dict[str, Tensor], trained: dict[str, Tensor], record: Keep, steps: int
) -> Recorder:
    """Sees one model of the stacks, whose weights it looks at where they lie."""
    weights = {name: stack.detach()[place] for name, stack in stacks.items()}
    return Recorder(weights, {name: weights[name] for name in trained}, record, steps)


def _loss_and_logits_of(
    model: Model,
) -> Callable[[dict[str, Tensor], tuple[Tensor, ...], Tensor], tuple[Tensor, Tensor]]:
    """What a model of this kind loses and answers with these weights."""

    def loss_and_logits(
        weights: dict[str, Tensor], inputs: tuple[Tensor, ...], answers: Tensor
    ) -> tuple[Tensor, Tensor]:
        logits, _ = model.with_weights(weights)(*inputs)
        return cross_entropy(logits, answers), logits

    return loss_and_logits
