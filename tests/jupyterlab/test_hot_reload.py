"""Test that a widget's author sees a new bundle without restarting the kernel."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import expect

from qkvlib.widgets.kit import envelope
from tests.jupyterlab.jupyterlab import Lab, Server, write_notebook

CELL = """\
import os, pathlib
os.environ["QKVLIB_WATCH"] = "1"
from qkvlib.widgets.kit import envelope
envelope.STATIC = pathlib.Path({folder!r})
from qkvlib import Vectors
Vectors([1.0, 2.0], [[3.0, 4.0]])"""


def test_a_page_shows_a_new_bundle_as_soon_as_it_is_built(lab: Lab, server: Server, tmp_path: Path) -> None:
    built = tmp_path / "static"
    shutil.copytree(envelope.STATIC, built)
    write_notebook(server.notebooks / "reload.ipynb", [CELL.format(folder=str(built))])
    lab.open("reload.ipynb")
    lab.run_all()
    vectors = lab.widget("vectors")
    expect(vectors.get_by_role("button", name="Reset")).to_be_visible()
    script = built / "vectors.js"
    source = script.read_text(encoding="utf-8")
    assert source.count('"Reset"') == 1
    script.write_text(source.replace('"Reset"', '"Start again"'), encoding="utf-8")
    expect(vectors.get_by_role("button", name="Start again")).to_be_visible()
    expect(vectors.get_by_role("button", name="Reset")).to_have_count(0)
