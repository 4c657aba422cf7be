"""A plugin: deal the tests to the workers as xdist's `--dist=loadfile` does, but for two things.

A JupyterLab takes ten seconds to start, and each worker that took a file of `tests/jupyterlab` would
start its own. So that folder counts as one file.

A test that hangs ends its worker (`faulthandler_timeout`). xdist would give it to the next worker, and
then to the one after. So it fails, and is not run again.
"""

from __future__ import annotations

from typing import Any

import pytest

TOGETHER = ("tests/jupyterlab/",)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return xdist's own scheduler by files, changed in these two ways."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduler(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = [folder for folder in TOGETHER if nodeid.startswith(folder)]
            return shared[0] if shared else super()._split_scope(nodeid)

        def remove_node(self, node: Any) -> str | None:
            files = self.assigned_work[node].values()
            waiting = [(file, test) for file in files for test, done in file.items() if not done]
            for file, test in waiting[:1]:
                file[test] = True  # or it would be among those that others take over
            super().remove_node(node)
            return waiting[0][1] if waiting else None

    return Scheduler(config, log)
