"""From scores for the next token to one of them: which are left in, and how likely each is.

A model that writes gives every token a score. Softmax makes probabilities of them, and one token is
drawn. `temperature` says how bold the draw is; `top_k` and `top_p` leave unlikely tokens out.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import softmax


def temperature(scores: Float[Tensor, "*b n"], heat: float) -> Float[Tensor, "*b n"]:
    """The probabilities of some scores at a temperature: below 1 bolder is rarer, above 1 usual.

    softmax(scores / heat)
    """
    if heat <= 0:
        raise ValueError(f"the temperature is {heat:g}, but it must be above 0")
    return softmax(scores / heat)


def top_k(probabilities: Float[Tensor, "*b n"], k: int) -> Float[Tensor, "*b n"]:
    """Leave the k likeliest in, whatever they are; the rest gets 0, and the sum is 1 again."""
    if k < 1:
        raise ValueError(f"k is {k}, but at least one has to be left in")
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    kept = torch.arange(probabilities.shape[-1]) < k
    return _renormalised(probabilities, order, kept.expand(order.shape))


def top_p(probabilities: Float[Tensor, "*b n"], p: float) -> Float[Tensor, "*b n"]:
    """Leave in the fewest, likeliest first, that together have at least p; the sum is 1 again.

    One more belongs in as long as those before it have less than p. So the likeliest always stays,
    and how many stay is the model's own affair: few where it is sure, many where it is not. Of
    equals the first comes first.
    """
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    sorted_ = probabilities.gather(-1, order)
    kept = sorted_.cumsum(-1) - sorted_ < p
    kept[..., 0] = True
    if p >= 1:  # rounding must not leave the last ones out
        kept[:] = True
    return _renormalised(probabilities, order, kept)


def _renormalised(probabilities: Tensor, order: Tensor, kept: Tensor) -> Tensor:
    """Those that are kept, in their own places, with a sum of 1."""
    stays = torch.zeros_like(kept).scatter(-1, order, kept)
    left = probabilities.masked_fill(~stays, 0)
    return left / left.sum(-1, keepdim=True)
