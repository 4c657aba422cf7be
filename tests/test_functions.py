"""Test that every function fits on a screen: 60 lines, in Python and in JavaScript.

Longer ones hide more than one idea.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from tests.test_javascript import node

ROOT = Path(__file__).parent.parent
MOST = 60


def long_in_python(files: Iterable[Path]) -> set[str]:
    """Return the longer functions, not counting docstrings and decorators, as "file name"."""
    return {
        f"{path} {node.name}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST
    }


def long_in_javascript(files: Iterable[Path]) -> set[str]:
    """Return the longer functions of scripts, as TypeScript's parser reads them."""
    script = Path(__file__).with_name("functions.mjs")
    done = node(str(script), str(MOST), *map(str, files))
    assert done.returncode == 0, f"{done.stderr}\nIs TypeScript there? `make test` installs it."
    return {line.split(" ", 1)[1] for line in done.stdout.splitlines()}


def written(*kinds: str) -> list[Path]:
    """Return the hand-written files of these kinds."""
    return [
        path
        for folder in ("qkvlib", "solutions", "tests")
        for kind in kinds
        for path in (ROOT / folder).rglob(kind)
        if not {"node_modules", "static"} & {*path.relative_to(ROOT).parts}
    ]


def test_every_function_fits_a_screen() -> None:
    python, scripts = written("*.py"), written("*.js", "*.mjs")
    assert len(python) > 400
    assert len(scripts) > 100
    assert long_in_python(python) | long_in_javascript(scripts) == set()


def test_a_function_of_61_lines_is_found(tmp_path: Path) -> None:
    """This holds in both languages and every notation; a function of 60 lines is not found."""
    body = "\n    0" * 59
    python = tmp_path / "some.py"
    python.write_text(f"def fits():{body}\n\ndef long():{body}\n    0\n\nasync def late():{body}\n    0\n")
    assert long_in_python([python]) == {f"{python} long", f"{python} late"}
    scripts = tmp_path / "some.js"
    rest = "\n  0;" * 58
    scripts.write_text(
        f"function fits() {{{rest}\n}}\nfunction long() {{{rest}\n  0;\n}}\n"
        f"const arrow = () => {{{rest}\n  0;\n}};\nconst of = {{ method() {{{rest}\n  0;\n}} }};\n"
    )
    assert long_in_javascript([scripts]) == {f"{scripts} {name}" for name in ("long", "arrow", "method")}
