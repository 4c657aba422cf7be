"""Where else a lesson can be opened: the links to Colab and Binder, and what Colab needs first.

The repository's address is stated once, in pyproject.toml under `[project.urls]`. A fork changes
that line and runs `qkv build`, and every link is its own; without an address there are no links.
The address of the course as pages is SITE_URL, under `[tool.qkvlib]`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qkvlib.course.chapters import Chapter

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_GITHUB = "https://github.com/"
_BRANCH = "main"
_BADGES = {"colab": "Open in Colab", "binder": "Open in Binder"}
_FIRST_PICTURE = (
    "![A lesson in JupyterLab: three key vectors and a query in the plane, with their dot "
    "products, cosines and weights](lessons/pictures/lesson-01.png)"
)
_LETTER, _SIDE = 6.6, 9

_INSTALLS = """\
# Colab and Kaggle do not have the course: there this cell installs it. Elsewhere it does nothing.
import os
from importlib.util import find_spec

theirs = {"COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"} & {*os.environ}
if theirs and find_spec("qkvlib") is None:
    get_ipython().run_line_magic("pip", "install --quiet git+{address}")"""

_BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="22" role="img" aria-label="{words}">
<rect x="0.5" y="0.5" width="{inner}" height="21" rx="4" fill="#fff" stroke="#5f6368"/>
<text x="50%" y="15" text-anchor="middle" font-family="sans-serif" font-size="12">{words}</text>
</svg>
"""


def repository(root: Path) -> str | None:
    """The address of the repository on GitHub, such as "https://github.com/someone/course"."""
    address: str | None = _settings(root).get("project", {}).get("urls", {}).get("Source")
    if address and not address.startswith(_GITHUB):
        raise ValueError(
            f"{root / 'pyproject.toml'}: Source is {address!r}; "
            f"Colab and Binder need a {_GITHUB} address"
        )
    return address


def _settings(root: Path) -> dict[str, Any]:
    file = root / "pyproject.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def badges(address: str, lesson: str, pictures: str) -> str:
    """Two pictures to click: the lesson of that name in Colab, and in JupyterLab on Binder."""
    name = address.removeprefix(_GITHUB).strip("/")
    file = f"lessons/{lesson}.ipynb"
    path = quote(f"lab/tree/{file}")
    opened = {
        "colab": f"https://colab.research.google.com/github/{name}/blob/{_BRANCH}/{file}",
        "binder": f"https://mybinder.org/v2/gh/{name}/{_BRANCH}?urlpath={path}",
    }
    return " ".join(
        f"[![{words}]({pictures}/{_file(place)})]({opened[place]})"
        for place, words in _BADGES.items()
    )


def front_page(root: Path, lessons: Sequence[Chapter]) -> str:
    """For README: the badges of the first lesson."""
    address = repository(root)
    return badges(address, lessons[0].name, "lessons/pictures") if address else ""


def first_picture(root: Path, _: Sequence[Chapter]) -> str:
    """For README: a lesson, which leads to the site where there is one."""
    site = _settings(root).get("tool", {}).get("qkvlib", {}).get("SITE_URL", "")
    return f"[{_FIRST_PICTURE}]({site})" if site else _FIRST_PICTURE


def installs(address: str) -> str:
    """The code of a cell that installs the course where it runs on somebody else's computer."""
    return _INSTALLS.replace("{address}", address)


def is_installing(code: str) -> bool:
    """Whether this is such a cell, whatever the address."""
    return code.startswith(_INSTALLS.partition("\n")[0])


def drawn() -> dict[str, str]:
    """The badges as files: drawn here, so that no page asks another host for them."""
    return {_file(place): _badge(words) for place, words in _BADGES.items()}


def _file(place: str) -> str:
    return f"open-in-{place}.svg"


def _badge(words: str) -> str:
    wide = round(len(words) * _LETTER + 2 * _SIDE)
    return _BADGE.format(wide=wide, inner=wide - 1, words=words)
