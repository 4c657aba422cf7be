"""What belongs to all of a session is put back, whatever a function does to it."""

from __future__ import annotations

import builtins
import decimal
import gc
import locale
import math
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from qkvlib.calling import session
from qkvlib.calling.call import Raised, Returned, call
from qkvlib.checking import verdict
from qkvlib.checking.going_on import lacking
from qkvlib.exercises import EXERCISES

Function = Callable[..., Any]


class AlwaysTrue(TorchFunctionMode):
    """With it every function of torch's gives True."""

    def __torch_function__(self, *_: Any, **__: Any) -> Any:
        return True


class Zeros(TorchDispatchMode):
    """With it whatever torch computes is 0."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        return made.zero_() if isinstance(made, Tensor) and made.is_floating_point() else made


def refuses(*_: Any) -> Any:
    raise ValueError("not this one")


class _Equals:
    """It does not say what it equals."""

    def __eq__(self, other: object) -> bool:
        raise SystemExit("eq")

    __hash__ = object.__hash__


_KEPT: list[Any] = []


def _kept(context: Any) -> None:
    """Enter it, and never leave."""
    _KEPT.append(context)
    context.__enter__()


def _profiles_us() -> None:
    def profiler(frame: Any, *_: Any) -> None:
        if "qkvlib" in frame.f_code.co_filename:
            raise ValueError("followed")

    sys.setprofile(profiler)


def _leaves_no_room() -> None:
    """The lowest limit that Python lets anybody set here."""
    for depth in range(1, sys.getrecursionlimit()):
        with suppress(RecursionError):
            sys.setrecursionlimit(depth)
            return


def _rings_soon() -> None:
    signal.signal(signal.SIGALRM, refuses)
    signal.alarm(1)


def _by_halves() -> None:
    decimal.getcontext().prec = 2
    decimal.getcontext().traps[decimal.DivisionByZero] = False


def _third() -> str:
    with suppress(decimal.DivisionByZero):
        return f"{decimal.Decimal(1) / 3} {decimal.Decimal(1) / 0}"
    return str(decimal.Decimal(1) / 3)


def _in_the_environment() -> None:
    os.environ["QKVLIB_TEST"] = "left"
    del os.environ["PATH"]


# What a function does besides its work; what asks how things stand, in plain values; and a word of
# what is said of it, where something is.
DEEDS: dict[str, tuple[Callable[[], Any], Callable[[], Any], str]] = {
    "another device": (
        lambda: torch.set_default_device("meta"), torch.get_default_device, "another device",
    ),
    "a device for good": (
        lambda: _kept(torch.device("meta")), torch.get_default_device, "a mode of torch's",
    ),
    "a mode over torch's functions": (
        lambda: AlwaysTrue().__enter__(), lambda: str(torch.ones(2)), "a mode of torch's",
    ),
    "a mode over all that torch computes": (
        lambda: Zeros().__enter__(), lambda: float(torch.ones(2) @ torch.ones(2)), "a mode",
    ),
    "inference": (
        lambda: _kept(torch.inference_mode()), torch.is_inference_mode_enabled, "inference mode",
    ),
    "hooks on what is saved": (
        lambda: _kept(torch.autograd.graph.saved_tensors_hooks(refuses, refuses)),
        lambda: float((torch.ones(1, requires_grad=True) ** 2).detach()), "asks it about",
    ),
    "fewer digits": (
        lambda: _kept(torch.autocast("cpu", torch.bfloat16)),
        lambda: str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype), "other digits",
    ),
    "anomalies": (
        lambda: torch.autograd.set_detect_anomaly(True), torch.is_anomaly_enabled, "anomalies",
    ),
    "deterministic algorithms": (
        lambda: torch.use_deterministic_algorithms(True),
        torch.are_deterministic_algorithms_enabled, "other algorithms",
    ),
    "how torch shows": (
        lambda: torch.set_printoptions(precision=1), lambda: str(torch.ones(2) / 3), "shows",
    ),
    "no gradients": (
        lambda: torch.set_grad_enabled(False), torch.is_grad_enabled, "switched off",
    ),
    "another dtype": (
        lambda: torch.set_default_dtype(torch.float64), torch.get_default_dtype, "another dtype",
    ),
    "NumPy's errors": (lambda: np.seterr(all="raise"), np.geterr, "NumPy has other"),
    "who hears of NumPy's errors": (
        lambda: np.seterrcall(refuses), np.geterrcall, "NumPy has other",
    ),
    "warnings without end": (
        lambda: torch.set_warn_always(True), torch.is_warn_always_enabled, "torch warns",
    ),
    "a hook on every layer": (
        lambda: torch.nn.modules.module.register_module_forward_hook(refuses),
        lambda: float(torch.nn.Identity()(torch.ones(()))), "every layer",
    ),
    "a hook on every step": (
        lambda: register_optimizer_step_post_hook(refuses),
        lambda: torch.optim.SGD([torch.ones(2)], 0.1).step(), "every layer, or every optimiser",
    ),
    "decimal fractions": (_by_halves, _third, "other decimal fractions"),
    "other decimal fractions": (
        lambda: decimal.setcontext(decimal.Context(3)), _third, "other decimal fractions",
    ),
    "another country": (
        lambda: locale.setlocale(locale.LC_ALL, "C.UTF-8"),
        lambda: locale.setlocale(locale.LC_ALL), "as in another country",
    ),
    "another path": (
        lambda: sys.path.insert(0, "nowhere"), lambda: list(sys.path), "Python imports otherwise",
    ),
    "another list of paths": (
        lambda: setattr(sys, "path", []), lambda: id(sys.path), "Python imports otherwise",
    ),
    "who finds modules": (
        lambda: sys.meta_path.insert(0, _Equals()), lambda: len(sys.meta_path),
        "Python imports otherwise",
    ),
    "a shallow stack": (_leaves_no_room, sys.getrecursionlimit, ""),
    "a tracer": (lambda: sys.settrace(refuses), sys.gettrace, ""),
    "a profiler": (_profiles_us, sys.getprofile, ""),
    "no collector": (gc.disable, gc.isenabled, "garbage"),
    "a collector's call": (
        lambda: gc.callbacks.append(refuses), lambda: len(gc.callbacks), "garbage",
    ),
    "another stdout": (
        lambda: setattr(sys, "stdout", _Equals()), lambda: id(sys.stdout), "`sys`",
    ),
    "no stderr": (lambda: setattr(sys, "stderr", None), lambda: id(sys.stderr), "`sys`"),
    "another hook": (
        lambda: setattr(sys, "excepthook", _Equals()), lambda: id(sys.excepthook), "`sys`",
    ),
    "another len": (
        lambda: setattr(builtins, "len", lambda _: 2), lambda: id(builtins.len), "`builtins`",
    ),
    "another isfinite": (
        lambda: setattr(math, "isfinite", refuses), lambda: id(math.isfinite), "`math`",
    ),
    "another folder": (lambda: os.chdir(os.sep), os.getcwd, "another folder"),
    "the environment": (
        _in_the_environment, lambda: dict(os.environ), "the environment is another",
    ),
    "another environment": (
        lambda: setattr(os, "environ", {}), lambda: id(os.environ), "the environment is another",
    ),
    "a signal": (
        lambda: signal.signal(signal.SIGTERM, refuses),
        lambda: signal.getsignal(signal.SIGTERM), "signals",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """A test that fails must not take the others with it."""
    own, path = [setting.read() for setting in session._SETTINGS], Path.cwd()
    profiler, tracer, depth = sys.getprofile(), sys.gettrace(), sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(depth)
    sys.setprofile(profiler)
    sys.settrace(tracer)
    for setting, was in zip(session._SETTINGS, own, strict=True):
        with suppress(Exception):
            if not session._same(setting.read(), was):
                setting.write(was)
    assert Path.cwd() == path


@pytest.fixture
def not_as_anywhere() -> Iterator[None]:
    """The plainest of all countries, which is not that of most computers."""
    own = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C")
    yield
    locale.setlocale(locale.LC_ALL, own)


@pytest.mark.usefixtures("not_as_anywhere")
@pytest.mark.parametrize("what", DEEDS)
def test_what_belongs_to_all_is_put_back(what: str) -> None:
    do, ask, words = DEEDS[what]

    def right(a: Tensor, b: Tensor) -> Tensor:
        product = (a * b).sum()
        do()
        return product

    def wrong(a: Tensor, b: Tensor) -> Tensor:
        do()
        return torch.ones(2)

    before = ask()
    judged = verdict("dot", right)
    assert ask() == before
    assert judged.outcome == "right"
    assert words in judged.message
    assert judged.message.count("\nBut ") == bool(words) == judged.needs_care
    assert verdict("dot", wrong).outcome == "wrong"
    assert ask() == before


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="this system has no alarm")
def test_no_alarm_rings_after_the_call() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        _rings_soon()
        return a @ b

    assert verdict("dot", dot).outcome == "right"
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_gradients_that_stay_switched_on_are_not_called_off() -> None:
    def right(a: Tensor, b: Tensor) -> Tensor:
        torch.set_grad_enabled(True)
        return a @ b

    with torch.no_grad():
        judged = verdict("dot", right)
        assert not torch.is_grad_enabled()
    assert "gradients stay switched on." in judged.message


def test_what_a_session_had_set_itself_stays() -> None:
    def right(a: Tensor, b: Tensor) -> Tensor:
        for _ in range(torch._C._len_torch_function_stack()):
            torch._C._pop_torch_function_stack()
        torch.set_default_device(None)
        return (a * b).sum()

    torch.set_default_device("cpu")
    mode = torch._C._get_function_stack_at(0)
    assert verdict("dot", right).outcome == "right"
    assert torch._C._get_function_stack_at(0) is mode
    torch.set_default_device(None)
    assert torch._C._len_torch_function_stack() == 0


@pytest.mark.whole
def test_what_torch_itself_notes_when_it_is_first_used_is_no_deed() -> None:
    """A first optimiser writes into the environment, in a process that has had none."""
    code = """
import os
from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES

before = dict(os.environ)
for answer in EXERCISES["sgd_step"].alternatives:
    judged = verdict("sgd_step", answer)
    assert not judged.needs_care, judged.message
print([name for name in os.environ if name not in before])
"""
    environ = {name: of for name, of in os.environ.items() if not name.startswith("TORCH")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "TORCH" in done.stdout  # else this asks nothing


# --- What looks at a value, and at an exception --------------------------------------------------


class Unasked(type):
    """A type that answers no question about itself."""

    def __getattribute__(cls, name: str) -> Any:
        if name in ("__torch_dispatch__", "__mro__", "__dict__", "__name__"):
            raise SystemExit(name)
        return type.__getattribute__(cls, name)

    def __eq__(cls, other: object) -> bool:
        raise SystemExit("eq")

    def __hash__(cls) -> int:
        raise SystemExit("hash")


class UnaskedTensors(Unasked, type(Tensor)):  # type: ignore[misc]
    pass


class OfUnasked(metaclass=Unasked):
    pass


class TensorOfUnasked(Tensor, metaclass=UnaskedTensors):
    pass


def _no_class(_: Any) -> Any:
    raise SystemExit("no class")


Elusive: Any = type("Elusive", (), {"__class__": property(_no_class)})
ElusivePair: Any = type("ElusivePair", (tuple,), {"__class__": property(_no_class)})
ElusiveNumber: Any = type("ElusiveNumber", (np.float64,), {"dtype": property(_no_class)})


def _of_many_parts() -> Any:
    """A list in lists: a hundred thousand million million parts, of a few lists."""
    parts: Any = [0] * 10**5
    for _ in range(2):
        parts = [parts] * 10**5
    return parts


VALUES: dict[str, Callable[[], Any]] = {
    "no class": Elusive,
    "no class in a tuple": lambda: (Elusive(), Elusive(), Elusive()),
    "a tuple of no class": lambda: ElusivePair((1, 2, 3)),
    "a number of no dtype": lambda: ElusiveNumber(1.0),
    "a type that answers nothing": OfUnasked,
    "a tensor of such a type": lambda: Tensor._make_subclass(TensorOfUnasked, torch.zeros(2, 3)),
    "expanded tensors": lambda: [torch.ones(1).expand(2 * 10**8) for _ in range(3)],
    "an expanded array": lambda: np.broadcast_to(np.float64(1), (10**11,)),
    "many parts": _of_many_parts,
    "a reply of ours": lambda: Raised("Kind", "words", ""),
}


@pytest.mark.parametrize("what", VALUES)
def test_no_value_escapes(what: str) -> None:
    value = VALUES[what]()
    for name in ("dot", "softmax", "project_qkv", "choose_w_q_w_k"):
        judged = verdict(name, lambda *_: value)
        assert judged.outcome in ("wrong", "raised")
        assert len(str(judged)) < 4000


class _SilentError(Exception):
    def __str__(self) -> str:
        time.sleep(60)
        return ""


class _BusyError(Exception):
    def __str__(self) -> str:
        sys.stderr.write("said")
        torch.set_grad_enabled(False)
        return "words"


def _raises(error: BaseException) -> Function:
    def function(*_: Any) -> Any:
        raise error

    return function


def test_an_exception_is_given_no_time_to_think_what_to_say() -> None:
    reply = call(_raises(_SilentError()), (), 0.2)
    assert isinstance(reply, Raised)
    assert reply.kind == "TookTooLong"


def test_what_an_exception_does_while_it_speaks_is_put_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reply = call(_raises(_BusyError()), (), 5.0)
    assert isinstance(reply, Raised)
    assert (reply.message, reply.printed) == ("words", "said")
    assert torch.is_grad_enabled()
    assert capsys.readouterr().err == ""


def test_what_is_said_on_stderr_is_kept_in_place_of_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reply = call(lambda: print("aside", file=sys.stderr), (), 5.0)
    assert isinstance(reply, Returned)
    assert reply.printed == "aside\n"
    assert capsys.readouterr() == ("", "")


def test_an_input_that_became_incomparable_has_changed() -> None:
    def swaps(x: Tensor) -> None:
        torch.utils.swap_tensors(x, torch.empty(2, device="meta"))

    reply = call(swaps, (torch.ones(2),), 5.0)
    assert isinstance(reply, Returned)
    assert reply.changed == (0,)


class _NoWayBack(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, d: Tensor) -> Any:  # type: ignore[override]
        raise SystemExit("no way back")


def test_no_way_back_ends_the_session() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = lacking(
            EXERCISES["embed"],
            lambda tokens, table: _NoWayBack.apply(table)[tokens],  # type: ignore[no-untyped-call]
        )
    assert "gradients" in found


def test_a_value_that_cannot_be_judged_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails while a value is looked at: the verdict stands."""
    for part in ("what_counts", "_evidence", "_name_the_mistake"):
        with monkeypatch.context() as patch:
            patch.setattr(f"qkvlib.checking.verdicts.{part}", refuses)
            judged = verdict("dot", lambda a, b: a)
        assert judged.outcome == "wrong"


def test_a_working_folder_that_is_gone_is_no_fault_of_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after the folder of a notebook was deleted, or given another name, while it runs."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    try:
        gone.rmdir()
    except OSError:
        pytest.skip("this system keeps a folder in which somebody works")
    assert verdict("softmax", EXERCISES["softmax"].reference).outcome == "right"


def test_a_name_that_is_set_anew_is_no_deed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands at another place among the names then, and is what it was."""
    monkeypatch.setenv("QKVLIB_TEST", "kept")
    monkeypatch.setenv("QKVLIB_TEST_2", "kept")

    def twice() -> float:
        os.environ["QKVLIB_TEST"] = os.environ.pop("QKVLIB_TEST")
        pi = math.pi
        del math.pi  # type: ignore[misc]
        math.pi = pi  # type: ignore[misc]
        return pi

    came = call(twice, (), None)
    assert isinstance(came, Returned)
    assert came.left == ()
