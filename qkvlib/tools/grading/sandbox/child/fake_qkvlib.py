"""What a learner's notebook gets when it imports `qkvlib`: nothing that knows an answer.

`check` returns its function, and widgets and figures do nothing. The course's own mathematics, which is the
reference for most exercises, is not here. An exercise that builds on earlier ones may call those even if the
learner's own are not right: it asks the grader, which decides.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, ClassVar

import torch
from torch import Tensor

Ask = Callable[..., Any]  # (name, arguments, whether gradients are needed) -> the result


class Inert:
    """Accepts everything and does nothing; called with a function it returns that function."""

    lent: ClassVar[dict[str, LentFunction]] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert.lent.get(name) or Inert()

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return arguments[0] if arguments and callable(arguments[0]) else Inert()

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, key: Any) -> Any:
        return Inert()

    def __bool__(self) -> bool:
        return False

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return ()


class LentFunction:
    """A function of an earlier exercise, computed by the grader when the grader lends it."""

    def __init__(self, name: str, parameters: Sequence[str], ask: Ask) -> None:
        self.__name__ = name
        self._parameters = parameters
        self._ask = ask

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        for parameter in self._parameters[len(arguments) :]:
            if parameter not in named:
                break
            arguments += (named.pop(parameter),)
        if named:
            raise TypeError(f"{self.__name__}() takes {self._parameters}, not {list(named)}")
        tensors = [one for one in arguments if isinstance(one, Tensor)]
        if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
            return _DifferentiableLoan.apply(self._ask, self.__name__, *arguments)  # type: ignore[no-untyped-call]
        return self._ask(self.__name__, arguments)


class _DifferentiableLoan(torch.autograd.Function):
    """A lent function through which a loss can be backpropagated: the grader computes the gradients, too."""

    @staticmethod
    def forward(ctx: Any, ask: Ask, name: str, *arguments: Any) -> Any:
        ctx.ask, ctx.name = ask, name
        ctx.arguments = tuple(x.detach() if isinstance(x, Tensor) else x for x in arguments)
        return ask(name, ctx.arguments)

    @staticmethod
    def backward(ctx: Any, *d_outputs: Any) -> Any:
        return (None, None, *ctx.ask(ctx.name, (ctx.arguments, d_outputs), True))


class _FakeModule(ModuleType):
    """A module of the course, as far as a notebook in the sandbox can tell."""

    __getattr__ = Inert.__getattr__


class _Finder:
    """Handle `qkvlib` and everything below it, before any other finder is asked."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "qkvlib" and not name.startswith("qkvlib."):
            return None
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = _FakeModule(spec.name)
        module.__all__ = ["check", *Inert.lent]  # type: ignore[attr-defined]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: there is no code to execute."""


def install(names: Mapping[str, Sequence[str]], ask: Ask) -> dict[str, LentFunction]:
    """Install the fake `qkvlib`; the functions of `names` are requested through `ask`."""
    Inert.lent = lent = {name: LentFunction(name, given, ask) for name, given in names.items()}
    sys.meta_path.insert(0, _Finder())
    return lent
