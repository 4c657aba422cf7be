"""A lesson opens elsewhere: in its reader's own fork, and nowhere without an address."""

from __future__ import annotations

import os
import types
from pathlib import Path

import nbformat
import pytest

from qkvlib.tools.authoring import build, elsewhere

ROOT = Path(__file__).parents[3]
LESSONS = sorted((ROOT / "lessons").glob("[0-9]*.ipynb"))


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """A course with one chapter and an address of its own."""
    (tmp_path / "solutions").mkdir()
    source = (ROOT / "solutions/01_similarity.py").read_text(encoding="utf-8")
    (tmp_path / "solutions/01_similarity.py").write_text(source, encoding="utf-8")
    text = '[project]\n[project.urls]\nSource = "https://github.com/a-teacher/their-course"\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_forks_links_are_its_own(fork: Path) -> None:
    first, installing, *_ = build.read(fork / "solutions/01_similarity.py").lesson.cells
    colab = "https://colab.research.google.com/github/a-teacher/their-course/blob/main/"
    assert f"({colab}lessons/01_similarity.ipynb)" in first.source
    binder = "https://mybinder.org/v2/gh/a-teacher/their-course/main?urlpath=lab/tree/"
    assert f"({binder}lessons/01_similarity.ipynb)" in first.source
    assert "git+https://github.com/a-teacher/their-course" in installing.source
    assert "qkvlib/qkvlib" not in first.source + installing.source
    assert elsewhere.is_installing(installing.source)
    assert not elsewhere.is_installing("import os")


def test_without_an_address_there_are_no_links(fork: Path) -> None:
    with_links = build.read(fork / "solutions/01_similarity.py").lesson.cells
    (fork / "pyproject.toml").unlink()
    cells = build.read(fork / "solutions/01_similarity.py").lesson.cells
    assert "colab" not in cells[0].source
    assert len(cells) == len(with_links) - 1


def test_an_address_that_colab_cannot_open_is_refused(fork: Path) -> None:
    text = '[project]\n[project.urls]\nSource = "https://gitlab.com/a/b"\n'
    (fork / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"Colab and Binder need a https://github\.com/ address"):
        build.read(fork / "solutions/01_similarity.py")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_the_badges_are_files_of_the_course(lesson: Path) -> None:
    """In the lesson and in the solution: no other host is asked for a picture."""
    for notebook in (lesson, ROOT / "solutions" / lesson.name):
        first = nbformat.read(notebook, as_version=4).cells[0].source
        for name in elsewhere.drawn():
            beside = "pictures" if notebook == lesson else "../lessons/pictures"
            assert f"]({beside}/{name})]" in first
            assert (notebook.parent / beside / name).is_file()


@pytest.mark.parametrize(
    ("place", "there", "installs"),
    [
        ("COLAB_RELEASE_TAG", False, True),
        ("KAGGLE_KERNEL_RUN_TYPE", False, True),
        ("COLAB_RELEASE_TAG", True, False),
        (None, False, False),
    ],
)
def test_the_cell_installs_where_it_must_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, place: str | None, there: bool, installs: bool
) -> None:
    for name in ("COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"):
        monkeypatch.delenv(name, raising=False)
    if place:
        monkeypatch.setitem(os.environ, place, "something")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if there else None)
    ran: list[tuple[str, ...]] = []
    shell = types.SimpleNamespace(run_line_magic=lambda *said: ran.append(said))
    code = elsewhere.installs("https://github.com/someone/course")
    exec(compile(code, "cell", "exec"), {"get_ipython": lambda: shell})
    wanted = [("pip", "install --quiet git+https://github.com/someone/course")]
    assert ran == (wanted if installs else [])


@pytest.mark.parametrize(("site", "leads"), [("", False), ("https://a-teacher.github.io/q", True)])
def test_the_first_picture_leads_to_the_site_where_there_is_one(
    fork: Path, site: str, leads: bool
) -> None:
    (fork / "pyproject.toml").write_text(f'[tool.qkvlib]\nSITE_URL = "{site}"\n', encoding="utf-8")
    picture = elsewhere.first_picture(fork, [])
    assert "(lessons/pictures/lesson-01.png)" in picture
    assert picture.endswith(f")]({site})") == leads
