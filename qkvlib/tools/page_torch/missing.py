"""What torch has and the page has not: to be able to say so by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pkgutil import get_data
from typing import Any

from .errors import NotInThisPage

# Torch's own names by their home, written beside this file when the site is built.
_TORCHS = {
    home: frozenset(names.split())
    for home, names in json.loads(get_data(__package__, "names.json") or b"{}").items()
}


def who_has(module: str) -> Callable[[str], Any]:
    """What a module answers to a name that it has not: whether torch has it, or nobody."""

    def asked(name: str) -> Any:
        if name in _TORCHS[module]:
            raise NotInThisPage(f"`{module}.{name}`")
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return asked


def no_attribute(thing: Any, name: str, home: str) -> AttributeError:
    """The same of a tensor, or of a module of a model."""
    if name in _TORCHS[home]:
        return NotInThisPage(f"`{home.rpartition('.')[2]}.{name}`")
    return AttributeError(f"'{type(thing).__name__}' object has no attribute '{name}'")
