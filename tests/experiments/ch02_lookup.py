"""Chapter 2: a soft lookup, and why its scores are divided by sqrt(d_k)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention, soft_lookup
from tests.experiments.claims import claim
from tests.experiments.runs import once

N_KEYS = 16


@once
def scores(d_k: int, seed: int) -> Tensor:
    """Return the unscaled scores of 1,024 queries with 16 keys, all of unit variance."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 64, N_KEYS, d_k, generator=generator)
    return q @ k.transpose(-1, -2)


def frozen_rows(scores: Tensor, seed: int) -> float:
    """Return the share of rows whose scores get almost no gradient: |d_scores| < 0.001."""
    scores = scores.clone().requires_grad_()
    d_weights = torch.randn(scores.shape, generator=torch.Generator().manual_seed(seed))
    (d_scores,) = torch.autograd.grad(scores.softmax(-1), scores, d_weights)
    return float((d_scores.norm(dim=-1) < 1e-3).float().mean())


@claim("02", "a lookup as a sum in a loop and as a matrix product: largest difference", at_most=1e-12)
def sum_and_matrix(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    q, k, v = torch.randn(3, 7, 8, generator=generator, dtype=torch.float64)
    looped = []
    for query in q:
        shares = [math.exp(float(query @ key)) for key in k]
        looped.append(sum(s * value for s, value in zip(shares, v, strict=True)) / sum(shares))
    one_by_one = torch.stack([soft_lookup(query, k, v) for query in q])
    at_once = scaled_dot_product_attention(q * math.sqrt(8), k, v)[0]
    by_hand = torch.stack(looped)  # type: ignore[arg-type]
    return float(max((by_hand - one_by_one).abs().max(), (by_hand - at_once).abs().max()))


@claim("02", "variance of the scores over d_k, at 8 to 512: largest distance from 1", at_most=0.15)
def variance(seed: int) -> float:
    return max(abs(float(scores(d, seed).var()) / d - 1) for d in (8, 32, 128, 512))


@claim("02", "mean largest of 16 weights, d_k = 512, not scaled", at_least=0.93)
def largest_raw(seed: int) -> float:
    return float(scores(512, seed).softmax(-1).amax(-1).mean())


@claim("02", "mean largest of 16 weights, d_k = 512, scaled", at_most=0.27)
def largest_scaled(seed: int) -> float:
    return float((scores(512, seed) / math.sqrt(512)).softmax(-1).amax(-1).mean())


@claim("02", "rows whose softmax passes no gradient on, d_k = 512, not scaled", at_least=0.45)
def frozen_raw(seed: int) -> float:
    return frozen_rows(scores(512, seed), seed)


@claim("02", "rows whose softmax passes no gradient on, d_k = 512, scaled", at_most=0.0)
def frozen_scaled(seed: int) -> float:
    return frozen_rows(scores(512, seed) / math.sqrt(512), seed)


@claim("02", "the norm of W_Q's gradient grows all the same: d_k = 512 over d_k = 8", at_least=2.0)
def gradient_norm(seed: int) -> float:
    return _query_gradient(512, seed) / _query_gradient(8, seed)


def _query_gradient(d: int, seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    x, target = torch.randn(2, 32, N_KEYS, d, generator=generator)
    w_q, w_k, w_v = torch.randn(3, d, d, generator=generator) / math.sqrt(d)
    w_q.requires_grad_()
    weights = ((x @ w_q) @ (x @ w_k).transpose(-1, -2)).softmax(-1)
    loss = ((weights @ (x @ w_v) - target) ** 2).mean()
    return float(torch.autograd.grad(loss, w_q)[0].norm())
