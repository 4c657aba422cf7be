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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

ROOM = "QKVLIB_TESTS_RUNS"  # names the folder of what has been trained
_LOOPS = {"qkvlib.training.loop": "train", "qkvlib.training.together": "train_together"}
Train = Callable[..., Any]


class _Loops(MetaPathFinder):
    """Waits for the training loops: a kernel that never trains does not load them."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in _LOOPS or name in self.seen:
            return None
        self.seen.add(name)
        spec = importlib.util.find_spec(name)
        assert spec
        assert spec.loader
        load = spec.loader.exec_module

        def load_and_share(module: ModuleType) -> None:
            load(module)
            loop = _LOOPS[name]
            module.__dict__[loop] = sharing(module.__dict__[loop], Path(os.environ[ROOM]))

        spec.loader.exec_module = load_and_share  # type: ignore[method-assign]
        return spec


def for_kernels() -> dict[str, str]:
    """What the environment of a kernel says, so that its runs are shared."""
    startup = Path(__file__).with_name("shared_runs_startup.py")
    return {"PYTHONSTARTUP": str(startup), "PYTHONPATH": str(startup.parents[1])}


def share() -> None:
    """Share the runs of this process with others that name the same folder, if it names one."""
    if ROOM in os.environ:
        sys.meta_path.insert(0, _Loops())


def sharing(train: Train, room: Path) -> Train:
    """`train`, but a run that is in the room already is read, not made again."""
    import torch  # a kernel that never trains does not load it

    @functools.wraps(train)
    def shared(*given: Any, **named: Any) -> Any:
        arguments = inspect.signature(train).bind(*given, **named)
        arguments.apply_defaults()
        models, tasks = (_each(arguments.arguments, name) for name in ("model", "task"))
        if any(model.runs_foreign for model in models) or not _same_elsewhere(*models, *tasks):
            return train(*given, **named)
        kept = room / _key(train, arguments.arguments, models, tasks)
        with _alone(kept):
            if kept.exists():
                found, told = torch.load(kept, weights_only=False)
                for model, weights in zip(models, found, strict=True):
                    for name, weight in model.weights.items():
                        weight.copy_(weights[name])
                return told
            told = train(*given, **named)
            half = kept.with_name(f"{kept.name}.{os.getpid()}")
            torch.save(([model.weights for model in models], told), half)
            half.replace(kept)
            return told

    return shared


@contextmanager
def _alone(kept: Path) -> Iterator[None]:
    """Whoever asks for a run that another kernel is making waits until it is made."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with kept.with_name(f".{kept.name}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # the system gives it back when the file is closed
        yield


def _each(arguments: dict[str, Any], name: str) -> list[Any]:
    """The models, or tasks: `train` is given one, `train_together` some."""
    given = arguments[name] if name in arguments else arguments[f"{name}s"]
    return list(given) if isinstance(given, list | tuple) else [given]


def _key(train: Train, arguments: dict[str, Any], models: list[Any], tasks: list[Any]) -> str:
    """What the run depends on: every argument, and the weights that it starts from."""
    kinds = [type(part).__module__ + type(part).__qualname__ for part in (*models, *tasks)]
    freeze = arguments["freeze"]
    freeze = [freeze] if isinstance(freeze, str) else sorted(freeze)
    told = [repr(arguments[name]) for name in arguments if name not in ("freeze",)]
    numbers = [weight.numpy().tobytes() for model in models for weight in model.weights.values()]
    described = (train.__name__, kinds, freeze, told, numbers)
    return hashlib.sha256(pickle.dumps(described)).hexdigest()


def _same_elsewhere(*parts: Any) -> bool:
    """Whether the kinds come from the package: one that a notebook defines may be another there."""
    return all(type(part).__module__.startswith("qkvlib.") for part in parts)
