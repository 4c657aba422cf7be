"""Complex numbers: each is two numbers with a point, and whatever is done is done with these two.

A complex tensor holds a tensor of pairs, which is what `view_as_real` shows: views share its
memory, and the gradients of the two parts are what torch calls the gradient of a complex number.
What is not below says so by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .autograd import called, no_grad, record
from .dtypes import OF_COMPLEX, PARTS_OF, bool_, dtype, of_parts
from .elementwise import kind_of_both
from .errors import NotInThisPage, must_be_tensor
from .joining import stack
from .making import converted
from .registry import op
from .shapes import filled_in, sizes_of, wrapped
from .tensor import Tensor, filled, of_row
from .viewing import broadcast_tensors, expand, reshape

Parts = tuple[Tensor, Tensor]


class ComplexTensor(Tensor):
    """Complex numbers in a grid, as pairs in a grid with one more dimension.

    A conjugate looks at the pairs of another tensor, whose imaginary parts it shows turned round.
    """

    __slots__ = ("_is_conj", "_lying")
    _lying: Tensor
    _is_conj: bool
    _offset = 0
    _base = None

    def __getattr__(self, name: str) -> Any:
        """Whoever asks for these would take the pairs for single numbers."""
        if name == "_storage":
            raise NotInThisPage("This operation on complex numbers")
        if name in ("_requires_grad", "_grad_fn", "_seen"):
            raise NotInThisPage("A gradient of complex numbers")
        return Tensor.__getattr__(self, name)

    @property
    def _pairs(self) -> Tensor:
        """The pairs that are shown, which may be read."""
        return _turned_round(self._lying) if self._is_conj else self._lying

    @property
    def _strides(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(stride // 2 for stride in self._lying._strides[:-1])

    def storage_offset(self) -> int:
        return self._lying._offset // 2

    def data_ptr(self) -> int:
        return self._lying.data_ptr()

    @property
    def _version(self) -> int:
        return self._lying._version

    @property  # type: ignore[misc]
    def requires_grad(self) -> bool:
        return self._lying.requires_grad

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        raise NotInThisPage("A gradient of complex numbers")

    @property
    def grad_fn(self) -> Any:
        return self._lying.grad_fn

    @property  # type: ignore[misc]
    def grad(self) -> Any:
        return None

    @property
    def real(self) -> Tensor:
        return self._lying[..., 0]

    @real.setter
    def real(self, value: Any) -> None:
        self._lying[..., 0] = value

    @property
    def imag(self) -> Tensor:
        if not self._is_conj:
            return self._lying[..., 1]
        made: Tensor = -self._lying[..., 1]
        made._storage.refuses = "Writing into the imaginary parts of conjugate complex numbers"
        return made

    @imag.setter
    def imag(self, value: Any) -> None:
        self._lying[..., 1] = -as_complex(value, self.dtype).real if self._is_conj else value

    def is_conj(self) -> bool:
        return self._is_conj

    def detach(self) -> Tensor:
        return _seen(self, self._lying.detach())

    @property
    def data(self) -> Tensor:
        return _seen(self, self._lying.data)

    @data.setter
    def data(self, value: Tensor) -> None:
        raise NotInThisPage("Other data for complex numbers")

    def as_subclass(self, cls: Any) -> Any:
        return self

    def _row(self) -> list[complex]:
        row = self._pairs._row()
        return list(map(complex, row[::2], row[1::2]))

    def _one(self) -> complex:
        return self._row()[0]

    def __float__(self) -> float:
        if (number := self._only()).imag:
            raise RuntimeError("value cannot be converted to type double without overflow")
        return float(number.real)

    def __getitem__(self, index: Any) -> Tensor:
        try:
            return _seen(self, self._lying[_of_both(index)])
        except IndexError as error:  # it counts a dimension that nobody sees
            here, there = (f"tensor of dimension {self.ndim + more}" for more in (0, 1))
            raise IndexError(str(error).replace(there, here)) from None

    @property
    def T(self) -> Tensor:
        order = range(self.ndim)[::-1]
        return _seen(self, self._lying.permute(*order, self.ndim))

    def __setitem__(self, index: Any, value: Any) -> None:
        self._lying[_of_both(index)] = _to_lie_in(self, value)


def _of_both(index: Any) -> tuple[Any, ...]:
    """The index that picks pairs as this one picks numbers."""
    parts = index if isinstance(index, tuple) else (index,)
    dots = () if any(part is Ellipsis for part in parts) else (Ellipsis,)
    return (*parts, *dots, slice(None))


def of_pairs(pairs: Tensor) -> ComplexTensor:
    """The complex numbers whose real and imaginary parts lie along the last dimension."""
    made: Any = object.__new__(ComplexTensor)
    made._lying, made.shape, made.dtype = pairs, pairs.shape[:-1], of_parts(pairs.dtype)
    made._is_conj = False
    return made


def _seen(tensor: ComplexTensor, pairs: Tensor) -> ComplexTensor:
    """A view of a tensor: what is seen of a conjugate is one, too."""
    made = of_pairs(pairs)
    made._is_conj = tensor._is_conj
    return made


def _turned_round(pairs: Tensor) -> Tensor:
    real, imaginary = pairs.unbind(-1)
    return stack([real, -imaginary], -1)


def _to_lie_in(tensor: ComplexTensor, value: Any) -> Tensor:
    """The pairs that have to lie in a tensor, so that it shows this value."""
    pairs = as_complex(value, tensor.dtype)._pairs
    return _turned_round(pairs) if tensor._is_conj else pairs


def of_both(real: Tensor, imaginary: Tensor, name: str = "ComplexBackward0") -> ComplexTensor:
    made = of_pairs(stack(_meeting(real, imaginary), -1))
    called(made._lying, name)
    return made


def _meeting(one: Tensor, other: Tensor) -> Parts:
    one, other = broadcast_tensors(one, other)
    return one, other


def as_complex(value: Any, kind: dtype) -> ComplexTensor:
    """A number, or a tensor of any, as complex numbers of this kind."""
    part = PARTS_OF[kind]
    if isinstance(value, ComplexTensor):
        return value if value.dtype is kind else of_pairs(converted(value._pairs, part))
    if isinstance(value, Tensor):
        real = converted(value, part)
        return of_both(real, filled(real.shape, 0, part))
    return of_row_of_complex([value], (), kind)


# What a complex tensor has by name. Whatever is not entered here, it refuses.


def _entered(*names: str) -> Callable[[Any], Any]:
    def enter(body: Any) -> Any:
        OF_COMPLEX.update(dict.fromkeys(names, body))
        return body

    return enter


@_entered("of_row")
def of_row_of_complex(row: list[Any], shape: tuple[int, ...], kind: dtype) -> ComplexTensor:
    numbers = [part for number in map(complex, row) for part in (number.real, number.imag)]
    return of_pairs(of_row(numbers, (*shape, 2), PARTS_OF[kind]))


@_entered("filled")
def filled_with(shape: tuple[int, ...], number: Any, kind: dtype) -> ComplexTensor:
    count = math.prod(shape)
    return of_row_of_complex([number] * count, tuple(shape), kind)


@_entered("write")
def write(tensor: Tensor, result: Tensor) -> Tensor:
    """Write over complex numbers."""
    assert isinstance(tensor, ComplexTensor)
    tensor._lying.copy_(_to_lie_in(tensor, result))
    return tensor


@_entered("cast")
def cast_of(tensor: Tensor, kind: dtype) -> Tensor:
    """The same numbers in another kind, where one of the two kinds is a complex one."""
    if kind.is_complex:
        return as_complex(tensor, kind)
    assert isinstance(tensor, ComplexTensor)
    return converted(tensor.real, kind)


def _of_two(name: str, joined: Callable[[Parts, Parts], Parts], *also: str) -> None:
    @_entered(name, *also)
    def of_two(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
        if not isinstance(other, (Tensor, bool, int, float, complex)):
            raise must_be_tensor(name, "other", 2, other)
        kind = kind_of_both(input, other)
        a = as_complex(input, kind)
        b = as_complex(other if alpha == 1 else other * alpha, kind)
        return of_both(*joined((a.real, a.imag), (b.real, b.imag)), f"{name.capitalize()}Backward0")


def _product(a: Parts, b: Parts) -> Parts:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _quotient(a: Parts, b: Parts) -> Parts:
    square = b[0] * b[0] + b[1] * b[1]
    real, imaginary = _product(a, (b[0], -b[1]))
    return real / square, imaginary / square


_of_two("add", lambda a, b: (a[0] + b[0], a[1] + b[1]))
_of_two("sub", lambda a, b: (a[0] - b[0], a[1] - b[1]), "subtract")
_of_two("mul", _product, "multiply")
_of_two("div", _quotient, "divide", "true_divide")


@_entered("eq")
def _equal(input: Any, other: Any) -> Tensor:
    kind = kind_of_both(input, other)
    a, b = as_complex(input, kind), as_complex(other, kind)
    return (a.real == b.real) & (a.imag == b.imag)


@_entered("ne", "not_equal")
def _not_equal(input: Any, other: Any) -> Tensor:
    return ~_equal(input, other)


@_entered("neg", "negative")
def _negative(input: ComplexTensor) -> Tensor:
    return of_pairs(-input._pairs)


@_entered("conj")
def _conjugate(input: ComplexTensor) -> Tensor:
    made = of_pairs(input._lying)
    made._is_conj = not input._is_conj
    return made


@_entered("resolve_conj")
def _resolved(input: ComplexTensor) -> Tensor:
    return of_pairs(input._pairs)


@_entered("exp")
def _exponential(input: ComplexTensor) -> Tensor:
    length, angle = input.real.exp(), input.imag
    return of_both(length * angle.cos(), length * angle.sin(), "ExpBackward0")


@_entered("abs", "absolute")
def _length(input: ComplexTensor) -> Tensor:
    with no_grad():
        made = input.real.hypot(input.imag)

    def back(g: Tensor, pairs: Tensor, length: Tensor) -> tuple[Tensor]:
        return ((g / length).masked_fill(length == 0, 0).unsqueeze(-1) * pairs,)

    pairs = input._pairs
    return record(made, "AbsBackward0", (pairs,), back, (pairs,), result=True)


@_entered("angle")
def _angle(input: ComplexTensor) -> Tensor:
    with no_grad():
        made = input.imag.atan2(input.real)

    def back(g: Tensor, pairs: Tensor) -> tuple[Tensor]:
        real, imaginary = pairs.unbind(-1)
        square = real * real + imaginary * imaginary
        slope = (g / square).masked_fill(square == 0, 0)
        return (stack([-imaginary * slope, real * slope], -1),)

    return record(made, "AngleBackward0", (input._pairs,), back, (input._pairs,))


@_entered("sum")
def _sum(input: ComplexTensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    return of_both(input.real.sum(dim, keepdim), input.imag.sum(dim, keepdim), "SumBackward0")


@_entered("isnan")
def _is_none(input: ComplexTensor) -> Tensor:
    return input.real.isnan() | input.imag.isnan()


@_entered("isfinite")
def _is_finite(input: ComplexTensor) -> Tensor:
    return input.real.isfinite() & input.imag.isfinite()


@_entered("isclose")
def _is_close(
    input: ComplexTensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    close = _equal(input, other)
    if equal_nan:
        close = close | (_is_none(input) & _is_none(other))
    apart = (input - other).abs()
    return close | (apart.isfinite() & (apart <= atol + rtol * other.abs()))


@_entered("allclose")
def _all_close(input: ComplexTensor, other: Tensor, *args: Any, **kwargs: Any) -> bool:
    return bool(_is_close(input, other, *args, **kwargs).all())


def _like(name: str, number: int) -> None:
    @_entered(name)
    def like(input: ComplexTensor, *, dtype: dtype | None = None) -> Tensor:
        return filled(input.shape, number, dtype or input.dtype)


for _name, _number in {"zeros_like": 0, "ones_like": 1, "empty_like": 0}.items():
    _like(_name, _number)


@_entered("clone")
def _clone(input: ComplexTensor) -> Tensor:
    return of_pairs(input._pairs.clone())


@_entered("contiguous")
def _contiguous(input: ComplexTensor) -> Tensor:
    return _seen(input, input._lying.contiguous())


@_entered("to", "type")
def _to(input: ComplexTensor, *args: Any, dtype: dtype | None = None, **_: Any) -> Tensor:
    kinds = [arg for arg in (*args, dtype) if type(arg) is type(bool_)]
    return converted(input, kinds[0]) if kinds else input


# Other ways of looking: dimensions are counted among the complex numbers, then done with the pairs.


@_entered("reshape")
def _reshaped(input: ComplexTensor, *shape: Any) -> Tensor:
    wanted = filled_in(sizes_of("reshape", shape), input.numel())
    return _seen(input, reshape(input._lying, (*wanted, 2)))


@_entered("view")
def _viewed(input: ComplexTensor, *shape: Any) -> Tensor:
    wanted = filled_in(sizes_of("view", shape), input.numel())
    return _seen(input, input._lying.view(*wanted, 2))


@_entered("expand")
def _expanded(input: ComplexTensor, *size: Any) -> Tensor:
    return _seen(input, expand(input._lying, (*sizes_of("expand", size), 2)))


@_entered("flatten")
def _flattened(input: ComplexTensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    first, last = wrapped(start_dim, input.ndim), wrapped(end_dim, input.ndim)
    return _seen(input, input._lying.flatten(first, last))


@_entered("unflatten")
def _unflattened(input: ComplexTensor, dim: int, sizes: Any) -> Tensor:
    return _seen(input, input._lying.unflatten(wrapped(dim, input.ndim), sizes))


@_entered("unsqueeze")
def _unsqueezed(input: ComplexTensor, dim: int) -> Tensor:
    return _seen(input, input._lying.unsqueeze(wrapped(dim, input.ndim + 1)))


@_entered("squeeze")
def _squeezed(input: ComplexTensor, dim: int) -> Tensor:
    return _seen(input, input._lying.squeeze(wrapped(dim, input.ndim)))


@_entered("transpose", "swapaxes", "swapdims")
def _transposed(input: ComplexTensor, dim0: int, dim1: int) -> Tensor:
    one, other = wrapped(dim0, input.ndim), wrapped(dim1, input.ndim)
    return _seen(input, input._lying.transpose(one, other))


@_entered("unbind")
def _unbound(input: ComplexTensor, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple(_seen(input, each) for each in input._lying.unbind(wrapped(dim, input.ndim)))


@_entered("narrow")
def _narrowed(input: ComplexTensor, dim: int, start: int, length: int) -> Tensor:
    return _seen(input, input._lying.narrow(wrapped(dim, input.ndim), start, length))


# Between complex numbers and others


@op("view_as_real", method=False)
@_entered("view_as_real")
def view_as_real(input: Tensor) -> Tensor:
    if not isinstance(input, ComplexTensor):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if input._is_conj:
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the "
            "conjugate tensor so you can view it as real, use self.resolve_conj(); however, be "
            "warned that the resulting tensor will NOT alias the original."
        )
    return input._pairs


@op("view_as_complex", method=False)
def view_as_complex(input: Tensor) -> Tensor:
    if input.dtype not in PARTS_OF.values():
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a "
            f"tensor of scalar type: {input.dtype.word}"
        )
    if not input.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if input.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if input._strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(stride % 2 for stride in input._strides[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    if input._offset % 2:
        raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    return of_pairs(input)


def _need_parts(real: Tensor, imaginary: Tensor) -> None:
    one, other = real.dtype, imaginary.dtype
    if not {one, other} <= set(PARTS_OF.values()):
        raise RuntimeError(
            f"Expected both inputs to be Half, Float or Double tensors but got {one.word} and {other.word}"
        )
    if one is not other:
        raise RuntimeError(
            f"Expected object of scalar type {one.word} but got scalar type {other.word} for second argument"
        )


@op("complex", method=False)
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    _need_parts(real, imag)
    return of_both(real, imag)


@op("polar", method=False)
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    _need_parts(abs, angle)
    return of_both(abs * angle.cos(), abs * angle.sin(), "PolarBackward0")


@op("angle")
def angle_of_real(input: Tensor) -> Tensor:
    """A number below zero points the other way."""
    x = input * 1.0
    made = (x.detach() < 0) * math.pi + x.detach() * 0
    return record(made.to(x.dtype), "AngleBackward0", (x,), lambda g: (g * 0,))


op("conj", "resolve_conj")(lambda input: input)


def _imaginary(self: Tensor) -> Tensor:
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


Tensor.real = property(lambda self: self)
Tensor.imag = property(_imaginary)


@op("real", method=False)
@_entered("real")
def real(input: Tensor) -> Tensor:
    return input.real


@op("imag", method=False)
@_entered("imag")
def imag(input: Tensor) -> Tensor:
    return input.imag
