"""Test the site as files: complete, self-contained, and equal to the notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from qkvlib.exercises import EXERCISES
from qkvlib.tools.authoring import elsewhere
from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.build import build
from qkvlib.tools.site.chapter import body
from tests.tools.site.conftest import CHAPTERS, ROOT, Site

pytestmark = pytest.mark.whole

# The links on the page of a fork; the page requests nothing by itself.
PUBLISHED = elsewhere.repository(ROOT)
ELSEWHERE = ("https://colab.research.google.com/", "https://mybinder.org/") if PUBLISHED else ()


class Read(HTMLParser):
    """The attributes of a page by name, its ids, and the text of each heading."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str]] = []
        self.headings: list[str] = []
        self._inside = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attributes]
        if re.fullmatch("h[1-6]", tag):
            self._inside = True
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        if re.fullmatch("h[1-6]", tag):
            self._inside = False

    def handle_data(self, words: str) -> None:
        if self._inside:
            self.headings[-1] += words

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.attributes if name in names]


def test_every_link_leads_somewhere(site: Site) -> None:
    known = {path.name: set(Read(path).all("id")) for path in site.pages()}
    unmade = r"(0[245-9]|1\d)_\w+\.html"  # this small site does not have these chapters
    links = 0
    for path in site.pages():
        read = Read(path)
        files = read.all("href", "src", "data-module", "data-look", "data-state")
        for link in filter(None, files):
            page, _, place = link.partition("#")
            page = page or path.name
            if re.fullmatch(unmade, page) or page.startswith(("data:", *ELSEWHERE)):
                continue
            links += 1
            assert (site.folder / page).exists(), f"{path.name}: {link}"
            assert not place or unquote(place) in known[page], f"{path.name}: {link}"
        assert len(read.all("id")) == len(set(read.all("id"))), path.name
    assert links > 100


def test_no_attribute_names_another_host(site: Site) -> None:
    own = elsewhere.site(ROOT) or "no address"
    for path in site.pages():
        for name, value in Read(path).attributes:
            to_click = name == "href" and value.startswith(ELSEWHERE)
            if name not in ("xmlns", "alt") and not to_click and not value.startswith(own):
                assert not re.match(r"\s*(https?:)?//", value), f"{path.name}: {name}={value}"
    for path in [*site.folder.rglob("*.css"), *site.pages()]:
        assert not re.search(r"url\((?!data:|assets/stix)|@import", path.read_text(encoding="utf-8"))


def test_a_page_installs_nothing(tmp_path: Path) -> None:
    fork = elsewhere.parsed("https://github.com/a_teacher/their-course/tree/v1.0.0")
    cells = [new_code_cell(elsewhere.installs(fork)), new_code_cell("1 + 1")]
    notebook = new_notebook(cells=cells)
    (part,) = body(notebook, notebook, "01_similarity", ROOT / "lessons", Assets(tmp_path), {}).parts
    assert "find_spec" not in part.code


def test_a_page_holds_every_heading_of_its_notebook(site: Site) -> None:
    for number in CHAPTERS:
        (lesson,) = (ROOT / "lessons").glob(f"{number}_*.ipynb")
        cells = nbformat.read(lesson, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        wanted = [plain(words) for words in re.findall(r"^#+ (.+)$", prose, re.MULTILINE)]
        read = Read(site.folder / f"{lesson.stem}.html")
        assert [plain(words) for words in read.headings] == wanted


def plain(words: str) -> str:
    return re.sub(r"[`*$]", "", words).strip()


def test_no_page_tells_a_solution_and_each_hint_is_there(site: Site) -> None:
    for number in CHAPTERS:
        (solution,) = (ROOT / "solutions").glob(f"{number}_*.py")
        (path,) = site.folder.glob(f"{number}_*.html")
        page = re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8"))
        source = solution.read_text(encoding="utf-8")
        answers = re.findall(r"### BEGIN SOLUTION\n(.*?)### END", source, re.DOTALL)
        assert answers
        for answer in answers:
            assert answer.strip() not in page.replace("&#39;", "'").replace("&quot;", '"')
        mine = [one for one in EXERCISES.values() if one.chapter == int(number)]
        hints = path.read_text(encoding="utf-8").count("<summary>Hint")
        assert hints == sum(len(one.hints) for one in mine) > 0


def test_a_prediction_gives_nothing_away_where_it_is_asked(site: Site) -> None:
    path = site.folder / "03_projections.html"
    asked = re.findall(r'data-state="(assets/[^"]*-predict-[^"]*)"', path.read_text("utf-8"))
    sealed = ['"sealed": ""' in (site.folder / state).read_text("utf-8") for state in asked]
    assert any(sealed)
    assert not all(sealed)
    outcome = re.search(r"q equals k: +False", path.read_text("utf-8"))
    assert outcome
    before = path.read_text("utf-8")[: outcome.start()]
    assert before.rindex('data-after="03-x-x-x"') > before.rindex("</details>")


def test_a_folder_that_is_no_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match="name another folder"):
        build(ROOT, tmp_path, ["00"])
    assert (tmp_path / "thesis.txt").exists()


def test_no_rule_of_a_page_means_a_part_of_a_widget() -> None:
    page = (ROOT / "qkvlib/tools/site/site.css").read_text(encoding="utf-8")
    ruled = set(re.findall(r"^ *\.([\w-]+)", page, re.MULTILINE))
    widgets = (ROOT / "qkvlib/widgets").glob("static/*.css")
    drawn = {name for path in widgets for name in re.findall(r"\.([a-z][\w-]*)", path.read_text())}
    assert ruled
    assert ruled & drawn == set()


def test_a_mark_behind_a_formula_is_kept_in_its_line(site: Site) -> None:
    pages = [path.read_text(encoding="utf-8") for path in site.pages()]
    assert sum(page.count('class="together"') for page in pages) > 10
    for page in pages:
        assert re.findall(r"</math>(?:</span>)?[.,;:!?)]+(?![.,;:!?)]|</span>).*", page) == []


def test_only_the_terms_are_laid_below_one_another_on_a_telephone(site: Site) -> None:
    page = (site.folder / "01_similarity.html").read_text(encoding="utf-8")
    (table,) = re.findall(r'<table class="terms">.*?</thead>', page)
    assert "also called" in table
