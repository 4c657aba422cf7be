"""Test that nobody can register an address from this tree, and so run code on a learner's computer.

Every address is built from the line in pyproject.toml, or is listed below, or can never be owned.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from qkvlib.tools.authoring import elsewhere

ROOT = Path(__file__).parent.parent

# Names of formats, licences, packages and data that the course uses. Their owners are known.
OTHERS = (
    "creativecommons.org/licenses/",
    "doi.org/",
    "download.pytorch.org/whl/cpu",
    "github.com/stipub/stixfonts",
    "keepachangelog.com/",
    "www.apache.org/licenses/",
    "www.sitemaps.org/schemas/",
    "www.w3.org/",
)

# Hosts on which anyone can have an account. Such an address is found even without its "https://".
ACCOUNTS = (
    "bitbucket.org",
    "codeberg.org",
    "colab.research.google.com",
    "github.com",
    "github.io",
    "githubusercontent.com",
    "gitlab.com",
    "gitlab.io",
    "kaggle.com",
    "mybinder.org",
    "pypi.org",
    "readthedocs.io",
)
BEFORE_THE_ACCOUNT = ("v2", "gh", "github")  # in a path on Binder, on Colab

_REST = r"[^\s\"'<>`()\[\]\\,;]*"
_HOST = rf"[\w.-]*(?:{'|'.join(map(re.escape, ACCOUNTS))})"
ADDRESS = re.compile(rf"(?<=://){_REST}|(?<![\w.-]){_HOST}(?![\w-]|\.\w){_REST}")
BY_NAME = re.compile(r"(?:\binstall|--spec|--from)\s[^,;&|]*?(?<![\w/.-])qkvlib(?![\w./-]| @)")


def own(root: Path) -> tuple[str, ...]:
    """Return the beginnings of the fork's addresses, each at the tag or commit from pyproject.toml."""
    source, site = elsewhere.repository(root), elsewhere.site(root)
    pages = (site.partition("://")[2],) if site else ()
    if not source:
        return pages
    return (
        *pages,
        f"github.com/{source.name}/tree/{source.at}",
        source.requirement.partition("://")[2],
        f"colab.research.google.com/github/{source.name}/blob/{source.at}/",
        f"mybinder.org/v2/gh/{source.name}/{source.at}",
    )


def nobodys(address: str) -> bool:
    """Return whether nobody can own it: this computer, a reserved or impossible name, or no name."""
    host, *path = re.split(r"[/:]", address.rstrip(".:"))
    account = next((part for part in path if part not in BEFORE_THE_ACCOUNT), "")
    return (
        host in ("", "127.0.0.1", "localhost", "x")
        or host.endswith(".example")
        or host.startswith("{")  # a name that code inserts
        or "_" in host
        or (host in ACCOUNTS and ("_" in account or account.startswith("{") or not account))
    )


def strangers(text: str, ours: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the addresses that a stranger could own, and each line that installs the course by name."""
    for line in text.splitlines():
        if "://" in line or any(host in line for host in ACCOUNTS):
            for address in ADDRESS.findall(line):
                if not (address.startswith((*OTHERS, *ours)) or nobodys(address)):
                    yield address
        if BY_NAME.search(line):
            yield line


def test_every_address_is_its_owners() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("only git knows which files are the course's")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    ours, wrong = own(ROOT), []
    for name in listed.stdout.decode().rstrip("\0").split("\0"):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a picture, a font, weights
            continue
        wrong += [f"{name}: {each}" for each in strangers(text, ours)]
    assert not wrong, "make it of the line in pyproject.toml, or name its owner in OTHERS above"


@pytest.mark.parametrize(
    "text",
    [
        'Source = "https://github.com/qkvlib/qkvlib"',
        "pip install git+https://github.com/qkvlib/qkvlib",
        "git clone git@github.com:qkvlib/qkvlib.git",
        "[Open](https://colab.research.google.com/github/qkvlib/qkvlib/blob/main/lessons/x.ipynb)",
        "see mybinder.org/v2/gh/qkvlib/qkvlib/main",
        "![badge](//raw.githubusercontent.com/qkvlib/qkvlib/main/x.svg)",
        "https://qkvlib.github.io/course",
        "the pages at qkvlib.readthedocs.io.",
        "https://gitlab.com/qkvlib/qkvlib",
        "https://qkvlib.org/",
        "https://www.apache.org.evil.com/licenses/",
        "pip install qkvlib",
        "    pip install 'qkvlib[nbgrader]'",
        "uvx --from qkvlib qkv lab",
    ],
)
def test_an_address_that_a_stranger_could_own_is_found(text: str) -> None:
    assert [*strangers(f"One line.\n{text}\n")]


@pytest.mark.parametrize(
    "text",
    [
        "pip install --index-url https://download.pytorch.org/whl/cpu torch",
        "https://doi.org/10.24432/C50P49.",
        'f"https://github.com/{name}"',
        'Source = "https://github.com/your_name/your_course/tree/v1.0.0"',
        "https://your_name.github.io/your_course",
        "http://127.0.0.1:8888/lab and https://x.example/y",
        "pip install -e '.[nbgrader]', then conda activate qkvlib",
        'pip install "qkvlib @ {source}"',
    ],
)
def test_what_has_an_owner_or_can_have_none_is_left_alone(text: str) -> None:
    assert not [*strangers(text)]


def test_a_forks_own_addresses_name_its_tag(tmp_path: Path) -> None:
    line = '[project.urls]\nSource = "https://github.com/teacher/course/tree/v2.0"\n'
    (tmp_path / "pyproject.toml").write_text(line, encoding="utf-8")
    ours, source = own(tmp_path), elsewhere.repository(tmp_path)
    assert source
    made = [line, elsewhere.installs(source), elsewhere.badges(source, "01_similarity", "pictures")]
    assert not [*strangers("\n".join(made), ours)]
    assert len([*strangers("\n".join(made))]) == 4
    assert [*strangers("git+https://github.com/teacher/course", ours)]
    assert [*strangers("https://github.com/teacher/course/tree/main", ours)]
