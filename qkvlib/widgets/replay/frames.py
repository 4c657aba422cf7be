"""A recording made small enough to play in a browser: whole numbers for colours, in a few buffers.

A frame is one kept step. Its numbers are shares of the largest number in the whole run, so that colours can
be compared between matrices, between steps and between two runs. A gradient is stored as the square root of
its share. Gradients shrink by orders of magnitude, so without the root all but the first few would look
blank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.training.recording import Recording

MOST_BYTES = 3_800_000  # for all recordings of a widget together
FEWEST_FRAMES = 4
LONGEST_SIDE = 128
FILM_BYTES = 36_000  # saved with the notebook, for pages without a kernel
_FILM_FRAMES = 24
_MATRICES = ("w_q", "w_k", "w_v", "w_o")


@dataclass(frozen=True)
class Frames:
    """One recording as its frames. `looks` is attention, scaled to run from -1 to 1."""

    recording: Recording
    kept: Int[Tensor, " frames"]  # the recorded steps that are frames
    weights: Float[Tensor, "frames w"]
    gradients: Float[Tensor, "frames g"]
    looks: Float[Tensor, "frames a"]

    def buffers(self, largest: Largest) -> list[bytes]:
        """Return steps, losses and accuracy of the run; steps, numbers and attention of the frames."""
        run = self.recording
        return [
            _bytes(run.steps.to(torch.int32)),
            _bytes(run.losses.float()),
            _bytes(run.accuracy.float()),
            _bytes(run.steps[self.kept].to(torch.int32)),
            _bytes(_whole(self._numbers(largest), 16)),
            _bytes(_whole(self.looks, 16)),
        ]

    def film(self, largest: Largest, room: int) -> dict[str, Any]:
        """Return a film that is small enough to save; for a model too large for six frames, only its
        attention.

        Early steps are closer together than late ones, because most is learned early.
        """
        width = self.weights.shape[1] + self.gradients.shape[1]
        whole = width + self.looks.shape[1] <= room // 6
        one = self.looks.shape[1] + (width if whole else 0)
        count, last = min(_FILM_FRAMES, max(room // max(one, 1), 1)), len(self.kept) - 1
        shares = torch.linspace(0, 1, count, dtype=torch.float64) if count > 1 else torch.ones(1)
        frames = (last * shares**2).round().long().unique()
        return {
            "frames": self.recording.steps[self.kept[frames]].tolist(),
            "numbers": _bytes(_whole(self._numbers(largest)[frames], 8)) if whole else b"",
            "looks": _bytes(_whole(self.looks[frames], 8)),
        }

    def _numbers(self, largest: Largest) -> Float[Tensor, "frames n"]:
        shares = self.gradients / largest.gradient
        roots = shares.sign() * shares.abs().sqrt()
        return torch.cat([self.weights / largest.weight, roots], dim=1)


@dataclass(frozen=True)
class Largest:
    """The largest numbers of all frames: what a share of 1 means."""

    weight: float
    gradient: float


def frames_of(recording: Recording, room: int) -> Frames:
    """Return a recording's frames: all kept steps, or as many as fit into so many bytes."""
    weights, gradients = _matrices(recording)
    shown = [*weights.values(), *gradients.values(), *recording.attention.values()]
    one, count = sum(tensor[0].numel() for tensor in shown), len(recording)
    fits = max((room - 12 * count) // (2 * one) - 1, 0)
    if fits < min(FEWEST_FRAMES, count):
        raise ValueError(
            f"a step of this recording has {one:,} numbers to show, and only {fits} such steps fit "
            "into a widget: record a smaller model, or fewer examples"
        )
    stride = math.ceil(count / fits)
    kept = torch.tensor([*range(0, count - 1, stride), count - 1])
    return Frames(
        recording,
        kept,
        _laid([*weights.values()], kept),
        _laid([*gradients.values()], kept),
        2 * _laid([*recording.attention.values()], kept) - 1,
    )


def largest(shown: Sequence[Frames]) -> Largest:
    """Return what the ends of the colour scales mean, for all runs of a widget."""
    return Largest(_largest([one.weights for one in shown]), _largest([one.gradients for one in shown]))


def layout(recording: Recording) -> dict[str, Any]:
    """Return where in a frame each matrix and each attention map is."""
    weights, gradients = _matrices(recording)
    places, width = _places(weights, 0)
    slopes, width = _places(gradients, width)
    maps, seen_width = _places(recording.attention, 0)
    layers = []
    for prefix in groups(recording):
        name = prefix.rstrip(".") or next(iter(recording.attention), "")
        seen = recording.attention.get(name)
        matrices = [
            {
                "name": short,
                "rows": math.prod(recording.weights[full].shape[1:-1]),
                "columns": recording.weights[full].shape[-1],
                "at": places[full],
                "slope": slopes.get(full),
            }
            for short, full in _shown(recording, prefix)
        ]
        layers.append(
            {
                "name": name.replace("_", " "),
                "matrices": matrices,
                "heads": 1 if seen is None else seen.shape[2],
                "looks": maps.get(name),
            }
        )
    examples = list(zip(recording.rows, recording.columns, strict=True))
    return {"layers": layers, "examples": examples, "widths": [width, seen_width]}


def groups(recording: Recording) -> list[str]:
    """Return the parts of a model that attend, as prefixes of their weights' names."""
    return [name.removesuffix("w_q") for name in recording.weights if name.endswith("w_q")]


def curve(recording: Recording, points: int = 50) -> list[list[float | None]]:
    """Return the loss at some steps, for a still picture."""
    stride = math.ceil(len(recording) / points)
    kept = [*range(0, len(recording) - 1, stride), len(recording) - 1]
    losses = [round(loss, 4) if math.isfinite(loss) else None for loss in recording.losses.tolist()]
    return [[int(recording.steps[i]), losses[i]] for i in kept]


def _shown(recording: Recording, prefix: str) -> list[tuple[str, str]]:
    """Return the matrices of one layer, the first with the embedding: their short and full names."""
    names = [(name, f"{prefix}{name}") for name in _MATRICES]
    embedding = [("embedding", "embedding")] if prefix == groups(recording)[0] else []
    return [pair for pair in embedding + names if pair[1] in recording.weights]


def _matrices(recording: Recording) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return all matrices that are shown, in the order of a frame: the weights, and their gradients."""
    names = [full for prefix in groups(recording) for _, full in _shown(recording, prefix)]
    weights = {name: recording.weights[name] for name in names}
    return weights, {n: recording.gradients[n] for n in names if n in recording.gradients}


def _places(tensors: dict[str, Tensor], start: int) -> tuple[dict[str, int], int]:
    places = {}
    for name, tensor in tensors.items():
        places[name] = start
        start += tensor[0].numel()
    return places, start


def _laid(tensors: Sequence[Tensor], kept: Tensor) -> Float[Tensor, "frames n"]:
    flat = [tensor[kept].flatten(1).float() for tensor in tensors]
    return torch.cat(flat, dim=1) if flat else torch.zeros(len(kept), 0)


def _largest(tensors: Sequence[Tensor]) -> float:
    tops = [t.nan_to_num(0.0, 0.0, 0.0).abs().max().item() for t in tensors if t.numel()]
    return max([*tops, 0.0]) or 1.0


def _whole(shares: Tensor, bits: int) -> Tensor:
    """Turn shares from -1 to 1 into whole numbers; the lowest one means "not a number"."""
    top = 2 ** (bits - 1) - 1
    whole = (shares.nan_to_num(0.0, 0.0, 0.0).clamp(-1, 1) * top).round()
    kind = torch.int16 if bits == 16 else torch.int8
    return torch.where(shares.isfinite(), whole, torch.tensor(-top - 1.0)).to(kind)


def _bytes(tensor: Tensor) -> bytes:
    return tensor.contiguous().numpy().tobytes()
