"""The tensor itself: numbers in memory, and a layout. Views share the memory."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import autograd
from .autograd import Node, record
from .dtypes import CPU, dtype, float32, of_complex
from .engine import run
from .errors import MOST_BYTES, NotInThisPage, no_overflow, no_room, output_too_small
from .missing import no_attribute
from .shapes import Size, in_order, in_this_order, inner_first, lies_densely, lies_in_order, spread, wrapped


class Storage:
    """Numbers in memory, and how often they have been overwritten."""

    __slots__ = ("address", "numbers", "version")

    def __init__(self, numbers: array[Any]) -> None:
        self.numbers = numbers
        self.address = numbers.buffer_info()[0]
        self.version = 0


class TensorBase:
    """The class above Tensor, as in torch."""

    __slots__ = ()


class Tensor(TensorBase):
    """Numbers in a grid of any number of dimensions."""

    __slots__ = (
        *("__dict__", "__weakref__", "_base", "_grad", "_grad_fn", "_offset", "_requires_grad"),
        *("_seen", "_storage", "_strides", "dtype", "shape"),
    )

    shape: Size
    dtype: dtype
    if TYPE_CHECKING:  # other files add a tensor's operators and brackets
        _given: Any = ...
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _given
        __floordiv__ = __mod__ = __pow__ = __rpow__ = __matmul__ = __imatmul__ = __neg__ = __pos__ = _given
        __and__ = __or__ = __xor__ = __invert__ = __abs__ = __getitem__ = __setitem__ = _given
        __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = T = mT = real = imag = _given
    _storage: Storage
    _strides: tuple[int, ...]
    _offset: int
    _base: Tensor | None
    _seen: int
    _grad: Tensor | None
    _grad_fn: Node | None
    _requires_grad: bool
    layout, device = "torch.strided", CPU
    is_sparse = is_quantized = is_cuda = is_meta = is_mps = is_nested = False

    # Properties

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def dim(self) -> int:
        return len(self.shape)

    def numel(self) -> int:
        return math.prod(self.shape)

    def size(self, dim: int | None = None) -> Any:
        if dim is None:
            return self.shape
        return self.shape[wrapped(dim, len(self.shape))]

    def stride(self, dim: int | None = None) -> Any:
        return self._strides if dim is None else self._strides[dim]

    def is_contiguous(self, memory_format: Any = None) -> bool:
        return lies_in_order(self.shape, self._strides)

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_neg(self) -> bool:
        return False

    def resolve_neg(self) -> Tensor:
        return self

    to_dense = cpu = resolve_neg

    # History

    @property
    def _version(self) -> int:
        return self._storage.version

    @property
    def grad_fn(self) -> Node | None:
        base = self._base
        if base is not None and self._seen != self._storage.version:
            # Overwritten through a different view: now its numbers come from the base as it is now.
            self._seen = self._storage.version
            if base._requires_grad:
                self._grad_fn = _picked_again(self, base)
                self._requires_grad = True
        return self._grad_fn

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad or self.grad_fn is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        self.requires_grad_(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if self.grad_fn is not None:
            if not requires_grad:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use "
                    "a computed variable in a subgraph that doesn't require differentiation use "
                    "var_no_grad = var.detach()."
                )
            return self
        if requires_grad and not self.dtype.is_floating_point:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self._requires_grad = bool(requires_grad)
        return self

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def grad(self) -> Tensor | None:
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is not None and value.shape != self.shape:
            raise RuntimeError("assigned grad has data of a different size")
        self._grad = value

    def retain_grad(self) -> None:
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self.grad_fn is not None:
            self.grad_fn.keepers.add(self)

    def backward(self, gradient: Any = None, *ways: Any, **named: Any) -> None:
        autograd.backward(self, gradient, *ways, **named)

    def detach(self) -> Tensor:
        return place(Tensor, self._storage, self.shape, self._strides, self._offset, self.dtype)

    @property
    def data(self) -> Tensor:
        own = Storage(self._storage.numbers)  # with its own version: autograd does not notice a change
        return place(Tensor, own, self.shape, self._strides, self._offset, self.dtype)

    @data.setter
    def data(self, value: Tensor) -> None:
        self._storage, self._strides = Storage(value._storage.numbers), value._strides
        self._offset, self.shape, self.dtype = value._offset, value.shape, value.dtype

    # Single numbers

    def _row(self) -> list[Any]:
        """Return the numbers in the order of their indices, as Python numbers."""
        whole = self if self.is_contiguous() else self.detach().contiguous()
        numbers = whole._storage.numbers[whole._offset : whole._offset + self.numel()]
        return list(map((bool, int, float)[self.dtype.rank], numbers))

    def _one(self) -> Any:
        return (bool, int, float)[self.dtype.rank](self._storage.numbers[self._offset])

    def item(self) -> Any:
        if (count := self.numel()) != 1:
            raise RuntimeError(f"a Tensor with {count} elements cannot be converted to Scalar")
        return self._one()

    def tolist(self) -> Any:
        if not self.shape:
            return self._one()
        return _nested(self._row(), self.shape)

    def __bool__(self) -> bool:
        if (count := self.numel()) != 1:
            few = "no values" if not count else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {few} is ambiguous")
        return bool(self._one())

    def _only(self) -> Any:
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self._one()

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def __index__(self) -> int:
        if self.numel() != 1 or self.dtype.rank == 2:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._one())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self) -> Any:
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, value: Any) -> bool:
        return bool(self.eq(value).any())

    def __hash__(self) -> int:
        return id(self)

    def __format__(self, wanted: str) -> str:
        if not self.shape:
            return format(self._one(), wanted)
        return object.__format__(self, wanted)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self.grad_fn is not None:
            raise NotInThisPage("A deep copy of what has a past")
        if id(self) not in memo:
            copy = self.detach().clone()
            made = place(type(self), copy._storage, self.shape, copy._strides, copy._offset, self.dtype)
            made._requires_grad = self._requires_grad
            memo[id(self)] = made
        return memo[id(self)]

    def as_subclass(self, cls: Any) -> Any:
        made = place(cls, self._storage, self.shape, self._strides, self._offset, self.dtype)
        return record(made, "AliasBackward0", (self,), lambda g: (g,))

    def __getattr__(self, name: str) -> Any:
        raise no_attribute(self, name, "torch.Tensor")

    @classmethod
    def __torch_function__(cls, *_: Any, **__: Any) -> Any:
        raise NotInThisPage("`__torch_function__`")


def _nested(row: list[Any], shape: Sequence[int]) -> Any:
    for size in reversed(shape[1:]):
        if size == 0:
            outer = math.prod(shape[:-1])
            return _nested([[] for _ in range(outer)], shape[:-1]) if outer else []
        row = [row[at : at + size] for at in range(0, len(row), size)]
    return row


# Tensors from memory


def place(
    cls: Any, storage: Storage, shape: Sequence[int], strides: tuple[int, ...], offset: int, kind: dtype
) -> Any:
    """Make a tensor with this layout of this memory. It has no history."""
    tensor = object.__new__(cls)
    tensor._storage, tensor._strides, tensor._offset = storage, strides, offset
    tensor.shape, tensor.dtype = shape if type(shape) is Size else Size(shape), kind
    tensor._requires_grad, tensor._grad_fn, tensor._grad = False, None, None
    tensor._base, tensor._seen = None, 0
    return tensor


def of_row(numbers: Any, shape: Sequence[int], kind: dtype) -> Tensor:
    """Make a tensor from numbers in the order of their indices."""
    storage, shape = Storage(array(kind.array, numbers)), Size(shape)
    return place(Tensor, storage, shape, in_order(shape), 0, kind)


def empty(shape: Sequence[int], kind: dtype) -> Tensor:
    """Make a new tensor. It contains zeros, though code should not rely on that."""
    size = math.prod(shape) * array(kind.array).itemsize
    if size > MOST_BYTES:
        raise no_room(size)
    return of_row(bytes(size), shape, kind)


def strided(shape: Sequence[int], strides: tuple[int, ...], kind: dtype) -> Tensor:
    """Make a new tensor with these strides."""
    span = 1 + sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
    whole = empty((max(span, 1) if math.prod(shape) else 0,), kind)
    return place(Tensor, whole._storage, shape, strides, 0, kind)


def laid_out(shape: Sequence[int], kind: dtype, *inputs: Tensor) -> Tensor:
    """Make a tensor for the result of an elementwise operation, with the same layout in memory as the inputs.

    So the result for a transposed tensor does not allow `view`, as in torch.
    """
    return lying_as(empty(shape, kind), *inputs)


def lying_as(made: Tensor, *inputs: Tensor) -> Tensor:
    """Make a tensor with the same layout as these, uninitialised or filled with one number."""
    if made.dtype.is_complex or all(lies_in_order(one.shape, one._strides) for one in inputs):
        return made
    seen = [spread(each.shape, each._strides, made.shape) for each in inputs]
    if all(strides == seen[0] for strides in seen) and lies_densely(made.shape, seen[0]):
        made._strides = seen[0]
    else:
        made._strides = in_this_order(made.shape, inner_first(made.shape, seen))
    return made


def filled(shape: Sequence[int], number: Any, kind: dtype) -> Tensor:
    """Make a tensor with this number everywhere."""
    if kind.is_complex:
        return of_complex("of_row")([number] * math.prod(shape), tuple(shape), kind)
    try:
        one = array(kind.array, [fitting(number, kind)])
    except OverflowError:
        if kind is float32:
            one = array("f", [math.copysign(math.inf, number)])
        else:
            raise no_overflow(kind) from None
    if (size := math.prod(shape) * one.itemsize) > MOST_BYTES:
        raise no_room(size)
    storage, shape = Storage(one * math.prod(shape)), Size(shape)
    return place(Tensor, storage, shape, in_order(shape), 0, kind)


def fitting(number: Any, kind: dtype) -> Any:
    """Return a Python number as this dtype stores it."""
    if kind.rank == 0:
        return 1 if number else 0
    if kind.rank == 2:
        return float(number)
    number = int(number)
    if kind.name == "int64" and abs(number) >= 2**53:
        raise NotInThisPage(f"The whole number {number}, which lies beyond 2**53,")
    return number


def mapped(kernel: str, input: Tensor, kind: dtype) -> Tensor:
    """Return a new tensor of this dtype with what a kernel makes of each number; this is not recorded."""
    made = laid_out(input.shape, kind, input)
    run(kernel, (made,), (input,))
    return made


# Views


def view(
    tensor: Tensor,
    shape: Sequence[int],
    strides: tuple[int, ...],
    called: str,
    back: Callable[[Any], Any],
    offset: int | None = None,
) -> Any:
    """Make a view of a tensor's numbers. `back` turns the view's gradient into the tensor's."""
    made = place(
        Tensor, tensor._storage, shape, strides, tensor._offset if offset is None else offset, tensor.dtype
    )
    made._base = tensor if tensor._base is None else tensor._base
    made._seen = tensor._storage.version
    if not tensor.requires_grad or not autograd.is_grad_enabled():
        return made
    return record(made, called, (tensor,), lambda g: (back(g),))


def put_back(shape: Sequence[int], again: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the backward pass of a view of a part: zeros, except where `again`, the same view of them,
    points."""

    def back(gradient: Any) -> Any:
        whole = gradient.new_zeros(shape)
        again(whole).copy_(gradient)
        return whole

    return back


def _same_place(whole: Tensor, base: Tensor, seen: Tensor) -> Tensor:
    """Return the part of `whole`, which has the base's layout, that a view of the base refers to."""
    offset = seen._offset - base._offset + whole._offset
    return place(Tensor, whole._storage, seen.shape, seen._strides, offset, whole.dtype)


def _lying_as(base: Tensor, fill: Any) -> Any:
    """Make a new tensor whose numbers have the base's layout in memory."""
    made = strided(base.shape, base._strides, fill.dtype)
    run("copy", (made,), (fill.expand(base.shape),))
    return made


def _picked_again(seen: Tensor, base: Tensor) -> Node:
    def back(gradient: Any) -> tuple[Any]:
        whole = _lying_as(base, filled((), 0, gradient.dtype))
        run("copy", (_same_place(whole, base, seen),), (gradient,))
        return (whole.contiguous(),)

    return Node("AsStridedBackward0", (base,), back, ())


# Changes in place


def change(tensor: Tensor, result: Tensor) -> Tensor:
    """Overwrite a tensor with a result: it now has the result's numbers and history."""
    if result.shape != tensor.shape:
        raise output_too_small(tensor.shape, result.shape)
    if result.dtype.rank > tensor.dtype.rank:
        raise RuntimeError(
            f"result type {result.dtype.word} can't be cast to the desired output type {tensor.dtype.word}"
        )
    if tensor.dtype.is_complex:
        raise NotInThisPage("Writing into complex numbers")
    overwrite(tensor, result)
    return tensor


def overwrite(tensor: Tensor, result: Tensor) -> None:
    """Do the same as `change`, for any dtype."""
    may_change(tensor)
    if result._requires_grad and result.dtype is not tensor.dtype:
        result = result.to(tensor.dtype)
    if result._grad_fn is not None:
        result._grad_fn.keep_as_it_was(tensor)
    run("copy", (tensor,), (result,))
    tensor._storage.version += 1
    if not autograd.is_grad_enabled():
        return
    base = tensor._base
    if base is None:
        if result._requires_grad:
            tensor._grad_fn, tensor._requires_grad = result._grad_fn, True
        elif tensor._requires_grad:
            tensor._grad_fn, tensor._requires_grad = None, False
        return
    if result._requires_grad or base._requires_grad:
        _rewrite_base(base, tensor, result)


def may_change(tensor: Tensor) -> None:
    """Check that a tensor may be changed: not a parameter while recording, and not a number that a view
    repeats."""
    if autograd.is_grad_enabled():
        for changed, what in ((tensor, "a leaf"), (tensor._base, "a view of a leaf")):
            if changed is not None and changed._requires_grad and changed.grad_fn is None:
                raise RuntimeError(
                    f"{what} Variable that requires grad is being used in an in-place operation."
                )
    if any(not step and size > 1 for size, step in zip(tensor.shape, tensor._strides, strict=True)):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        )


def _rewrite_base(base: Tensor, part: Tensor, result: Tensor) -> None:
    """Update the base's history: a part of it now comes from the result, the rest from where it came
    before."""

    def back(gradient: Any) -> tuple[Any, Any]:
        whole = _lying_as(base, gradient)
        here = _same_place(whole, base, part)
        mine = here.clone()
        run("copy", (here,), (filled((), 0, gradient.dtype).expand(here.shape),))
        return whole.contiguous(), mine

    node = Node("CopySlices", (base, result), back, ())
    base._grad_fn, base._requires_grad = node, True
