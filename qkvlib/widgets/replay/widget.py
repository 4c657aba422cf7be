"""Play, scrub and compare finished training runs: weights, gradients and attention together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qkvlib.figures import still
from qkvlib.training.recording import Recording
from qkvlib.widgets.kit.widget import Widget, tidy
from qkvlib.widgets.replay import frames

_LONGEST_NAME = 40


class Replay(Widget):
    """A recording played back; or two, side by side, on one scrubber.

    Each weight matrix stands above its gradient, each head's attention below, and a slider under the
    loss curve moves through the run. Playing needs nothing of the kernel, and a saved
    notebook has some frames of the run, to be played where there is none.

        Replay(recording)
        Replay(seed_0, seed_1)                                  two seeds, or frozen and not
        Replay(recording, tokens=task.tokens)                   names for the rows of the embedding

    `tokens` are the names of the embedding's rows: pointing at a number then says words. `names`
    are the runs' names.
    """

    front_end = "replay"

    def __init__(
        self,
        one: Recording,
        other: Recording | None = None,
        *,
        names: Sequence[str] | None = None,
        tokens: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.recordings = [one] if other is None else [one, other]
        for recording in self.recordings:
            _check(recording, tokens)
        unnamed = [one.settings.task[:_LONGEST_NAME]] if other is None else ["first run", "second run"]
        self.names = unnamed if names is None else list(names)
        if len(self.names) != len(self.recordings):
            raise ValueError(
                f"there are {len(self.names)} names for {len(self.recordings)} recordings: give one for each"
            )
        for name in self.names:
            if not 1 <= len(name) <= _LONGEST_NAME:
                raise ValueError(f"the name {name!r} must have 1 to {_LONGEST_NAME} letters")
        self._tokens = list(tokens)
        room = frames.MOST_BYTES // len(self.recordings)
        self._frames = [frames.frames_of(recording, room) for recording in self.recordings]
        self._largest = frames.largest(self._frames)

    def setup(self) -> dict[str, Any]:
        ends = self._largest
        return {
            "runs": [
                {"name": name, **frames.layout(recording), "curve": frames.curve(recording)}
                for name, recording in zip(self.names, self.recordings, strict=True)
            ],
            "largest": tidy([ends.weight, ends.gradient]),
            "tokens": self._tokens,
        }

    def pack(self) -> dict[str, Any]:
        """Return a short film of each run, for pages without a kernel; the page adds the step it shows."""
        room = frames.FILM_BYTES // len(self._frames)
        return {"films": [one.film(self._largest, room) for one in self._frames]}

    def carry_out(self, request: dict[str, Any]) -> list[bytes] | None:
        if request["do"] == "frames":
            return [buffer for shown in self._frames for buffer in shown.buffers(self._largest)]
        return None

    def static_html(self) -> str:
        losses = {
            name: frames.curve(recording) for name, recording in zip(self.names, self.recordings, strict=True)
        }
        heads = ["", "steps", "loss", "accuracy"]
        rows = [
            [
                name,
                f"{run.steps[-1]}",
                f"{run.losses[0]:.2f} → {run.losses[-1]:.2f}",
                f"{run.accuracy[0]:.2f} → {run.accuracy[-1]:.2f}",
            ]
            for name, run in zip(self.names, self.recordings, strict=True)
        ]
        return still.curves(losses, "loss") + still.table(heads, rows)

    def __repr__(self) -> str:
        runs = (
            f"{name}: {len(run)} steps kept, loss {run.losses[0]:.2f} -> {run.losses[-1]:.2f}"
            for name, run in zip(self.names, self.recordings, strict=True)
        )
        return f"Replay({'; '.join(runs)})"


def _check(recording: Any, tokens: Sequence[str]) -> None:
    if not isinstance(recording, Recording):
        kind = type(recording).__name__
        raise TypeError(f"Replay plays a Recording, which `train` returns, but was given a {kind}")
    if not frames.groups(recording):
        raise ValueError(
            f"the recording's weights are {[*recording.weights]}: there is no w_q, "
            "so there is no attention to watch"
        )
    for name, seen in recording.attention.items():
        side = max(seen.shape[-2:])
        if side > frames.LONGEST_SIDE:
            raise ValueError(
                f"the attention map {name!r} is {seen.shape[-2]} by {seen.shape[-1]}, but this "
                f"widget draws at most {frames.LONGEST_SIDE} places: record shorter examples"
            )
    if tokens:
        embedding = recording.weights.get("embedding")
        rows = 0 if embedding is None else embedding.shape[1]
        if len(tokens) != rows:
            raise ValueError(
                f"there are {len(tokens)} names in tokens, but the embedding has {rows} rows: "
                "give one for each"
            )
