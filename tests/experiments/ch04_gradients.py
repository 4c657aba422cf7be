"""Chapter 4: one chain rule for every weight; how the learning of W_Q starts and stops."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.gradients import backward, trace
from qkvlib.models import OneHead
from qkvlib.tasks import Agreement, Recall
from qkvlib.training import cross_entropy
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained

WEIGHTS = ("w_q", "w_k", "w_v")


def _case(seed: int) -> tuple[Tensor, dict[str, Tensor], Tensor]:
    """Return x, three projections and a random cotangent, in double precision."""
    generator = torch.Generator().manual_seed(seed)
    x, d_output = torch.randn(2, 5, 6, generator=generator, dtype=torch.float64)
    drawn = torch.randn(3, 6, 6, generator=generator, dtype=torch.float64) / math.sqrt(6)
    return x, dict(zip(WEIGHTS, drawn, strict=True)), d_output


@claim("04", "gradients by hand against autograd: largest difference", at_most=1e-12)
def by_hand(seed: int) -> float:
    x, w, d_output = _case(seed)
    ours = backward(trace(x, **w), d_output)
    leaves = [x.clone().requires_grad_(), *(w[name].clone().requires_grad_() for name in WEIGHTS)]
    theirs = torch.autograd.grad(trace(*leaves).output, leaves, d_output)
    pairs = zip((ours.d_x, ours.d_w_q, ours.d_w_k, ours.d_w_v), theirs, strict=True)
    return max(float((a - b).abs().max()) for a, b in pairs)


def _differences(seed: int, h: float) -> float:
    """Return the relative error of finite differences of step h, over all numbers of w_q."""
    x, w, d_output = _case(seed)
    exact = backward(trace(x, **w), d_output).d_w_q
    found = torch.zeros_like(exact)
    for place in range(exact.numel()):
        nudge = torch.zeros_like(exact)
        nudge.view(-1)[place] = h
        up = trace(x, **(w | {"w_q": w["w_q"] + nudge})).output
        down = trace(x, **(w | {"w_q": w["w_q"] - nudge})).output
        found.view(-1)[place] = ((up - down) * d_output).sum() / (2 * h)
    return float((found - exact).norm() / exact.norm())


@claim("04", "... against finite differences, step 1e-5: relative error", at_most=1e-8)
def differences_best(seed: int) -> float:
    return _differences(seed, 1e-5)


@claim("04", "the sum of a softmax row has no gradient: largest entry", at_most=1e-15)
def row_sum(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(5, 6, generator=generator, dtype=torch.float64).requires_grad_()
    return float(torch.autograd.grad(scores.softmax(-1).sum(), scores)[0].abs().max())


@claim("04", "one optimiser or one for each matrix: largest difference of a weight", at_most=0.0)
def one_optimiser_or_many(seed: int) -> float:
    together, apart = _by_hand(seed, one=True), _by_hand(seed, one=False)
    return max(float((together[n] - apart[n]).detach().abs().max()) for n in together)


def _by_hand(seed: int, one: bool) -> dict[str, Tensor]:
    """Run 100 steps of agreement with one Adam for all weights, or with one for each."""
    task = Agreement()
    model = OneHead(task.n_tokens, task.n_answers, seed=seed)
    weights = [weight.requires_grad_() for weight in model.weights.values()]
    groups = [weights] if one else [[weight] for weight in weights]
    optimizers = [torch.optim.Adam(group, lr=0.01) for group in groups]
    generator = torch.Generator().manual_seed(seed)
    for _ in range(100):
        batch = task.batch(64, generator)
        loss = cross_entropy(model(*batch.inputs).logits, batch.answers)
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    return model.weights


@once
def started(seed: int, zero: tuple[str, ...]) -> Run:
    """Train agreement with the weights named in `zero` starting at zero; every step is kept."""
    task = Agreement(seed)
    model = OneHead(task.n_tokens, task.n_answers, d_model=12, spread=0.1, seed=seed)
    for name in zero:
        model.weights[name].zero_()
    return trained(model, task, 300, adam(0.02), seed, every=1)


@claim("04", "W_Q = W_K = 0: largest gradient of either, over all 300 steps", at_most=0.0)
def both_zero_gradient(seed: int) -> float:
    gradients = started(seed, ("w_q", "w_k")).recording.gradients
    return max(float(gradients[name].abs().max()) for name in ("w_q", "w_k"))


@claim("04", "W_Q = W_K = 0: accuracy stays the uniform control's", at_most=0.7)
def both_zero_accuracy(seed: int) -> float:
    return started(seed, ("w_q", "w_k")).after.accuracy


@claim("04", "only W_Q = 0: accuracy, it recovers", at_least=0.99)
def one_zero_accuracy(seed: int) -> float:
    return started(seed, ("w_q",)).after.accuracy


@claim("04", "only W_Q = 0: gradient of W_K at the first step", at_most=0.0)
def one_zero_gradient(seed: int) -> float:
    return float(started(seed, ("w_q",)).recording.gradients["w_k"][0].abs().max())


def _value_over_query(seed: int, step: int) -> float:
    gradients = started(seed, ()).recording.gradients
    return float(gradients["w_v"][step].norm() / gradients["w_q"][step].norm())


@claim("04", "gradient of W_V over W_Q at the first step (about 100)", at_least=30.0)
def values_first(seed: int) -> float:
    return _value_over_query(seed, 0)


@claim("04", "... at step 20 (about 3)", at_most=20.0)
def queries_follow(seed: int) -> float:
    return _value_over_query(seed, 20)


def _first_gradients(model: OneHead, seed: int) -> dict[str, Tensor]:
    """Return the gradients of one batch of recall, without a step."""
    task = Recall()
    weights = {name: weight.detach().clone().requires_grad_() for name, weight in model.weights.items()}
    batch = task.batch(256, torch.Generator().manual_seed(seed))
    cross_entropy(model.with_weights(weights)(*batch.inputs).logits, batch.answers).backward()
    return {name: weight.grad for name, weight in weights.items() if weight.grad is not None}


def _ratio_after(seed: int, factors: dict[str, float]) -> float:
    """Return |dW_V| / |dW_Q| at the first step of recall, with some initial matrices scaled."""
    model = OneHead(16, 8, d_model=12, seed=seed)
    for name, factor in factors.items():
        model.weights[name].mul_(factor)
    gradients = _first_gradients(model, seed)
    return float(gradients["w_v"].norm() / gradients["w_q"].norm())


@claim("04", "recall, first step: gradient of W_V over W_Q", at_least=5.0)
def ratio_at_first(seed: int) -> float:
    return _ratio_after(seed, {})


@claim("04", "... weights exactly equal and keys ten times as long", at_most=3.0)
def ratio_with_equal_weights(seed: int) -> float:
    return _ratio_after(seed, {"w_q": 0.0, "w_k": 10.0})


@claim("04", "... weights exactly equal, keys as they were: that changes nothing", at_least=5.0)
def ratio_with_equal_weights_only(seed: int) -> float:
    return _ratio_after(seed, {"w_q": 0.0})


@claim("04", "... values ten times as long, weights as they were", at_most=4.0)
def ratio_with_long_values(seed: int) -> float:
    return _ratio_after(seed, {"w_v": 10.0})


@claim("04", "... queries ten times as long: unequal weights change nothing", at_least=5.0)
def ratio_with_unequal_weights(seed: int) -> float:
    return _ratio_after(seed, {"w_q": 10.0})


@claim("04", "recall, 20 steps of W_V and W_O only: growth of W_Q's gradient", at_least=1.5)
def values_wake_the_queries(seed: int) -> float:
    model = OneHead(16, 8, d_model=12, seed=seed)
    before = _first_gradients(model, seed)["w_q"].norm()
    run = trained(model, Recall(), 20, adam(0.02), seed, freeze=("embedding", "w_q", "w_k"))
    return float(_first_gradients(run.model, seed)["w_q"].norm() / before)
