"""One attention layer under the hand: weights that move, and everything that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.widgets.kit.goals import Goal, packed
from qkvlib.widgets.kit.learner_function import function_name
from qkvlib.widgets.kit.widget import Widget, tidy
from qkvlib.widgets.lab import checks, packing
from qkvlib.widgets.lab.checks import FARTHEST
from qkvlib.widgets.lab.compute import Attention, takes_mask
from qkvlib.widgets.lab.state import LabState
from qkvlib.widgets.lab.still import picture

ROUNDING = 2e-6  # of the size of all numbers together: the page's and torch's are float32


class AttentionLab(Widget, LabState):
    """Attention as one picture that reads as the equation, with every weight in reach.

    Drag a weight, or type it, and Q, K, V, the scores, the attention and the output move with it.
    With a target there is a loss, the mean squared error, and a gradient for every number; Step
    and Play train. `x`, `w_q`, `w_k`, `w_v`, `target` and `mask` are tensors: assign to them to
    move the picture. `trace`, `gradients`, `output`, `weights` and `loss` follow; `observe` any.

        Q, K, V = X W_Q, X W_K, X W_V        O = softmax(Q K^T / sqrt(d_k)) V
        loss = mean((O - T)^2)

    With `n_heads` the w's are the heads' w's side by side, and so are output and target; in
    `trace` and `gradients` what is inside has a dimension for the heads, and `weights` is [h n n].
    `tokens` name the rows of x, and `features` its columns, which are the rows of the w's.
    `attention` is your own function (q, k, v) -> (output, weights), called with a mask as well
    where one is set.
    """

    front_end = "lab"

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
        attention: Attention | None = None,
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
        names = checks.check_tokens(tokens, len(start["x"]))
        self.features = checks.check_features(features, start["x"].shape[1])
        checks.check_goal(goal, names, n_heads)
        checks.check_view(view, target is not None, attention is not None)
        self.learning_rate, self.frozen = learning_rate, frozen
        self._view, self._answering, self._looking = view, False, False
        self._sizes = packing.sizes(start, n_heads)
        self.begin(start, names, n_heads, attention, goal)

    def setup(self) -> dict[str, Any]:
        goal = self.goal
        return {
            "tokens": self.tokens,
            "features": self.features,
            "heads": self.n_heads,
            "sizes": self._sizes,
            "groups": packing.groups(self.target is not None),
            "function": function_name(self.attention) if self.attention else "",
            "maskable": self.attention is None or takes_mask(self.attention),
            "limit": FARTHEST,
            "goal": goal
            and {
                **goal.told(),
                "touch": list(goal.touch),
                "conditions": self._conditions(),
            },
            "start": packing.pack_start(self.start, self.n_heads) if self._in_page else None,
            "double": self.x.dtype == torch.float64,
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {**self._packed(packing.GROUPS), "losses": tidy(self.losses)}

    def reply(self) -> dict[str, Any]:
        """What moves; the gradients inside go along where the page lacks them and shows them."""
        if self.strayed:
            return self.pack()
        shown = not self._in_page and self._view in ("gradients", "backward")
        if self._looking or shown:
            return self._packed(["moving", "gradients"])
        return {**self._packed(["moving"]), "gradients": None}

    def agrees(self, total: float) -> bool:
        """Whether a page's numbers are these, but for the rounding; words need an answer."""
        if self.error or self.note or self.strayed or self.x.dtype == torch.float64:
            return False
        mine, size = packing.sum_up(self, self._sizes)
        return abs(total - mine) <= ROUNDING * size

    def carry_out(self, request: dict[str, Any]) -> None:
        """Changes are not pushed meanwhile: the answer carries them."""
        self._answering = True
        self.strayed = False
        if request.get("do") != "look":  # which the page asks for by itself
            self.note = ""
        try:
            self._do(request)
        finally:
            self._answering = False

    def _do(self, request: dict[str, Any]) -> None:
        self._looking = request.get("do") == "look"
        gesture: Any = request.get("gesture")
        choice: Any = request.get("choice")
        if edit := request.get("edit"):
            self._edit(edit, gesture)
        elif request["do"] == "step":
            self.remember(gesture)
            for _ in range(request.get("times", 1)):
                self.take_step()
        elif request["do"] == "undo":
            self.undo()
        elif request["do"] == "reset":
            self.reset()
        elif request["do"] == "mask":
            mask = self.mask.clone()
            mask[tuple(choice)] = ~mask[tuple(choice)]
            self.change({"mask": mask}, None)
        elif request["do"] == "rate":
            self.learning_rate = choice
        elif request["do"] == "freeze":
            self.frozen = {*self.frozen} ^ {choice}
        elif request["do"] == "view":
            self._view = choice

    @property
    def _in_page(self) -> bool:
        """Whether a page can compute by itself all that this lab does."""
        return self.attention is None and self._conditions() is not None

    def _conditions(self) -> list[dict[str, Any]] | None:
        return packed(self.goal.conditions, self.tokens, self.tokens) if self.goal else []

    def push(self) -> None:
        """Show every view the present state, unless a request's answer will."""
        if not self._answering:
            super().push()

    def static_html(self) -> str:
        return picture(self)

    def _packed(self, groups: Iterable[str]) -> dict[str, Any]:
        names = packing.groups(self.target is not None)
        state: dict[str, Any] = {
            group: packing.pack(names[group], self, self._sizes) for group in groups if names[group]
        }
        state |= {
            "mask": packing.pack_mask(self.mask),
            "loss": None if self.loss is None else tidy(self.loss),
            "moves": len(self.losses),
            "undo": len(self.history),
            "rate": self.learning_rate,
            "frozen": self.frozen,
            "view": self._view,
            "error": self.error,
            "note": self.note,
        }
        if self.goal:
            state["goal"] = self.standing.shown(self.met)
        return state

    def _edit(self, edit: dict[str, float], gesture: Any) -> None:
        """Set single weights, each named by "matrix head row column"."""
        moved: dict[str, Tensor] = {}
        for address, number in edit.items():
            name, head, row, column = address.split()
            width = self._sizes[name][1]
            w = moved.setdefault(name, getattr(self, name).clone())
            w[int(row), int(head) * width + int(column)] = number
        self.change(moved, gesture)

    def __repr__(self) -> str:
        (n, d_model), d_k, d_v = self.x.shape, self._sizes["w_q"][1], self._sizes["w_v"][1]
        parts = [f"{n} tokens", f"d_model={d_model}", f"d_k={d_k}", f"d_v={d_v}"]
        parts += [f"{self.n_heads} heads"] if self.n_heads > 1 else []
        parts += [f"loss={self.loss:.4f}"] if self.loss is not None else []
        return f"AttentionLab({', '.join(parts)})"
