"""Complex numbers: each is two floats, and every operation works on these.

A complex tensor holds a tensor of pairs, which is what `view_as_real` shows. Views share its memory, and the
gradients of the two parts are what torch calls the gradient of a complex number. There is only what rotating
pairs needs. Anything else is reported by name as missing.
"""

from __future__ import annotations

from typing import Any

from .autograd import called
from .dtypes import OF_COMPLEX, PARTS_OF, dtype, of_parts
from .elementwise import result_type
from .errors import NotInThisPage, must_be_tensor
from .joining import stack
from .making import converted
from .registry import op
from .tensor import Tensor, filled, of_row
from .viewing import broadcast_tensors


class ComplexTensor(Tensor):
    """A tensor of complex numbers, stored as a tensor of pairs with one more dimension."""

    __slots__ = ("_pairs",)
    _pairs: Tensor
    _offset = 0
    _base = None

    def __getattr__(self, name: str) -> Any:
        """Refuse these names, because code that uses them would take the pairs for single numbers."""
        if name == "_storage":
            raise NotInThisPage("This operation on complex numbers")
        if name in ("_requires_grad", "_grad_fn", "_seen"):
            raise NotInThisPage("A gradient of complex numbers")
        return Tensor.__getattr__(self, name)

    @property
    def _strides(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(stride // 2 for stride in self._pairs._strides[:-1])

    @property
    def _version(self) -> int:
        return self._pairs._version

    @property  # type: ignore[misc]
    def requires_grad(self) -> bool:
        return self._pairs.requires_grad

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        raise NotInThisPage("A gradient of complex numbers")

    @property
    def grad_fn(self) -> Any:
        return self._pairs.grad_fn

    @property
    def real(self) -> Tensor:
        return self._pairs[..., 0]

    @property
    def imag(self) -> Tensor:
        return self._pairs[..., 1]

    def detach(self) -> Tensor:
        return of_pairs(self._pairs.detach())

    @property  # type: ignore[misc]
    def data(self) -> Tensor:
        return of_pairs(self._pairs.data)

    def as_subclass(self, cls: Any) -> Any:
        return self

    def _row(self) -> list[complex]:
        row = self._pairs._row()
        return list(map(complex, row[::2], row[1::2]))

    def _one(self) -> complex:
        return self._row()[0]

    def __getitem__(self, index: Any) -> Any:
        raise NotInThisPage("A part of complex numbers")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise NotInThisPage("Writing into complex numbers")


def of_pairs(pairs: Tensor) -> ComplexTensor:
    """Return the complex numbers whose real and imaginary parts are along the last dimension."""
    made: Any = object.__new__(ComplexTensor)
    made._pairs, made.shape, made.dtype = pairs, pairs.shape[:-1], of_parts(pairs.dtype)
    return made


def of_both(real: Tensor, imaginary: Tensor, name: str = "ComplexBackward0") -> ComplexTensor:
    made = of_pairs(stack(broadcast_tensors(real, imaginary), -1))
    called(made._pairs, name)
    return made


def as_complex(value: Any, kind: dtype) -> ComplexTensor:
    """Return a number or a tensor as complex numbers of this dtype."""
    part = PARTS_OF[kind]
    if isinstance(value, ComplexTensor):
        return value if value.dtype is kind else of_pairs(converted(value._pairs, part))
    if isinstance(value, Tensor):
        real = converted(value, part)
        return of_both(real, filled(real.shape, 0, part))
    return of_row_of_complex([value], (), kind)


def of_row_of_complex(row: list[Any], shape: tuple[int, ...], kind: dtype) -> ComplexTensor:
    numbers = [part for number in map(complex, row) for part in (number.real, number.imag)]
    return of_pairs(of_row(numbers, (*shape, 2), PARTS_OF[kind]))


def cast_of(tensor: Tensor, kind: dtype) -> Tensor:
    """Convert to a different dtype, where one of the two is complex."""
    return as_complex(tensor, kind) if kind.is_complex else converted(tensor.real, kind)


def product(input: Any, other: Any) -> Tensor:
    if not isinstance(other, (Tensor, bool, int, float, complex)):
        raise must_be_tensor("mul", "other", 2, other)
    kind = result_type(input, other)
    a, b = as_complex(input, kind), as_complex(other, kind)
    real = a.real * b.real - a.imag * b.imag
    return of_both(real, a.real * b.imag + a.imag * b.real, "MulBackward0")


def exponential(input: ComplexTensor) -> Tensor:
    length, angle = input.real.exp(), input.imag
    return of_both(length * angle.cos(), length * angle.sin(), "ExpBackward0")


# Between complex and other numbers


@op("view_as_real", method=False)
def view_as_real(input: Tensor) -> Tensor:
    raise RuntimeError("view_as_real is only supported for complex tensors")


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


def _imaginary(self: Tensor) -> Tensor:
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


Tensor.real = property(lambda self: self)
Tensor.imag = property(_imaginary)

# The functions of complex numbers. Everything that is not listed here refuses them.
OF_COMPLEX.update(
    {
        "of_row": of_row_of_complex,
        "cast": cast_of,
        "mul": product,
        "exp": exponential,
        "view_as_real": lambda input: input._pairs,
    }
)
