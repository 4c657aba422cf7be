"""The numbers of the lab as the page gets them: float32, in the order set up once.

A tweak's answer must be small, so the numbers come in three groups: those that are `given` and
do not move, those that every change `moves`, and the gradients that only some views show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from qkvlib.widgets.lab.checks import WEIGHTS
from qkvlib.widgets.lab.state import LabState

GROUPS = {
    "given": ("x", "target"),
    "moving": (
        *("w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "output"),
        *("d_w_q", "d_w_k", "d_w_v"),
    ),
    "gradients": ("d_output", "d_v", "d_weights", "d_scores", "d_q", "d_k", "d_x"),
}

GOLDEN = 0.618


def groups(has_target: bool) -> dict[str, list[str]]:
    """The names in each group; without a target there are no gradients."""
    if has_target:
        return {group: list(names) for group, names in GROUPS.items()}
    moving = [name for name in GROUPS["moving"] if not name.startswith("d_")]
    return {"given": ["x"], "moving": moving, "gradients": []}


def sizes(start: Mapping[str, Tensor], n_heads: int) -> dict[str, list[int]]:
    """The rows and columns of each matrix, in one head; a gradient has those of what it is of."""
    n, d_model = start["x"].shape
    d_k, d_v = start["w_q"].shape[1] // n_heads, start["w_v"].shape[1] // n_heads
    found = {
        **{"x": [n, d_model], "w_q": [d_model, d_k], "w_k": [d_model, d_k], "w_v": [d_model, d_v]},
        **{"q": [n, d_k], "k": [n, d_k], "v": [n, d_v]},
        **{"scores": [n, n], "weights": [n, n], "output": [n, d_v]},
    }
    if "target" not in start:
        return found
    return {**found, "target": [n, d_v], **{f"d_{name}": size for name, size in found.items()}}


def pack(names: Iterable[str], state: LabState, sizes: Mapping[str, list[int]]) -> bytes:
    """One group, head after head within each name; what could not be computed is nan."""
    return _as_bytes(_heads(name, state, sizes[name]) for name in names)


def pack_start(start: Mapping[str, Tensor], n_heads: int) -> dict[str, Any]:
    """Where the lab began, for a page that computes by itself."""
    names = [name for name in start if name != "mask"]
    parts = (start["x"] if name == "x" else _dealt(start[name], n_heads) for name in names)
    return {"names": names, "numbers": _as_bytes(parts), "mask": pack_mask(start["mask"])}


def pack_mask(mask: Tensor) -> str:
    """A "1" where a token may attend."""
    return "".join("01"[allowed] for allowed in mask.flatten().tolist())


def sum_up(state: LabState, sizes: Mapping[str, list[int]]) -> tuple[float, float]:
    """One number for all that moves, and how large its parts are: packing.js makes the same.

    Each number counts between once and twice, hardly two alike, so that none stands for another.
    """
    names = groups(state.target is not None)["moving"]
    rules = [
        *(len(state.losses), len(state.history), state.learning_rate, float(state.met)),
        *(float(name in state.frozen) for name in WEIGHTS),
        *map(float, pack_mask(state.mask)),
    ]
    moving = torch.cat([_heads(name, state, sizes[name]).reshape(-1) for name in names])
    numbers = torch.cat([torch.tensor(rules, dtype=torch.float64), moving.double()])
    parts = numbers * (1 + torch.arange(len(numbers), dtype=torch.float64) * GOLDEN % 1)
    return parts.sum().item(), parts.abs().sum().item()


def _as_bytes(parts: Iterable[Tensor]) -> bytes:
    flat = torch.cat([part.reshape(-1) for part in parts])
    return flat.to(torch.float32).numpy().astype("<f4").tobytes()


def _dealt(w: Tensor, n_heads: int) -> Tensor:
    """The columns of a table dealt out to the heads."""
    return torch.stack(w.chunk(n_heads, dim=1))


# What a record holds with the heads side by side; the rest of it has a dimension for them.
_SIDE_BY_SIDE = {*WEIGHTS, "output", "target"}


def _heads(name: str, state: LabState, size: list[int]) -> Tensor:
    if name == "x":
        return state.x
    if name == "target" or name in WEIGHTS:
        found = getattr(state, name)
    elif record := state.gradients if name.startswith("d_") else state.trace:
        found = getattr(record, name)
    elif name in ("q", "k", "v"):  # what a learner's function that fails was given
        return _dealt(state.x @ getattr(state, f"w_{name}"), state.n_heads)
    else:
        return torch.full((1 if name == "d_x" else state.n_heads, *size), torch.nan)
    if name.removeprefix("d_") not in _SIDE_BY_SIDE:
        return torch.as_tensor(found)
    return _dealt(found, state.n_heads)
