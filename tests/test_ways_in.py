"""Test that the docs about the code are right: names lead to code, and links lead to files."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

# A name has one form: `path`, or `path::name` for a definition in a file, such as `a/b.py::C.method`.
# A file at the top of the repository is recognised by its extension.
FORM = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w.-]+\.(?:md|toml|txt|yml|cff))(?:::([\w.]+))?`")

PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.rglob("README.md")]
    if not {".venv", "node_modules"} & {*page.relative_to(ROOT).parts}
)


def defines(path: Path, name: str) -> bool:
    """Return whether a file of Python or JavaScript defines this name."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return bool(re.search(rf"\b(?:function|const|let|class) {re.escape(name)}\b", text))
    inside: list[ast.AST] = [ast.parse(text)]
    for part in name.split("."):
        inside = [node for one in inside for node in ast.iter_child_nodes(one) if is_(node, part)]
    return bool(inside)


def is_(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return node.name == name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


@pytest.mark.parametrize(("path", "name"), sorted(set(FORM.findall(ARCHITECTURE))))
def test_every_name_in_the_architecture_exists(path: str, name: str) -> None:
    assert (ROOT / path).exists(), f"there is no {path}"
    assert not name or defines(ROOT / path, name), f"{path} defines no {name}"


def test_the_architecture_names_every_folder_and_open_file_of_the_package() -> None:
    named = {Path(path).as_posix() for path, _ in FORM.findall(ARCHITECTURE)}
    for path in sorted((ROOT / "qkvlib").iterdir()):
        if not path.name.startswith("__"):
            assert path.relative_to(ROOT).as_posix() in named


@pytest.mark.parametrize(
    ("message", "passes"),
    [
        ("widgets: draw matrices on a canvas\n\nA longer reason, of any length.\n", True),
        ("tests/page: ask five questions of one table of views", True),
        ("A sentence that says everything at once", False),
        ("site: " + "w" * 67, False),
        ("lessons:", False),
    ],
)
def test_a_hook_reads_the_subject_of_a_commit(message: str, passes: bool) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]
    (subject,) = (hook for hook in hooks["hooks"] if hook["id"] == "subject")
    assert subject["args"] == ["--multiline", "--negate"]  # as pre-commit reads them, below
    found = re.search(subject["entry"], message, re.MULTILINE | re.DOTALL)
    assert bool(found) == passes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_no_merge_is_half_done(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"^(?:<{7}|>{7}) .*", text, re.MULTILINE)
    for target in re.findall(r"""(?:\]\(|src="|srcset=")([^)#:"]+)[^):"]*[)"]""", text):
        assert (page.parent / target).exists(), f"there is no {target}"
