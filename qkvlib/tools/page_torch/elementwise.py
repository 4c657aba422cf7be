"""Operations on each number alone or on pairs of numbers, with their gradients.

They are defined in tables: an operation's name, which of its tensors the backward pass needs, and the
gradient.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from . import dtypes
from .autograd import record
from .dtypes import bool_, default, dtype, float64, int64, of_complex, of_number, of_parts, promote_types
from .engine import run
from .errors import (
    NotInThisPage,
    must_be_number,
    must_be_tensor,
    no_overflow,
    not_implemented,
    overloaded,
    wrong_arguments,
)
from .making import converted
from .registry import FUNCTIONS, op
from .shapes import broadcast, spread
from .tensor import Tensor, change, filled, laid_out, mapped, place

# What torch does only for numbers, and its error message for True and False.
_NOT_OF_TRUTHS = {
    "relu": "Boolean inputs not supported for relu",
    "neg": "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
    "to invert a mask, use the `~` or `logical_not()` operator instead.",
    **dict.fromkeys(("abs", "floor", "ceil"), ""),
}

INPUT, RESULT, NOTHING = "input", "result", ""


def _unary(name: str, needs: str, back: Callable[..., Any], whole: bool = False, also: str = "") -> None:
    """Register an operation on one tensor. With `whole`, whole numbers stay whole."""
    called = f"{name.capitalize()}Backward0"

    @op(name, *filter(None, [also]))
    def of_one(input: Tensor) -> Tensor:
        kind = input.dtype
        if kind is bool_ and name in _NOT_OF_TRUTHS:
            kernel = "abs_cpu" if name == "abs" else f"{name}_vml_cpu"
            words = _NOT_OF_TRUTHS[name]
            raise RuntimeError(words) if words else not_implemented(kernel, "Bool")
        if kind.rank < (1 if name == "square" else 0 if whole else 2):
            return of_one(converted(input, int64 if whole else default()))
        made = mapped(name, input, kind)
        kept = (input,) if needs == INPUT else ()
        return record(
            made, called, (input,), lambda g, *saved: (back(g, *saved),), kept, result=needs == RESULT
        )

    op(f"{name}_", function=name == "relu")(lambda input: change(input, of_one(input)))


_ROOT_PI = 2 / math.sqrt(math.pi)


# name, what the backward pass needs, the gradient, whether whole numbers stay whole, a second name
for _row in (
    ("neg", NOTHING, lambda g: -g, True, "negative"),
    ("abs", INPUT, lambda g, x: g * x.sign(), True, "absolute"),
    ("sign", NOTHING, lambda g: _flat(g), True),
    ("exp", RESULT, lambda g, y: g * y),
    ("log", INPUT, lambda g, x: g / x),
    ("log2", INPUT, lambda g, x: g / (x * math.log(2))),
    ("log10", INPUT, lambda g, x: g / (x * math.log(10))),
    ("log1p", INPUT, lambda g, x: g / (x + 1)),
    ("sqrt", RESULT, lambda g, y: g / (2 * y)),
    ("rsqrt", RESULT, lambda g, y: -0.5 * g * y**3),
    ("reciprocal", RESULT, lambda g, y: -g * y * y),
    ("square", INPUT, lambda g, x: g * 2 * x, True),
    ("sin", INPUT, lambda g, x: g * x.cos()),
    ("cos", INPUT, lambda g, x: -g * x.sin()),
    ("acos", INPUT, lambda g, x: -g * (1 - x * x).rsqrt()),
    ("tanh", RESULT, lambda g, y: g * (1 - y * y)),
    ("sigmoid", RESULT, lambda g, y: g * (1 - y) * y),
    ("erf", INPUT, lambda g, x: g * _ROOT_PI * (-x * x).exp()),
    ("relu", RESULT, lambda g, y: _without(g, y <= 0), True),
    ("floor", NOTHING, lambda g: _flat(g), True),
    ("ceil", NOTHING, lambda g: _flat(g), True),
):
    _unary(*_row)


for _name in ("isnan", "isinf", "isfinite", "logical_not"):
    op(_name)(functools.partial(mapped, _name, kind=bool_))


@op("bitwise_not")
def bitwise_not(input: Tensor) -> Tensor:
    if input.dtype.rank == 2:
        raise not_implemented("bitwise_not_cpu", input.dtype.word)
    return mapped("bitwise_not" if input.dtype.rank else "logical_not", input, input.dtype)


@op("round")
def round_(input: Tensor, *, decimals: int = 0) -> Tensor:
    if input.dtype is bool_:
        raise not_implemented("round_vml_cpu", "Bool")
    if decimals:  # through the dtype's own products, each of which is rounded to it
        made = round_(input.detach() * 10.0**decimals) / 10.0**decimals
    else:
        made = mapped("round", input, input.dtype)
    return record(made, "RoundBackward0", (input,), lambda g: (_flat(g),))


@op("gelu", function=False, method=False)
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input**3)
        return 0.5 * input * (1 + inner.tanh())
    if approximate != "none":
        raise RuntimeError("approximate argument must be either none or tanh.")
    if input.dtype.rank < 2:
        raise not_implemented("GeluKernelImpl", input.dtype.word)
    made = mapped("gelu", input, input.dtype)

    def back(g: Tensor, x: Tensor) -> tuple[Tensor]:
        below = 0.5 * (1 + (x / math.sqrt(2)).erf())
        return (g * (below + x * (-0.5 * x * x).exp() / math.sqrt(2 * math.pi)),)

    return record(made, "GeluBackward0", (input,), back, (input,))


# Two tensors


def result_type(*values: Any) -> dtype:
    """Return the dtype of the result; a Python number, or a tensor without dimensions, has lower priority."""
    best: list[dtype | None] = [None, None, None]  # with dimensions, without, plain numbers
    for value in values:
        if isinstance(value, Tensor):
            level, kind = (0 if value.shape else 1), value.dtype
        else:
            level, kind = 2, of_number(value)
        now = best[level]
        best[level] = kind if now is None else promote_types(now, kind)
    found = best[0]
    for other in best[1:]:
        if other is not None and (found is None or other.rank > found.rank):
            # A Python number can make the result complex, but does not decide its precision.
            found = of_parts(found) if found and found.rank == 2 else other
    assert found is not None
    return found


def meet(a: Any, b: Any, kind: dtype) -> tuple[Tensor, Tensor]:
    """Convert both to tensors of this dtype."""
    one = converted(a, kind) if isinstance(a, Tensor) else filled((), a, kind)
    two = converted(b, kind) if isinstance(b, Tensor) else filled((), b, kind)
    return one, two


def spread_to(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the tensor as it is broadcast to a larger shape, without its history."""
    if tensor.shape == shape:
        return tensor
    strides = spread(tensor.shape, tensor._strides, shape)
    return place(Tensor, tensor._storage, shape, strides, tensor._offset, tensor.dtype)


def gathered_up(gradient: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum a gradient over the dimensions that were broadcast."""
    if gradient.shape == shape:
        return gradient
    lead = gradient.ndim - len(shape)
    dims = [*range(lead)]
    dims += [lead + d for d, size in enumerate(shape) if size == 1 and gradient.shape[lead + d] != 1]
    return gradient.sum(dims, keepdim=True).reshape(shape) if dims else gradient.reshape(shape)


def binary(
    name: str, a: Tensor, b: Tensor, out: dtype, back: Callable[..., Any] | None = None, saves: str = ""
) -> Tensor:
    """Compute with two tensors of one dtype. `back(g, a, b)` gives a function for each; `saves` says whose
    numbers the other one's gradient needs: "a", "b" or both."""
    if a.dtype.is_complex:
        return of_complex(name)(a, b)
    shape = broadcast(a.shape, b.shape)
    made = laid_out(shape, out, a, b)
    run(name, (made,), (spread_to(a, shape), spread_to(b, shape)))
    if back is None or out.rank < 2 or not (a.requires_grad or b.requires_grad):
        return made
    for_a, for_b = a.requires_grad, b.requires_grad
    keep_a = "a" in saves and (for_b or "A" in saves)
    keep_b = "b" in saves and (for_a or "B" in saves)

    def way(g: Tensor, x: Any, y: Any) -> tuple[Any, Any]:
        back_a, back_b = back(g, x, y)
        return (
            gathered_up(back_a(), a.shape) if for_a else None,
            gathered_up(back_b(), b.shape) if for_b else None,
        )

    kept = (a if keep_a else None, b if keep_b else None)
    return record(made, f"{name.capitalize()}Backward0", (a, b), way, kept)


def _as_operand(name: str, value: Any) -> Any:
    if isinstance(value, (Tensor, bool, int, float, complex)):
        return value
    raise must_be_tensor(name, "other", 2, value)


# name: the gradient for each, and whose numbers the backward pass needs (capitals: also for themselves)
_ARITHMETIC: dict[str, tuple[Any, str]] = {
    "mul": (lambda g, a, b: (lambda: g * b, lambda: g * a), "ab"),
    "div": (lambda g, a, b: (lambda: g / b, lambda: -g * (a / b) / b), "abB"),
    "pow": (lambda g, a, b: (lambda: _power_back(g, a, b), lambda: _exponent_back(g, a, b)), "aAbB"),
    "maximum": (lambda g, a, b: (lambda: _split(g, a < b, a == b), lambda: _split(g, a > b, a == b)), "aAbB"),
    "minimum": (lambda g, a, b: (lambda: _split(g, a > b, a == b), lambda: _split(g, a < b, a == b)), "aAbB"),
    "logaddexp": (lambda g, a, b: (lambda: g * (a - b).sigmoid(), lambda: g * (b - a).sigmoid()), "aAbB"),
    "xlogy": (lambda g, a, b: (lambda: g * (b.log() * (a != 0)), lambda: g * a / b), "aAbB"),
    # How often b fits into a, and not the rounded quotient, which could reach the next whole number.
    "remainder": (lambda g, a, b: (lambda: g, lambda: -g * div(a, b, rounding_mode="floor")), "abB"),
}
_ALWAYS_WITH_A_POINT = {"div", "logaddexp", "xlogy"}


def _flat(g: Tensor) -> Tensor:
    """Pass no gradient back, not even one that is NaN."""
    return filled(g.shape, 0, g.dtype)


def _without(g: Tensor, lost: Tensor) -> Tensor:
    return where(lost, 0.0, g)


def _split(g: Tensor, lost: Tensor, equal: Tensor) -> Tensor:
    """If both are the largest, each gets half."""
    return where(lost, 0.0, where(equal, g / 2, g))


def _power_back(g: Tensor, a: Tensor, b: Tensor) -> Tensor:
    return (g * b * a ** (b - 1)).masked_fill(b == 0, 0)


def _exponent_back(g: Tensor, a: Tensor, b: Tensor) -> Tensor:
    slope = (a**b * a.log()).masked_fill((a == 0) & (b >= 0), 0)
    return g * slope


def _arithmetic(name: str, back: Any, saves: str) -> Any:
    def of_two(input: Any, other: Any) -> Tensor:
        kind = result_type(input, _as_operand(name, other))
        if kind.rank < 2 and name in _ALWAYS_WITH_A_POINT:
            kind = default()
        if kind is bool_ and name == "remainder":
            raise not_implemented("remainder_cpu", "Bool")
        return binary(name, *meet(input, other, kind), kind, back, saves)

    of_two.__name__ = name
    return of_two


_TWO = {name: _arithmetic(name, *row) for name, row in _ARITHMETIC.items()}


def _with_in_place(name: str, of_two: Any, *also: str, changing: Any = None) -> None:
    op(name, *also)(of_two)
    changing = changing or of_two

    op(*(f"{each}_" for each in (name, *also)), function=False)(
        lambda input, *args, **named: change(input, changing(input, *args, **named))
    )


_with_in_place("mul", _TWO["mul"], "multiply")
for _name in ("maximum", "minimum", "logaddexp"):
    op(_name)(_TWO[_name])
for _name in ("xlogy", "remainder"):
    op(_name, tensor_first=False)(_TWO[_name])


def _sum_of(name: str, back: Any, called: str) -> Any:
    def of_two(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
        other = _as_operand(name, other)
        kind = result_type(input, other)
        if name == "sub" and (_is_truth(input) or _is_truth(other)):
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                "`^` or `logical_xor()` operator instead."
                if _is_truth(input) and _is_truth(other)
                else "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
                "trying to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        if not isinstance(alpha, (bool, int, float, complex)):
            raise must_be_number(called, "'alpha'", alpha)
        if alpha != 1:
            other = _TWO["mul"](other, alpha) if isinstance(other, Tensor) else other * alpha
        return binary(name, *meet(input, other, kind), kind, back)

    return of_two


def _is_truth(value: Any) -> bool:
    return (value.dtype is bool_) if isinstance(value, Tensor) else isinstance(value, bool)


# Each in two forms, because an error names the one that was called.
add, _add = (_sum_of("add", lambda g, a, b: (lambda: g, lambda: g), each) for each in ("add", "add_"))
sub, _sub = (_sum_of("sub", lambda g, a, b: (lambda: g, lambda: -g), each) for each in ("sub", "sub_"))
_with_in_place("add", add, changing=_add)
_with_in_place("sub", sub, "subtract", changing=_sub)


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode is None:
        return _TWO["div"](input, other)
    if rounding_mode != "floor":
        raise NotInThisPage(f"`div` with rounding_mode={rounding_mode!r}")
    other = _as_operand("div", other)
    kind = result_type(input, other)
    a, b = meet(input, other, kind)
    if kind.rank < 2 and (b == 0).any():
        raise RuntimeError("ZeroDivisionError")
    return binary("floor_divide", a, b, kind, lambda g, a, b: (lambda: g * 0, lambda: g * 0))


_with_in_place("div", div, "divide", "true_divide")


def floor_divide(input: Any, other: Any) -> Tensor:
    if _is_truth(input) and _is_truth(other):
        raise not_implemented("div_floor_cpu", "Bool")
    made = div(input, other, rounding_mode="floor")
    if made._grad_fn is not None:
        made._grad_fn.back = _no_way_back
    return made


def _no_way_back(*_: Any) -> Any:
    raise RuntimeError("derivative for aten::floor_divide is not implemented")


_with_in_place("floor_divide", floor_divide)


@op("pow", tensor_first=False)
def pow_(input: Any, exponent: Any) -> Tensor:
    kind = result_type(input, exponent)
    if kind.is_complex:
        return of_complex("pow")(input, exponent)
    if not isinstance(exponent, Tensor) and isinstance(input, Tensor):
        if kind.rank == 1 and exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return _fixed_power(converted(input, kind), exponent)
    return binary("pow", *meet(input, exponent, kind), kind, *_ARITHMETIC["pow"])


def _fixed_power(input: Tensor, exponent: float) -> Tensor:
    made = laid_out(input.shape, input.dtype, input)
    run("pow", (made,), (input, spread_to(filled((), exponent, float64), input.shape)))

    def back(g: Tensor, x: Tensor) -> tuple[Tensor]:
        return (g * 0 if exponent == 0 else g * (exponent * pow_(x, exponent - 1)),)

    return record(made, "PowBackward0", (input,), back, (input,))


op("pow_", function=False)(lambda a, b: change(a, pow_(a, b)))


# Comparisons and logic


def _comparison(name: str) -> Any:
    @op(name)
    def compared(input: Any, other: Any) -> Tensor:
        kind = result_type(input, _as_operand(name, other))
        return binary(name, *meet(input, other, kind), bool_)

    return compared


_COMPARED = {
    name: _comparison(name)
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor")
}


def _bitwise(name: str) -> Any:
    def joined(input: Any, other: Any) -> Tensor:
        kind = result_type(input, _as_operand(name, other))
        broadcast(*(one.shape if isinstance(one, Tensor) else () for one in (input, other)))
        if kind.rank == 2:
            raise not_implemented(f"{name}_cpu", kind.word)
        return binary(name, *meet(input, other, kind), kind)

    _with_in_place(name, joined)
    return joined


_BITS = {name: _bitwise(name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")}


# Three tensors


@op("where", method=False, tensor_first=False)
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if not isinstance(condition, Tensor):
        raise must_be_tensor("where", "condition", 1, condition)
    if condition.dtype is not bool_ and condition.dtype.name != "uint8":
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.dtype.word}"
        )
    kind = result_type(input, other)
    a, b = meet(input, other, kind)
    shape = broadcast(broadcast(condition.shape, a.shape), b.shape)
    made = laid_out(shape, kind, condition, a, b)
    holds = spread_to(condition, shape)
    run("where", (made,), (holds, spread_to(a, shape), spread_to(b, shape)))
    if kind.rank < 2:
        return made

    def back(g: Tensor) -> tuple[Any, Any]:
        return (
            gathered_up(where(condition, g, 0.0), a.shape) if a.requires_grad else None,
            gathered_up(where(condition, 0.0, g), b.shape) if b.requires_grad else None,
        )

    return record(made, "WhereBackward0", (a, b), back)


op("where", function=False)(lambda input, condition, other: where(condition, input, other))


@op("masked_fill")
def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    if not isinstance(mask, Tensor):
        a, b = type(mask).__name__, type(value).__name__
        marked = "Tensor" if isinstance(value, Tensor) else f"!{b}!"
        forms = [("(Tensor mask, Tensor value)", f"(!{a}!, {marked})")]
        forms += [("(Tensor mask, Number value)", f"(!{a}!, !{b}!)")]
        raise overloaded("masked_fill", f"({a}, {b})", forms)
    if mask.dtype is not bool_:
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.name}"
        )
    if isinstance(value, Tensor):
        if value.shape:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.ndim} dimension(s)."
            )
    elif not isinstance(value, (bool, int, float)):
        raise wrong_arguments("masked_fill", f"got (Tensor, {type(value).__name__})")
    elif not math.isfinite(value) and input.dtype.rank < 2:
        raise no_overflow(input.dtype)
    fill = value.to(input.dtype) if isinstance(value, Tensor) else filled((), value, input.dtype)
    return where(mask, fill, input).contiguous()


op("masked_fill_", function=False)(lambda x, m, v: change(x, masked_fill(x, m, v)))


@op("clamp", "clip")
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        made = input if min is None else _TWO["maximum"](input, min)
        return made if max is None else _TWO["minimum"](made, max)
    kind = result_type(input, *(bound for bound in (min, max) if bound is not None))
    x = converted(input, kind)
    made = laid_out(x.shape, kind, x)
    low = -math.inf if min is None else float(min)
    high = math.inf if max is None else float(max)
    run("clamp", (made,), (x,), low, high)

    def back(g: Tensor, x: Tensor) -> tuple[Tensor]:
        if min is not None:
            g = where(x >= min, g, 0.0)
        return (g if max is None else where(x <= max, g, 0.0),)

    return record(made, "ClampBackward1", (x,), back, (x,))


op("clamp_min")(lambda x, min: clamp(x, min=min))
op("clamp_", function=False)(lambda x, min=None, max=None: change(x, clamp(x, min, max)))


@op("nan_to_num")
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    if input.dtype.rank < 2:
        return input.clone()
    info = dtypes.finfo(input.dtype)
    made = where(input.isnan(), 0.0 if nan is None else nan, input)
    made = where(input == math.inf, info.max if posinf is None else posinf, made)
    return where(input == -math.inf, info.min if neginf is None else neginf, made)


@op("isclose")
def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    close = input == other
    if equal_nan:
        close = close | (input.isnan() & other.isnan())
    if input.dtype.rank < 2:
        input, other = converted(input, float64), converted(other, float64)
    apart = (input - other).abs()
    return close | (apart.isfinite() & (apart <= atol + rtol * other.abs()))


op("allclose")(lambda input, *args, **named: bool(isclose(input, *args, **named).all()))


@op("equal")
def equal(input: Tensor, other: Tensor) -> bool:
    if not isinstance(other, Tensor):
        raise must_be_tensor("equal", "other", 2, other)
    if input.shape != other.shape:
        return False
    return bool((input == other).all())


# Operators


def _operator(of_two: Any) -> Any:
    def operator(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, bool, int, float, complex)):
            return NotImplemented
        return of_two(self, other)

    return operator


def _turned(of_two: Any) -> Any:
    return lambda one, other: of_two(other, one)


def _in_place(of_two: Any) -> Any:
    return lambda one, other: change(one, of_two(one, other))


for _sign, _of in {
    "add": add,
    "sub": sub,
    "mul": _TWO["mul"],
    "truediv": div,
    "floordiv": floor_divide,
    "mod": _TWO["remainder"],
    "pow": pow_,
    "and": _BITS["bitwise_and"],
    "or": _BITS["bitwise_or"],
    "xor": _BITS["bitwise_xor"],
}.items():
    setattr(Tensor, f"__{_sign}__", _operator(_of))
    setattr(Tensor, f"__r{_sign}__", _operator(_turned(_of)))
    setattr(Tensor, f"__i{_sign}__", _operator(_in_place(_of)))
for _sign in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{_sign}__", _operator(_COMPARED[_sign]))
Tensor.__neg__ = FUNCTIONS["neg"]
Tensor.__pos__ = lambda self: self
Tensor.__abs__ = FUNCTIONS["abs"]


def _inverted(self: Tensor) -> Tensor:
    if self.dtype.rank == 2:
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(self)


Tensor.__invert__ = _inverted
