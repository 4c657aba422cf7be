"""A plugin: run tests that share a slow server in one worker, and none that ended its worker again.

`--dist=loadfile` keeps the tests of a file together. But a JupyterLab takes ten seconds to start,
and each worker that took a file of `tests/jupyterlab` would start its own. A test that hangs ends its
worker (`faulthandler_timeout`), and xdist would give it to the next one, and that to the next.
"""

from __future__ import annotations

from typing import Any

import pytest

TOGETHER = ("tests/jupyterlab/",)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return xdist's own scheduler by files, except that a folder named here counts as one file."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class LoadTogether(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = [folder for folder in TOGETHER if nodeid.startswith(folder)]
            return shared[0] if shared else super()._split_scope(nodeid)

        def remove_node(self, node: Any) -> str | None:
            files = self.assigned_work[node].values()
            waiting = [(file, test) for file in files for test, done in file.items() if not done]
            for file, test in waiting[:1]:
                file[test] = True
            super().remove_node(node)
            return waiting[0][1] if waiting else None

    return LoadTogether(config, log)
