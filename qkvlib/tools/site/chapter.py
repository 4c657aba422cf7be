"""A chapter as the parts of a page: texts, code, outputs, exercises with their hints.

The cells are those of the saved lesson, with stubs for answers. The outputs come from a run of the solution.
Between a prediction and its reveal, the page keeps them closed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbformat import NotebookNode

from qkvlib.course.chapters import chapters
from qkvlib.exercises import EXERCISES
from qkvlib.figures.still import ASLEEP
from qkvlib.tools.authoring import elsewhere, suspense
from qkvlib.tools.authoring.build import DIFFERS, WIDGET_VIEW
from qkvlib.tools.authoring.suspense import Suspense
from qkvlib.tools.site import lighter, narrow
from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.text import as_html, without_tags
from qkvlib.tools.site.words import Marker
from qkvlib.widgets.kit.envelope import STATIC

# The outputs of these functions are about one learner's progress in Python; a page has its own.
_PERSONAL = re.compile(r"^(course_map|quiz_result)\(", re.MULTILINE)
_ANSWER = re.compile(r"<p><em>Your answer\.?</em></p>")
_PICTURE = re.compile(r'<img src="pictures/([\w-]+\.svg)"([^>]*)>')
_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"')
_HERE = "here-"  # pictures that have a narrow form
_HEADING = re.compile(r'<h2 id="([^"]*)">(.*?)</h2>', re.DOTALL)
_PLACE = re.compile(r'<div class="place" id="([^"]+)" data-kind="(\w+)"')
_ASKING = {"predict", "recap"}  # they ask about their own lesson
_WHOSE = re.compile(r"^`\w+` is yours\.\n", re.MULTILINE)  # here the course's own functions ran
_TERMS = re.compile(r"<table>(?=<thead><tr><th[^>]*>term</th>)")
# A line may break after a formula, but not between the formula and a punctuation mark.
_MARK_AFTER_LONG = re.compile(r"</math></span>([.,;:!?)]+)")
_WITH_MARK = re.compile(r'<math [^>]*"inline"(?:(?!</math>).)*</math>[.,;:!?)]+', re.DOTALL)
_WIDE = 400  # pixels: a wider picture scrolls on a phone, because it would be too small to read
_WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
_FIELD = """<p class="answer"><label for="answer-{name}">Your answer</label>
<textarea id="answer-{name}" data-answer="{name}" rows="6"></textarea></p>"""
_ALL_LESSONS = "../lessons/README.md"
# How high each widget of each page is, in pixels: on a phone, a tablet and a desktop. `python -m
# tests.tools.site.heights` measures it.
_HEIGHTS = json.loads((Path(__file__).parent / "heights.json").read_text(encoding="utf-8"))

Model = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One cell, as a page shows it."""

    text: str = ""
    """As HTML; a part has either text or code."""
    code: str = ""
    folded: bool = False
    """Whether the code is folded away, as in the lesson."""
    outputs: tuple[Markup, ...] = ()
    hints: tuple[str, ...] = ()
    """Those of the exercise that it asks for."""
    exercise: str = ""
    """Its name, where the cell asks for one."""
    after: str = ""
    """The predictions, by name, without which nothing of it may show."""


@dataclass(frozen=True)
class Section:
    """A heading of the second level, for the table of contents."""

    place: str
    title: Markup


@dataclass(frozen=True)
class Early:
    """The addresses of what a widget at the top of a page needs, which the page's head preloads."""

    module: str
    look: str
    state: str


@dataclass(frozen=True)
class Body:
    """Everything between a page's head and its footer."""

    parts: tuple[Part, ...]
    sections: tuple[Section, ...]
    embeddable: tuple[str, ...]
    """The addresses of its widgets as modules for anybody's page."""
    early: Early | None
    """What a widget needs that stands before the first section."""
    widgets: Mapping[str, str]
    """The address of the first widget to move in each section, by the section's own."""


def body(
    lesson: NotebookNode,
    run: NotebookNode,
    name: str,
    lessons: Path,
    assets: Assets,
    on_page: Mapping[str, str],
) -> Body:
    """Return a chapter's lesson, with the outputs of its solution.

    `on_page` has the text of cells for which a page uses different words, by their ids.
    """
    came_out = {cell.id: cell for cell in run.cells}
    widgets = PageWidgets(run, name, assets)
    marker = Marker()
    parts = []
    for cell, tense in zip(lesson.cells, suspense.of(lesson.cells), strict=True):
        if cell.cell_type == "markdown":
            html = at_home(as_html(on_page.get(cell.id, cell.source)), lessons, assets)
            html = _together(_ANSWER.sub(_FIELD.format(name=name[:2]), html))
            parts.append(Part(text=Markup(marker.marked(html))))
        elif not (_only_checks(cell) or elsewhere.is_installing(cell.source)):
            parts.append(_code(cell, came_out[cell.id], tense, widgets))
    sections = sections_of("".join(part.text for part in parts))
    early = widgets.early if _opens_with_a_widget(parts) else None
    return Body(tuple(parts), sections, tuple(widgets.embeddable), early, _to_move(parts))


def _opens_with_a_widget(parts: Iterable[Part]) -> bool:
    """Tell whether a widget stands before the first section, where a reader sees it at once."""
    opening = takewhile(lambda part: not _HEADING.search(part.text), parts)
    return any(_PLACE.search(output) for part in opening for output in part.outputs)


def _to_move(parts: Iterable[Part]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    section = ""
    for part in parts:
        section = (_HEADING.findall(part.text) or [(section, "")])[-1][0]
        for place, kind in _PLACE.findall("".join("" if part.after else each for each in part.outputs)):
            if kind not in _ASKING:
                found.setdefault(section, place)
    return found


def sections_of(html: str) -> tuple[Section, ...]:
    """The headings of the second level, in order."""
    return tuple(Section(place, Markup(title)) for place, title in _HEADING.findall(html))


def _together(html: str) -> str:
    html = _MARK_AFTER_LONG.sub(r"</math>\1</span>", html)
    return _WITH_MARK.sub(r'<span class="together">\g<0></span>', html)


def _only_checks(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("grade"))


def _code(cell: NotebookNode, ran: NotebookNode, tense: Suspense, widgets: PageWidgets) -> Part:
    coloured = lighter.code(cell.source)
    part = Part(
        code=coloured,
        folded=bool(cell.metadata.get("jupyter", {}).get("source_hidden")),
        after=" ".join(tense.awaited),
    )
    if marks := cell.metadata.get("nbgrader"):
        name = marks["grade_id"]
        return replace(part, code=_hung(part.code), exercise=name, hints=EXERCISES[name].hints)
    if personal := _PERSONAL.search(cell.source):
        return replace(part, outputs=(widgets.of_the_reader(personal[1]),))
    if DIFFERS in ran.metadata.get("tags", []):
        return part
    shown = tuple(widgets.outputs_as_html(ran.outputs, sealed=bool(tense.asks)))
    return replace(part, outputs=shown)


def _hung(code: str) -> Markup:
    """Return the code with its lines marked, so that the rest of a broken line is indented."""
    lines = code.splitlines(keepends=True)
    blanks = [len(line) - len(line.lstrip(" ")) for line in map(without_tags, lines)]
    return Markup("").join(
        Markup(f'<span class="line" style="--in: {far}">{line}</span>')
        for far, line in zip(blanks, lines, strict=True)
    )


def at_home(html: str, lessons: Path, assets: Assets) -> str:
    """Return the HTML with its links and pictures pointing into the site."""

    def as_image(found: re.Match[str]) -> str:
        svg = (lessons / "pictures" / found[1]).read_text(encoding="utf-8")
        size = _SIZE.search(svg)
        dimensions = f' width="{size[1]}" height="{size[2]}"' if size else ""
        picture = f'<img{dimensions} src="{assets.add(found[1], svg)}"{found[2]}>'
        if found[1].startswith(_HERE):
            small = assets.add(f"narrow-{found[1]}", narrow.narrow(svg))
            source = f'<source media="(max-width: {narrow.BELOW}px)" srcset="{small}" '
            size_of = f'width="{narrow.WIDE}" height="{narrow.HIGH}">'
            picture = f"<picture>{source}{size_of}{picture}</picture>"
        wide = size and float(size[1]) > _WIDE
        return f'<span class="picture scroll">{picture}</span>' if wide else picture

    html = _PICTURE.sub(as_image, html)
    html = html.replace(f'href="{_ALL_LESSONS}', 'href="index.html#chapters')
    html = re.sub(r'(href="[\w-]+)\.ipynb', r"\1.html", html)
    return html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")


class PageWidgets:
    """The widgets of a chapter: each is a still picture, and data from which the widget starts."""

    def __init__(self, run: NotebookNode, name: str, assets: Assets) -> None:
        saved: dict[str, Model] = run.metadata.get("widgets", {}).get(_WIDGET_STATE, {}).get("state", {})
        # Other packages' widgets are not started.
        self._models = {name: each for name, each in saved.items() if _bridge(each).startswith("qkvlib.")}
        self._run = run
        self._name, self._assets = name, assets
        self._shown: Counter[str] = Counter()
        self.embeddable: list[str] = []
        self.early: Early | None = None

    def outputs_as_html(self, outputs: list[NotebookNode], *, sealed: bool = False) -> Iterator[Markup]:
        """Return each output of a cell as HTML. The outputs of a `sealed` prediction reveal no outcome."""
        for output in outputs:
            if output.output_type == "stream":
                if printed := _WHOSE.sub("", output.text):
                    yield Markup(f"<pre>{escape(printed)}</pre>")
                continue
            data = output.data
            still = data.get("text/html") or f"<pre>{escape(data['text/plain'])}</pre>"
            still = _TERMS.sub('<table class="terms">', still)
            still = lighter.pictures_apart(still, f"{self._name}-still", self._assets)
            model = data.get(WIDGET_VIEW, {}).get("model_id")
            yield self._widget_as_html(model, still, sealed) if model in self._models else Markup(still)

    def first(self, kind: str) -> Markup:
        """Return the chapter's first widget of a kind, for the front page."""
        for output in (output for cell in self._run.cells for output in cell.get("outputs", [])):
            model = output.get("data", {}).get(WIDGET_VIEW, {}).get("model_id")
            if model in self._models and _front_end(self._models[model]) == kind:
                return self._widget_as_html(model, output.data["text/html"], False, "index")
        raise ValueError(f"no output shows a widget of the kind {kind!r}")

    def _widget_as_html(self, model: str, still: str, sealed: bool, page: str = "") -> Markup:
        """Return a widget's still picture, with what is needed to start it there."""
        kind = _front_end(self._models[model])
        widget = _on_a_page(self._models[model], sealed)
        if kind == "recap":
            widget["asked"] = [self._asked(each) for each in widget["traits"]["setup"]["questions"]]
        if kind not in _ASKING:
            self._offer(kind, widget)
        state = self._assets.add(f"{self._name}-{kind}.json", json.dumps(widget))
        module, look = (
            self._assets.add(name, (STATIC / name).read_bytes()) for name in (f"{kind}.js", f"{kind}.css")
        )
        self.early = self.early or Early(module, look, state)
        self._shown[kind] += 1
        reserved = reserved_height(page or self._name, kind, self._shown[kind])
        return Markup(
            f'<div class="place" id="{kind}-{self._shown[kind]}" data-kind="{kind}" data-module="{module}" '
            f'data-look="{look}" data-state="{state}"{reserved}>{still.removeprefix(ASLEEP)}</div>'
        )

    def _offer(self, kind: str, widget: Mapping[str, Any]) -> None:
        """Write the widget as one self-contained module, for other people's pages."""
        number = 1 + sum(f"-{kind}-" in name for name in self.embeddable)
        script, style = ((STATIC / f"{kind}.{end}").read_text(encoding="utf-8") for end in ("js", "css"))
        arguments = ", ".join(json.dumps(each) for each in (kind, script, style, widget))
        embedding = (STATIC / "embed.js").read_text(encoding="utf-8")
        module = f"{embedding}export default qkv.living({arguments});\n"
        name = f"widgets/{self._name[:2]}-{kind}-{number}.mjs"
        self.embeddable.append(self._assets.write_named(name, module))

    def of_the_reader(self, what: str) -> Markup:
        """Return what the page itself knows about its reader, in place of what Python would say."""
        if what == "course_map":
            return Markup('<p><a href="index.html#chapters">The map, as far as you have come</a></p>')
        state = {
            "asked": [_asking(model) for model in self._models.values() if _front_end(model) == "predict"],
            "pages": {int(one.number): f"{one.name}.html" for one in chapters()},
        }
        address = self._assets.add(f"{self._name}-quiz.json", json.dumps(state))
        return Markup(f'<div class="quiz" role="status" data-quiz="{address}"></div>')

    def _asked(self, question: str) -> Mapping[str, Any]:
        """Return a question's prediction."""
        for model in self._models.values():
            if model["state"]["setup"].get("question") == question:
                return _asking(model)
        raise ValueError(f"no prediction asks {question!r}")


def reserved_height(page: str, kind: str, number: int) -> Markup:
    """Return the attribute that reserves a widget's height until it starts."""
    heights = _HEIGHTS.get(page, {}).get(kind, [])[number - 1 : number]
    if not heights:
        return Markup("")
    narrow, middle, wide = heights[0]
    return Markup(f' style="--narrow: {narrow}px; --middle: {middle}px; --wide: {wide}px"')


def _bridge(model: Model) -> str:
    """Return what anywidget calls the widget: its module and the name of its bridge."""
    return str(model.get("state", {}).get("_anywidget_id", ""))


def _front_end(model: Model) -> str:
    """Return the name of a widget's bundles."""
    module, bridge = _bridge(model).rsplit(".", 1)
    return str(getattr(import_module(module), bridge.removesuffix("Bridge")).front_end)


def _asking(model: Model) -> Mapping[str, Any]:
    """Return a prediction or a question, as the run left it."""
    return {trait: model["state"][trait] for trait in ("setup", "state")}


def _on_a_page(model: Model, sealed: bool) -> dict[str, Any]:
    """Return a widget's final state, from which a page starts it, with the words for a page, where nothing
    is run."""
    setup, state, shown = (dict(model["state"].get(trait, {})) for trait in ("setup", "state", "shown"))
    if isinstance(words := setup.get("words"), dict):
        setup["words"] = {key: _read_on(text) for key, text in words.items()}
    if sealed:
        state["sealed"] = ""
    traits = {"setup": setup, "state": state, "shown": shown}
    return {"traits": traits, "buffers": model.get("buffers", [])}


def _read_on(words: Any) -> Any:
    if not isinstance(words, str):
        return words
    return words.replace("Run on", "Read on").replace("run on", "read on")
