"""The lab without its picture: the numbers, what moves them, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from threading import RLock
from typing import Any

import torch
import traitlets
from torch import Tensor

from qkvlib.widgets.kit.goals import Goal, Standing, same
from qkvlib.widgets.kit.history import History
from qkvlib.widgets.kit.trait import Trait
from qkvlib.widgets.lab import checks
from qkvlib.widgets.lab.checks import FARTHEST, WEIGHTS
from qkvlib.widgets.lab.compute import Attention, Pass, run

_LONGEST_CURVE = 2000

# What Undo goes back to: everything that a change can move, and the losses so far.
Past = tuple[dict[str, Tensor], list[float | None]]


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
        self.strayed = False  # whether an observer has moved more than the last request
        self.note = ""  # why the last request was not carried out
        self.losses: list[float | None] = []  # so far, one a move
        self.history: History[Past] = History()
        self._placing = False
        self._place(start)
        self._keep_loss(same_move=False)

    def step(self, times: int = 1) -> None:
        """Take gradient steps: each weight that is not frozen moves against its gradient.

        w = w - learning_rate * dloss/dw
        """
        with self.lock:
            self.remember()
            for _ in range(times):
                self.take_step()
            self.push()

    def undo(self) -> None:
        """Go back to before the last change."""
        with self.lock:
            if before := self.history.back():
                moved, self.losses = before
                self._place(moved)
            self.push()

    def reset(self) -> None:
        """Go back to where the lab began, and try for the goal again. Undo takes this back."""
        with self.lock:
            self.remember()
            self.met = False
            self._place(self.start)
            self.losses = [self.loss]
            self.push()

    def moved(self) -> dict[str, Tensor]:
        """Everything that a change can move, as it is now."""
        return {name: getattr(self, name) for name in self.start}

    def change(self, moved: Mapping[str, Tensor], gesture: Any) -> None:
        """Move some of it by hand; edits of one gesture are one move."""
        same_move = self.history.goes_on(gesture)
        self.remember(gesture)
        self._place(moved)
        self._keep_loss(same_move=same_move)

    def remember(self, gesture: Any = None) -> None:
        """Before a change: where Undo goes back to."""
        self.history.remember((self.moved(), self.losses), gesture)

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
        self._keep_loss(same_move=False)

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

    def _keep_loss(self, *, same_move: bool) -> None:
        before = self.losses[:-1] if same_move else self.losses
        self.losses = [*before[1 - _LONGEST_CURVE :], self.loss]

    @traitlets.observe("x", *WEIGHTS, "target", "mask")
    def _changed_from_python(self, change: Any) -> None:
        if self._placing:
            self._follow_observer()
            return
        with self.lock:
            self.history.remember(({**self.moved(), change["name"]: change["old"]}, self.losses))
            with self.hold_trait_notifications():
                self._compute()
            self._keep_loss(same_move=False)
            self.push()

    def _follow_observer(self) -> None:
        """Who has just heard of a move may have moved something else: that is part of the move."""
        if not all(map(same, self._computed_from.values(), self.moved().values())):
            self.strayed = True
            with self.hold_trait_notifications():
                self._compute()

    @traitlets.observe("learning_rate", "frozen")
    def _rules_changed(self, change: Any) -> None:
        if "start" in self.__dict__:
            self.push()

    def _compute(self) -> None:
        weights = {name: getattr(self, name) for name in WEIGHTS}
        self._computed_from = self.moved()
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
