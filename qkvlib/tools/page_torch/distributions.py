"""`torch.distributions`, as far as a page has it: categories."""

from __future__ import annotations

from typing import Any

from .missing import who_has
from .random import multinomial
from .tensor import Tensor


class Categorical:
    """A choice among categories, by probabilities or by scores."""

    def __init__(self, probs: Tensor | None = None, logits: Tensor | None = None) -> None:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            eps = 2.0**-23 if probs.dtype.name == "float32" else 2.0**-52
            self.logits = self.probs.clamp(eps, 1 - eps).log()
        else:
            self.logits = logits - logits.logsumexp(-1, keepdim=True)
            self.probs = self.logits.softmax(-1)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        count = 1
        for size in sample_shape:
            count *= size
        rows = self.probs.reshape(-1, self.probs.shape[-1])
        drawn = multinomial(rows, count, True).t()
        return drawn.reshape((*sample_shape, *self.probs.shape[:-1]))

    def log_prob(self, value: Tensor) -> Tensor:
        return self.logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> Tensor:
        return -(self.logits.clamp(min=-3.4e38) * self.probs).sum(-1)


__getattr__ = who_has(__name__)
