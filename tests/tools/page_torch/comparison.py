"""Describe how the page's result differs from torch's."""

from __future__ import annotations

import math
from typing import Any

from qkvlib.checking.errors import in_plain_words


def apart(found: Any, wanted: Any, strides: bool = True) -> str | None:
    """Return the difference in words, or None."""
    if "error" in wanted or "error" in found:
        return _errors_apart(found, wanted)
    if found.keys() != wanted.keys():
        return f"{_short(found)}, and torch has {_short(wanted)}"
    if "parts" in wanted:
        if len(found["parts"]) != len(wanted["parts"]):
            return f"{len(found['parts'])} parts, and torch has {len(wanted['parts'])}"
        each = zip(found["parts"], wanted["parts"], strict=True)
        return next((words for f, w in each if (words := apart(f, w, strides))), None)
    if "numbers" in wanted:
        return _tensors_apart(found, wanted, strides)
    if "number" in wanted:
        same = found["whole"] == wanted["whole"] and _close(found["number"], wanted["number"], 1e-5)
        return None if same else f"{found}, and torch has {wanted}"
    return None if found == wanted else f"{found['plain']}, and torch has {wanted['plain']}"


def _tensors_apart(found: Any, wanted: Any, strides: bool) -> str | None:
    for name in ("dtype", "shape", "requires_grad"):
        if found[name] != wanted[name]:
            return f"{name} {found[name]}, and torch has {wanted[name]}"
    if strides and 0 not in wanted["shape"] and _steps(found) != _steps(wanted):
        return f"strides {found['strides']}, and torch has {wanted['strides']}"
    finite = [abs(x) for x in wanted["numbers"] if not isinstance(x, str)]
    scale = max([1.0, *finite])
    # Two right answers may differ this far: torch adds in another order.
    tolerance = (1e-9 if wanted["dtype"] == "torch.float64" else 3e-5) * scale
    if "float" not in wanted["dtype"]:
        tolerance = 0
    for x, y in zip(found["numbers"], wanted["numbers"], strict=True):
        if not _close(x, y, tolerance):
            return f"{x}, and torch has {y}: {found['numbers']} / {wanted['numbers']}"
    return None


def _steps(tensor: Any) -> list[int]:
    """Return the strides of the dimensions that have more than one number."""
    pairs = zip(tensor["strides"], tensor["shape"], strict=True)
    return [stride for stride, size in pairs if size > 1]


def _close(x: Any, y: Any, tolerance: float) -> bool:
    if isinstance(x, str) or isinstance(y, str):
        return bool(x == y)
    return bool(abs(x - y) <= tolerance * max(1.0, abs(y) if math.isfinite(y) else 1.0))


def _errors_apart(found: Any, wanted: Any) -> str | None:
    if "error" not in found or "error" not in wanted:
        return f"{_short(found)}, and torch has {_short(wanted)}"
    # The page's error may be of a subclass of torch's: then torch's class is among its bases.
    kinds = [kind for kind in wanted["error"] if kind != "object"]
    if kinds[0] not in found["error"]:
        return f"{_short(found)}, and torch has {_short(wanted)}"
    words = in_plain_words(wanted["error"][0], wanted["message"])
    own = in_plain_words(found["error"][0], found["message"])
    if words != own:
        return f"{found['message']!r}, and torch has {wanted['message']!r}"
    return None


def _short(outcome: Any) -> str:
    if "error" in outcome:
        return f"{outcome['error'][0]}: {outcome['message']}"
    return str(outcome)[:300]
