"""Open a lesson elsewhere: the links to Colab and Binder, and the cell that installs the course on Colab.

The repository's address is in one line of pyproject.toml, under `[project.urls]`, and only a published fork
has one. It names a tag or a commit, because what a cell installs on a learner's computer must not change.
Without an address there are no links and no such cell. SITE_URL, under `[tool.qkvlib]`, is the address of the
course as pages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qkvlib.course.chapters import Chapter

_GITHUB = "https://github.com/"
_EXAMPLE = f"{_GITHUB}your_name/your_course/tree/v1.0.0"
_COMMIT = r"[0-9a-f]{40}"
_VERSION = r"v?\d+\.[\w.-]+"
_ADDRESS = re.compile(rf"{re.escape(_GITHUB)}(?P<name>[\w-]+/[\w.-]+)/tree/(?P<at>{_COMMIT}|{_VERSION})")
_BADGES = {"colab": "Open in Colab", "binder": "Open in Binder"}
_FIRST_PICTURE = (
    '<picture><source media="(prefers-color-scheme: dark)" srcset="lessons/pictures/learn-to-look-dark.png">'
    '<img src="lessons/pictures/learn-to-look.png" width="760" alt="A pointer presses “sour”, then “Learn”. '
    "Arrows show how the loss pulls at every number of W_Q, W_K and W_V. The numbers move, “it” turns from "
    '“cat” to “milk”, and a sentence that ended with “full” ends with “sour”."></picture>'
)
_LETTER, _SIDE = 6.6, 9

_INSTALLS = """\
# Colab and Kaggle do not have the course, so this cell installs it there. In other places it does nothing.
import os
from importlib.util import find_spec

theirs = {"COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"} & {*os.environ}
if theirs and find_spec("qkvlib") is None:
    get_ipython().run_line_magic("pip", "install --quiet {requirement}")"""

_BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="22" role="img" aria-label="{words}">
<rect x="0.5" y="0.5" width="{inner}" height="21" rx="4" fill="#fff" stroke="#5f6368"/>
<text x="50%" y="15" text-anchor="middle" font-family="sans-serif" font-size="12">{words}</text>
</svg>
"""


@dataclass(frozen=True)
class Repository:
    """A repository on GitHub, at a tag or a commit."""

    name: str
    """Such as "someone/course"."""
    at: str

    @property
    def requirement(self) -> str:
        """Return what pip installs. `refs/tags/` excludes a branch with the same name as the tag."""
        at = self.at if re.fullmatch(_COMMIT, self.at) else f"refs/tags/{self.at}"
        return f"git+{_GITHUB}{self.name}@{at}"


def repository(root: Path) -> Repository | None:
    """Return the repository in pyproject.toml, if there is one."""
    address: str | None = _settings(root).get("project", {}).get("urls", {}).get("Source")
    try:
        return parsed(address) if address else None
    except ValueError as error:
        raise ValueError(f"{root / 'pyproject.toml'}: {error}") from None


def site(root: Path) -> str:
    """Return the address of the course as pages; empty if there is none."""
    address: str = _settings(root).get("tool", {}).get("qkvlib", {}).get("SITE_URL", "")
    return address


def parsed(address: str) -> Repository:
    """Parse an address such as `_EXAMPLE` into a repository."""
    found = _ADDRESS.fullmatch(address)
    if not found:
        raise ValueError(
            f"Source is {address!r}. Colab and Binder need a repository on GitHub, at a tag that "
            f"is a version or at a whole commit, and never a branch, which moves. "
            f'Write it like "{_EXAMPLE}".'
        )
    return Repository(**found.groupdict())


def _settings(root: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    file = root / "pyproject.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def badges(source: Repository, lesson: str, pictures: str) -> str:
    """Return two pictures to click: the lesson of that name in Colab, and in JupyterLab on Binder."""
    file = f"lessons/{lesson}.ipynb"
    path = quote(f"lab/tree/{file}")
    opened = {
        "colab": f"https://colab.research.google.com/github/{source.name}/blob/{source.at}/{file}",
        "binder": f"https://mybinder.org/v2/gh/{source.name}/{source.at}?urlpath={path}",
    }
    return " ".join(
        f"[![{words}]({pictures}/{_file(place)})]({opened[place]})" for place, words in _BADGES.items()
    )


def front_page(root: Path, lessons: Sequence[Chapter]) -> str:
    """Return the badges of the first lesson, for the README."""
    source = repository(root)
    return badges(source, lessons[0].name, "lessons/pictures") if source else ""


def first_picture(root: Path, _: Sequence[Chapter]) -> str:
    """Return the film of `python -m tests.page.film`, for the README; it links to the site, if there is
    one."""
    address = site(root)
    return f'<a href="{address}">{_FIRST_PICTURE}</a>' if address else _FIRST_PICTURE


def installs(source: Repository) -> str:
    """Return the code of a cell that installs the course on someone else's computer."""
    return _INSTALLS.replace("{requirement}", source.requirement)


def is_installing(code: str) -> bool:
    """Tell whether some code is such a cell, whatever its address."""
    return code.startswith(_INSTALLS.partition("\n")[0])


def badge_files(root: Path) -> dict[str, str]:
    """Return the badges as files. They are drawn here, so that no page requests them from another host."""
    badges = _BADGES if repository(root) else {}
    return {_file(place): _badge(words) for place, words in badges.items()}


def _file(place: str) -> str:
    return f"open-in-{place}.svg"


def _badge(words: str) -> str:
    wide = round(len(words) * _LETTER + 2 * _SIDE)
    return _BADGE.format(wide=wide, inner=wide - 1, words=words)
