"""The dtypes, and which dtype results when two of them are combined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .errors import NotInThisPage

# By name: the code of Python's array, torch's name, and torch's name in C.
_TABLE = {
    "bool": ("B", "Bool", "bool"),
    "uint8": ("B", "Byte", "unsigned char"),
    "int32": ("i", "Int", "int"),
    "int64": ("d", "Long", "long"),
    "float32": ("f", "Float", "float"),
    "float64": ("d", "Double", "double"),
}


class dtype:
    """A dtype. `code` is its index in the table that JavaScript has, too."""

    def __init__(self, name: str, code: int) -> None:
        self.name = name
        self.code = code
        self.array, self.word, self.c_name = _TABLE[name]
        self.is_floating_point = "float" in name
        self.is_complex = False
        # True and False, whole numbers, floats: the later one wins.
        self.rank = 2 if self.is_floating_point else int("int" in name)

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


class complex_dtype(dtype):
    """A dtype of complex numbers. They are stored as pairs of a different dtype."""

    def __init__(self, name: str, part: dtype) -> None:
        self.name, self.word, self.code = name, f"Complex{part.word}", -1
        self.c_name = f"c10::complex<{part.c_name}>"
        self.is_complex, self.is_floating_point = True, False
        self.rank = 3

    @property
    def array(self) -> str:  # type: ignore[override]
        raise NotInThisPage("This operation on complex numbers")


ALL = {name: dtype(name, code) for code, name in enumerate(_TABLE)}
bool_, uint8, int32, int64, float32, float64 = ALL.values()
complex64, complex128 = complex_dtype("complex64", float32), complex_dtype("complex128", float64)
ALL |= {"complex64": complex64, "complex128": complex128}
PARTS_OF: dict[dtype, dtype] = {complex64: float32, complex128: float64}
OTHER_NAMES = {"long": int64, "int": int32, "float": float32, "double": float64}

# torch's functions for complex numbers, by name. `complex_numbers` fills this table, and imports most of the
# other files. They look functions up here, so that none of them needs to import it.
OF_COMPLEX: dict[str, Callable[..., Any]] = {}


def of_complex(name: str) -> Callable[..., Any]:
    """Return the operation of this name for complex numbers."""
    if name not in OF_COMPLEX:
        raise NotInThisPage(f"`{name}` of complex numbers")
    return OF_COMPLEX[name]


_default = [float32]


def default() -> dtype:
    """Return the dtype of a float if none is given."""
    return _default[0]


def set_default_dtype(d: dtype) -> None:
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default[0] = d


def of_parts(part: dtype) -> dtype:
    """Return the complex dtype whose parts have this dtype."""
    if part.is_complex:
        return part
    return complex64 if part is float32 else complex128


def promote_types(one: dtype, other: dtype) -> dtype:
    """Return the smallest dtype that holds both, by torch's rules."""
    if one is other:
        return one
    if one.rank + other.rank == 5:  # complex numbers, and floats
        return promote_types(of_parts(one), of_parts(other))
    if one.rank == other.rank == 3:
        return complex128
    if one.rank != other.rank:
        return one if one.rank > other.rank else other
    return one if one.code > other.code else other


def of_number(value: object) -> dtype:
    """Return the dtype of a Python number."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    return of_parts(default()) if isinstance(value, complex) else default()


class finfo:
    """The limits of a float dtype."""

    def __init__(self, type: dtype | None = None) -> None:
        self.dtype = (type or default()).name
        digits, lowest = (52, -1022) if self.dtype == "float64" else (23, -126)
        self.eps = 2.0**-digits
        self.max = (2 - self.eps) * 2.0 ** (1 - lowest)
        self.min = -self.max
        self.tiny = 2.0**lowest


@dataclass(frozen=True)
class device:
    """A device. A page has only one."""

    type: str = "cpu"
    index: int | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        kind = str(self.type).partition(":")[0]
        if kind == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled")
        if kind != "cpu":
            raise NotInThisPage(f"The device {str(self.type)!r}")
        object.__setattr__(self, "type", kind)

    def __str__(self) -> str:
        return self.type


CPU = device("cpu")
