"""A plugin: tests that share something slow to start run in one worker, one after another.

`--dist=loadfile` keeps a file's tests together. A JupyterLab takes ten seconds to start, and each
file of `tests/jupyterlab` that another worker took would start its own.
"""

from __future__ import annotations

from typing import Any

import pytest

TOGETHER = ("tests/jupyterlab/",)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """xdist's own scheduler by files, for which a folder that is named here is one file."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class LoadTogether(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = [folder for folder in TOGETHER if nodeid.startswith(folder)]
            return shared[0] if shared else super()._split_scope(nodeid)

    return LoadTogether(config, log)
