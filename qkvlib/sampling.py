"""From scores for the next token to a choice: which tokens are kept, and how likely each is.

A model that writes gives every token a score. Softmax turns them into probabilities, and one token
is sampled. `temperature` says how often unlikely tokens are chosen; `top_k` and `top_p` leave them
out.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import softmax


def temperature(scores: Float[Tensor, "*b n"], heat: float) -> Float[Tensor, "*b n"]:
    """The probabilities of some scores: unlikely tokens get rarer below temperature 1, more frequent above.

    softmax(scores / heat)
    """
    if heat <= 0:
        raise ValueError(f"the temperature is {heat:g}, but it must be above 0")
    return softmax(scores / heat)


def top_k(probabilities: Float[Tensor, "*b n"], k: int) -> Float[Tensor, "*b n"]:
    """Keep the k likeliest tokens, whatever they are; the rest get 0, and the sum is 1 again."""
    if k < 1:
        raise ValueError(f"k is {k}, but at least one has to be left in")
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    kept = torch.arange(probabilities.shape[-1]) < k
    return _renormalised(probabilities, order, kept.expand(order.shape))


def top_p(probabilities: Float[Tensor, "*b n"], p: float) -> Float[Tensor, "*b n"]:
    """Keep the fewest tokens, likeliest first, that together have at least p; the sum is 1 again.

    A token is kept as long as those before it have less than p. So the likeliest always stays, and
    how many stay depends on the model: few where it is sure, many where it is not. Of equal ones
    the first comes first.
    """
    order = probabilities.argsort(dim=-1, descending=True, stable=True)
    sorted_ = probabilities.gather(-1, order)
    kept = sorted_.cumsum(-1) - sorted_ < p
    kept[..., 0] = True
    if p >= 1:  # rounding must not leave the last ones out
        kept[:] = True
    return _renormalised(probabilities, order, kept)


def _renormalised(probabilities: Tensor, order: Tensor, kept: Tensor) -> Tensor:
    """The kept ones, at their own positions, with a sum of 1."""
    stays = torch.zeros_like(kept).scatter(-1, order, kept)
    left = probabilities.masked_fill(~stays, 0)
    return left / left.sum(-1, keepdim=True)
