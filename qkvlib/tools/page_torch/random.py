"""Random numbers: the same as torch draws on a CPU from the same seed."""

from __future__ import annotations

from array import array
from typing import Any

from .autograd import no_grad
from .dtypes import CPU, default, dtype, float64, int64, uint8
from .engine import run
from .errors import NotInThisPage, not_implemented
from .making import by_size, converted
from .missing import who_has
from .registry import op
from .shapes import sizes_of
from .tensor import Tensor, empty, may_change, of_row, overwrite

_WORDS = 627  # 624 of the Mersenne twister, how many were used, and a normal number that is left over


class Generator:
    """Draws numbers from a state of its own."""

    device = CPU

    def __init__(self, device: Any = "cpu") -> None:
        self._state: Tensor | None = None
        self._seed = 67280421310721  # as in torch

    def manual_seed(self, seed: Any) -> Generator:
        self._seed = int(seed)
        self._state = None
        return self

    def state(self) -> Tensor:
        if self._state is None:
            self._state = empty((_WORDS,), float64)
            run("seed", (empty((1,), float64),), (self._state,), self._seed % 2**32)
        return self._state

    def get_state(self) -> Tensor:
        """Return the state as bytes, as torch does, though not the same bytes."""
        return of_row(self.state()._storage.numbers.tobytes(), (8 * _WORDS,), uint8)

    def set_state(self, state: Tensor) -> Generator:
        words = array("d", bytes(state._row()))
        if len(words) != _WORDS:
            raise RuntimeError("Invalid mt19937 state")
        self._state = of_row(words, (_WORDS,), float64)
        return self


default_generator = Generator()
manual_seed, get_rng_state = default_generator.manual_seed, default_generator.get_state


def set_rng_state(state: Tensor) -> None:
    default_generator.set_state(state)


def _draw(kernel: str, shape: Any, kind: dtype, generator: Any, *numbers: float) -> Tensor:
    made = empty(shape, kind)
    if generator is not None and not isinstance(generator, Generator):
        raise TypeError(f"{kernel}: expected a torch.Generator, not {type(generator).__name__}")
    run(kernel, (made,), ((generator or default_generator).state(),), *numbers)
    return made


def _by_size(name: str, kernel: str) -> None:
    def fill(shape: Any, kind: dtype, generator: Any) -> Tensor:
        if kind.rank < 2:
            raise not_implemented("check_uniform_bounds", kind.word)
        return _draw(kernel, shape, kind, generator)

    by_size(name, fill)


_by_size("rand", "uniform")
_by_size("randn", "normal")


@op("randint", method=False, tensor_first=False)
def randint(
    *args: Any,
    low: int | None = None,
    high: int | None = None,
    size: Any = None,
    generator: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    given = list(args)
    if given and isinstance(given[-1], (tuple, list)):
        size = given.pop()
    if given and high is None:
        high = given.pop()
    if given:
        low = given.pop()
    low, high = int(low or 0), int(high)  # type: ignore[arg-type]
    if size is None:
        raise TypeError("randint() missing the argument 'size'")
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    kind = dtype or int64
    return _draw("integers", sizes_of("randint", (size,)), kind, generator, low, high - low)


@op("randperm", method=False, tensor_first=False)
def randperm(n: int, *, generator: Any = None, dtype: dtype | None = None) -> Tensor:
    return _draw("permutation", (n,), dtype or int64, generator)


@op("multinomial")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    p = input.detach()
    if p.dtype.rank < 2:
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {p.dtype.word}")
    if not 1 <= p.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if replacement and num_samples > 1:
        raise NotInThisPage("`multinomial` with replacement")
    if num_samples > p.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if not p.isfinite().all() or (p < 0).any():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (p.sum(-1) <= 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    # Draw a waiting time for each, shorter on average for the likelier ones, and take the shortest.
    waits = -(-_draw("uniform", p.shape, float64, generator)).log1p()
    return (converted(p, float64) / waits.clamp(min=1e-300)).topk(num_samples, -1)[1]


# In place


@op("uniform_", function=False)
def uniform_(input: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Tensor:
    return _drawn_into(input, "uniform", generator, b - a, a)


@op("normal_", function=False)
def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    return _drawn_into(input, "normal", generator, std, mean)


def _drawn_into(input: Tensor, kernel: str, generator: Any, scale: float, shift: float) -> Tensor:
    may_change(input)
    with no_grad():
        overwrite(input, _draw(kernel, input.shape, input.dtype, generator) * scale + shift)
    return input


@op("dropout", method=False)
def dropout(input: Tensor, p: float = 0.5, train: bool = True) -> Tensor:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not train or not p:
        return input
    stays = _draw("uniform", input.shape, default(), None) >= p
    return input * converted(stays, input.dtype) * (0.0 if p == 1 else 1 / (1 - p))


__getattr__ = who_has(__name__)
