"""What is solved and measured with matrices: by elimination, and by turning to the diagonal."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any

from .errors import NotInThisPage
from .joining import cat, stack
from .making import of_row
from .missing import who_has
from .products import cross, matmul, matrix_power
from .reductions import _pair, vector_norm
from .tensor import Tensor

__all__ = ["cross", "matmul", "matrix_power", "vector_norm"]


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False,
         *, dtype: Any = None) -> Tensor:  # fmt: skip
    if ord in (None, "fro") or isinstance(dim, int) or (A.ndim == 1 and dim is None):
        return vector_norm(A, 2 if ord in (None, "fro") else ord, dim, keepdim, dtype)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)


def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False) -> Tensor:
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim)
    if tuple(dim) != (-2, -1) or keepdim:
        raise NotInThisPage("`torch.linalg.matrix_norm` along those dimensions")
    if ord == 2:
        return svdvals(A)[..., 0]
    if ord == "nuc":
        return svdvals(A).sum(-1)
    if ord in (1, math.inf):
        return A.abs().sum(-2 if ord == 1 else -1).amax(-1)
    raise NotInThisPage(f"`torch.linalg.matrix_norm` of order {ord!r}")


def _need_no_gradient(name: str, *tensors: Tensor) -> None:
    if any(tensor.requires_grad for tensor in tensors):
        raise NotInThisPage(f"`torch.linalg.{name}` of a tensor that requires gradients")


def _each(A: Tensor, of: Any) -> Tensor:
    """What is made of each matrix of a batch, in a tensor."""
    if A.ndim == 2:
        return of(A)
    return stack([_each(part, of) for part in A.unbind(0)])


def _need_square(name: str, A: Tensor) -> None:
    if A.ndim < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(
            f"linalg.{name}: A must be batches of square matrices, but they are "
            f"{A.shape[-2]} by {A.shape[-1]} matrices"
        )


def _eliminated(rows: list[list[float]], n: int) -> tuple[list[list[float]], float] | None:
    """The rows with the unit matrix on their left, and the determinant of what stood there."""
    rows, det = [row[:] for row in rows], 1.0
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(rows[r][i]))
        if rows[best][i] == 0:
            return None
        if best != i:
            rows[i], rows[best], det = rows[best], rows[i], -det
        det *= rows[i][i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return rows, det


def _matrix(rows: list[list[float]], columns: int, like: Tensor) -> Tensor:
    flat = [x for row in rows for x in row]
    return of_row(flat, (len(rows), columns), like.dtype)


def _by_columns(matrix: Tensor) -> Tensor:
    """The same, lying in memory column by column, as what torch solves by LAPACK."""
    return matrix.mT.contiguous().mT


def inv(A: Tensor) -> Tensor:
    _need_square("inv", A)
    _need_no_gradient("inv", A)

    def one(matrix: Tensor) -> Tensor:
        n = matrix.shape[0]
        rows = [[*row, *(float(i == j) for j in range(n))] for i, row in enumerate(matrix.tolist())]
        found = _eliminated(rows, n)
        if found is None:
            raise RuntimeError(
                "linalg.inv: The diagonal element is zero, the inversion could not be completed "
                "because the input matrix is singular."
            )
        return _matrix([row[n:] for row in found[0]], n, A)

    return _by_columns(_each(A, one))


def det(A: Tensor) -> Tensor:
    _need_square("det", A)
    _need_no_gradient("det", A)

    def one(matrix: Tensor) -> Tensor:
        found = _eliminated(matrix.tolist(), matrix.shape[0])
        return of_row([0.0 if found is None else found[1]], (), A.dtype)

    return _each(A, one)


def solve(A: Tensor, B: Tensor) -> Tensor:
    _need_square("solve", A)
    _need_no_gradient("solve", A, B)
    if A.ndim != 2:
        raise NotInThisPage("`torch.linalg.solve` of a batch")
    right = B if B.ndim == 2 else B.unsqueeze(1)
    n = A.shape[0]
    rows = [[*a, *b] for a, b in zip(A.tolist(), right.tolist(), strict=True)]
    found = _eliminated(rows, n)
    if found is None:
        raise RuntimeError(
            "torch.linalg.solve: The solver failed because the input matrix is singular."
        )
    made = _matrix([row[n:] for row in found[0]], right.shape[1], A)
    return _by_columns(made) if B.ndim == 2 else made.squeeze(1)


def lstsq(A: Tensor, B: Tensor, *, rcond: Any = None, driver: Any = None) -> Any:
    _need_no_gradient("lstsq", A, B)
    if A.ndim != 2:
        raise NotInThisPage("`torch.linalg.lstsq` of a batch")
    kind = A.dtype
    made = pinv(A.double()) @ B.double()
    result = _pair("linalg_lstsq", "solution", "residuals")
    made = made.to(kind)
    if B.ndim == 2:  # LAPACK writes it over B, which may be taller
        below = made.new_zeros(max(A.shape[0] - A.shape[1], 0), B.shape[1])
        made = _by_columns(cat([made, below]))[: A.shape[1]]
    return result(made, A.new_zeros(0))


def pinv(A: Tensor) -> Tensor:
    U, S, Vh = svd(A, full_matrices=False)
    small = S[..., :1] * max(A.shape[-2:]) * 2.0**-52
    upside = (1 / S).masked_fill(small >= S, 0)
    return (Vh.mT * upside.unsqueeze(-2)) @ U.mT


def svdvals(A: Tensor) -> Tensor:
    return svd(A, full_matrices=False)[1]


def svd(A: Tensor, full_matrices: bool = True) -> Any:
    """Turns pairs of columns until they are all at right angles (Jacobi's way)."""
    _need_no_gradient("svd", A)
    if A.ndim != 2:
        raise NotInThisPage("`torch.linalg.svd` of a batch")
    if full_matrices and A.shape[0] != A.shape[1]:
        raise NotInThisPage("`torch.linalg.svd` with `full_matrices=True`")
    result = _triple("linalg_svd", "U", "S", "Vh")
    if A.shape[0] < A.shape[1]:
        U, S, Vh = svd(A.mT.contiguous(), False)
        return result(Vh.mT, S, U.mT)
    columns = A.double().mT.tolist()
    n = len(columns)
    turns = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        moved = 0.0
        for p in range(n):
            for q in range(p + 1, n):
                moved = max(moved, _at_right_angles(columns, turns, p, q))
        if moved < 1e-15:
            break
    lengths = [math.sqrt(sum(x * x for x in column)) for column in columns]
    order = sorted(range(n), key=lambda i: -lengths[i])
    largest = max(lengths, default=0.0)
    units = [
        [x / lengths[i] for x in columns[i]] if lengths[i] > 1e-300 else [0.0] * A.shape[0]
        for i in order
    ]
    if full_matrices and lengths and min(lengths) <= largest * 1e-14:
        raise NotInThisPage("`torch.linalg.svd` of a singular matrix")
    return result(
        _matrix(units, A.shape[0], A).mT,
        of_row([lengths[i] for i in order], (n,), A.dtype),
        _matrix([turns[i] for i in order], n, A),
    )


def _at_right_angles(columns: Any, turns: Any, p: int, q: int) -> float:
    a, b = columns[p], columns[q]
    aa, bb = sum(x * x for x in a), sum(x * x for x in b)
    ab = sum(x * y for x, y in zip(a, b, strict=True))
    if not ab or not aa or not bb:
        return 0.0
    slope = (bb - aa) / (2 * ab)
    t = math.copysign(1.0, slope) / (abs(slope) + math.hypot(1.0, slope))
    cos = 1 / math.hypot(1.0, t)
    sin = cos * t
    for pair in (columns, turns):
        one, two = pair[p], pair[q]
        pair[p] = [cos * x - sin * y for x, y in zip(one, two, strict=True)]
        pair[q] = [sin * x + cos * y for x, y in zip(one, two, strict=True)]
    return abs(ab) / math.sqrt(aa * bb)


_kinds: dict[str, Any] = {}


def _triple(name: str, *parts: str) -> Any:
    if name not in _kinds:
        _kinds[name] = namedtuple(name, parts)  # type: ignore[misc]
    return _kinds[name]


def matrix_rank(A: Tensor) -> Tensor:
    values = svdvals(A.double())
    return (values > values[..., :1] * max(A.shape[-2:]) * 2.0**-52).sum(-1)


def qr(A: Tensor, mode: str = "reduced") -> Any:
    """Each column, made to stand at a right angle to those before it, twice over."""
    _need_no_gradient("qr", A)
    if A.ndim != 2 or mode != "reduced" or A.shape[0] < A.shape[1]:
        raise NotInThisPage("`torch.linalg.qr` of that shape or mode")
    q: list[Tensor] = []
    x = A.double()
    for column in x.unbind(1):
        for _ in range(2):
            for done in q:
                column = column - done * (done @ column)
        length = column.norm()
        if float(length) < 1e-12:
            raise NotInThisPage("`torch.linalg.qr` of columns that depend on each other")
        q.append(-column / length)  # the sign that Householder's way gives
    Q = stack(q, 1)
    R = (Q.mT @ x).triu()
    parts = (_by_columns(part.to(A.dtype)) for part in (Q, R))
    return _triple("linalg_qr", "Q", "R")(*parts)


__getattr__ = who_has(__name__)
