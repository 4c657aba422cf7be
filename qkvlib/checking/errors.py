"""Explain errors of torch and Python to readers who meet them for the first time.

Each sentence follows from the error's message alone, so it is true whatever the function was meant to do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

Words = str | Callable[..., str]


def in_plain_words(kind: str, message: str) -> str:
    """Explain the error; return '' if we have no explanation for it."""
    for pattern, words in _MEANINGS:
        if found := re.search(pattern, f"{kind}: {message}"):
            return words if isinstance(words, str) else words(*found.groups())
    return ""


def _product(rows: str, columns: str, other_rows: str, other_columns: str) -> str:
    left, right = f"[{rows}, {columns}]", f"[{other_rows}, {other_columns}]"
    turned = []
    if columns == other_columns:
        turned.append("the right")
    if rows == other_rows:
        turned.append("the left")
    guess = f" (transposing {' or '.join(turned)} matrix would make them fit)" if turned else ""
    return (
        f"The product {left} @ {right} is not possible: the left matrix needs as many columns as the right "
        f"matrix has rows, but {columns} is not {other_rows}{guess}."
    )


def _batches(wanted: str, got: str) -> str:
    return (
        "In a product of batches, each left matrix needs as many columns as the right matrix "
        f"has rows: torch needs [batches, rows] = [{wanted}] on the right, but finds [{got}]. `.mT` "
        "transposes the matrices of a batch."
    )


def _side_by_side(one: str, other: str, dim: str) -> str:
    return (
        "Two tensors are combined element by element. In each dimension, from the last backwards, the two "
        f"sizes have to be equal, or one size has to be 1. In dimension {dim} the sizes are {one} and "
        f"{other}. A sum, mean or norm removes a dimension, unless you pass `keepdim=True`."
    )


def _dimension(low: str, high: str, got: str) -> str:
    here = (
        "The only dimension here is 0, or -1 from the end"
        if high == "0"
        else f"The dimensions here are 0 to {high}, or, from the end, -1 to {low}"
    )
    return f"{here}: there is no dimension {got}."


def _index(index: str, dim: str, size: str) -> str:
    if not int(size):
        return f"Dimension {dim} has size 0, so there is nothing to pick from it."
    here = f"the indices are 0 to {int(size) - 1}" if int(size) > 1 else "the only index is 0"
    return f"Along dimension {dim}, of size {size}, {here}: there is no index {index}."


def _reshaped(shape: str, size: str) -> str:
    sizes = [int(part) for part in shape.split(",") if part.strip()]
    if any(part < 0 for part in sizes):
        return f"The {size} numbers of the tensor cannot be cut up evenly into shape [{shape}]."
    return (
        f"The shape [{shape}] has room for {math.prod(sizes)} numbers, but the tensor has {size}. Reshaping "
        "neither adds nor removes numbers."
    )


def _unpacked(wanted: str, got: str | None) -> str:
    names = f"{wanted} name{'' if wanted == '1' else 's'}"
    have = f"{got} value{'' if got == '1' else 's'}" if got else "more values"
    return f"The left side has {names}, and the right side has {have}. Each value needs its own name."


_NONE = (
    "Something in this line is None. A function that ends without `return` gives None, and an "
    "argument that may be left out, like a mask, can be None."
)
_TUPLE = (
    "Something in this line is a tuple. It holds several results, like attention's output and weights. "
    "Unpack it: `output, weights = ...`"
)
_ONE_NUMBER = (
    "This line needs a single number (for `float(...)`, `int(...)`, `.item()`, `math`, or as an index), "
    "but the tensor does not hold exactly one number."
)
_MEANINGS: tuple[tuple[str, Words], ...] = (
    (r"shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", _product),
    (r"first two dimensions of batch2 tensor to be: \[(.*?)\] but got: \[(.*?)\]", _batches),
    (r"size of tensor a \((\d+)\) must match .* b \((\d+)\) at .*dimension (\d+)", _side_by_side),
    (
        r"size mismatch, got input \(\d+\), mat \((\d+)x(\d+)\), vec \((\d+)\)",
        lambda rows, columns, length: (
            f"A matrix [{rows}, {columns}] times a vector needs a vector of {columns} numbers; "
            f"this vector has {length}."
        ),
    ),
    (
        r"expected tensor \[(\d+)\] and src \[(\d+)\] to have the same number",
        "A dot product needs two vectors of equal length; these have {} and {} numbers.".format,
    ),
    (
        r"Boolean value of Tensor with",
        "`if`, `and`, `or` and `not` need a single True or False, but the tensor does not hold exactly one "
        "value. To check whether there is a mask, use `if mask is not None`. For logic element by "
        "element, use `&`, `|`, `~`.",
    ),
    (r"expected to be in range of \[(-\d+), (\d+)\], but got (-?\d+)", _dimension),
    (r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _index),
    (
        r"too many indices for tensor of dimension (\d+)",
        "The square brackets hold more indices than the tensor has dimensions: the tensor has {}.".format,
    ),
    (
        r"tensors used as indices must be|only integer tensors of a single element can be conv"
        r"|slice indices must be integers|list indices must be integers",
        "An index into a list has to be one whole number. An index into a tensor can also be a tensor of "
        "whole numbers, or of True and False. Convert other numbers with `int(...)` or `.long()`.",
    ),
    (
        r"view size is not compatible",
        "`view` needs the numbers in order in memory, but after a transpose they are not. `reshape` does "
        "the same with any tensor.",
    ),
    (r"shape '\[((?:-?\d+(?:, -?\d+)*)?)\]' is invalid for input of size (\d+)", _reshaped),
    (
        r"same dtype, but (?:got|found)|expected scalar type|must have the same dtype",
        "This line mixes two dtypes. `.to(x.dtype)` makes a tensor like x, and `torch.zeros(..., "
        "dtype=x.dtype)` starts with the right dtype.",
    ),
    (
        r"leaf Variable that requires grad.*in-place",
        "A parameter is changed in place while torch records gradients. Change the parameter inside "
        "`with torch.no_grad():`",
    ),
    (
        r"modified by an inplace operation",
        "An in-place change (`x += ...`, `x[i] = ...`) has overwritten numbers that the backward pass needs. "
        "Make a new tensor: `x = x + ...`",
    ),
    (
        r"differentiated Tensors does not require grad",
        "torch keeps no gradients for this tensor. Call `x.requires_grad_()` before you compute anything "
        "with x.",
    ),
    (
        r"does not require grad",
        "Nothing leads back from here to a parameter: `float(...)`, `.item()`, `.detach()` and "
        "`torch.no_grad()` cut the path.",
    ),
    (
        r"backward through the graph a second time",
        "Each forward pass allows only one backward pass, so compute the loss again before each "
        "`backward()`.",
    ),
    (
        r"grad can be implicitly created only for scalar",
        "`backward()` starts from a single number, the loss. Take a sum or a mean first.",
    ),
    (
        r"subscript (\w) has size (\d+) for operand \d+ which does not broadcast .* size (\d+)",
        "In an einsum a letter stands for one size, but `{}` is {} in one tensor and {} in another.".format,
    ),
    (
        r"number of subscripts in the equation \((\d+)\) does not match .* dimensions \((\d+)\)",
        "In an einsum each dimension has a letter, but here there are {} letters for {} dimensions.".format,
    ),
    (
        r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)",
        "A tensor cannot be expanded to this size, because along one dimension the sizes are {} and {}. "
        "Only a size of 1 is repeated.".format,
    ),
    (
        r"Sizes of tensors must match except in dimension",
        "`torch.cat` joins along one dimension "
        "(`dim=0`, unless you name another); in all other dimensions the sizes have to be equal.",
    ),
    (
        r"stack expects each tensor to be equal size",
        "`torch.stack` puts tensors of the same shape side by side in a new dimension. To join tensors "
        "along a dimension that they already have, use `torch.cat`.",
    ),
    (
        r"not implemented for '(?:Long|Int|Bool)'|Input dtype must be either a floating point",
        "This operation does not work for whole numbers or for True and False. `.float()` turns them into "
        "numbers with a decimal point.",
    ),
    (
        r"only supported on matrices or batches",
        "A vector has no rows and columns to swap: leave out `.mT`, or first turn it into a row, `x[None]`.",
    ),
    (r"not enough values to unpack \(expected (\d+), got (\d+)\)", _unpacked),
    (r"too many values to unpack \(expected (\d+)(?:, got (\d+))?\)", _unpacked),
    (
        r"only one element tensors can be converted|cannot be converted to Scalar"
        r"|only length-1 arrays|only 0-dimensional arrays",
        _ONE_NUMBER,
    ),
    (r"'NoneType'|not NoneType|got NoneType|of NoneType|\bgot \([^)]*\bNoneType\b", _NONE),
    (
        r"torch\.return_types\.(\w+)",
        "`{}` along a dimension gives two results, the numbers and their positions. `.values` holds the "
        "numbers.".format,
    ),
    (r"'tuple' (?:object has no attribute|and '|object is not call)|and 'tuple'", _TUPLE),
    (
        r"for @: '(?:int|float)' and|for @: '.*' and '(?:int|float)'",
        "`@` multiplies two tensors. To multiply a tensor by a number, use `*`.",
    ),
    (
        r"'Tensor' object is not callable",
        "Round brackets call a function, but here they come after a tensor. Use square brackets to pick from "
        "the tensor, or `*` to multiply.",
    ),
    (
        r"^MemoryError: $",
        "There is not enough memory for this line. Is a size larger than you meant, or does a list grow in a "
        "loop that never ends?",
    ),
    (
        r"NameError: name '(.*?)' is not defined",
        "Nothing here is called `{}`. Is the name spelled as in its definition, and did you run the "
        "cell that defines it?".format,
    ),
    (
        r"'(?:int|float)' object is not (?:subscriptable|iterable)"
        r"|'(?:int|float)' object has no attribute '(?:shape|dim|sum|mT|T|softmax|exp)'"
        r"|object of type '(?:int|float)' has no len",
        "This line treats a plain number like a tensor or a list.",
    ),
)
