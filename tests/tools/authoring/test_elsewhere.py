"""Test that a lesson opens in its reader's own fork, at a tag, and nowhere without an address."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from pathlib import Path

import nbformat
import pytest

from qkvlib.tools.authoring import build, elsewhere

ROOT = Path(__file__).parents[3]
ADDRESS = "https://github.com/a_teacher/their-course/tree/"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def state(fork: Path, address: str) -> None:
    text = f'[project]\n[project.urls]\nSource = "{address}"\n'
    (fork / "pyproject.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """Make a course with one chapter and its own address."""
    (tmp_path / "solutions").mkdir()
    source = (ROOT / "solutions/01_similarity.py").read_text(encoding="utf-8")
    (tmp_path / "solutions/01_similarity.py").write_text(source, encoding="utf-8")
    state(tmp_path, f"{ADDRESS}v1.0.0")
    return tmp_path


def cells(fork: Path) -> list[nbformat.NotebookNode]:
    return list(build.read(fork / "solutions/01_similarity.py").lesson.cells)


@pytest.mark.parametrize(("at", "installed"), [("v1.0.0", "refs/tags/v1.0.0"), (COMMIT, COMMIT)])
def test_a_forks_links_are_its_own_and_do_not_move(fork: Path, at: str, installed: str) -> None:
    state(fork, f"{ADDRESS}{at}")
    installing, first, *_ = cells(fork)
    colab = f"https://colab.research.google.com/github/a_teacher/their-course/blob/{at}/"
    assert f"({colab}lessons/01_similarity.ipynb)" in first.source
    binder = f"https://mybinder.org/v2/gh/a_teacher/their-course/{at}?urlpath=lab/tree/"
    assert f"({binder}lessons/01_similarity.ipynb)" in first.source
    assert f'git+https://github.com/a_teacher/their-course@{installed}")' in installing.source
    assert elsewhere.is_installing(installing.source)
    assert not elsewhere.is_installing("import os")


def test_without_an_address_there_are_no_links(fork: Path) -> None:
    linked = cells(fork)
    (fork / "pyproject.toml").unlink()
    plain = cells(fork)
    assert [cell.source for cell in plain[1:]] == [cell.source for cell in linked[2:]]
    assert linked[1].source.startswith(plain[0].source)
    assert "](http" not in plain[0].source
    assert not elsewhere.badge_files(fork)


def test_an_empty_address_is_none(fork: Path) -> None:
    state(fork, "")
    assert elsewhere.repository(fork) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://gitlab.example/a/b/tree/v1.0.0",
        "https://github.com/a_teacher/their-course",
        f"{ADDRESS}main",
        f"{ADDRESS}v1",
        f"{ADDRESS}vnext",
        f"{ADDRESS}{COMMIT[:8]}/lessons",
        f"{ADDRESS}v1.0.0 --index-url=x",
    ],
)
def test_an_address_that_may_move_or_that_colab_cannot_open_is_refused(fork: Path, address: str) -> None:
    state(fork, address)
    with pytest.raises(ValueError, match=r"never a branch.* Write it like"):
        cells(fork)


@pytest.mark.whole
def test_pip_gets_the_tag_and_not_a_branch_of_its_name(tmp_path: Path) -> None:
    course = tmp_path / "a_teacher" / "their-course"
    course.mkdir(parents=True)

    def git(*words: str) -> None:
        own = ["-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *own, *words], cwd=course, check=True, capture_output=True)

    git("init")
    for version, name in (("1.0.0", "tag"), ("6.6.6", "branch")):
        project = f'[project]\nname = "course"\nversion = "{version}"\n'
        builder = '[build-system]\nrequires = []\nbuild-backend = "hatchling.build"\n'
        (course / "pyproject.toml").write_text(project + builder)
        (course / "course.py").touch()
        git("add", ".")
        git("commit", "-m", version)
        git(name, "v1.0.0")
    asked = f"course @ {elsewhere.parsed(f'{ADDRESS}v1.0.0').requirement}"
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    here = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{tmp_path.as_uri()}/.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/",
    }
    subprocess.run([*pip, "-w", tmp_path / "made", asked], env={**os.environ, **here}, check=True)
    [wheel] = (tmp_path / "made").iterdir()
    assert wheel.name.startswith("course-1.0.0-")


def test_a_badge_is_a_file_of_the_course(fork: Path) -> None:
    """No other host receives a request for a picture."""
    shown = set(re.findall(r"\[!\[[^]]*\]\(pictures/([^)]*)\)\]", cells(fork)[1].source))
    assert shown == set(elsewhere.badge_files(fork)) != set()


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
    source = elsewhere.parsed(f"{ADDRESS}v1.0.0")
    exec(compile(elsewhere.installs(source), "cell", "exec"), {"get_ipython": lambda: shell})
    assert ran == ([("pip", f"install --quiet {source.requirement}")] if installs else [])


@pytest.mark.parametrize(("site", "leads"), [("", False), ("https://a_teacher.github.io/course", True)])
def test_the_first_picture_leads_to_the_site_where_there_is_one(fork: Path, site: str, leads: bool) -> None:
    (fork / "pyproject.toml").write_text(f'[tool.qkvlib]\nSITE_URL = "{site}"\n', encoding="utf-8")
    picture = elsewhere.first_picture(fork, [])
    assert 'src="lessons/pictures/learn-to-look.png"' in picture
    assert picture.startswith(f'<a href="{site}">') == leads
