"""What belongs to all of a session: noted before a stranger's function runs, put back after it."""

from __future__ import annotations

import builtins
import decimal
import gc
import locale
import math
import operator
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from qkvlib.calling import torch_itself


class _Setting(NamedTuple):
    """Something that is one for all. `words` say of a function that it leaves it changed, and may
    have a place for what it is then."""

    read: Callable[[], Any]
    write: Callable[[Any], object]
    words: str


@contextmanager
def put_back(left: list[str]) -> Iterator[None]:
    """Put back what belongs to all of the session; `left` gets what had changed."""
    try:
        with _put_back(_SETTINGS, left):
            yield
    finally:
        left.extend(f"`{name}` is not torch's own from then on" for name in torch_itself.restore())


@contextmanager
def threads_own_put_back() -> Iterator[None]:
    """Put back what torch keeps for each thread. It disturbs no cell that runs beside this one."""
    with _put_back(_OF_A_THREAD, []):
        yield


@contextmanager
def _put_back(settings: tuple[_Setting, ...], left: list[str]) -> Iterator[None]:
    were = [setting.read() for setting in settings]
    try:
        yield
    finally:
        for setting, was in zip(settings, were, strict=True):
            try:
                if not _same(now := setting.read(), was):
                    setting.write(was)
                    left.append(setting.words.format(now))
            except Exception:  # one that cannot be put back keeps no other from it
                continue


@contextmanager
def seeds_kept() -> Iterator[None]:
    """Whatever is drawn or seeded inside, the session draws the same afterwards."""
    seeds = torch.get_rng_state(), random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        torch.set_rng_state(seeds[0])
        random.setstate(seeds[1])
        np.random.set_state(seeds[2])


def call_and_come_back(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
    """Call it, and let go at once of what would follow us on the way back: a profiler of its own,
    which is told of all that we do, and a limit that leaves no room to do it."""
    profiler, tracer, depth = sys.getprofile(), sys.gettrace(), sys.getrecursionlimit()
    try:
        return function(*inputs)
    finally:
        for _ in range(3):
            try:
                sys.setrecursionlimit(depth)
                if sys.getprofile() is not profiler:
                    sys.setprofile(profiler)
                if sys.gettrace() is not tracer:
                    sys.settrace(tracer)
                break
            except BaseException:  # the profiler hears of this, too: Python drops one that raises
                continue


_PLAIN = frozenset({bool, int, float, str, bytes, torch.dtype, torch.device})


def _same(one: Any, other: Any) -> bool:
    """Whether they are the same objects, or plain values that are equal. A stranger's are not asked
    what they equal."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return False
        # A module's names, all of them as they were and in their order: that is quick to see.
        return all(map(operator.is_, one.values(), other.values())) or all(
            _same(value, other[name]) for name, value in one.items()
        )
    return type(one) in _PLAIN and bool(one == other)


# --- torch ---------------------------------------------------------------------------------------


def _modes() -> tuple[list[Any], list[Any]]:
    """What stands between whoever calls one of torch's functions and the function. What makes new
    tensors on another device is a mode, too, and is `_device`'s."""
    c: Any = torch._C
    functions = [c._get_function_stack_at(i) for i in range(c._len_torch_function_stack())]
    return (
        [mode for mode in functions if mode is not _device_mode()],
        [c._get_dispatch_stack_at(i) for i in range(c._len_torch_dispatch_stack())],
    )


def _set_modes(modes: tuple[list[Any], list[Any]]) -> None:
    """The device's mode gets the lowest place, as torch wants it."""
    c: Any = torch._C
    for _ in range(c._len_torch_function_stack()):
        c._pop_torch_function_stack()
    for _ in range(c._len_torch_dispatch_stack()):
        c._pop_torch_dispatch_stack(None)
    for mode in [*filter(None, [_device_mode()]), *modes[0]]:
        c._push_on_torch_function_stack(mode)
    for mode in modes[1]:
        c._push_on_torch_dispatch_stack(mode)


def _device_mode() -> Any:
    return getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)


def _device() -> tuple[Any, bool]:
    """What makes new tensors on another device, and whether it does: it may have been taken off."""
    c: Any = torch._C
    if (mode := _device_mode()) is None:
        return None, False
    n_modes = c._len_torch_function_stack()
    return mode, any(c._get_function_stack_at(i) is mode for i in range(n_modes))


def _set_device(was: tuple[Any, bool]) -> None:
    modes = _modes()
    torch._GLOBAL_DEVICE_CONTEXT.device_context = was[0]
    _set_modes(modes)


# Torch has no word that leaves the inference mode, but a mode of its own in which it is off.
_NO_INFERENCE: list[Any] = []


def _set_inference(on: bool) -> None:
    _NO_INFERENCE.append(torch._C._InferenceMode(on))


def _hooks() -> Any:
    """What is asked about every tensor that torch keeps for the way back."""
    return torch._C._autograd._top_saved_tensors_default_hooks(True)


def _set_hooks(hooks: Any) -> None:
    inner: Any = torch._C._autograd
    while not _same(_hooks(), hooks) and _hooks() is not None:
        inner._pop_saved_tensors_default_hooks()


def _rounding() -> tuple[bool, torch.dtype]:
    """Whether torch computes with fewer digits than it is given."""
    return torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")


def _set_rounding(was: tuple[bool, torch.dtype]) -> None:
    torch.set_autocast_enabled("cpu", was[0])
    torch.set_autocast_dtype("cpu", was[1])


def _anomaly() -> tuple[bool, bool]:
    return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()


def _shown() -> dict[str, Any]:
    return dict(vars(torch._tensor_str.PRINT_OPTS))


def _set_shown(options: dict[str, Any]) -> None:
    vars(torch._tensor_str.PRINT_OPTS).update(options)


_NAMES_OF_HOOKS = (
    "_global_forward_pre_hooks", "_global_forward_hooks", "_global_forward_hooks_with_kwargs",
    "_global_forward_hooks_always_called", "_global_backward_pre_hooks", "_global_backward_hooks",
    "_global_parameter_registration_hooks", "_global_module_registration_hooks",
    "_global_buffer_registration_hooks", "_global_optimizer_pre_hooks",
    "_global_optimizer_post_hooks",
)  # fmt: skip
# What is told of every layer and of every step of an optimiser: the same dictionaries for ever.
_HOOKS: list[dict[Any, Any]] = [
    vars(sys.modules[module])[name]
    for module in ("torch.nn.modules.module", "torch.optim.optimizer")
    for name in _NAMES_OF_HOOKS
    if name in vars(sys.modules.get(module, torch))
]


def _hooks_of_all() -> list[tuple[Any, ...]]:
    return [tuple(hooks.items()) for hooks in _HOOKS]


def _set_hooks_of_all(were: list[tuple[Any, ...]]) -> None:
    for hooks, was in zip(_HOOKS, were, strict=True):
        hooks.clear()
        hooks.update(was)


def _has_an_inside() -> bool:
    """Whether this is torch itself: the torch of a page has none of what follows."""
    return hasattr(torch._C, "_len_torch_function_stack")


def _inside_of_a_thread() -> tuple[_Setting, ...]:
    """What stands in torch's inside, for each thread by itself."""
    if not _has_an_inside():
        return ()
    return (
        # First what stands between us and torch's functions: the others need those.
        _Setting(_modes, _set_modes, "a mode of torch's stays switched on"),
        _Setting(_device, _set_device, "new tensors are on another device from then on"),
        _Setting(torch.is_inference_mode_enabled, _set_inference, "torch stays in inference mode"),
        _Setting(_hooks, _set_hooks, "torch asks it about every tensor from then on"),
        _Setting(_rounding, _set_rounding, "torch computes with other digits from then on"),
    )


def _inside_of_all() -> tuple[_Setting, ...]:
    """What stands in torch's inside, once for all threads."""
    if not _has_an_inside():
        return ()
    return (
        _Setting(torch.get_float32_matmul_precision, torch.set_float32_matmul_precision,
                 "torch multiplies with other digits from then on"),
        _Setting(_anomaly, lambda was: torch.autograd.set_detect_anomaly(*was),
                 "torch looks for anomalies from then on"),
        _Setting(torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms,
                 "torch has other algorithms from then on"),
        _Setting(_shown, _set_shown, "torch shows tensors otherwise from then on"),
        _Setting(torch.is_warn_always_enabled, torch.set_warn_always,
                 "torch warns more or less often from then on"),
        _Setting(_hooks_of_all, _set_hooks_of_all,
                 "every layer, or every optimiser, calls something else, too, from then on"),
    )  # fmt: skip


# --- Python and NumPy ----------------------------------------------------------------------------


def _names_of(module: ModuleType, *names: str) -> _Setting:
    """A module's functions, all or these: a stranger may have put others in their place."""

    def read() -> dict[str, Any]:
        own = vars(module)
        return {name: own.get(name) for name in names} if names else own.copy()

    def write(was: dict[str, Any]) -> None:
        if not names:
            for name in vars(module).keys() - was.keys():
                delattr(module, name)
        for name, own in was.items():
            setattr(module, name, own)

    return _Setting(read, write, f"`{module.__name__}` holds other things from then on")


# Reading it by its own ways decodes all of it, which takes a hundred times as long.
_ENVIRON = os.environ
_INSIDE: dict[Any, Any] = vars(os.environ)["_data"]
# Torch notes its folders there when it makes its first optimiser, whoever asked for that.
_OF_TORCH = _ENVIRON.encodekey("TORCH")


def _environment() -> tuple[Any, dict[Any, Any]]:
    own = {key: value for key, value in _INSIDE.items() if not key.startswith(_OF_TORCH)}
    return os.environ, own


def _set_environment(was: tuple[Any, dict[Any, Any]]) -> None:
    vars(os)["environ"] = was[0]
    for key in _environment()[1].keys() - was[1].keys():
        del _ENVIRON[_ENVIRON.decodekey(key)]
    for key, value in was[1].items():
        _ENVIRON[_ENVIRON.decodekey(key)] = _ENVIRON.decodevalue(value)


# Those that somebody could have set: to ask for all of them takes longer than most calls.
_SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGCHLD")
    if hasattr(signal, name)
]


def _handlers() -> list[Any]:
    alarm = bool(signal.getitimer(signal.ITIMER_REAL)[0]) if hasattr(signal, "getitimer") else False
    return [alarm, *map(signal.getsignal, _SIGNALS)]


def _set_handlers(was: list[Any]) -> None:
    if hasattr(signal, "setitimer") and not was[0]:
        signal.setitimer(signal.ITIMER_REAL, 0)  # else it would ring with nobody to hear it
    if threading.current_thread() is threading.main_thread():
        for number, handler in zip(_SIGNALS, was[1:], strict=True):
            if signal.getsignal(number) is not handler and handler is not None:
                signal.signal(number, handler)


def _folder() -> str | None:
    """Where Python works; None where that folder is gone."""
    with suppress(OSError):
        return os.getcwd()
    return None


def _set_folder(was: str | None) -> None:
    if was is not None:
        os.chdir(was)


def _collector() -> tuple[Any, ...]:
    return gc.isenabled(), gc.get_threshold(), list(gc.callbacks)


def _set_collector(was: tuple[Any, ...]) -> None:
    (gc.enable if was[0] else gc.disable)()
    gc.set_threshold(*was[1])
    gc.callbacks[:] = was[2]


def _set_numpys(was: tuple[Any, ...]) -> None:
    np.seterr(**was[0])
    np.set_printoptions(**was[1])
    np.seterrcall(was[2])


def _decimals() -> tuple[Any, ...]:
    """How Python computes with decimal fractions, but for the flags that each of them may raise."""
    now = decimal.getcontext()
    return now.prec, now.rounding, now.Emin, now.Emax, now.capitals, now.clamp, dict(now.traps)


def _set_decimals(was: tuple[Any, ...]) -> None:
    *numbers, traps = was
    digits, rounding, least, most, capitals, clamp = numbers
    trapped = [sort for sort, on in traps.items() if on]
    decimal.setcontext(decimal.Context(digits, rounding, least, most, capitals, clamp, [], trapped))


_WAYS = ("path", "meta_path", "path_hooks")


def _ways_to_import() -> list[tuple[list[Any], list[Any]]]:
    """Where Python looks for a module: each list, and what is in it."""
    return [(ways := getattr(sys, name), list(ways)) for name in _WAYS]


def _set_ways_to_import(were: list[tuple[list[Any], list[Any]]]) -> None:
    for name, (ways, were_in_it) in zip(_WAYS, were, strict=True):
        ways[:] = were_in_it
        setattr(sys, name, ways)


_OF_A_THREAD = (
    *_inside_of_a_thread(),
    _Setting(lambda: "on" if torch.is_grad_enabled() else "off",
             lambda was: torch.set_grad_enabled(was == "on"), "gradients stay switched {}"),
)  # fmt: skip
_SETTINGS = (
    *_OF_A_THREAD,
    *_inside_of_all(),
    _Setting(torch.get_default_dtype, torch.set_default_dtype,
             "new tensors have another dtype from then on"),
    _Setting(torch.get_num_threads, torch.set_num_threads,
             "torch has another number of threads from then on"),
    _Setting(lambda: (np.geterr(), np.get_printoptions(), np.geterrcall()), _set_numpys,
             "NumPy has other settings from then on"),
    _Setting(_decimals, _set_decimals, "Python has other decimal fractions from then on"),
    _Setting(lambda: locale.setlocale(locale.LC_ALL),
             lambda was: locale.setlocale(locale.LC_ALL, was),
             "Python writes and sorts as in another country from then on"),
    _Setting(_ways_to_import, _set_ways_to_import, "Python imports otherwise from then on"),
    _names_of(builtins),
    _names_of(math),
    _names_of(sys, "stdin", "stdout", "stderr", "excepthook", "displayhook", "unraisablehook"),
    _Setting(_folder, _set_folder, "Python works in another folder from then on"),
    _Setting(_environment, _set_environment, "the environment is another one from then on"),
    _Setting(_handlers, _set_handlers, "signals reach something else from then on"),
    _Setting(_collector, _set_collector, "Python collects its garbage otherwise from then on"),
)  # fmt: skip
