"""Test what a kernel adds below the error for a name that it does not know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qkvlib.app.kernel import ADVICE

ROOT = Path(__file__).parents[2]
CONFIG = "qkvlib/app/settings/ipython_kernel_config.json"


@pytest.mark.parametrize(("cell", "advised"), [("partial(print)", True), ("1 / 0", False), ("1", False)])
def test_a_name_that_no_cell_has_defined_yet_is_explained(
    cell: str, advised: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = InteractiveShell()
    for module in json.loads((ROOT / CONFIG).read_text("utf-8"))["IPKernelApp"]["extensions"]:
        shell.extension_manager.load_extension(module)
    shell.run_cell(cell)
    assert (ADVICE in capsys.readouterr().out) == advised
