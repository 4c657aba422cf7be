"""Record what honest code may change in a session before it runs, and restore it afterwards.

This is no security boundary: learners can fool their own notebook. The grader relies on processes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)


class _Setting(NamedTuple):
    """A setting that exists once per session. `words` report that a function leaves it changed, and may
    have a placeholder for the new value."""

    read: Callable[[], Any]
    write: Callable[[Any], object]
    words: str


def _printing() -> tuple[dict[str, Any], Any]:
    options = getattr(torch, "_tensor_str", None)  # absent from the torch of a web page
    return (dict(vars(options.PRINT_OPTS)) if options else {}), np.get_printoptions()


def _set_printing(was: tuple[dict[str, Any], Any]) -> None:
    if was[0]:
        vars(torch._tensor_str.PRINT_OPTS).update(was[0])
    np.set_printoptions(**was[1])


_SETTINGS = [
    _Setting(
        lambda: "on" if torch.is_grad_enabled() else "off",
        lambda was: torch.set_grad_enabled(was == "on"),
        "gradients stay switched {}",
    ),
    _Setting(
        torch.get_default_dtype, torch.set_default_dtype, "new tensors have a different dtype afterwards"
    ),
    _Setting(
        torch.get_num_threads, torch.set_num_threads, "torch uses a different number of threads afterwards"
    ),
    _Setting(_printing, _set_printing, "tensors are printed differently afterwards"),
]


@contextmanager
def put_back(left: list[str]) -> Iterator[None]:
    """Restore the session after the code inside; `left` receives in words what it had changed."""
    were = [setting.read() for setting in _SETTINGS]
    try:
        yield
    finally:
        for setting, was in zip(_SETTINGS, were, strict=True):
            if (now := setting.read()) != was:
                setting.write(was)
                left.append(setting.words.format(now))
        left.extend(f"`{name}` is no longer torch's own afterwards" for name in restore_torch())


@contextmanager
def seeds_kept() -> Iterator[None]:
    """Restore the random state, so that later draws do not depend on the code inside."""
    seeds = torch.get_rng_state(), random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        torch.set_rng_state(seeds[0])
        random.setstate(seeds[1])
        np.random.set_state(seeds[2])


# --- Torch's own functions: if `torch.isclose` always returned True, everything would be right. ---

# The functions that a verdict relies on. Not all of torch's: torch replaces some of them itself.
_NEEDED = (
    (
        torch,
        "torch",
        "all allclose any arange cat einsum empty_strided equal exp eye full_like isclose isfinite isnan "
        "linspace matmul ones ones_like rand randint randn softmax stack tensor where xlogy zeros zeros_like",
    ),
    (F, "F", "cross_entropy layer_norm relu scaled_dot_product_attention softmax"),
)
_OWN = {
    f"{called}.{name}": (owner, name, getattr(owner, name))
    for owner, called, names in _NEEDED
    for name in names.split()
}
_METHODS = dict(vars(Tensor))
_INHERITED = frozenset(vars(torch._C.TensorBase))


def restore_torch() -> list[str]:
    """Restore torch's own functions if a cell has replaced them, and return their names."""
    found = []
    for called, (owner, name, own) in _OWN.items():
        if getattr(owner, name, None) is not own:
            setattr(owner, name, own)
            found.append(called)
    if vars(Tensor) != _METHODS:
        found += [f"Tensor.{name}" for name in _restored_methods()]
    return found


def _restored_methods() -> list[str]:
    now = dict(vars(Tensor))
    added = [name for name in now if name not in _METHODS and name in _INHERITED]
    for name in added:
        delattr(Tensor, name)  # this uncovers torch's function
    changed = [name for name, own in _METHODS.items() if now.get(name) is not own]
    for name in changed:
        setattr(Tensor, name, _METHODS[name])
    return added + changed
