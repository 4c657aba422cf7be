"""The lab without its picture: the numbers, what moves them, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import torch
import traitlets
from torch import Tensor

from qkvlib.widgets.kit.goals import Goal, Standing
from qkvlib.widgets.kit.trait import Trait
from qkvlib.widgets.lab import checks
from qkvlib.widgets.lab.checks import FARTHEST, WEIGHTS
from qkvlib.widgets.lab.compute import Attention, Pass, run

_MOST_UNDO = 100
_LONGEST_CURVE = 2000


class _Matrix(Trait):
    """A tensor; a list will do, and later changes to it do no harm."""

    def validate(self, obj: Any, value: Any) -> Tensor:
        name = str(self.name)
        return checks.same_shape(name, checks.matrix(name, value), obj.start.get(name))


class _Mask(Trait):
    def validate(self, obj: Any, value: Any) -> Tensor:
        return checks.check_mask(value, len(obj.start["x"]))


class _Rate(Trait):
    def validate(self, obj: Any, value: Any) -> float:
        return checks.check_rate(value)


class _Frozen(Trait):
    def validate(self, obj: Any, value: Any) -> tuple[str, ...]:
        return checks.check_frozen(value)


@dataclass(eq=False)
class _History:
    """The losses so far, one a move, and what Undo goes back to."""

    losses: list[float | None] = field(default_factory=list)
    past: list[tuple[dict[str, Tensor], list[float | None]]] = field(default_factory=list)
    gesture: Any = None

    def remember(self, gesture: Any, moved: dict[str, Tensor]) -> None:
        """One step of undo for each gesture, however many edits it sends."""
        if gesture is None or gesture != self.gesture:
            self.past = [*self.past, (moved, list(self.losses))][-_MOST_UNDO:]
        self.gesture = gesture

    def keep(self, loss: float | None, *, same_move: bool) -> None:
        if same_move:
            self.losses.pop()
        self.losses = [*self.losses[1 - _LONGEST_CURVE :], loss]


class LabState(traitlets.HasTraits):
    """One attention layer: set a number, and everything that follows from it is computed."""

    x = _Matrix()
    w_q = _Matrix()
    w_k = _Matrix()
    w_v = _Matrix()
    target = _Matrix(allow_none=True, default_value=None)
    mask = _Mask()
    learning_rate = _Rate(1.0)
    frozen = _Frozen(())
    trace = traitlets.Any(None, allow_none=True, read_only=True)
    gradients = traitlets.Any(None, allow_none=True, read_only=True)
    output = traitlets.Instance(Tensor, allow_none=True, read_only=True)
    weights = traitlets.Instance(Tensor, allow_none=True, read_only=True)
    loss = traitlets.Float(None, allow_none=True, read_only=True)

    lock: RLock
    start: dict[str, Tensor]
    features: list[str] | None

    def push(self) -> None:
        """Show what has changed."""
        raise NotImplementedError

    def begin(
        self,
        start: dict[str, Tensor],
        tokens: list[str],
        n_heads: int,
        attention: Attention | None,
        goal: Goal | None,
    ) -> None:
        """Lay out the numbers that the state starts from, checked already."""
        self.start, self.tokens, self.n_heads = start, tokens, n_heads
        self.attention, self.goal = attention, goal
        self.standing, self.met = Standing(False, 0.0, ""), False
        self.error = ""  # of the learner's own function
        self.note = ""  # why the last request was not carried out
        self.history = _History()
        self._placing = False
        self._place(start)
        self.history.keep(self.loss, same_move=False)

    def step(self, times: int = 1) -> None:
        """Take gradient steps: each weight that is not frozen moves against its gradient.

        w = w - learning_rate * dloss/dw
        """
        with self.lock:
            self.history.remember(None, self.moved())
            for _ in range(times):
                self.take_step()
            self.push()

    def undo(self) -> None:
        """Go back to before the last change."""
        with self.lock:
            if self.history.past:
                moved, losses = self.history.past.pop()
                self._place(moved)
                self.history.losses, self.history.gesture = losses, None
            self.push()

    def reset(self) -> None:
        """Go back to where the lab began, and try for the goal again. Undo takes this back."""
        with self.lock:
            self.history.remember(None, self.moved())
            self.met = False
            self._place(self.start)
            self.history.losses = [self.loss]
            self.push()

    def moved(self) -> dict[str, Tensor]:
        """Everything that a change can move, as it is now."""
        return {name: getattr(self, name) for name in self.start}

    def change(self, moved: Mapping[str, Tensor], gesture: Any) -> None:
        """Move some of it by hand; edits of one gesture are one move."""
        same_move = gesture is not None and gesture == self.history.gesture
        self.history.remember(gesture, self.moved())
        self._place(moved)
        self.history.keep(self.loss, same_move=same_move)

    def take_step(self) -> None:
        """One gradient step, unless it leads out of the picture."""
        found = self.gradients
        if found is None:
            self.note = "There are no gradients, so there is no step to take."
            return
        moved = {}
        for name in WEIGHTS:
            if name not in self.held:
                slope = getattr(found, f"d_{name}")
                moved[name] = getattr(self, name) - self.learning_rate * slope
        for name, w in moved.items():
            if not (w.abs() <= FARTHEST).all():
                self.note = (
                    f"With learning rate {self.learning_rate:g} this step takes {name.upper()} "
                    f"beyond {FARTHEST:.0f}. Nothing moved: try a smaller one."
                )
                return
        self._place(moved)
        self.history.keep(self.loss, same_move=False)

    @property
    def held(self) -> set[str]:
        """What a step leaves as it is: what is frozen, and what is not in the goal's reach."""
        if self.goal is None or self.met:
            return {*self.frozen}
        return {*self.frozen} | ({*checks.TOUCHABLE} - {*self.goal.touch})

    def _place(self, moved: Mapping[str, Tensor]) -> None:
        """Move several at once and compute once; whoever asked shows the result."""
        self._placing = True
        try:
            with self.hold_trait_notifications():
                for name, value in moved.items():
                    setattr(self, name, value)
                self._compute()
        finally:
            self._placing = False

    @traitlets.observe("x", *WEIGHTS, "target", "mask")
    def _changed_from_python(self, change: Any) -> None:
        if self._placing:
            return
        with self.lock:
            self.history.past.append(({**self.moved(), change["name"]: change["old"]},
                                      list(self.history.losses)))  # fmt: skip
            self.history.gesture = None
            with self.hold_trait_notifications():
                self._compute()
            self.history.keep(self.loss, same_move=False)
            self.push()

    @traitlets.observe("learning_rate", "frozen")
    def _rules_changed(self, change: Any) -> None:
        if "start" in self.__dict__:
            self.push()

    def _compute(self) -> None:
        weights = {name: getattr(self, name) for name in WEIGHTS}
        self.error, result = "", None
        try:
            result = run(self.x, weights, self.target, self.mask, self.n_heads, self.attention)
        except ValueError as error:
            self.error = str(error)
        self._publish(result)
        if self.goal and not self.met:
            self.standing = self._judge(self.goal)
            if self.standing.holds:
                self.met, self.standing = True, self.standing.kept()
                self.goal.record()

    def _publish(self, result: Pass | None) -> None:
        seen = result and result.trace
        self.set_trait("trace", seen)
        self.set_trait("gradients", result and result.gradients)
        self.set_trait("output", seen and seen.output)
        self.set_trait("weights", seen and seen.weights)
        self.set_trait("loss", result and result.loss)

    def _judge(self, goal: Goal) -> Standing:
        if self.weights is None:
            return Standing(False, 0.0, "There are no weights to compare.")
        for name, value in self.start.items():
            if name not in goal.touch and not torch.equal(getattr(self, name), value):
                words = f"{name} is not what it was. Reset to try for the goal."
                return Standing(False, 0.0, words)
        return goal.standing(self.weights, self.tokens, self.tokens, self.loss)
