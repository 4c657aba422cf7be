"""Store what this learner has predicted, solved and asked for, only on this computer.

Each fact is a separate small file, `<data folder>/<kind>/<name>.json`. So two open notebooks
can never overwrite each other's facts, and a damaged file costs only one fact.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import platformdirs

from qkvlib.learner.files import write_atomically

Kind = Literal[
    "predictions",
    "exercises",
    "hints",
    "goals",
    "ways",
    "mistakes",
    "misses",
    "confidence",
    "reviews",
    "settings",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def folder() -> Path:
    """Return the folder of the facts: QKVLIB_HOME if it is set, else the user's data directory."""
    chosen = os.environ.get("QKVLIB_HOME")
    return Path(chosen) if chosen else platformdirs.user_data_path("qkvlib", appauthor=False)


def record(kind: Kind, name: str, value: Any) -> None:
    """Store `value` (anything that JSON can hold) as the fact `name`; a full disk only warns."""
    path = _path(kind, name)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # private to this user
        write_atomically(path, json.dumps(value), lasting=True)
    except OSError as error:
        warnings.warn(f"Your progress could not be saved in {path.parent}: {error}", stacklevel=2)


def recall(kind: Kind, name: str) -> Any:
    """Return the value stored as the fact `name`, or None; a damaged file counts as none."""
    path = _path(kind, name)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # none, or not JSON, or not UTF-8
        return None
    except OSError as error:
        warnings.warn(f"Your progress could not be read from {path}: {error}", stacklevel=2)
        return None


def recall_all(kind: Kind) -> dict[str, Any]:
    """Return every fact of one kind, by name."""
    try:
        names = sorted(path.stem for path in (folder() / kind).glob("*.json"))
    except OSError:
        return {}
    facts = {name: recall(kind, name) for name in names if _NAME.fullmatch(name)}
    return {name: value for name, value in facts.items() if value is not None}


def forget(kinds: Sequence[Kind]) -> int:
    """Delete every fact of these kinds, including damaged ones, and return their number."""
    found = [path for kind in kinds for path in (folder() / kind).glob("*") if path.is_file()]
    for path in found:
        path.unlink(missing_ok=True)
    return sum(path.suffix == ".json" for path in found)


def _path(kind: Kind, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot name a fact: use small letters, digits, '-', '_' and '.', "
            "for example 'long-vector-wins'"
        )
    return folder() / kind / f"{name}.json"
