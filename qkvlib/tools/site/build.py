"""The whole site: a folder of pages that any server can hand out, and that asks nobody else.

index.html              what this is, a living widget, the map
NN_name.html            a page for each chapter
questions.html          what people ask, from `lessons/questions.md`
embed.html, widgets/    each widget as a module for anybody's page, and how to put it there
assets/                 what they share: widgets, styles, the font of the formulas, pictures
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from qkvlib.course.chapters import Chapter
from qkvlib.figures import theme
from qkvlib.tools.authoring import build as authoring
from qkvlib.tools.authoring import front_matter
from qkvlib.tools.site import formulas, questions, search
from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.chapter import (
    Early,
    PageText,
    PageWidgets,
    at_home,
    body,
    reserved_height,
    sections_of,
)
from qkvlib.tools.site.in_page import files as in_page
from qkvlib.tools.site.run import run
from qkvlib.tools.site.text import as_html
from qkvlib.tools.site.words import Marker
from qkvlib.widgets.kit.envelope import STATIC

_HERE = Path(__file__).parent
_LIVING = "soft_lookup"  # the widget of the front page: the first that the door shows
_ICON = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect x="1" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("query")}"/>
<rect x="6" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("key")}"/>
<rect x="11" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("value")}"/></svg>"""


@dataclass(frozen=True)
class Shared:
    """The addresses of what every page needs."""

    look: str
    script: str
    icon: str
    index: str
    """What the search looks through."""


def build(
    root: Path,
    site: Path,
    chosen: Sequence[str] = (),
    tell: Callable[[str], None] = lambda words: None,
) -> None:
    """Write the site of the course at `root`; `chosen` numbers of chapters, or all.

    A folder that is there is written anew, if a site was written to it before.
    """
    sources = [one for one in authoring.sources(root) if not chosen or one.stem[:2] in chosen]
    lessons = [front_matter.read(source).chapter for source in sources]
    _clear(site)
    assets = Assets(site)
    found = json.dumps(search.entries(root, lessons), ensure_ascii=False, separators=(",", ":"))
    shared = _shared(assets, found)
    checker = in_page.add_checker(assets, root / "lessons")
    offered: list[tuple[Chapter, Sequence[str]]] = []
    solutions = [source.with_suffix(".ipynb") for source in sources]
    runs = authoring.side_by_side(lambda each: run(each, root / "build" / "runs"), solutions)
    for place, (source, one, ran) in enumerate(zip(sources, lessons, runs, strict=True)):
        tell(one.name)
        lesson = nbformat.read(root / "lessons" / f"{one.name}.ipynb", as_version=4)
        on_page = authoring.read(source).on_page
        told_by = body(lesson, ran, one.name, root / "lessons", assets, on_page)
        offered += [(one, told_by.embeddable)] if told_by.embeddable else []
        page = _page(
            "chapter",
            title=f"{one.title}: {one.question}",
            description=one.settles,
            shared=shared,
            number=int(one.number),
            body=told_by,
            early=told_by.early,
            work=_work(root, one, checker, assets),
            before=lessons[place - 1] if place else None,
            after=lessons[place + 1] if place + 1 < len(lessons) else None,
        )
        (site / f"{one.name}.html").write_text(page, encoding="utf-8")
        if place == 0:
            outputs = [output for cell in ran.cells for output in cell.get("outputs", [])]
            door = PageWidgets(ran, one.name, assets)
            lab = door.first(_LIVING, outputs)
            index = _index(lessons, lab, door.early, shared)
            (site / "index.html").write_text(index, encoding="utf-8")
    embed = _page(
        "embed",
        title="A widget on your page",
        description="Each widget of the course as a module for anybody's page.",
        shared=shared,
        offered=offered,
        reserved=reserved_height("embed", _LIVING, 1),
        example=next(name for _, names in offered for name in names if _LIVING in name),
    )
    (site / "embed.html").write_text(embed, encoding="utf-8")
    (site / "questions.html").write_text(_questions(root, assets, shared), encoding="utf-8")


def _work(root: Path, one: Chapter, checker: Mapping[str, str], assets: Assets) -> Mapping[str, object]:
    """What a page's script needs of its exercises: an editor, a notebook to take away, a check."""
    notebook = (root / "lessons" / f"{one.name}.ipynb").read_bytes()
    return {
        "module": assets.add("exercises.js", (STATIC / "exercises.js").read_bytes()),
        "chapter": int(one.number),
        "lesson": one.name,
        "notebook": assets.add(f"{one.name}.ipynb", notebook),
        "checker": checker,
    }


def _index(lessons: Sequence[Chapter], lab: Markup, early: Early | None, shared: Shared) -> str:
    return _page(
        "index",
        title="Where do queries, keys and values come from?",
        description="A course on attention by experiment: you predict, you try, you see.",
        shared=shared,
        lessons=lessons,
        lab=lab,
        early=early,
    )


def _questions(root: Path, assets: Assets, shared: Shared) -> str:
    html = as_html(questions.without_comments(root), PageText)
    return _page(
        "questions",
        title="Questions that people ask about attention",
        description="Short answers on queries, keys and values, each with the experiment that shows it.",
        shared=shared,
        text=Markup(Marker().marked(at_home(html, root / "lessons", assets))),
        sections=sections_of(html),
        early=None,
    )


def _shared(assets: Assets, index: str) -> Shared:
    font = assets.add(formulas.FONT.name, formulas.FONT.read_bytes())
    look = "\n".join(
        [
            _colours(),
            theme.css(),
            formulas.style(Path(font).name),  # beside the style
            (_HERE / "site.css").read_text(encoding="utf-8"),
        ]
    )
    return Shared(
        look=assets.add("site.css", look),
        script=assets.add("site.js", (STATIC / "site.js").read_bytes()),
        icon=assets.add("icon.svg", _ICON),
        index=assets.add("search.json", index),
    )


def _colours() -> str:
    """The palettes as the page's own: the system's choice, unless the reader has made another."""
    light, dark = (
        " ".join(f"--page-{each.name}: {getattr(palette, each.name)};" for each in fields(palette))
        for palette in (theme.LIGHT, theme.DARK)
    )
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media (prefers-color-scheme: dark) { :root:not([data-theme]) "
        f"{{ color-scheme: dark; {dark} }} }}\n"
        f':root[data-theme="dark"] {{ color-scheme: dark; {dark} }}\n'
    )


def _page(template: str, **given: object) -> str:
    return _templates().get_template(f"{template}.html.j2").render(**given) + "\n"


def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _clear(site: Path) -> None:
    """Make room for the site, but never in a folder that holds something else."""
    if site.exists() and any(site.iterdir()):
        if not ((site / "index.html").exists() and (site / "assets").is_dir()):
            raise FileExistsError(f"{site} holds something that is no site: name another folder")
        shutil.rmtree(site)
    site.mkdir(parents=True, exist_ok=True)
