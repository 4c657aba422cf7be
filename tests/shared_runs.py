"""Make a training run only once if two notebooks share it, such as a lesson and its solution.

A run depends only on its arguments, to the last digit: tests/training/test_loop.py tests that. So the
second notebook that asks for the same run gets the recording and the weights of the first. This
happens only in kernels started by the tests, by `PYTHONSTARTUP`, and only within one run of pytest.
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

ROOM = "QKVLIB_TESTS_RUNS"  # names the folder of finished runs
_LOOPS = {"qkvlib.training.loop": "train", "qkvlib.training.together": "train_together"}
Train = Callable[..., Any]


class _Loops(MetaPathFinder):
    """Wait for the training loops to be imported: a kernel that never trains does not load them."""

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
    """Return the environment variables that make a kernel share its runs."""
    startup = Path(__file__).with_name("shared_runs_startup.py")
    return {"PYTHONSTARTUP": str(startup), "PYTHONPATH": str(startup.parents[1])}


def share() -> None:
    """Share the runs of this process with others that name the same folder, if it names one."""
    if ROOM in os.environ:
        sys.meta_path.insert(0, _Loops())


def sharing(train: Train, room: Path) -> Train:
    """Wrap `train` so that a run that is already in the folder is read, not made again."""
    import torch  # imported here because a kernel that never trains does not load it

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
    """Hold a lock, so that a kernel waits while another kernel makes the same run."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with kept.with_name(f".{kept.name}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # the system releases it when the file is closed
        yield


def _each(arguments: dict[str, Any], name: str) -> list[Any]:
    """Return the models (or tasks) as a list: `train` takes one, `train_together` several."""
    given = arguments[name] if name in arguments else arguments[f"{name}s"]
    return list(given) if isinstance(given, list | tuple) else [given]


def _key(train: Train, arguments: dict[str, Any], models: list[Any], tasks: list[Any]) -> str:
    """Return a key of everything the run depends on: all arguments, and the weights it starts from."""
    kinds = [type(part).__module__ + type(part).__qualname__ for part in (*models, *tasks)]
    freeze = arguments["freeze"]
    freeze = [freeze] if isinstance(freeze, str) else sorted(freeze)
    told = [repr(arguments[name]) for name in arguments if name not in ("freeze",)]
    numbers = [weight.numpy().tobytes() for model in models for weight in model.weights.values()]
    described = (train.__name__, kinds, freeze, told, numbers)
    return hashlib.sha256(pickle.dumps(described)).hexdigest()


def _same_elsewhere(*parts: Any) -> bool:
    """Return whether the types come from the package: a notebook's own type may differ in another one."""
    return all(type(part).__module__.startswith("qkvlib.") for part in parts)
