"""Where a sandbox's process begins: `python -I <this file>`, its order on stdin."""

from __future__ import annotations

import gc
import os
import sys


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


def _main() -> None:
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    _forget_the_course()
    gc.disable()  # until all is loaded: there is nothing to collect, only to look through
    sys.path.insert(0, above)
    import child.zygote as zygote  # type: ignore[import-not-found]

    sys.path.remove(above)
    gc.enable()
    zygote.start(sys.stdin.readline())


_main()
