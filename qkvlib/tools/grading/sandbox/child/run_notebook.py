"""Run a learner's notebook: its namespace, and every version of each requested function."""

from __future__ import annotations

import ast
import builtins
import codeop
import inspect
import math
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numpy as np
import torch

from . import cells
from .fake_qkvlib import Inert, LentFunction

_MOST_VERSIONS = 6


class _OutOfTime(BaseException):
    """Ends a statement that has used up its share of the time."""


class NotebookRun:
    """Run cells in one namespace, and keep every function with one of the `names`."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)
        self.left_out = 0
        self.missing: list[str] = []  # modules that are not installed here
        # It applies a `__future__` import to all cells after it, as IPython does.
        self._compile = codeop.Compile()
        self.versions: dict[str, list[Callable[..., Any]]] = {}
        # Dataclasses and annotations look up names in this module.
        sys.modules["__main__"] = module = ModuleType("__main__")
        self.space = module.__dict__
        self.space |= dict.fromkeys(("_", "__", "___", "_i", "_ii", "_iii"), "")
        self.space |= {
            "torch": torch,
            "nn": torch.nn,
            "F": torch.nn.functional,
            "Tensor": torch.Tensor,
            "np": np,
            "math": math,
            "check": Inert(),
            "get_ipython": Inert(),
            "display": _shown_to_nobody,
            "__IPYTHON__": True,
            "__builtin__": builtins,
            "In": [""],
            "Out": {},
            "_ih": [""],
            "_oh": {},
            "_dh": [],
        }

    def run(
        self,
        sources: Sequence[str],
        thorough: bool,
        careful_with: Sequence[int],
        seconds: float,
        at: Callable[[int], None],
    ) -> None:
        """Run the cells' necessary statements; of the cells to be `careful_with`, only the definitions."""
        end = time.monotonic() + seconds
        failed: list[tuple[int, ast.stmt]] = []
        for number, statements in cells.parsed(sources):
            at(number)
            for statement in statements:
                if cells.does_nothing(statement):
                    continue
                careful = number in careful_with and not cells.only_defines(statement)
                if careful or not cells.wanted(statement, thorough):
                    self.left_out += 1
                elif not self._execute(number, statement, end):
                    failed.append((number, statement))
        for number, statement in failed:
            at(number)
            if number not in careful_with and not isinstance(statement, ast.Expr):
                self._execute(number, statement, end)

    def _execute(self, number: int, statement: ast.stmt, end: float) -> bool:
        """Run one statement, and return whether it finished."""
        try:
            module: Any = ast.Module([statement], [])  # which `codeop` takes, though it is typed for text
            code = self._compile(module, cells.file_name(number), "exec")
            with _time_limit(max(0.1, end - time.monotonic())):
                exec(code, self.space)
        except ModuleNotFoundError as error:
            self.missing.append(str(error.name))
            return False
        except BaseException:  # even SystemExit ends only its own statement
            return False
        finally:
            self._keep_versions(statement)
        return True

    def _keep_versions(self, statement: ast.stmt) -> None:
        defined = statement.name if isinstance(statement, ast.FunctionDef) else None
        for name in self.names & self.space.keys():
            found = self.space[name]
            kept = self.versions.setdefault(name, [])
            if isinstance(found, LentFunction) or not callable(found) or any(found is f for f in kept):
                continue
            if name == defined or _is_from_a_cell(found):
                kept.append(found)
                del kept[:-_MOST_VERSIONS]


def _shown_to_nobody(*_: object, **__: object) -> None:
    """Do nothing: `display` has no reader here."""


def _is_from_a_cell(function: Any) -> bool:
    """Tell whether the notebook itself defines the function; `softmax = torch.softmax` does not."""
    with suppress(Exception):
        code = getattr(inspect.unwrap(function), "__code__", None)
        return inspect.iscode(code) and code.co_filename.startswith("<cell ")
    return False


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Limit the time of honest code; the grader has its own clock for other code."""

    def stop(number: int, frame: object) -> None:
        raise _OutOfTime

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
