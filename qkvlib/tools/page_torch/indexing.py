"""Square brackets: whole numbers, slices, None, ..., tensors of indices, masks, and mixtures.

First the parts that need no copy (numbers, slices, None, ...) make a view. Then tensors of indices pick from
it. An assignment writes to the same places.
"""

from __future__ import annotations

import itertools
from typing import Any

from .autograd import called, record
from .dtypes import bool_, int64
from .engine import run
from .errors import index_range, must_be_tensor
from .making import converted, tensor
from .registry import op
from .shapes import broadcast, in_this_order, inner_first, wrapped
from .tensor import Tensor, change, empty, filled, of_row, overwrite
from .tensor import view as look
from .viewing import chosen, expand, part, reshape, turned, unsqueeze

Places = list[tuple[int, Tensor]]


def _as_places(listed: Any) -> Tensor:
    made = tensor(list(listed))
    return made if made.numel() else made.long()


def _looked(input: Tensor, index: Any) -> tuple[Tensor, Places]:
    """Return the view that the plain parts of the index make, and the dimensions that tensors pick from."""
    parts: list[Any] = [*index] if isinstance(index, tuple) else [index]
    parts = [_as_places(each) if isinstance(each, (list, range)) else each for each in parts]
    parts = [tensor(each) if isinstance(each, bool) else each for each in parts]
    taken = sum(
        each.ndim if isinstance(each, Tensor) and each.dtype.rank == 0 else 1
        for each in parts
        if each is not None and each is not Ellipsis
    )
    if taken > input.ndim:
        if not input.ndim and len(parts) == 1 and hasattr(parts[0], "__index__"):
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        if not input.ndim and isinstance(parts[0], slice):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(f"too many indices for tensor of dimension {input.ndim}")
    if sum(each is Ellipsis for each in parts) == 0:
        parts.append(Ellipsis)
    view, dim, places = input, 0, list[tuple[int, Tensor]]()
    for place, each in enumerate(parts):  # error messages name the position between the brackets
        if each is Ellipsis:
            dim += input.ndim - taken
        elif each is None:
            view = unsqueeze(view, dim)
            dim += 1
        elif isinstance(each, slice):
            view = _sliced(view, dim, each)
            dim += 1
        elif isinstance(each, Tensor) and not (not each.shape and each.dtype.rank == 1):
            if each.dtype.rank == 2:
                raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
            if each.dtype is not bool_ and each.dtype.name != "uint8":
                places.append((dim, each))
                dim += 1
                continue
            _need_mask_fits(each, view, dim)
            if not each.shape:
                view = unsqueeze(view, dim)
            for found in each.nonzero(as_tuple=True):
                places.append((dim, found))
                dim += 1
        else:
            view = chosen(view, dim, _counted(each, dim, view, place))
    return view, places


def _need_mask_fits(mask: Tensor, view: Tensor, dim: int) -> None:
    for d, size in enumerate(mask.shape):
        if size != view.shape[dim + d]:
            raise IndexError(
                f"The shape of the mask {list(mask.shape)} at index {d} does not match the shape "
                f"of the indexed tensor {list(view.shape)} at index {dim + d}"
            )


def _counted(index: Any, dim: int, view: Tensor, place: int) -> int:
    try:
        number = index.__index__()
    except (AttributeError, TypeError):
        if isinstance(index, Tensor):
            raise
        if isinstance(index, str):
            raise TypeError("new(): invalid data type 'str'") from None
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {type(index).__name__})"
        ) from None
    size = view.shape[dim]
    if not -size <= number < size:
        raise index_range(number, place, size)
    return number + size if number < 0 else number


def _sliced(view: Tensor, dim: int, each: slice) -> Tensor:
    if each == slice(None):
        return view
    step = 1 if each.step is None else _bound(each.step)
    if step <= 0:
        raise ValueError("step must be greater than zero")
    start, stop, _ = slice(_bound(each.start), _bound(each.stop), step).indices(view.shape[dim])
    return part(view, dim, start, len(range(start, stop, step)), step)


def _bound(value: Any) -> Any:
    if value is None or hasattr(value, "__index__"):
        return None if value is None else value.__index__()
    raise TypeError("slice indices must be integers or None or have an __index__ method")


def _joined(places: Places) -> tuple[list[Tensor], tuple[int, ...]]:
    """Broadcast the tensors of indices to a common shape."""
    shape: tuple[int, ...] = ()
    try:
        for _, each in places:
            shape = broadcast(shape, each.shape)
    except RuntimeError:
        told = ", ".join(str(list(each.shape)) for _, each in places)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {told}"
        ) from None
    return [expand(each, shape) for _, each in places], shape


def _shape_picked(
    view: Tensor, dims: list[int], shape: tuple[int, ...]
) -> tuple[list[int], list[int], int, list[int]]:
    """Return the order of dimensions with the picked ones first, the shape of what is picked, where in it the
    indices' shape begins, and the order that puts this shape first."""
    order = dims + [dim for dim in range(view.ndim) if dim not in dims]
    side_by_side = dims == list(range(dims[0], dims[0] + len(dims)))
    at = dims[0] if side_by_side else 0
    rest = [view.shape[dim] for dim in order[len(dims) :]]
    wanted = [*rest[:at], *shape, *rest[at:]]
    many = len(shape)
    return order, wanted, at, [*range(at, at + many), *range(at), *range(at + many, len(wanted))]


def picked(view: Tensor, places: Places) -> Tensor:
    """Return the numbers at these indices."""
    rows, shape = _joined(places)
    order, wanted, at, to_front = _shape_picked(view, [dim for dim, _ in places], shape)
    front = turned(view, order, "PermuteBackward0")
    made = empty(wanted, view.dtype)
    # The layout in memory follows that of the source, and then that of the indices.
    steps = front._strides[len(places) :]
    seen = [(*steps[:at], *[0] * len(shape), *steps[at:])]
    seen += [(*[0] * at, *row._strides, *[0] * (len(steps) - at)) for row in rows]
    made._strides = in_this_order(made.shape, inner_first(made.shape, seen))
    run("pick", (turned(made, to_front, ""),), (front.detach(), *rows), *front.shape[: len(places)])
    front_shape = front.shape

    def back(g: Tensor) -> tuple[Tensor]:
        g = turned(g, to_front, "PermuteBackward0")
        return (_put("put_add", g.new_zeros(front_shape), g, rows),)

    return record(made, "IndexBackward0", (front,), back)


def _put(kernel: str, front: Tensor, source: Tensor, rows: list[Tensor]) -> Tensor:
    """Return a copy of `front` with `source` written, or added, at the indices."""
    made = empty(front.shape, front.dtype)
    run(kernel, (made,), (front.detach(), source.detach(), *rows), *front.shape[: len(rows)])

    def back(g: Tensor) -> tuple[Any, Any]:
        at_places = picked(g, list(enumerate(rows)))
        if kernel == "put_add":
            return g, at_places
        zeros = at_places.new_zeros(at_places.shape)
        return _put("put", g, zeros, rows), at_places

    return record(made, "IndexPutBackward0", (front, source), back)


def getitem(input: Tensor, index: Any) -> Tensor:
    view, places = _looked(input, index)
    if places:
        return picked(view, places)
    if view is input:  # `x[...]` is a new tensor with the same numbers
        return look(input, input.shape, input._strides, "AliasBackward0", lambda g: g)
    return view


def setitem(input: Tensor, index: Any, value: Any) -> None:
    view, places = _looked(input, index)
    if isinstance(value, (list, tuple)):
        value = tensor(value, dtype=input.dtype)
    elif isinstance(value, (bool, int, float)):
        value = filled((), value, input.dtype)
    elif not isinstance(value, Tensor):
        raise TypeError(f"can't assign a {type(value).__name__} to a torch.{input.dtype.word}Tensor")
    if not places:
        while value.shape != view.shape and value.ndim and value.shape[0] == 1:
            value = value[0]
        overwrite(view, expand(value, view.shape))
        return
    _assign(view, places, value)


def _assign(view: Tensor, places: Places, value: Tensor) -> None:
    rows, shape = _joined(places)
    order, target, _, to_front = _shape_picked(view, [dim for dim, _ in places], shape)
    if value.dtype is not view.dtype and value.ndim:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{view.dtype.word} for the destination and {value.dtype.word} for the source."
        )
    value = converted(value, view.dtype)
    try:
        while value.ndim > len(target) and value.shape[0] == 1:
            value = value[0]
        source = expand(value, target)
    except RuntimeError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to "
            f"indexing result of shape {target}"
        ) from None
    front = turned(view, order, "PermuteBackward0")
    made = _put("put", front, turned(source, to_front, "PermuteBackward0"), rows)
    home = sorted(range(len(order)), key=order.__getitem__)
    overwrite(view, turned(made, home, "PermuteBackward0"))


Tensor.__getitem__ = getitem
Tensor.__setitem__ = setitem


@op("index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    dim = wrapped(dim, input.ndim)
    if not isinstance(index, Tensor):
        raise must_be_tensor("index_select", "index", 3, index)
    if index.dtype.name not in ("int64", "int32"):
        raise RuntimeError("index_select(): Expected dtype int32/int64 for index")
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not input.ndim:
        if index.numel() > 1:
            raise RuntimeError(
                f"index_select(): Index to scalar can have only 1 value, got {index.numel()} value(s)"
            )
        return index_select(input.unsqueeze(0), 0, index)[0]
    if input.ndim > 1 and not input.shape[dim] and index.numel():
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    if (index < 0).any() or (index >= input.shape[dim]).any():
        raise IndexError("index out of range in self")
    return picked(input, [(dim, index.reshape(-1))]).contiguous()


@op("nonzero")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    places = list(itertools.compress(range(input.numel()), input._row()))
    if not input.shape:
        return (tensor(places).long(),) if as_tuple else empty((len(places), 0), int64)
    columns, step = [], 1
    for size in reversed(input.shape):
        columns.append([place // step % size if size else 0 for place in places])
        step *= size
    columns.reverse()
    if as_tuple:
        return tuple(of_row(column, (len(places),), int64) for column in columns)
    # Stored column by column, as in torch.
    return of_row([number for column in columns for number in column], (input.ndim, len(places)), int64).T


# gather and scatter


def _need_index(name: str, input: Tensor, dim: int, index: Tensor, source: Any = None) -> None:
    if index.dtype.name not in ("int64", "int32"):
        raise RuntimeError(f"{name}(): Expected dtype int64 for index")
    if index.ndim != input.ndim and index.ndim + input.ndim > 1 and index.numel():
        raise RuntimeError(
            "Index tensor must have the same number of dimensions as "
            f"{'input' if name == 'gather' else 'self'} tensor"
        )
    for d in range(index.ndim):
        own = input.shape[d] if d < input.ndim else 1
        if index.shape[d] > own and (d != dim):
            start = f"Size does not match at dimension {d} expected" if name == "gather" else "Expected"
            raise RuntimeError(
                f"{start} index {list(index.shape)} to be no larger than self "
                f"{list(input.shape)} apart from dimension {dim}"
            )
        if isinstance(source, Tensor) and index.shape[d] > source.shape[d]:
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than src {list(source.shape)} "
                f"in all dimensions"
            )


def _along(name: str, input: Tensor, dim: int, index: Tensor, source: Any = None) -> list[Tensor]:
    """Return the indices, one tensor for each dimension, that an index along one dimension means: the index
    there, and its numbers' own places in the others."""
    _need_index(name, input, dim, index, source)
    size = input.shape[dim] if input.ndim else 1
    for number in index._row():
        if not 0 <= number < size:  # torch accepts negative indices only in brackets
            raise RuntimeError(str(index_range(number, dim, size)))
    index = _opened(index)
    rows = []
    for d, length in enumerate(index.shape):
        steps = (1,) * d + (length,) + (1,) * (index.ndim - d - 1)
        rows.append(expand(index if d == dim else of_row(range(length), steps, int64), index.shape))
    return rows


def _opened(tensor: Tensor) -> Tensor:
    return tensor if tensor.ndim else reshape(tensor, 1)


@op("gather")
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    rows = _along("gather", input, wrapped(dim, input.ndim), index)
    made, x = empty(index.shape, input.dtype), _opened(input)
    if index.numel():
        run("pick", (made,), (x.detach(), *rows), *x.shape)

    def back(g: Tensor) -> tuple[Tensor]:
        return (reshape(_put("put_add", g.new_zeros(x.shape), _opened(g), rows), input.shape),)

    return record(made, "GatherBackward0", (input,), back)


def _scattered(name: str, input: Tensor, dim: int, index: Tensor, source: Any) -> Tensor:
    if not isinstance(source, Tensor):
        source = filled(index.shape, source, input.dtype)
    elif source.dtype is not input.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    rows = _along(name, input, wrapped(dim, input.ndim), index, source)
    if not index.numel():
        return input.clone()
    for d, size in enumerate(index.shape):
        source = part(source, d, 0, size)
    kernel = "put_add" if name == "scatter_add" else "put"
    made = _put(kernel, _opened(input), _opened(source), rows)
    return called(reshape(made, input.shape), "ScatterBackward0")


@op("scatter")
def scatter(input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None) -> Tensor:
    return _scattered("scatter", input, dim, index, value if src is None else src)


@op("scatter_add")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    return _scattered("scatter_add", input, dim, index, src)


op("scatter_", function=False)(lambda x, *args, **named: change(x, scatter(x, *args, **named)))
op("scatter_add_", function=False)(lambda x, *args, **named: change(x, scatter_add(x, *args, **named)))
