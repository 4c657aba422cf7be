"""What every model of the course has: weights with names, a first draw of them, and a table."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from safetensors.torch import load_file, save_file
from torch import Tensor

USES = {
    "embedding": "gives each token its vector: x = embedding[tokens]",
    "places": "gives each place its vector: x + places",
    "patch": "gives each patch of an image its vector: relu(pixels @ patch + places)",
    "reader": "the one vector that asks, the same for every image",
    "w_q": "makes the queries: q = x @ w_q",
    "w_k": "makes the keys: k = x @ w_k",
    "b_q": "is added to every query: x @ w_q + b_q",
    "b_k": "is added to every key: x @ w_k + b_k",
    "w_v": "makes the values: v = x @ w_v",
    "w_o": "reads the heads' output: output @ w_o",
    "w_gate": "opens or closes the gate after attention: sigmoid(x @ w_gate)",
    "read_out": "turns a vector into one score for each answer",
    "norm_gain": "stretches each feature after layer norm, before attention",
    "norm_shift": "shifts each feature after layer norm, before attention",
    "ff_gain": "stretches each feature after layer norm, before the feed-forward part",
    "ff_shift": "shifts each feature after layer norm, before the feed-forward part",
    "w_1": "the feed-forward part's way in: relu(x @ w_1 + b_1)",
    "b_1": "the feed-forward part's threshold",
    "w_2": "the feed-forward part's way out",
}


class Answer(NamedTuple):
    """A model's scores for every answer, and each attention map by name."""

    logits: Float[Tensor, "b q n_answers"]
    attention: dict[str, Float[Tensor, "b h q n"]]


@dataclass(eq=False)
class Model:
    """A model is its `weights`, tensors by name, and `model(*inputs)`, which computes an `Answer`.

    Nothing is hidden in layers: `model.w_q` is `model.weights["w_q"]`, a plain tensor to look at,
    to multiply with, or to replace by one of your own (`model.w_q = mine`).

    Each model of the course is a dataclass, whose fields are its arguments, with a `first_weights`.
    """

    weights: dict[str, Tensor] = field(init=False, repr=False)

    @property
    def runs_foreign(self) -> bool:
        """Whether it calls a function that somebody else wrote, who may have used all of Python."""
        return False

    def __post_init__(self) -> None:
        self.weights = self.first_weights()

    def first_weights(self) -> dict[str, Tensor]:
        """The weights that training starts from, drawn from the model's `seed`."""
        raise NotImplementedError

    def __call__(self, *inputs: Any) -> Answer:
        raise NotImplementedError

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.weights if name.isidentifier())]

    def __getattr__(self, name: str) -> Tensor:
        weights: dict[str, Tensor] = self.__dict__.get("weights", {})
        if name in weights:
            return weights[name]
        raise AttributeError(f"{type(self).__name__} has no weight {name!r}: it has {[*weights]}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__.get("weights", {}):
            self.weights[name] = _like(name, value, self.weights[name])
        else:
            super().__setattr__(name, value)

    def arguments(self) -> dict[str, str]:
        """What the model was made with, by name, each as it would be typed."""
        return {one.name: repr(getattr(self, one.name)) for one in fields(self) if one.repr}

    def with_weights(self, weights: Mapping[str, Tensor]) -> Model:
        """The same model with other weights, as it was at a recorded step for example."""
        if weights.keys() != self.weights.keys():
            raise ValueError(f"the weights are {[*weights]}, but the model's are {[*self.weights]}")
        other = copy.copy(self)
        other.__dict__["weights"] = dict(weights)
        return other

    def save(self, path: str | Path) -> None:
        """Write the weights as a safetensors file, in half precision."""
        halves = {name: weight.half().contiguous() for name, weight in self.weights.items()}
        save_file(halves, path, {"model": repr(self)})

    def load(self, path: str | Path) -> None:
        """Take over the weights of a file; names and shapes must be this model's."""
        saved = load_file(path)
        self.with_weights(saved)  # refuses other names
        for name, weight in saved.items():
            setattr(self, name, weight)

    def named(self, names: str | Iterable[str]) -> set[str]:
        """The weights that `names` mean: `"w_q"` is that of every layer, `"layer_1.w_q"` is one."""
        chosen: set[str] = set()
        for name in [names] if isinstance(names, str) else names:
            found = {full for full in self.weights if full == name or full.endswith(f".{name}")}
            if not found:
                raise ValueError(f"there is no weight {name!r}: choose from {[*self.weights]}")
            chosen |= found
        return chosen

    def parameters(self) -> ParameterTable:
        """Everything that is stored, and so trained; q, k and v are not among it."""
        return ParameterTable(
            Parameter(name, tuple(weight.shape), weight.numel(), USES[name.rsplit(".", 1)[-1]])
            for name, weight in self.weights.items()
        )


@dataclass(frozen=True)
class Parameter:
    """One row of a parameter table."""

    name: str
    shape: tuple[int, ...]
    count: int
    use: str


class ParameterTable(tuple[Parameter, ...]):
    """A model's weights, one `Parameter` a row; `.total` numbers in all."""

    @property
    def total(self) -> int:
        return sum(parameter.count for parameter in self)

    def __repr__(self) -> str:
        cells = [("name", "shape", "count", "what it does")]
        for row in self:
            cells.append((row.name, " × ".join(map(str, row.shape)), f"{row.count:,}", row.use))
        cells.append(("total", "", f"{self.total:,}", ""))
        widths = [max(len(line[column]) for line in cells) for column in range(3)]
        return "\n".join(
            f"{name:{widths[0]}}  {shape:>{widths[1]}}  {count:>{widths[2]}}  {use}".rstrip()
            for name, shape, count, use in cells
        )


class Draw:
    """Draws first weights from a seed: `draw(rows, columns)` has a spread of 1 / sqrt(rows).

    With that spread a vector keeps its length, on average, when it is multiplied by the matrix.
    """

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, rows: int, columns: int, spread: float | None = None) -> Tensor:
        drawn = torch.randn(rows, columns, generator=self.generator)
        return drawn * (1 / math.sqrt(rows) if spread is None else spread)


def _like(name: str, value: Any, old: Tensor) -> Tensor:
    value = torch.as_tensor(value, dtype=old.dtype)
    if value.shape != old.shape:
        shapes = f"{tuple(value.shape)}, but the model's {name} has shape {tuple(old.shape)}"
        raise ValueError(f"{name} has shape {shapes}: give it that shape")
    return value.detach().clone(memory_format=torch.contiguous_format)
