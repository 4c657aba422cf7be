"""The names that torch has and the page's torch does not, so that it can report them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pkgutil import get_data
from typing import Any

from .errors import NotInThisPage

# torch's own names by module, written next to this file when the site is built.
_TORCHS = {
    home: frozenset(names.split())
    for home, names in json.loads(get_data(__package__, "names.json") or b"{}").items()
}


def who_has(module: str) -> Callable[[str], Any]:
    """Answer for a name that a module does not have: say whether torch has it."""

    def asked(name: str) -> Any:
        if name in _TORCHS[module]:
            raise NotInThisPage(f"`{module}.{name}`")
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    return asked


def no_attribute(thing: Any, name: str, home: str) -> AttributeError:
    """Do the same for an attribute of a tensor or of a model's layer."""
    if name in _TORCHS[home]:
        return NotInThisPage(f"`{home.rpartition('.')[2]}.{name}`")
    return AttributeError(f"'{type(thing).__name__}' object has no attribute '{name}'")
