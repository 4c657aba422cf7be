"""A training run that two notebooks share is made once: the lesson's, and the solution's like it.

A run depends on its arguments alone, to the last digit: tests/training/test_loop.py says so. So the
second notebook that asks for the same run gets the recording and the weights of the first. Only the
kernels that the tests start do this, by `PYTHONSTARTUP`, and only within one call of pytest.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import os
import pickle
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

ROOM = "QKVLIB_TESTS_RUNS"  # names the folder of what has been trained
_LOOP = "qkvlib.training.loop"
Train = Callable[..., Any]


class _Loop(MetaPathFinder):
    """Waits for the training loop: a kernel that never trains does not load it."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != _LOOP:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        assert spec
        assert spec.loader
        load = spec.loader.exec_module

        def load_and_share(module: ModuleType) -> None:
            load(module)
            module.__dict__["train"] = sharing(module.__dict__["train"], Path(os.environ[ROOM]))

        spec.loader.exec_module = load_and_share  # type: ignore[method-assign]
        return spec


def for_kernels() -> dict[str, str]:
    """What the environment of a kernel says, so that its runs are shared."""
    startup = Path(__file__).with_name("shared_runs_startup.py")
    return {"PYTHONSTARTUP": str(startup), "PYTHONPATH": str(startup.parents[1])}


def share() -> None:
    """Share the runs of this process with others that name the same folder."""
    sys.meta_path.insert(0, _Loop())


def sharing(train: Train, room: Path) -> Train:
    """`train`, but a run that is in the room already is read, not made again."""

    @functools.wraps(train)
    def shared(*given: Any, **named: Any) -> Any:
        arguments = inspect.signature(train).bind(*given, **named)
        arguments.apply_defaults()
        kept = room / _key(arguments.arguments)
        model, task = (arguments.arguments[name] for name in ("model", "task"))
        weights, foreign = model.weights, model.runs_foreign
        if kept.exists() and not foreign:
            found, recording = pickle.loads(kept.read_bytes())
            for name, weight in weights.items():
                weight.copy_(found[name])
            return recording
        recording = train(*given, **named)
        if _same_elsewhere(model, task) and not foreign:
            half = kept.with_name(f"{kept.name}.{os.getpid()}")
            half.write_bytes(pickle.dumps((weights, recording)))
            half.replace(kept)
        return recording

    return shared


def _key(arguments: dict[str, Any]) -> str:
    """What the run depends on: every argument, and the weights that it starts from."""
    model, task, freeze = (arguments[name] for name in ("model", "task", "freeze"))
    kinds = [type(part).__module__ + type(part).__qualname__ for part in (model, task)]
    freeze = [freeze] if isinstance(freeze, str) else sorted(freeze)
    told = [repr(arguments[name]) for name in arguments if name not in ("freeze",)]
    numbers = [weight.numpy().tobytes() for weight in model.weights.values()]
    return hashlib.sha256(pickle.dumps((kinds, freeze, told, numbers))).hexdigest()


def _same_elsewhere(*parts: Any) -> bool:
    """Whether the kinds come from the package: one that a notebook defines may be another there."""
    return all(type(part).__module__.startswith("qkvlib.") for part in parts)
