"""A stand-in for NumPy in a page: the few names that the course uses when there is no NumPy array."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class ndarray:  # noqa: N801 (NumPy's own name for it)
    """No value is an instance."""


class generic:  # noqa: N801
    """No value is an instance."""


def get_printoptions() -> None:
    """Return no settings."""


random = SimpleNamespace(get_state=lambda: None, set_state=lambda state: None)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(
        f"NumPy is not in this page, and so no `numpy.{name}`. Write it with torch; in JupyterLab "
        "there is NumPy, too"
    )
