"""Training: one loop for every model and task of the course, and a recording of what happened."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.models.base import Model
from qkvlib.tasks.base import NO_ANSWER, Task
from qkvlib.training.optimisers import Optimiser
from qkvlib.training.progress_bar import progress_bar
from qkvlib.training.recording import Keep, Recorder, Recording, Settings


def train(
    model: Model,
    task: Task,
    steps: int,
    optimiser: Optimiser,
    *,
    freeze: str | Iterable[str] = (),
    record: Keep = Keep(),  # noqa: B008  (frozen, so safe to share)
    batch_size: int = 64,
    seed: int = 0,
) -> Recording:
    """Train `model` on `task` and tell what happened.

    Each step draws a batch, computes the loss, sends it back to every weight that is not frozen,
    and lets the optimiser move those weights. `freeze` names weights that must stay as they are:
    "w_q", or ["w_q", "w_k"], or "embedding". `seed` fixes the batches; the model has its own. About
    fifty steps are kept, evenly spread; `record=Keep(every=1)` keeps each.

    Stopping the cell ends the run, and the whole cell: `TrainingStopped` goes on up. Whoever wants
    what was recorded up to then asks for it: `except KeyboardInterrupt as stopped`, and then
    `stopped.recording`. A loss that is no longer a number raises `DivergedError`.
    """
    frozen = model.named(freeze)
    trained = {name: w for name, w in model.weights.items() if name not in frozen}
    recorder = Recorder(model.weights, trained, record, steps)
    generator = torch.Generator().manual_seed(1000 + seed)
    step, outcome, stopped = 0, "finished", False
    with one_thread(), learning(trained.values()):
        optimizer = optimiser.make([*trained.values()], steps)
        try:
            bar = progress_bar(steps + 1)
            for step in bar:
                inputs, answers, _ = task.batch(batch_size, generator)
                logits, _ = model(*inputs)
                loss = cross_entropy(logits, answers)
                bar.set_postfix_str(f"loss {loss:.3f}", refresh=False)
                optimizer.zero_grad()
                loss.backward()
                recorder.see(step, loss, logits, answers)
                if step < steps:  # the last batch only looks at the finished model
                    optimizer.step()
        except KeyboardInterrupt:
            outcome, stopped = f"stopped at step {step} of {steps}", True
        except FloatingPointError:
            outcome = f"diverged at step {step}"
    if stopped and not recorder.kept:
        raise TrainingStopped(outcome, None)
    recording = recorded(recorder, model, task, outcome, repr(optimiser), batch_size, seed)
    if stopped:
        raise TrainingStopped(outcome, recording)
    if outcome.startswith("diverged"):
        raise DivergedError(optimiser, recording)
    return recording


class TrainingStopped(KeyboardInterrupt):
    """The learner stopped the cell. `recording` holds the run up to that step, if it had begun."""

    def __init__(self, outcome: str, recording: Recording | None) -> None:
        super().__init__(outcome)
        self.recording = recording


class DivergedError(ArithmeticError):
    """The loss stopped being a number. `recording` holds the run up to that step."""

    def __init__(self, optimiser: Optimiser, recording: Recording) -> None:
        before = recording.losses[-2] if len(recording) > 1 else math.nan
        super().__init__(
            f"the loss became {recording.losses[-1]:.4g} at step {recording.steps[-1]} (it was "
            f"{before:.4g} before), so the run stopped: the steps of {optimiser} are too long for "
            "this model. Try a tenth of that learning rate, or adam(0.01), or smaller initial weights"
        )
        self.recording = recording


def cross_entropy(logits: Float[Tensor, "*any"], answers: Int[Tensor, "*b q"]) -> Float[Tensor, ""]:
    """The mean of -log(probability of the right answer), over all places where one is asked."""
    scores = logits.reshape(answers.numel(), -1)
    return torch.nn.functional.cross_entropy(scores, answers.flatten(), ignore_index=NO_ANSWER)


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread, then go back to as many as before.

    These matrices are so small that a second thread gains nothing, and where another program keeps
    a core busy the two wait for each other: a run can take fifty times as long.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def learning(weights: Iterable[Tensor]) -> Iterator[None]:
    """Let torch follow these weights; afterwards they are plain numbers again."""
    weights = list(weights)
    try:
        for weight in weights:
            weight.requires_grad_(True)
        yield
    finally:
        for weight in weights:
            weight.requires_grad_(False)
            weight.grad = None


def recorded(
    recorder: Recorder, model: Model, task: Task, outcome: str, optimiser: str, batch_size: int, seed: int
) -> Recording:
    """The kept steps, with the attention that their weights pay to the task's probe examples."""
    frozen = sorted(recorder.weights.keys() - recorder.trained.keys())
    steps = recorder.last_step
    settings = Settings(repr(model), repr(task), outcome, steps, optimiser, frozen, batch_size, seed)
    with one_thread(), torch.no_grad():
        probe = task.probe()

        def attention(weights: dict[str, Tensor]) -> dict[str, Tensor]:
            return model.with_weights(weights)(*probe.inputs).attention

        maps = _for_each_step(attention, recorder.unpacked()[0], together=not model.runs_foreign)
        rows, columns = (list(names) for names in zip(*task.names(probe), strict=True))
    return recorder.recording(maps, rows, columns, settings)


def _for_each_step(
    attention: Callable[[dict[str, Tensor]], dict[str, Tensor]],
    weights: dict[str, Tensor],
    together: bool,
) -> dict[str, Tensor]:
    """The attention at every kept step, whose number is the first axis of all tensors here.

    For all steps `together` it takes a fifth of the time. But torch cannot follow every function
    through many steps at once.
    """
    if together:
        return torch.func.vmap(attention)(weights)
    count = len(next(iter(weights.values())))
    each = [attention({name: kept[i] for name, kept in weights.items()}) for i in range(count)]
    return {name: torch.stack([maps[name] for maps in each]) for name in each[0]}
