"""Where a sandbox's process begins: `python -I <this file>`, with its order on stdin."""

from __future__ import annotations

import gc
import os
import sys
from types import ModuleType


def load() -> ModuleType:
    """Load torch and the code that forks sandboxes, where `qkvlib` cannot be imported.

    The garbage collector is off meanwhile: almost nothing of what is loaded can be collected, but the
    collector would go through all of it, and cause a fork to copy it.
    """
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    _forget_the_course()
    gc.disable()
    sys.path.insert(0, above)
    import child.zygote as zygote  # type: ignore[import-not-found]

    sys.path.remove(above)
    gc.freeze()
    return zygote


def follow_the_order(zygote: ModuleType) -> None:
    """Do what the line on stdin says."""
    gc.enable()
    zygote.fork_on_demand(sys.stdin.readline())


def _forget_the_course() -> None:
    """Make `qkvlib` impossible to import here, however it is installed."""
    sys.meta_path[:] = [
        finder
        for finder in sys.meta_path
        if not str(getattr(finder, "__module__", "")).startswith("__editable__")
    ]
    sys.path[:] = [
        place
        for place in sys.path
        if os.path.basename(place) in ("site-packages", "dist-packages")
        or not os.path.isdir(os.path.join(place, "qkvlib"))
    ]
    for name in [name for name in sys.modules if name.split(".")[0] == "qkvlib"]:
        del sys.modules[name]


if __name__ == "__main__":
    follow_the_order(load())
