"""The Python side that all widgets share; `kernel.js` and `page.js` are its other half.

A widget has three dictionaries. `setup` never changes: names, words, sizes. `state` is everything that moves.
It is packed again for each request, so a page that reloads, a second view and a saved notebook all show the
present. `shown` belongs to a page: which head, which layer. The kernel stores it for a page that reloads, but
does not use it.

A page that owns the numbers sends them when the hand rests, `{view, seq, rest}`, and gets an answer, with the
state if Python knows more. For anything it cannot do, it sends a request, `{view, seq, edit}` or
`{view, seq, do}`, and gets one answer, `{view, seq, state, packed}`: the state's bytes follow as buffers, in
the order in which `packed` names them. A page also reports what it shows, `{shown}`. The widget manager
handles the bytes in the state that a page opens with, or that a notebook saves.
"""

from __future__ import annotations

import secrets
from functools import cached_property
from threading import RLock
from typing import Any, ClassVar

import anywidget
import traitlets

from qkvlib.figures.still import ASLEEP
from qkvlib.widgets.kit import watch
from qkvlib.widgets.kit.envelope import module


class Bridge(anywidget.AnyWidget):
    """The part that JupyterLab talks to: it passes requests in, and answers and states out."""

    setup = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True, to_json=lambda _, bridge: bridge.owner.pack())

    def __init__(self, owner: Widget) -> None:
        self.owner = owner
        # A fifth of the usual length: the name is sent with every message.
        super().__init__(setup=owner.setup(), model_id=secrets.token_urlsafe(4))
        self.on_msg(lambda _, content, buffers: self.receive(content))
        if watch.WATCHING:
            watch.follow(self, owner.front_end)

    def open(self) -> None:
        """Open the connection. Requests go to the thread that they name, separate from the cells.

        Otherwise ipykernel would send them to the thread that last used this connection. After a cell has
        made or moved the widget, that is the thread that runs the cells, and a request would wait until the
        running cell ends.
        """
        super().open()
        self.comm._reply_subshell_for = lambda data, named: named

    def receive(self, content: dict[str, Any]) -> None:
        """Handle any message from a front end."""
        if "shown" in content:
            self.shown = content["shown"]
        else:
            self.answer(content)

    def _send_state(self, answer: dict[str, Any]) -> None:
        """Send an answer with the state, whose bytes travel as buffers."""
        state = self.owner.pack()
        packed = [name for name, value in state.items() if isinstance(value, bytes)]
        buffers = [state.pop(name) for name in packed]
        self.send({**answer, "state": state, "packed": packed}, buffers)

    def answer(self, request: dict[str, Any]) -> None:
        """Take in the numbers of a page that owns them, or carry out what it requests.

        Send exactly one answer, whatever happens. To numbers it has the state if Python has something to add.
        """
        answer = {"view": request["view"], "seq": request["seq"]}
        with self.owner.lock:
            try:
                if "rest" in request:
                    news, buffers = self.owner.receive(request["rest"]), None
                else:
                    news, buffers = True, self.owner.carry_out(request)
                if news and not buffers:
                    self._send_state(answer)
                else:
                    self.send(answer, buffers)
            except Exception as error:
                self.send({**answer, "trouble": f"{type(error).__name__}: {error}"})
                raise


class Widget(traitlets.HasTraits):
    """A widget of this course: subclasses say what it shows and carry out what a learner does.

    It holds its bridge instead of being one. So a learner who types a dot and presses Tab finds only the
    widget's own names, and `keys` can mean the keys.
    """

    front_end: ClassVar[str]  # names the bundles in static/
    asleep: ClassVar[str] = ASLEEP  # what is said above the still picture
    _bridge_class: ClassVar[type[Bridge]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "front_end"):  # otherwise it is a base class of several, like Moved
            source = {"_esm": module(cls.front_end), "__module__": cls.__module__}
            cls._bridge_class = type(f"{cls.__name__}Bridge", (Bridge,), source)

    def __init__(self) -> None:
        # Answers are computed on a separate thread, beside the learner's cells.
        self.lock = RLock()
        super().__init__()

    def setup(self) -> dict[str, Any]:
        """Return what never changes, as JSON."""
        raise NotImplementedError

    def pack(self) -> dict[str, Any]:
        """Return what moves, as JSON or as bytes, which a page sees as a DataView."""
        raise NotImplementedError

    def receive(self, rest: dict[str, Any]) -> bool:
        """Take in what a learner has moved in a page that owns the numbers: the changes, by name.

        Return whether the page needs the state, because Python knows more.
        """
        raise NotImplementedError

    def carry_out(self, request: dict[str, Any]) -> list[bytes] | None:
        """Do what a page requests and cannot do itself: an "edit", or the action named in "do".

        The returned value is sent as binary buffers instead of the state, and not saved with the notebook.
        """
        self.receive(request["edit"])
        return None

    def static_html(self) -> str:
        """Return the widget for places without a kernel: a still picture, without a script."""
        raise NotImplementedError

    @cached_property
    def bridge(self) -> Bridge:
        """The bridge, made when the widget is first shown."""
        return self._bridge_class(self)

    def push(self) -> None:
        """Send every view the present state, after a change from Python."""
        if "bridge" in self.__dict__:
            self.bridge.send_state("state")

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        shown = self.bridge._repr_mimebundle_(**kwargs)
        assert shown is not None  # only a widget without a view has no bridge
        data, metadata = shown
        still = self.asleep + self.static_html()
        return {**data, "text/plain": repr(self), "text/html": still}, metadata


def tidy(values: Any) -> Any:
    """Return numbers that JSON can hold: six digits, and None for what is not a number."""
    if values is None:
        return None
    if isinstance(values, list):
        return [tidy(value) for value in values]
    return float(f"{values:.6g}") if abs(values) < float("inf") else None
