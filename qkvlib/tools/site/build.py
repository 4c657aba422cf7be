"""The whole site: a folder of pages that any server can hand out, and that asks nobody else.

index.html              what this is, a living widget, the map
NN_name.html            a page for each chapter
questions.html          what people ask, from `lessons/questions.md`
sitemap.xml             where SITE_URL says which address the pages have
site.webmanifest        the name, the colours and the icons, for a home screen
embed.html, widgets/    each widget as a module for anybody's page, and how to put it there
assets/                 what they share: widgets, styles, the font of the formulas, pictures
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from nbformat import NotebookNode

from qkvlib.course.chapters import Chapter
from qkvlib.figures import theme
from qkvlib.tools.authoring import build as authoring
from qkvlib.tools.authoring import elsewhere, front_matter
from qkvlib.tools.site import formulas, lighter, questions, search
from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.chapter import (
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
_LIVING = "learn_to_look"  # the widget of the front page: the first one in lesson 00
_ICON = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<rect x="1" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("query")}"/>
<rect x="6" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("key")}"/>
<rect x="11" y="1" width="4" height="14" rx="1" fill="{theme.on_any_page("value")}"/></svg>"""
_NAME = "Queries, keys, values"
_TEMPLATES = Environment(
    loader=FileSystemLoader(_HERE),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


@dataclass(frozen=True)
class Shared:
    """What every page needs: its style, and the addresses of everything else."""

    look: Markup
    script: str
    icon: str
    touch_icon: str
    manifest: str
    index: str
    """What the search looks through."""
    paper: tuple[str, str] = (theme.LIGHT.paper, theme.DARK.paper)
    name: str = _NAME


class Pages:
    """Write pages. If the site has an address, record each page's, and show `picture` in shared links."""

    def __init__(self, site: Path, shared: Shared, assets: Assets, address: str, picture: Path) -> None:
        self._site, self._shared = site, shared
        self._address = address.rstrip("/")
        self._picture = ""
        if address:
            self._picture = f"{self._address}/{assets.add(picture.name, picture.read_bytes())}"
        self._written: list[str] = []

    def write(self, name: str, template: str, **given: object) -> None:
        """Write a page."""
        address = ""
        if self._address:
            address = f"{self._address}/" + ("" if name == "index" else f"{name}.html")
            self._written.append(address)
        page = _TEMPLATES.get_template(f"{template}.html.j2").render(
            shared=self._shared, address=address, picture=self._picture, **given
        )
        (self._site / f"{name}.html").write_text(lighter.styles_once(page), encoding="utf-8")

    def list_addresses(self) -> None:
        """Write the list of pages that search engines read."""
        if self._written:
            lines = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in self._written)
            head = '<?xml version="1.0" encoding="UTF-8"?>\n'
            space = "http://www.sitemaps.org/schemas/sitemap/0.9"
            whole = f'{head}<urlset xmlns="{space}">\n{lines}</urlset>\n'
            (self._site / "sitemap.xml").write_text(whole, encoding="utf-8")


def build(
    root: Path,
    site: Path,
    chosen: Sequence[str] = (),
    tell: Callable[[str], None] = lambda words: None,
) -> None:
    """Build the site of the course at `root`, with the `chosen` chapter numbers or all of them.

    An existing folder is replaced if it has a site in it.
    """
    sources = [one for one in authoring.sources(root) if not chosen or one.stem[:2] in chosen]
    lessons = [front_matter.read(source).chapter for source in sources]
    _clear(site)
    assets = Assets(site)
    found = json.dumps(search.entries(root, lessons), ensure_ascii=False, separators=(",", ":"))
    picture = root / "lessons" / "pictures" / "learn-to-look.png"
    pages = Pages(site, _shared(assets, found), assets, elsewhere.site(root), picture)
    checker = in_page.add_checker(assets, root / "lessons")
    offered: list[tuple[Chapter, Sequence[str]]] = []
    widgets: dict[str, Mapping[str, str]] = {}
    solutions = [source.with_suffix(".ipynb") for source in sources]
    runs = authoring.side_by_side(lambda each: run(each, root / "build" / "runs"), solutions)
    for place, (source, one, ran) in enumerate(zip(sources, lessons, runs, strict=True)):
        tell(one.name)
        lesson = nbformat.read(root / "lessons" / f"{one.name}.ipynb", as_version=4)
        on_page = authoring.read(source).on_page
        told_by = body(lesson, ran, one.name, root / "lessons", assets, on_page)
        widgets[one.name] = told_by.widgets
        offered += [(one, told_by.embeddable)] if told_by.embeddable else []
        pages.write(
            one.name,
            "chapter",
            title=f"{one.title}: {one.question}",
            description=one.settles,
            number=int(one.number),
            body=told_by,
            early=told_by.early,
            work=_work(root, one, checker, assets),
            before=lessons[place - 1] if place else None,
            after=lessons[place + 1] if place + 1 < len(lessons) else None,
        )
        if place == 0:
            _write_index(pages, lessons, ran, assets)
    _write_embed(pages, offered)
    _write_questions(pages, root, assets, widgets)
    pages.list_addresses()


def _work(root: Path, one: Chapter, checker: Mapping[str, str], assets: Assets) -> Mapping[str, object]:
    """Return what a page's script needs for its exercises: an editor, a notebook to download, a check."""
    notebook = (root / "lessons" / f"{one.name}.ipynb").read_bytes()
    return {
        "module": assets.add("exercises.js", (STATIC / "exercises.js").read_bytes()),
        "chapter": int(one.number),
        "lesson": one.name,
        "notebook": assets.add(f"{one.name}.ipynb", notebook),
        "checker": checker,
    }


def _write_index(pages: Pages, lessons: Sequence[Chapter], ran: NotebookNode, assets: Assets) -> None:
    door = PageWidgets(ran, lessons[0].name, assets)
    pages.write(
        "index",
        "index",
        title="Where do queries, keys and values come from?",
        description="A course on attention by experiment: you predict, you try, you see.",
        lessons=lessons,
        lab=door.first(_LIVING),
        early=door.early,
    )


def _write_embed(pages: Pages, offered: Sequence[tuple[Chapter, Sequence[str]]]) -> None:
    pages.write(
        "embed",
        "embed",
        title="A widget on your page",
        description="Each widget of the course as a module for anybody's page.",
        offered=offered,
        kind=_LIVING,
        reserved=reserved_height("embed", _LIVING, 1),
        example=next(name for _, names in offered for name in names if _LIVING in name),
    )


def _write_questions(
    pages: Pages, root: Path, assets: Assets, widgets: Mapping[str, Mapping[str, str]]
) -> None:
    html = as_html(questions.without_comments(root))
    linked = questions.with_widgets(at_home(html, root / "lessons", assets), widgets)
    pages.write(
        "questions",
        "questions",
        title="Questions that people ask about attention",
        description="Short answers on queries, keys and values, each with the experiment that shows it.",
        text=Markup(Marker().marked(linked)),
        sections=sections_of(html),
        early=None,
    )


def _shared(assets: Assets, index: str) -> Shared:
    font = assets.add(formulas.FONT.name, formulas.FONT.read_bytes())
    own = (_HERE / "site.css").read_text(encoding="utf-8")
    icon = assets.add("icon.svg", _ICON)
    touch_icon = assets.add("icon.png", (_HERE / "icon.png").read_bytes())
    manifest = {
        "name": f"{_NAME}: a course on attention",
        "short_name": _NAME,
        "start_url": "index.html",
        "display": "browser",
        "background_color": theme.LIGHT.paper,
        "theme_color": theme.LIGHT.paper,
        "icons": [
            {"src": icon, "sizes": "any", "type": "image/svg+xml"},
            {"src": touch_icon, "sizes": "512x512", "type": "image/png"},
        ],
    }
    return Shared(
        look=Markup(_small("\n".join([_colours(), theme.css(), formulas.style(font), own]))),
        script=assets.add("site.js", (STATIC / "site.js").read_bytes()),
        icon=icon,
        touch_icon=touch_icon,
        manifest=assets.write_named("site.webmanifest", json.dumps(manifest, indent=1) + "\n"),
        index=assets.add("search.json", index),
    )


def _small(style: str) -> str:
    """Return a style without comments and indentation, because each page contains it to avoid blocking the
    first paint."""
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)).strip()


def _colours() -> str:
    """Return the palettes for a page: the system's, unless the reader has chosen one."""
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


def _clear(site: Path) -> None:
    """Empty the folder for the site, but never a folder that holds something else."""
    if site.exists() and any(site.iterdir()):
        if not ((site / "index.html").exists() and (site / "assets").is_dir()):
            raise FileExistsError(f"{site} holds something that is no site: name another folder")
        shutil.rmtree(site)
    site.mkdir(parents=True, exist_ok=True)
