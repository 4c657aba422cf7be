"""Errors with torch's types and messages, so that a learner can look them up."""

from __future__ import annotations

from typing import Any


class NotInThisPage(AttributeError, NotImplementedError):
    """A part of torch that the page's torch does not have. It never makes up a number."""

    def __init__(self, what: str) -> None:
        verb = "are" if what.startswith("The complex") else "is"
        super().__init__(
            f"{what} {verb} not in this page: its torch is a small one, made for the "
            "exercises. JupyterLab has all of torch."
        )


def refused(refusal: str, sizes: Any) -> Exception:
    """Turn a kernel's refusal, which is a kind and some numbers, into an error."""
    kind, number, *which = refusal.split()
    if kind == "room":
        return no_room(int(number))
    if kind == "index":
        dim = int(which[0])
        return index_range(int(number), dim, sizes[dim])
    return NotInThisPage(f"A whole number that is {number}, which lies beyond 2**53 or is none at all,")


# The limit for one tensor, in bytes. Results are copied and compared, and a page has a few gigabytes.
MOST_BYTES = 2**27


def no_room(bytes_: int) -> MemoryError:
    """A tensor that is too large for a page. JupyterLab may have room for it."""
    return MemoryError(
        f"a tensor of {bytes_ / 1e9:,.1f} GB is more than this page has room for, which is "
        f"{MOST_BYTES / 1e9:.1f} GB. JupyterLab has all of the computer's memory. Is a size larger "
        "than you meant?"
    )


def dim_range(dim: int, dims: int) -> IndexError:
    most = max(dims, 1)
    return IndexError(
        f"Dimension out of range (expected to be in range of [{-most}, {most - 1}], but got {dim})"
    )


def sizes_differ(a: int, b: int, dim: int) -> RuntimeError:
    return RuntimeError(
        f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
    )


def index_range(index: int, dim: int, size: int) -> IndexError:
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


def must_be_tensor(function: str, argument: str, position: int, got: Any) -> TypeError:
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be Tensor, not {type(got).__name__}"
    )


def not_implemented(kernel: str, word: str) -> RuntimeError:
    """An operation that torch has only for other dtypes. (torch raises this type, too.)"""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")


def wrong_arguments(function: str, words: str) -> TypeError:
    return TypeError(f"{function}() received an invalid combination of arguments - {words}")


def output_too_small(shape: Any, broadcast: Any) -> RuntimeError:
    return RuntimeError(
        f"output with shape {list(shape)} doesn't match the broadcast shape {list(broadcast)}"
    )


def no_overflow(kind: Any) -> RuntimeError:
    in_c = {"int32": "int", "bool": "bool"}.get(kind.name, f"{kind.name}_t")
    return RuntimeError(f"value cannot be converted to type {in_c} without overflow")


def must_be_number(function: str, argument: str, got: Any) -> TypeError:
    return TypeError(f"{function}(): argument {argument} must be Number, not {type(got).__name__}")


def overloaded(function: str, got: str, choices: list[tuple[str, str]]) -> TypeError:
    """Arguments that fit no signature of a function: list each signature, and say what does not fit, if
    known."""
    lines = [
        f" * {form}\n"
        + (f"      didn't match because some of the arguments have invalid types: {why}\n" * bool(why))
        for form, why in choices
    ]
    return wrong_arguments(function, f"got {got}, but expected one of:\n{''.join(lines)}")
