"""One attention layer whose weights a learner moves, with everything that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
import traitlets
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.widgets.kit.goals import Goal
from qkvlib.widgets.kit.widget import Widget, tidy
from qkvlib.widgets.lab import checks
from qkvlib.widgets.lab.checks import FARTHEST
from qkvlib.widgets.lab.compute import run
from qkvlib.widgets.lab.still import picture


class AttentionLab(Widget):
    """Show attention as one picture, laid out like its equation, in which you can change every weight.

    Drag a weight, or type it, and Q, K, V, the scores, the attention and the output change with it.
    With a target there is a loss, the mean squared error, and a gradient for every number; Step
    and Play train. The page computes what a hand moves, and Python receives it when the hand rests:
    `x`, `w_q`, `w_k`, `w_v`, `target` and `mask`, and `trace`, `gradients`, `output`, `weights` and
    `loss`, which follow from them.

        Q, K, V = X W_Q, X W_K, X W_V        O = softmax(Q K^T / sqrt(d_k)) V
        loss = mean((O - T)^2)

    With `n_heads` the w's are the heads' w's side by side, and so are output and target; the matrices
    inside `trace` and `gradients` have an extra dimension for the heads, and `weights` is [h n n].
    `tokens` name the rows of x, and `features` its columns, which are the rows of the w's.
    """

    front_end = "lab"

    x = traitlets.Instance(Tensor, read_only=True)
    w_q = traitlets.Instance(Tensor, read_only=True)
    w_k = traitlets.Instance(Tensor, read_only=True)
    w_v = traitlets.Instance(Tensor, read_only=True)
    target = traitlets.Instance(Tensor, allow_none=True, read_only=True)
    mask = traitlets.Instance(Tensor, read_only=True)
    trace = traitlets.Any(None, allow_none=True, read_only=True)
    gradients = traitlets.Any(None, allow_none=True, read_only=True)
    output = traitlets.Instance(Tensor, allow_none=True, read_only=True)
    weights = traitlets.Instance(Tensor, allow_none=True, read_only=True)
    loss = traitlets.Float(None, allow_none=True, read_only=True)

    def __init__(
        self,
        x: Float[Tensor, "n d_model"],
        w_q: Float[Tensor, "d_model width"],
        w_k: Float[Tensor, "d_model width"],
        w_v: Float[Tensor, "d_model width_v"],
        target: Float[Tensor, "n width_v"] | None = None,
        *,
        tokens: Sequence[str] | str | None = None,
        features: Sequence[str] | None = None,
        mask: Bool[Tensor, "n n"] | None = None,
        n_heads: int = 1,
        learning_rate: float = 1.0,
        frozen: Iterable[str] = (),
        goal: Goal | None = None,
        view: str = "weights",
    ) -> None:
        super().__init__()
        given = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v}
        start = {name: checks.matrix(name, value) for name, value in given.items()}
        if target is not None:
            start["target"] = checks.matrix("target", target)
        checks.check_fit(start, n_heads)
        start["mask"] = checks.check_mask(mask, len(start["x"]))
        n, d_model = start["x"].shape
        self.tokens = checks.check_names("token", tokens, n, "row") or [f"t{i}" for i in range(n)]
        self.features = checks.check_names("feature", features, d_model, "column")
        checks.check_goal(goal, self.tokens, n_heads)
        checks.check_view(view, target is not None)
        self.start, self.n_heads, self.goal, self.met = start, n_heads, goal, False
        self._view, self._sizes = view, _sizes(start, n_heads)
        self._go(start)
        self.losses: list[float | None] = [self.loss]  # so far, one for each move
        self.learning_rate, self.frozen = checks.check_rate(learning_rate), checks.check_frozen(frozen)

    def setup(self) -> dict[str, Any]:
        return {
            "tokens": self.tokens,
            "features": self.features,
            "heads": self.n_heads,
            "sizes": self._sizes,
            "limit": FARTHEST,
            "goal": self.goal and self.goal.rules(self.tokens, self.tokens),
            "start": _packed(self.start),
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {
                **_packed({name: getattr(self, name) for name in self.start}),
                "losses": tidy(self.losses),
                "rate": self.learning_rate,
                "frozen": [*self.frozen],
                "view": self._view,
                "goal": self.goal and {"met": self.met},
            }

    def receive(self, rest: dict[str, Any]) -> bool:
        known, *new = rest["losses"]
        moved = {
            name: torch.tensor(rest[name], dtype=was.dtype).view_as(was)
            for name, was in self.start.items()
            if name in rest
        }
        for name in moved.keys() - {"mask"}:
            checks.matrix(name, moved[name])
        self.losses = [*self.losses[:known], *new]
        self._view = rest.get("view", self._view)
        if self.goal:
            if rest["met"] and not self.met:
                self.goal.record()
            self.met = rest["met"]
        self.learning_rate = rest.get("rate", self.learning_rate)
        self._go(moved)
        return False

    def static_html(self) -> str:
        return picture(self.trace, self.gradients, self.loss, self.tokens, self.features or ())

    def _go(self, moved: dict[str, Tensor]) -> None:
        """Move several things at once, and compute once."""
        with self.hold_trait_notifications():
            for name, value in moved.items():
                self.set_trait(name, value)
            trace, gradients, loss = run(
                self.x, self.w_q, self.w_k, self.w_v, self.target, self.mask, self.n_heads
            )
            self.set_trait("trace", trace)
            self.set_trait("gradients", gradients)
            self.set_trait("output", trace.output)
            self.set_trait("weights", trace.weights)
            self.set_trait("loss", loss)

    def __repr__(self) -> str:
        (n, d_model), d_k, d_v = self.x.shape, self._sizes["w_q"][1], self._sizes["w_v"][1]
        parts = [f"{n} tokens", f"d_model={d_model}", f"d_k={d_k}", f"d_v={d_v}"]
        parts += [f"{self.n_heads} heads"] if self.n_heads > 1 else []
        parts += [f"loss={self.loss:.4f}"] if self.loss is not None else []
        return f"AttentionLab({', '.join(parts)})"


def _sizes(start: Mapping[str, Tensor], n_heads: int) -> dict[str, list[int]]:
    """Return the rows and columns of each matrix in one head; a gradient has the size of its matrix."""
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


def _packed(moved: Mapping[str, Tensor]) -> dict[str, Any]:
    """Pack everything that can be moved, row by row, with the heads side by side."""
    numbers = {name: value.flatten().tolist() for name, value in moved.items()}
    return {"mask": numbers.pop("mask"), "matrices": numbers}
