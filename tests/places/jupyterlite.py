"""A check in a page beside JupyterLite's first cell: `python -m tests.places.jupyterlite [FOLDER]`.

JupyterLite comes from PyPI, and its Pyodide from npm, as ours does; both are handed out on this
computer, and visited in turns by somebody who has never been there, and who comes again. What is
measured goes from the address to what the cell printed, or to the verdict. FOLDER is where
JupyterLite is built, and is found again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.browser import started_browser
from tests.proof.in_browser import ask
from tests.proof.in_browser import site as checking_site
from tests.proof.under_torch import ROOT
from tests.tools.site.conftest import served

VISITS = 3
_PYODIDE = ROOT / "node_modules/pyodide"
_CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_ASKED = ("micropip", "ipython", "jedi", "packaging", "pyodide-http", "typing-extensions")
_CELL = "repl/index.html?kernel=python&execute=1&code=print(6*7)"
_DOT = "def dot(a, b):\n    return (a * b).sum()\n"


def build(room: Path) -> Path:
    """JupyterLite with all that its Python needs, so that it asks nobody else."""
    venv.create(room / "venv", with_pip=True)
    pip = [room / "venv/bin/pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyter-server"],
        check=True,
    )
    lock = json.loads((_PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    wheels = room / "wheels"
    wanted = [f"{name}=={lock['packages'][name]['version']}" for name in _needed(lock["packages"])]
    pure = ["--platform", "any", "--implementation", "py", "--abi", "none", "--no-deps"]
    pure += ["--python-version", "3.14", "--only-binary=:all:"]
    subprocess.run(
        [*pip, "download", *pure, "--dest", wheels, *wanted, "comm"],
        check=True,
    )
    for wheel in wheels.glob("*.whl"):  # PyPI's bytes are not those that Pyodide's makers have
        name = wheel.name.split("-")[0].lower().replace("_", "-")
        if entry := lock["packages"].get(name):
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            entry |= {"file_name": wheel.name, "sha256": digest}
    (room / "site").mkdir()
    kernel = {"pyodideUrl": "./static/pyodide/pyodide.mjs", "disablePyPIFallback": True}
    settings = {"litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}}
    (room / "site/jupyter-lite.json").write_text(
        json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": settings})
    )
    (comm,) = wheels.glob("comm-*.whl")
    options = ["--output-dir", room / "built", "--piplite-wheels", comm]
    subprocess.run(
        [room / "venv/bin/jupyter", "lite", "build", *options],
        check=True,
        cwd=room / "site",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    place = room / "built/static/pyodide"
    place.mkdir()
    for path in (*(_PYODIDE / name for name in _CORE), *wheels.glob("*.whl")):
        shutil.copy(path, place)
    (place / "pyodide-lock.json").write_text(json.dumps(lock))
    return room / "built"


def _needed(packages: dict[str, dict[str, list[str]]]) -> list[str]:
    found, waiting = set[str](), list(_ASKED)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [other.replace("_", "-") for other in packages[name]["depends"]]
    return sorted(found)


def first_cell(page: Page, address: str) -> None:
    page.goto(f"{address}/{_CELL}")
    expect(page.locator(".jp-OutputArea-output", has_text="42")).to_be_visible(timeout=120_000)


def check(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_function("globalThis.checker")
    assert ask(page, "dot", _DOT)["outcome"] == "right"


def timed(context: BrowserContext, visit: Callable[[Page, str], None], address: str) -> float:
    page = context.new_page()
    started = time.perf_counter()
    visit(page, address)
    seconds = time.perf_counter() - started
    page.wait_for_timeout(2000)  # what is kept for the next visit is kept by then
    page.close()
    return seconds


def main(folder: str = "") -> None:
    with tempfile.TemporaryDirectory() as own:
        room = Path(folder or own)
        built = room / "built"
        with (
            served(built if built.exists() else build(room)) as lite,
            checking_site() as ours,
            sync_playwright() as playwright,
            started_browser(playwright) as browser,
        ):
            ways = {
                "JupyterLite, first cell": (first_cell, lite),
                "a page, first check": (check, ours),
            }
            took: dict[tuple[str, str], list[float]] = {}
            for _ in range(VISITS):
                for name, (visit, address) in ways.items():
                    context = browser.new_context()
                    for when in ("first visit", "later visit"):
                        seconds = timed(context, visit, address)
                        took.setdefault((name, when), []).append(seconds)
                    context.close()
    for (name, when), seconds in took.items():
        print(f"{name:26}{when:14}{statistics.median(seconds):6.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
