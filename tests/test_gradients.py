"""Test the hand-written backward pass against autograd, finite differences and gradcheck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor
from torch.overrides import TorchFunctionMode

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.gradients import Gradients, Trace, backward, finite_differences, softmax_backward, trace
from qkvlib.masks import causal_mask
from qkvlib.multi_head import multi_head_attention, multi_head_attention_per_head
from tests.strategies import Layer, close, layers, normals, ones, refuses

# The intermediates of a Trace that can have a gradient, except for the output.
INSIDE = ("heads", "weights", "scores", "q", "k", "v")
NAMES = (*INSIDE, "w_q", "w_k", "w_v", "w_o", "x", "context")


def trainable(layer: Layer) -> Layer:
    """Return the same layer, with inputs and weights that autograd follows."""
    names = ("x", "context", "w_q", "w_k", "w_v", "w_o")
    tensors = {name: getattr(layer, name) for name in names}
    for tensor in tensors.values():
        if tensor is not None:
            tensor.requires_grad_()
    return replace(layer, **tensors)


def one_head(layer: Layer) -> Trace:
    return trace(layer.x, *layer.weights, layer.mask, layer.context)


def many_heads(layer: Layer) -> Trace:
    return trace(layer.x, *layer.weights, layer.mask, layer.context, w_o=layer.w_o, n_heads=layer.n_heads)


def heads_side_by_side(layer: Layer) -> Trace:
    return trace(layer.x, *layer.weights, layer.mask, layer.context, n_heads=layer.n_heads)


def compare(tensors: dict[str, Tensor], output: Tensor, d_output: Tensor, by_hand: object) -> None:
    """Compare autograd's gradient of each tensor with the hand-written one of the same name."""
    by_autograd = torch.autograd.grad(output, list(tensors.values()), d_output, retain_graph=True)
    for name, expected in zip(tensors, by_autograd, strict=True):
        close(getattr(by_hand, f"d_{name}"), expected)


def followed(run: object, names: tuple[str, ...]) -> dict[str, Tensor]:
    return {name: getattr(run, name) for name in names if getattr(run, name) is not None}


@given(layers())
def test_a_trace_is_attention_with_every_intermediate_kept(layer: Layer) -> None:
    source = layer.x if layer.context is None else layer.context
    run = one_head(layer)
    assert torch.equal(run.q, layer.x @ layer.w_q)
    output, weights = scaled_dot_product_attention(run.q, source @ layer.w_k, source @ layer.w_v, layer.mask)
    assert torch.equal(run.output, output)
    assert torch.equal(run.weights, weights)
    close(run.scores, run.q @ run.k.mT / run.q.shape[-1] ** 0.5)


@given(layers())
def test_a_trace_of_many_heads_is_multi_head_attention(layer: Layer) -> None:
    run = many_heads(layer)
    output, weights = multi_head_attention(
        layer.x, *layer.weights, layer.w_o, layer.n_heads, layer.mask, layer.context
    )
    close(run.output, output)
    close(run.weights, weights)


@given(layers())
def test_heads_without_w_o_are_attentions_side_by_side(layer: Layer) -> None:
    run = heads_side_by_side(layer)
    parts = [w.chunk(layer.n_heads, dim=1) for w in layer.weights]
    alone = [trace(layer.x, *w, layer.mask, layer.context) for w in zip(*parts, strict=True)]
    close(run.output, torch.cat([one.output for one in alone], dim=-1))
    for name in INSIDE:
        close(getattr(run, name), torch.stack([getattr(one, name) for one in alone], dim=-3))


@pytest.mark.parametrize("run_of", [one_head, heads_side_by_side, many_heads])
@given(layer=layers())
def test_gradients_are_autograds(run_of: Callable[[Layer], Trace], layer: Layer) -> None:
    run = run_of(trainable(layer))
    d_output = layer.d_head_output if run.w_o is None else layer.d_output
    compare(followed(run, NAMES), run.output, d_output, backward(run, d_output))


@given(layers(torch.float64, width=2))
@settings(max_examples=12)
def test_many_heads_gradients_are_finite_differences(layer: Layer) -> None:
    by_hand = backward(many_heads(layer), layer.d_output)

    for name in ("x", "context", "w_q", "w_k", "w_v", "w_o"):
        tensor = getattr(layer, name)
        if tensor is None:
            continue

        def loss(value: Tensor, name: str = name) -> Tensor:
            return (many_heads(replace(layer, **{name: value})).output * layer.d_output).sum()

        expected = finite_differences(loss, tensor)
        torch.testing.assert_close(getattr(by_hand, f"d_{name}"), expected, rtol=1e-6, atol=1e-7, msg=name)


class ByHand(torch.autograd.Function):
    """Attention for autograd, with our backward pass instead of its own."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> Tensor:
        ctx.run = trace(*tensors, mask=causal_mask(4))
        return ctx.run.output

    @staticmethod
    def backward(ctx: Any, *d_output: Tensor) -> tuple[Tensor, ...]:
        grads = backward(ctx.run, *d_output)
        return grads.d_x, grads.d_w_q, grads.d_w_k, grads.d_w_v


def test_gradcheck_accepts_attention_with_our_backward_pass() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    shapes = ((2, 4, 5), (5, 3), (5, 3), (5, 2))
    assert torch.autograd.gradcheck(ByHand.apply, [normal(*s).requires_grad_() for s in shapes])


class NoTies(TorchFunctionMode):
    """Refuse to pass a gradient through a point where two branches meet.

    Each version of torch may define the gradient at a tie, and the definition has changed: torch
    2.14 gives `total.clamp(min=1)` no gradient where the total is exactly 1.
    """

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        follows = isinstance(args[0], Tensor) and args[0].requires_grad if args else False
        if follows and name.startswith("clamp"):
            bounds = [*args[1:], *kwargs.values()]
            assert not any(bool((args[0] == b).any()) for b in bounds if b is not None), name
        if follows and name in ("amax", "amin", "max", "min", "maximum", "minimum"):
            raise AssertionError(f"{name} passes a gradient, which a tie would leave open")
        return func(*args, **kwargs)


def test_no_gradient_hangs_on_a_tie() -> None:
    """In the first row of a causal mask, the sum of the exponentials is exactly 1."""
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    masks = [None, causal_mask(4), torch.zeros(4, 4, dtype=torch.bool)]
    for mask in masks:
        x, w_q, w_k, w_v, w_o = (
            normal(*s).requires_grad_() for s in ((4, 5), (5, 6), (5, 6), (5, 6), (6, 5))
        )
        with NoTies():
            trace(x, w_q, w_k, w_v, mask)
            multi_head_attention(x, w_q, w_k, w_v, w_o, 2, mask)
            multi_head_attention_per_head(x, w_q[None], w_k[None], w_v[None], w_o, mask)


def test_what_one_weight_gains_the_others_lose() -> None:
    d_scores = softmax_backward(torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([[0.5, 0.25, 0.25]]))
    assert d_scores.tolist() == [[0.25, -0.125, -0.125]]


def test_who_attends_to_nobody_passes_nothing_back() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    mask = torch.tensor([[True, False, True], [False, False, False], [True, True, True]])
    run = trace(normal(3, 4), normal(4, 2), normal(4, 2), normal(4, 2), mask)
    by_hand = backward(run, normal(3, 2))
    assert by_hand.d_q[1].tolist() == [0, 0]
    assert (by_hand.d_scores[~mask] == 0).all()
    assert by_hand.d_x.isfinite().all()


@given(layers())
def test_gradients_are_plain_numbers_of_the_shapes_of_what_they_belong_to(layer: Layer) -> None:
    layer = trainable(layer)
    assert {f"d_{name}" for name in NAMES} | {"d_output"} == {f.name for f in fields(Gradients)}
    one, many = one_head(layer), many_heads(layer)
    both = [(one, backward(one, layer.d_head_output)), (many, backward(many, layer.d_output))]
    for run, by_hand in both:
        for name in NAMES:
            gradient, of = getattr(by_hand, f"d_{name}"), getattr(run, name)
            assert (gradient is None) == (of is None)
            assert gradient is None or gradient.shape == of.shape
            assert gradient is None or not gradient.requires_grad


def test_finite_differences_are_best_at_a_middling_step() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    x, w_q, w_k, w_v, d_output = (normal(*s) for s in ((4, 5), (5, 3), (5, 3), (5, 2), (4, 2)))
    exact = backward(trace(x, w_q, w_k, w_v), d_output).d_w_q

    def loss(w: Tensor) -> Tensor:
        return (trace(x, w, w_k, w_v).output * d_output).sum()

    def error(step: float) -> float:
        return float((finite_differences(loss, w_q, step) - exact).norm() / exact.norm())

    assert error(1e-5) < 1e-8
    assert error(1e-2) > 1000 * error(1e-5)
    assert error(1e-10) > 1000 * error(1e-5)


def test_a_trace_shows_its_fields_and_their_shapes() -> None:
    run = trace(ones(5, 4), ones(4, 6), ones(4, 6), ones(4, 2), w_o=ones(2, 3), n_heads=2)
    assert repr(run).splitlines()[:4] == ["Trace", "  x: [5, 4]", "  context: None", "  w_q: [4, 6]"]
    assert "  d_heads: [2, 5, 1]" in repr(backward(run, ones(5, 3)))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (
        lambda: trace(ones(4, 5), ones(5, 3), ones(4, 3), ones(5, 2)),
        "w_k has shape (4, 3), but x has 5 features: w_k needs 5 rows",
    ),
    (
        lambda: trace(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2), context=ones(6, 4)),
        "w_k has shape (5, 3), but context has 4 features: w_k needs 4 rows",
    ),
    (
        lambda: backward(trace(ones(4, 5), ones(5, 3), ones(5, 3), ones(5, 2)), ones(4, 1)),
        "d_output has shape (4, 1), but the output has shape (4, 2): d_output needs the same "
        "shape as the output",
    ),
    (
        lambda: trace(*(ones(4, 4) for _ in range(4)), n_heads=3),
        "w_q has shape (4, 4), but there are to be 3 heads of equal width: w_q needs a number of "
        "columns divisible by 3",
    ),
    (
        lambda: backward(trace(*(ones(4, 4) for _ in range(4)), n_heads=2), ones(4)),
        "d_output has shape (4,), but the output has shape (4, 4): d_output needs the same shape "
        "as the output",
    ),
    (
        lambda: trace(*(ones(4, 4) for _ in range(4)), w_o=ones(3, 4)),
        "w_o has shape (3, 4), but w_v has 4 columns: w_o needs 4 rows",
    ),
]


test_errors_name_the_argument_its_shape_and_the_shape_wanted = refuses(REFUSED)
