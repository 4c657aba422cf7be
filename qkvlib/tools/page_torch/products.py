"""Products of vectors, matrices and batches of matrices, and einsum, which includes them all."""

from __future__ import annotations

import math
from typing import Any

from .autograd import record
from .dtypes import bool_
from .engine import run
from .errors import NotInThisPage, must_be_tensor, not_implemented
from .registry import op
from .shapes import broadcast
from .tensor import Tensor, empty
from .viewing import expand, matrix_transposed, permute, reshape, turned


def _need_one_kind(a: Tensor, b: Tensor, name: str = "mat1 and mat2") -> None:
    if a.dtype is not b.dtype:
        if name == "dot":
            raise RuntimeError(
                f"dot : expected both vectors to have same dtype, but found {a.dtype.word} and {b.dtype.word}"
            )
        if name == "bmm":
            raise RuntimeError(f"expected scalar type {a.dtype.word} but found {b.dtype.word}")
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {a.dtype.c_name} != {b.dtype.c_name}"
        )


def _batched(a: Tensor, b: Tensor, called: str) -> Tensor:
    """Multiply matrices [*batch, n, k] and [*batch, k, m] with the same batch."""
    if a.dtype is bool_:
        raise not_implemented("addmm_impl_cpu_", "Bool")
    *batch, n, k = a.shape
    m = b.shape[-1]
    made = empty([*batch, n, m], a.dtype)
    if made.numel() and k:
        run("bmm", (made,), (a, b), math.prod(batch), n, k, m)
    for_a, for_b = a.requires_grad, b.requires_grad

    def back(g: Tensor, x: Any, y: Any) -> tuple[Any, Any]:
        return (
            matmul(g, matrix_transposed(y)) if for_a else None,
            matmul(matrix_transposed(x), g) if for_b else None,
        )

    return record(made, called, (a, b), back, (a if for_b else None, b if for_a else None))


@op("matmul")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    if not isinstance(other, Tensor):
        raise must_be_tensor("matmul", "other", 2, other)
    if not input.ndim or not other.ndim:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {input.ndim}D and {other.ndim}D"
        )
    if input.ndim == 1 and other.ndim == 1:
        return dot(input, other)
    if input.ndim == 2 and other.ndim == 1:
        return mv(input, other)
    if input.ndim == 1 and other.ndim == 2:
        return mm(input.unsqueeze(0), other).squeeze(0)
    if input.ndim == 2 and other.ndim == 2:
        return mm(input, other)
    if other.ndim == 1:
        _need_vector_fits(math.prod(input.shape[:-1]), input.shape[-1], other)
        return matmul(input, other.unsqueeze(-1)).squeeze(-1)
    if input.ndim == 1:
        return matmul(input.unsqueeze(0), other).squeeze(-2)
    if other.ndim == 2:  # one matrix for all: fold the batch into the rows, as torch does
        if not _folds(input, other):
            count = math.prod(input.shape[:-2])
            _need_batches_fit(count, input, count, other)
        rows = reshape(input, (math.prod(input.shape[:-1]), input.shape[-1]))
        return reshape(mm(rows, other), (*input.shape[:-1], other.shape[1]))
    batch = broadcast(input.shape[:-2], other.shape[:-2])
    count = math.prod(batch)
    _need_batches_fit(count, input, count, other)
    _need_one_kind(input, other, "bmm")
    a = expand(input, (*batch, *input.shape[-2:]))
    b = expand(other, (*batch, *other.shape[-2:]))
    return _batched(a, b, "BmmBackward0")


def _folds(input: Tensor, other: Tensor) -> bool:
    """Tell whether torch folds a batch into rows: if that needs no copy, or for the sake of a gradient."""
    shape, strides = input.shape, input._strides
    return other.requires_grad or all(
        strides[d] == strides[d + 1] * shape[d + 1] for d in range(input.ndim - 2)
    )


def _need_fit(a: Tensor, b: Tensor) -> None:
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and "
            f"{b.shape[0]}x{b.shape[1]})"
        )


def _need_batches_fit(count: int, a: Tensor, other_count: int, b: Tensor) -> None:
    if (count, a.shape[-1]) != (other_count, b.shape[-2]):
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"{[count, a.shape[-1]]} but got: {[other_count, b.shape[-2]]}."
        )


def _need_vector_fits(rows: int, columns: int, vector: Tensor) -> None:
    if columns != vector.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({vector.shape[0]})"
        )


@op("mm")
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    for name, each in (("self", input), ("mat2", mat2)):
        if each.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    _need_fit(input, mat2)
    _need_one_kind(input, mat2)
    return _batched(input, mat2, "MmBackward0")


@op("bmm")
def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    for name, each in (("batch1", input), ("batch2", mat2)):
        if each.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    _need_batches_fit(input.shape[0], input, mat2.shape[0], mat2)
    _need_one_kind(input, mat2, "bmm")
    return _batched(input, mat2, "BmmBackward0")


@op("mv")
def mv(input: Tensor, vec: Tensor) -> Tensor:
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    _need_vector_fits(input.shape[0], input.shape[1], vec)
    _need_one_kind(input, vec, "bmm")
    return reshape(_batched(input, vec.unsqueeze(1), "MvBackward0"), (input.shape[0],))


@op("dot", "vdot")
def dot(input: Tensor, tensor: Tensor) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise must_be_tensor("dot", "tensor", 2, tensor)
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    _need_one_kind(input, tensor, "dot")
    if input.shape != tensor.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{input.shape[0]}] and src "
            f"[{tensor.shape[0]}] to have the same number of elements, but got "
            f"{input.shape[0]} and {tensor.shape[0]} elements respectively"
        )
    return reshape(_batched(input.unsqueeze(0), tensor.unsqueeze(1), "DotBackward0"), ())


@op("outer", "ger")
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    if not isinstance(vec2, Tensor):
        raise must_be_tensor("outer", "vec2", 2, vec2)
    for name, each in (("self", input), ("vec2", vec2)):
        if each.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {each.ndim}-D")
    return input.unsqueeze(1) * vec2


@op("cdist", method=False)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).norm(p=p, dim=-1)


# einsum


@op("einsum", method=False, tensor_first=False)
def einsum(equation: str, *operands: Any) -> Tensor:
    """Compute an einsum: letters stand for dimensions, and those missing from the result are summed over."""
    if operands and isinstance(operands[0], str):  # torch translates its letters into numbers
        raise TypeError("'>=' not supported between instances of 'str' and 'int'")
    if not isinstance(equation, str):
        raise NotInThisPage("`torch.einsum` with lists in place of letters")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    left, arrow, right = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(operands):
        found = "fewer" if len(operands) < len(inputs) else "more"
        raise RuntimeError(f"einsum(): {found} operands were provided than specified in the equation")
    named, dots = _named(inputs, operands)
    letters = [letter for names, _ in named for letter in names]
    if arrow:
        wanted = list(right.replace("...", "\0"))
        out = [d for part in wanted for d in (dots if part == "\0" else [part])]
        for letter in out:
            if letter not in letters and letter not in dots:
                raise RuntimeError(
                    f"einsum(): output subscript {letter} does not appear in the equation for any "
                    "input operand"
                )
            if out.count(letter) > 1:
                raise RuntimeError(
                    f"einsum(): output subscript {letter} appears more than once in the output"
                )
    else:
        once = "".join(inputs)
        out = dots + sorted(letter for letter in set(letters) if once.count(letter) == 1)
    _need_sizes_agree(named)
    names, made = named[0]
    for place, (other_names, other) in enumerate(named[1:], 1):
        later = [name for rest, _ in named[place + 1 :] for name in rest]
        names, made = _pair(names, made, other_names, other, set(out) | set(later))
    gone = [d for d, name in enumerate(names) if name not in out]
    if gone:
        made = made.sum(gone)
        names = [name for name in names if name in out]
    order = [names.index(name) for name in out]
    return made if order == list(range(len(order))) else turned(made, order, "PermuteBackward0")


def _named(inputs: list[str], operands: tuple[Any, ...]) -> Any:
    """Return each operand with a name for each dimension, and the names that `...` stands for."""
    most = 0
    for names, operand in zip(inputs, operands, strict=True):
        if not isinstance(operand, Tensor):
            raise must_be_tensor("einsum", "operands", 2, operand)
        if "..." in names:
            most = max(most, operand.ndim - len(names.replace("...", "")))
    dots = [f"dot{i}" for i in range(most)]
    found = []
    for place, (text, operand) in enumerate(zip(inputs, operands, strict=True)):
        count = len(text.replace("...", ""))
        for letter in text.replace("...", ""):
            if not letter.isalpha():
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {text.index(letter)} in the "
                    "equation string, subscripts must be in [a-zA-Z]"
                )
        if "..." in text:
            if operand.ndim < count:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({count}) is more than the"
                    f" number of dimensions ({operand.ndim}) for operand {place}"
                )
        elif count != operand.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({count}) does not match the "
                f"number of dimensions ({operand.ndim}) for operand {place} and no ellipsis was "
                "given"
            )
        own = dots[most - (operand.ndim - count) :] if "..." in text else []
        before, _, after = text.partition("...")
        found.append(_on_the_diagonal([*before, *own, *after], operand, place))
    return found, dots


def _on_the_diagonal(names: list[str], operand: Tensor, place: int) -> tuple[list[str], Tensor]:
    """Take the diagonal for a letter that occurs twice."""
    for name in dict.fromkeys(names):
        while names.count(name) > 1:
            a = names.index(name)
            b = names.index(name, a + 1)
            if operand.shape[a] != operand.shape[b]:
                raise RuntimeError(
                    f"einsum(): subscript {name} is repeated for operand {place} but the sizes "
                    f"don't match, {operand.shape[b]} != {operand.shape[a]}"
                )
            operand = operand.diagonal(0, a, b)
            names = [n for d, n in enumerate(names) if d not in (a, b)] + [name]
    return names, operand


def _need_sizes_agree(named: list[tuple[list[str], Tensor]]) -> None:
    sizes: dict[str, int] = {}
    for place, (names, operand) in enumerate(named):
        for name, size in zip(names, operand.shape, strict=True):
            before = sizes.get(name, 1)
            if before != 1 and size not in (1, before):
                raise RuntimeError(
                    f"einsum(): subscript {name} has size {size} for operand {place} which does not"
                    f" broadcast with previously seen size {before}"
                )
            sizes[name] = max(before, size) if before != 1 else size


def _without_own(
    names: list[str], x: Tensor, other: dict[str, int], kept: set[str]
) -> tuple[list[str], Tensor]:
    """Sum a tensor over the dimensions that only it has and that the result does not need."""
    sizes = dict(zip(names, x.shape, strict=True))
    own = [n for n in names if n not in kept and (n not in other or (sizes[n] == 1 != other[n]))]
    rest = [name for name in names if name not in own]
    return rest, x.sum([names.index(name) for name in own]) if own else x


def _pair(
    names_a: list[str], a: Tensor, names_b: list[str], b: Tensor, kept: set[str]
) -> tuple[list[str], Tensor]:
    """Multiply two operands, and sum over dimensions that are no longer needed: one matrix product."""
    _need_one_kind(a, b, "bmm")
    names_a, a = _without_own(names_a, a, dict(zip(names_b, b.shape, strict=True)), kept)
    names_b, b = _without_own(names_b, b, dict(zip(names_a, a.shape, strict=True)), kept)
    both = [name for name in names_a if name in names_b]
    summed = [name for name in both if name not in kept]
    batch = [name for name in both if name in kept]
    only_a = [name for name in names_a if name not in both]
    only_b = [name for name in names_b if name not in both]
    size = dict(zip(names_a, a.shape, strict=True))
    size |= {name: n for name, n in zip(names_b, b.shape, strict=True) if n != 1 or name not in size}

    def laid(x: Tensor, names: list[str], order: list[str], shape: list[int]) -> Tensor:
        x = permute(x, [names.index(name) for name in order])
        return reshape(expand(x, [size[name] for name in order]), shape)

    n_batch, n_a, n_b, n_sum = (
        math.prod(size[name] for name in group) for group in (batch, only_a, only_b, summed)
    )
    left = laid(a, names_a, batch + only_a + summed, [n_batch, n_a, n_sum])
    right = laid(b, names_b, batch + summed + only_b, [n_batch, n_sum, n_b])
    names = batch + only_a + only_b
    return names, reshape(bmm(left, right), [size[name] for name in names])


def _matmul_operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


Tensor.__matmul__ = _matmul_operator
Tensor.__imatmul__ = _matmul_operator
