"""What all widgets share on the kernel's side; `kernel.js` and `shared.js` are its other half.

A widget has three dictionaries. `setup` never changes: names, words, sizes. `state` is everything
that moves, packed afresh whenever somebody asks, so a page that reloads, a second view and a saved
notebook all show the present. `shown` is a page's own: which head, which layer. The kernel keeps it
for a page that reloads, and makes no use of it.

The front end sends a request, `{view, seq, edit}` or `{view, seq, do}`, and gets one answer,
`{view, seq, state, packed}`: bytes of the state travel as buffers after it, in the order that
`packed` names them, a quarter shorter than as text. It also says what it has in view, `{shown}`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar

import anywidget
import traitlets

from qkvlib import theme

_HERE = Path(__file__).parent


# Every widget on a page carries its own copy of its module and its styles, and so does every saved
# notebook. Without comments and compressed, that is 10 KB instead of 50. A page unpacks each kind
# of widget once: a browser never forgets a module, so a cell run again would fill its memory.
_UNPACK = """\
const open = async () => {
  const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const [css, code] = (await new Response(plain).text()).split("\\0");
  const style = document.getElementById("qkv-%s") ?? document.createElement("style");
  style.id = "qkv-%s";
  style.textContent = css;
  if (!style.isConnected) document.head.append(style);
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: module } = await import(address);
  URL.revokeObjectURL(address);
  return module;
};
const opened = (window.qkvlib ??= {});
export default await (opened["%s"] ??= open());
"""
_LETTERED = re.compile(r"[^\W\d_][\d₀-₉]+")
_COMMENT = re.compile(r"^\s*(?:/\*.*?\*/|//[^\n]*)|^\s+", re.MULTILINE | re.DOTALL)


def module(*names: str) -> str:
    """The JavaScript and the styles of one widget: what all share, then its own files."""
    packed = gzip.compress(f"{stylesheet(*names)}\0{script(*names)}".encode(), mtime=0)
    digest = hashlib.sha256(packed).hexdigest()[:16]
    return _UNPACK % (base64.b64encode(packed).decode(), names[-1], names[-1], digest)


def script(*names: str) -> str:
    """The JavaScript of some files, after what all share; without comments and indents."""
    return _COMMENT.sub("", "".join(_read(f"{name}.js") for name in ("kernel", "shared", *names)))


def stylesheet(*names: str) -> str:
    """The colours, the styles that all share, and those of some files."""
    source = "".join(_read(f"{name}.css") for name in ("shared", *names))
    source = re.sub(r"/\*.*?\*/", "", theme.css() + source, flags=re.DOTALL)
    return re.sub(r"\s*([{};,])\s*|\s+", lambda space: space[1] or " ", source)


class Bridge(anywidget.AnyWidget):
    """The part that JupyterLab knows: it carries requests in, answers and states out."""

    setup = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True, to_json=lambda _, bridge: _as_text(bridge.owner.pack()))

    def __init__(self, owner: Widget) -> None:
        self.owner = owner
        super().__init__(setup=owner.setup())
        self.on_msg(lambda _, content, buffers: self.receive(content))

    def receive(self, content: dict[str, Any]) -> None:
        """Whatever a front end sends."""
        if "shown" in content:
            self.shown = content["shown"]
        else:
            self.answer(content)

    def answer(self, request: dict[str, Any]) -> None:
        """Carry out a front end's request and send one answer, whatever happens."""
        answer = {"view": request["view"], "seq": request["seq"]}
        with self.owner.lock:
            try:
                more = self.owner.carry_out(request) or []
                state = self.owner.reply()
                packed = [name for name, value in state.items() if isinstance(value, bytes)]
                buffers = [state.pop(name) for name in packed]
                self.send({**answer, "state": state, "packed": packed}, buffers + more)
            except Exception as error:
                self.send({**answer, "trouble": f"{type(error).__name__}: {error}"})
                raise


class Widget(traitlets.HasTraits):
    """A widget of this course: subclasses say what it shows and carry out what a hand does.

    It holds its bridge instead of being one, so that a learner who types a dot and presses Tab
    finds the widget's own names, and `keys` can mean the keys.
    """

    front_end: ClassVar[str]  # names the .js and the .css
    parts: ClassVar[tuple[str, ...]] = ()  # more files of either kind, which go before it
    _bridge_class: ClassVar[type[Bridge]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        source = {"_esm": module(*cls.parts, cls.front_end)}
        cls._bridge_class = type(f"{cls.__name__}Bridge", (Bridge,), source)

    def __init__(self) -> None:
        # Answers are computed on a thread of their own, beside the learner's cells.
        self.lock = RLock()
        super().__init__()

    def setup(self) -> dict[str, Any]:
        """What never changes, as JSON."""
        raise NotImplementedError

    def pack(self) -> dict[str, Any]:
        """What moves, as JSON, but for bytes: a page sees them as text in base64."""
        raise NotImplementedError

    def reply(self) -> dict[str, Any]:
        """What an answer says of the state; it may leave out what the page knows already."""
        return self.pack()

    def carry_out(self, request: dict[str, Any]) -> list[bytes] | None:
        """Do what a front end asks: `request` has an "edit" or a "do".

        What it returns goes with the answer as binary buffers, and is not saved with the notebook.
        """
        raise NotImplementedError

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
            self.bridge.send_state("state")

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        shown = self.bridge._repr_mimebundle_(**kwargs)
        assert shown is not None  # only a widget without a view has none
        data, metadata = shown
        return {**data, "text/plain": repr(self), "text/html": self.static_html()}, metadata


def tidy(values: Any) -> Any:
    """Numbers as JSON can hold them: six digits, and None for what is no number."""
    if values is None:
        return None
    if isinstance(values, list):
        return [tidy(value) for value in values]
    return float(f"{values:.6g}") if abs(values) < float("inf") else None


def quoted(name: str) -> str:
    """A name within a sentence, where "its" would be read along; k₁ or t0 stands out by itself."""
    return name if _LETTERED.fullmatch(name) else f"“{name}”"


def _as_text(state: dict[str, Any]) -> dict[str, Any]:
    """A state as it is kept by a page and saved with a notebook."""
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for name, value in state.items()
    }


def _read(name: str) -> str:
    """A file of this folder; a part need not have both kinds."""
    path = _HERE / name
    return path.read_text(encoding="utf-8") if path.exists() else ""
