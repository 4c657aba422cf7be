"""What all widgets share on the kernel's side; `kernel.js` and `page.js` are its other half.

A widget has three dictionaries. `setup` never changes: names, words, sizes. `state` is everything
that moves, packed afresh whenever somebody asks, so a page that reloads, a second view and a saved
notebook all show the present. `shown` is a page's own: which head, which layer. The kernel keeps it
for a page that reloads, and makes no use of it.

A page that owns the numbers sends where a hand rests, `{view, seq, rest}`, and is answered where
something else stands here then. What it cannot do, it asks for, `{view, seq, edit}` or `{view, seq, do}`,
and gets one answer, `{view, seq, state, packed}`: bytes of the state travel as buffers after it, in the
order that `packed` names them. A page also says what it has in view, `{shown}`.
Bytes within the state that a page opens with, or that a notebook saves, are the widget manager's
business.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cached_property
from threading import RLock
from typing import Any, ClassVar

import anywidget
import traitlets

from qkvlib.figures.still import ASLEEP
from qkvlib.widgets.kit import watch
from qkvlib.widgets.kit.envelope import module


class Bridge(anywidget.AnyWidget):
    """The part that JupyterLab knows: it carries requests in, answers and states out."""

    setup = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True, to_json=lambda _, bridge: bridge.owner.pack())

    def __init__(self, owner: Widget) -> None:
        self.owner = owner
        # A fifth of the usual letters: the name goes with every message.
        super().__init__(setup=owner.setup(), model_id=secrets.token_urlsafe(4))
        self.on_msg(lambda _, content, buffers: self.receive(content))
        self._answering = False
        if watch.WATCHING:
            watch.follow(self, owner.front_end)

    def open(self) -> None:
        """Open the connection; requests go to the thread that they name, beside the cells.

        ipykernel would send them to the thread that spoke last through this connection. That is the
        one that runs the cells, after it made the widget or moved it, and a request would wait
        until the cell that runs has ended.
        """
        super().open()
        self.comm._reply_subshell_for = lambda data, named: named

    def receive(self, content: dict[str, Any]) -> None:
        """Whatever a front end sends."""
        if "shown" in content:
            self.shown = content["shown"]
        elif "rest" in content:
            self.take_in(content)
        else:
            self.answer(content)

    def take_in(self, content: dict[str, Any]) -> None:
        """Take in where a hand rests in a page that owns the numbers.

        It is answered where something else stands here now, because an observer has moved more,
        and where the page asks for it: it may be in a host that does not tell when a message is done.
        """
        answer = {"view": content["view"], "seq": content["seq"]}
        with self.owner.lock:
            self._answering = True
            try:
                strayed = self.owner.receive(content["rest"])
                if strayed:
                    self._send_with(answer)
                elif not content.get("quiet"):
                    self.send(answer)
            except Exception as error:
                self.send({**answer, "trouble": f"{type(error).__name__}: {error}"})
                raise
            finally:
                self._answering = False

    def show_all(self) -> None:
        """Show every view the present state, unless an answer will."""
        if not self._answering:
            self.send_state("state")

    def _send_with(self, answer: dict[str, Any], more: Sequence[bytes] = ()) -> None:
        """An answer with the state, whose bytes travel as buffers."""
        state = self.owner.reply()
        packed = [name for name, value in state.items() if isinstance(value, bytes)]
        buffers = [state.pop(name) for name in packed]
        self.send({**answer, "state": state, "packed": packed}, [*buffers, *more])

    def answer(self, request: dict[str, Any]) -> None:
        """Carry out a front end's request, and send one answer whatever happens."""
        answer = {"view": request["view"], "seq": request["seq"]}
        with self.owner.lock:
            self._answering = True
            try:
                self._send_with(answer, self.owner.carry_out(request) or [])
            except Exception as error:
                self.send({**answer, "trouble": f"{type(error).__name__}: {error}"})
                raise
            finally:
                self._answering = False


class Widget(traitlets.HasTraits):
    """A widget of this course: subclasses say what it shows and carry out what a hand does.

    It holds its bridge instead of being one, so that a learner who types a dot and presses Tab
    finds the widget's own names, and `keys` can mean the keys.
    """

    front_end: ClassVar[str]  # names the bundles in static/
    asleep: ClassVar[str] = ASLEEP  # what is said above the still picture
    _bridge_class: ClassVar[type[Bridge]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "front_end"):  # else it is a base of several, like Moved
            source = {"_esm": module(cls.front_end), "__module__": cls.__module__}
            cls._bridge_class = type(f"{cls.__name__}Bridge", (Bridge,), source)

    def __init__(self) -> None:
        # Answers are computed on a thread of their own, beside the learner's cells.
        self.lock = RLock()
        super().__init__()

    def setup(self) -> dict[str, Any]:
        """What never changes, as JSON."""
        raise NotImplementedError

    def pack(self) -> dict[str, Any]:
        """What moves, as JSON or as bytes, which a page sees as a DataView."""
        raise NotImplementedError

    def reply(self) -> dict[str, Any]:
        """What an answer says of the state; it may leave out what the page knows already."""
        return self.pack()

    def receive(self, rest: dict[str, Any]) -> bool:
        """Take in what a hand has moved in a page that owns the numbers: what has changed, by name.

        Return whether something else stands here now, because an observer has moved more.
        """
        raise NotImplementedError

    def carry_out(self, request: dict[str, Any]) -> list[bytes] | None:
        """Do what a page asks and cannot do alone: an "edit", or what is named in "do".

        What it returns goes with the answer as binary buffers, and is not saved with the notebook.
        """
        self.receive(request["edit"])
        return None

    def static_html(self) -> str:
        """The widget where there is no kernel: a still picture, no script."""
        raise NotImplementedError

    @cached_property
    def bridge(self) -> Bridge:
        """Made when the widget is first shown."""
        return self._bridge_class(self)

    def push(self) -> None:
        """Show every view the present state, after a change from Python."""
        if "bridge" in self.__dict__:
            self.bridge.show_all()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        shown = self.bridge._repr_mimebundle_(**kwargs)
        assert shown is not None  # only a widget without a view has none
        data, metadata = shown
        still = self.asleep + self.static_html()
        return {**data, "text/plain": repr(self), "text/html": still}, metadata


def tidy(values: Any) -> Any:
    """Numbers as JSON can hold them: six digits, and None for what is no number."""
    if values is None:
        return None
    if isinstance(values, list):
        return [tidy(value) for value in values]
    return float(f"{values:.6g}") if abs(values) < float("inf") else None


def need_few_words(words: Sequence[str], most: int, longest: int) -> None:
    """Refuse more words than a widget has room for, and longer ones."""
    if not 2 <= len(words) <= most:
        raise ValueError(f"there are {len(words)} words, but this widget shows 2 to {most}: a few will do")
    for word in words:
        if not 1 <= len(word) <= longest:
            raise ValueError(f"the word {word!r} must have 1 to {longest} letters")
