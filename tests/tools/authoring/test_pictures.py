"""Test that every chapter shows its place, every picture shown exists, and none is unused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from qkvlib.figures.frame import PLACES
from qkvlib.tools.authoring import build, front_matter, pages, pictures
from qkvlib.tools.authoring.front_matter import SourceError

ROOT = Path(__file__).parents[3]
SOURCES = build.sources(ROOT)
SHOWN = re.compile(r"!\[([^]]*)\]\(([^)]*\.svg)\)")

EVERY_SOURCE = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy a chapter's source, for a test to change."""
    (tmp_path / "solutions").mkdir()
    return Path(shutil.copy(ROOT / "solutions/11_whole_layer.py", tmp_path / "solutions"))


@EVERY_SOURCE
def test_a_chapter_opens_with_the_picture_of_where_it_is(source: Path) -> None:
    chapter = front_matter.read(source).chapter
    opening, *others = [c for c in build.read(source).lesson.cells if c.cell_type == "markdown"]
    if not chapter.here:  # chapter 0 begins with a widget, and ends with the whole picture
        shown = [file for cell in others for _, file in SHOWN.findall(cell.source)]
        assert shown == ["pictures/model.svg"]
        return
    ((words, file), *_) = SHOWN.findall(opening.source)
    assert file == f"pictures/here-{chapter.number}.svg"
    assert f"You are here: {chapter.here} (" in words


def test_every_place_is_some_chapters() -> None:
    named = {front_matter.read(source).chapter.here for source in SOURCES} - {""}
    assert named | {"attention"} == set(PLACES), "the whole, at the door, is lit at attention"


@EVERY_SOURCE
def test_each_notebook_finds_the_pictures_from_its_own_folder(source: Path) -> None:
    for path, notebook in build.read(source).built.items():
        files = [file for cell in notebook.cells for _, file in SHOWN.findall(cell.source)]
        assert files
        for file in files:
            assert (path.parent / file).is_file(), f"{path.name} shows {file}"


def test_no_drawing_is_left_over() -> None:
    made = {path for path in pages.gathered(ROOT) if path.parent == ROOT / pictures.FOLDER}
    assert set((ROOT / pictures.FOLDER).glob("*.svg")) == made
    cells = [cell.source for s in SOURCES for cell in build.read(s).lesson.cells]
    shown = {file for cell in cells for _, file in SHOWN.findall(cell)}
    assert {f"pictures/{path.name}" for path in made} == shown


def test_a_drawing_that_is_not_what_its_source_draws_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / pictures.FOLDER / "block.svg"
    drawn = pictures.DRAWINGS["block"]
    other = {**pictures.DRAWINGS, "block": pictures.Picture(drawn.svg + "<!-- -->", drawn.words)}
    monkeypatch.setattr(pictures, "DRAWINGS", other)
    assert set(pages.stale(ROOT)) == {path}


def test_a_drawing_that_nobody_has_drawn_is_named_with_its_line(copy: Path) -> None:
    text = copy.read_text("utf-8")
    copy.write_text(text.replace("{drawing: block}", "{drawing: blok}"), encoding="utf-8")
    lines = text.splitlines()
    cell = [i for i in range(lines.index("# {drawing: block}")) if lines[i].startswith("# %%")][-1]
    with pytest.raises(SourceError, match=rf"py:{cell + 1}: no drawing is called 'blok'; there is"):
        build.read(copy)
