# ruff: noqa: F401 (whatever is imported here is part of `torch`)
"""The torch of a page: the parts that the course and its exercises need, in a browser's Pyodide.

There it is mounted as the package `torch`. Python handles shapes, dtypes, views, gradients and torch's error
messages; the loops over numbers are JavaScript's (`loops/`). Whatever is missing is reported by name, and
every number is the one that torch gives.
"""

from __future__ import annotations

import contextlib
from math import e, inf, nan, pi
from types import SimpleNamespace

from . import autograd as autograd
from . import complex_numbers, elementwise, indexing, joining, making, ordering, products, reductions, viewing
from . import linalg as linalg
from . import nn as nn
from . import optim as optim
from . import printing as printing
from . import random as random
from . import special as special
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .dtypes import ALL, OTHER_NAMES, device, dtype, finfo, promote_types, set_default_dtype
from .dtypes import default as get_default_dtype
from .elementwise import result_type
from .errors import NotInThisPage
from .making import as_tensor, is_tensor, tensor
from .missing import who_has
from .random import Generator, default_generator, get_rng_state, manual_seed, set_rng_state
from .registry import FUNCTIONS
from .shapes import Size
from .tensor import Tensor, TensorBase
from .viewing import broadcast_shapes, broadcast_tensors

__version__ = "2.13.0"
newaxis = None
strided, contiguous_format, preserve_format = "torch.strided", "contiguous", "preserve"
is_floating_point, numel = Tensor.is_floating_point, Tensor.numel

globals().update(ALL | OTHER_NAMES | FUNCTIONS)

# The names of torch's internals that the course uses.
_C = SimpleNamespace(DisableTorchFunctionSubclass=contextlib.nullcontext, TensorBase=TensorBase)
_threads = [1]


def get_num_threads() -> int:
    return _threads[0]


def set_num_threads(count: int) -> None:
    _threads[0] = count


__getattr__ = who_has(__name__)
