"""Test that the engine in the page computes what torch does: every intermediate and every gradient."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from torch import Tensor
from torch.nn.functional import mse_loss

from tests.node import Node
from tests.strategies import generators, normals, sizes

INSIDE = ("heads", "weights", "scores", "q", "k", "v")
WEIGHTS = ("w_q", "w_k", "w_v", "w_o", "x", "context")
Case = dict[str, Any]


@pytest.fixture(scope="module")
def engine() -> Iterator[Node]:
    with Node(Path(__file__).parent / "answer.mjs") as node:
        yield node


@st.composite
def cases(draw: DrawFn) -> Case:
    """Draw one layer without a batch: 1 to 8 heads, independent sizes, some queries with nothing to see.

    Scores grow with the square of `reach`, to ten thousand.
    """
    reach = draw(st.sampled_from([1.0, 60.0]))
    n, m, d_x, d_source, d_out, d_k, d_v = (draw(sizes) for _ in range(7))
    n_heads = draw(st.integers(1, 8))
    crossed, projected, masked = (draw(st.booleans()) for _ in range(3))
    if not crossed:
        m, d_source = n, d_x
    normal = normals(draw(generators), torch.float64)
    width = d_out if projected else n_heads * d_v
    case: Case = {
        "x": reach * normal(n, d_x),
        "context": reach * normal(m, d_source) if crossed else None,
        "w_q": normal(d_x, n_heads * d_k),
        "w_k": normal(d_source, n_heads * d_k),
        "w_v": normal(d_source, n_heads * d_v),
        "w_o": normal(n_heads * d_v, d_out) if projected else None,
        "n_heads": n_heads,
        "mask": normal(n, m) < 0.3 if masked else None,
        "d_output": normal(n, width),
        "target": normal(n, width),
    }
    if masked and draw(st.booleans()):
        case["mask"][draw(st.integers(0, n - 1))] = False
    return case


def by_torch(case: Case) -> dict[str, Any]:
    """Compute the same pass with torch's operations, and its gradients by autograd."""
    leaves = {name: case[name] for name in WEIGHTS if case[name] is not None}
    leaves = {name: tensor.clone().requires_grad_() for name, tensor in leaves.items()}
    x, n_heads = leaves["x"], case["n_heads"]
    source = leaves.get("context", x)

    def split(table: Tensor) -> Tensor:
        return torch.stack(table.chunk(n_heads, dim=1))

    q, k, v = split(x @ leaves["w_q"]), split(source @ leaves["w_k"]), split(source @ leaves["w_v"])
    scores = q @ k.mT / q.shape[-1] ** 0.5
    mask = torch.ones(scores.shape[1:], dtype=torch.bool) if case["mask"] is None else case["mask"]
    somebody = mask.any(dim=1, keepdim=True)
    weights = scores.masked_fill(~(mask | ~somebody), -torch.inf).softmax(-1) * somebody
    heads = weights @ v
    output = torch.cat(list(heads), dim=1)
    if "w_o" in leaves:
        output = output @ leaves["w_o"]
    inside = (heads, weights, scores, q, k, v)
    found = dict(zip(INSIDE, inside, strict=True)) | {"output": output}
    wanted = {**dict(zip(INSIDE, inside, strict=True)), **leaves}
    d_output = case["d_output"]
    gradients = torch.autograd.grad(output, list(wanted.values()), d_output, allow_unused=True)
    for (name, tensor), gradient in zip(wanted.items(), gradients, strict=True):
        found[f"d_{name}"] = torch.zeros_like(tensor) if gradient is None else gradient
    output = output.detach().requires_grad_()
    found["loss"] = mse_loss(output, case["target"])
    (found["slope"],) = torch.autograd.grad(found["loss"], output)
    return found


def packed(table: Tensor | None) -> Any:
    if table is None:
        return None
    rows, cols = table.shape
    return {"rows": rows, "cols": cols, "numbers": table.flatten().tolist()}


def by_engine(engine: Node, case: Case) -> dict[str, Any]:
    mask = None if case["mask"] is None else case["mask"].flatten().tolist()
    given = {name: packed(case[name]) for name in WEIGHTS}
    given |= {"mask": mask, "n_heads": case["n_heads"]}
    question = {name: packed(case[name]) for name in ("d_output", "target")} | {"given": given}
    return dict(engine.ask(question))


@given(case=cases())
def test_every_number_is_the_one_that_torch_finds(engine: Node, case: Case) -> None:
    """Each is within 1e-5 of torch's, relative to the largest in its matrix."""
    ours = by_engine(engine, case)
    theirs = by_torch(case)
    missing = {name for name, value in ours.items() if value is not None} ^ {*theirs, "d_output"}
    assert not missing, missing
    for name, expected in theirs.items():
        found = torch.tensor(ours[name], dtype=torch.float64).flatten()
        size = max(expected.abs().max().item(), 1e-12)
        assert (found - expected.detach().flatten()).abs().max() <= 1e-5 * size, name
