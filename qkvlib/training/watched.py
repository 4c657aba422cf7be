"""Training by a loop that somebody else writes, recorded from outside."""

from __future__ import annotations

from collections.abc import Iterator

from jaxtyping import Float, Int
from torch import Generator, Tensor

from qkvlib.models.one_layer import OwnHeads
from qkvlib.tasks.base import Batch, Task
from qkvlib.training.loop import cross_entropy, recorded
from qkvlib.training.progress_bar import progress_bar
from qkvlib.training.recording import Keep, Recorder, Recording


class Watched:
    """The batches for a loop of your own, and a recording of what your loop does to the model.

        batches = Watched(layer, task, steps=200)
        for x, targets in batches:              # x [b n d]; targets [b q], the right answers
            ...                                 # here your loop moves layer.w_q and the others
        run = batches.recording()

    When your loop asks for a batch whose step is to be kept, it looks at the weights, and computes
    loss and gradients of that batch for itself; your gradients stay as they are. `seed` fixes the
    batches.
    """

    def __init__(
        self,
        model: OwnHeads,
        task: Task,
        steps: int,
        *,
        record: Keep = Keep(every=2),  # noqa: B008  (frozen, so safe to share)
        batch_size: int = 64,
        seed: int = 0,
    ) -> None:
        self._model, self._task, self._steps = model, task, steps
        self._batch_size, self._seed = batch_size, seed
        self._trained = {name: w for name, w in model.weights.items() if name != "embedding"}
        for weight in self._trained.values():
            weight.requires_grad_(True)
        self._recorder = Recorder(model.weights, self._trained, record, steps)
        self._outcome = "not begun"

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[tuple[Float[Tensor, "b n d"], Int[Tensor, "b q"]]]:
        generator = Generator().manual_seed(1000 + self._seed)
        for step in progress_bar(self._steps + 1):
            batch = self._task.batch(self._batch_size, generator)
            self._outcome = f"left at step {step} of {self._steps}"
            if self._recorder.wants(step):
                try:
                    self._look(step, batch)
                except FloatingPointError:
                    self._outcome = f"diverged at step {step}"
                    return
            if step < self._steps:  # the last batch only looks at the finished model
                yield self._model.sentence(*batch.inputs), batch.answers
        self._outcome = "finished"

    def _look(self, step: int, batch: Batch) -> None:
        """Show this step to the recorder, with gradients of our own."""
        theirs = {name: weight.grad for name, weight in self._trained.items()}
        for weight in self._trained.values():
            weight.grad = None
        logits, _ = self._model(*batch.inputs)
        loss = cross_entropy(logits, batch.answers)
        loss.backward()
        try:
            self._recorder.see(step, loss, logits, batch.answers)
        finally:
            for name, weight in self._trained.items():
                weight.grad = theirs[name]

    def recording(self) -> Recording:
        """The run as it was seen. From here on the model's weights are plain numbers again."""
        for weight in self._trained.values():
            weight.requires_grad_(False)
            weight.grad = None
        seen, model, task = self._recorder, self._model, self._task
        return recorded(seen, model, task, self._outcome, "by hand", self._batch_size, self._seed)
