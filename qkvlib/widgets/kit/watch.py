"""For developers of widgets: show a new bundle in open pages as soon as it is built.

Off unless the environment variable QKVLIB_WATCH is set. `make widgets WATCH=1` builds.
"""

from __future__ import annotations

import os
import threading
import time
import weakref

from anywidget import AnyWidget

from qkvlib.widgets.kit import envelope

WATCHING = bool(os.environ.get("QKVLIB_WATCH"))
_SECONDS = 0.3

_followed: weakref.WeakKeyDictionary[AnyWidget, str] = weakref.WeakKeyDictionary()


def follow(bridge: AnyWidget, front_end: str) -> None:
    """Send this widget's pages every new bundle of its front end."""
    first = not _followed
    _followed[bridge] = front_end
    if first:
        threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    shown = _written()
    while _followed:
        time.sleep(_SECONDS)
        now = _written()
        for name in {name for name in now if now[name] != shown.get(name)}:
            for bridge in [one for one, front_end in _followed.items() if front_end == name]:
                bridge._esm = envelope.module(name)
        shown = now


def _written() -> dict[str, float]:
    """Return when each widget's bundles were last written."""
    times: dict[str, float] = {}
    for path in envelope.STATIC.iterdir():
        times[path.stem] = max(times.get(path.stem, 0.0), path.stat().st_mtime)
    return times
