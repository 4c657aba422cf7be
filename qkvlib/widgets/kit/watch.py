"""For whoever writes a widget: pages show a new bundle as soon as it is built.

Off unless the environment variable QKVLIB_WATCH is set. `make widgets WATCH=1` builds.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from typing import TYPE_CHECKING

from qkvlib.widgets.kit import envelope

if TYPE_CHECKING:
    from qkvlib.widgets.kit.widget import Bridge

WATCHING = bool(os.environ.get("QKVLIB_WATCH"))
_SECONDS = 0.3

_bridges: weakref.WeakSet[Bridge] = weakref.WeakSet()


def follow(bridge: Bridge) -> None:
    """Send this widget's pages every later bundle."""
    first = not _bridges
    _bridges.add(bridge)
    if first:
        threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    shown = _written()
    while _bridges:
        time.sleep(_SECONDS)
        now = _written()
        for name in {name for name in now if now[name] != shown.get(name)}:
            for bridge in [one for one in _bridges if one.owner.front_end == name]:
                bridge._esm = envelope.module(name)
        shown = now


def _written() -> dict[str, float]:
    """When each widget's bundles were last written."""
    times: dict[str, float] = {}
    for path in envelope.STATIC.iterdir():
        times[path.stem] = max(times.get(path.stem, 0.0), path.stat().st_mtime)
    return times
