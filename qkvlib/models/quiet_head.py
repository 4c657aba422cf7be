"""A head with a residual connection, which can stay silent: plain, with a sink, or with a gate."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import attention_scores, softmax, softmax_with_a_sink
from qkvlib.masks import apply_mask
from qkvlib.models.base import Answer, Draw
from qkvlib.models.one_layer import Attended, Mask, OneHead


@dataclass(eq=False)
class QuietHead(OneHead):
    """One head beside x itself: the answer is read from x and from what the head has added.

        logits = (x + attended w_o) read_out

    So the head may as well say nothing. With a `sink` its softmax has one more in the denominator.
    With a `gate` what it says is multiplied by a number between 0 and 1, which x decides:

        attended = sigmoid(x w_gate) * softmax(q k^T / sqrt(d_k)) v

    Every initial weight has the standard deviation `spread`, except for those of the gate, which
    starts half open for every question.
    """

    d_model: int = 24
    sink: bool = False
    gate: bool = False

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {}
        if self.n_tokens is not None:
            weights["embedding"] = draw(self.n_tokens, d, self.spread)
        weights |= {name: draw(d, self.d_k, self.spread) for name in ("w_q", "w_k")}
        weights |= {name: draw(d, d, self.spread) for name in ("w_v", "w_o")}
        weights["read_out"] = draw(d, self.n_answers, self.spread)
        if self.gate:
            weights["w_gate"] = torch.zeros(d, 1)
        return weights

    def __call__(self, question: Tensor, cards: Tensor, mask: Mask = None) -> Answer:
        x = self.embed(question)
        output, weights = self.attend(x, self.embed(cards), mask)
        if self.gate:
            output = output * self.open(x)
        return Answer((x + output @ self.w_o) @ self.read_out, {"head": weights.unsqueeze(1)})

    def attend(self, x: Float[Tensor, "b q d"], memory: Float[Tensor, "b n d"], mask: Mask) -> Attended:
        scores = apply_mask(attention_scores(x @ self.w_q, memory @ self.w_k), mask)
        weights = softmax_with_a_sink(scores) if self.sink else softmax(scores)
        return weights @ (memory @ self.w_v), weights

    def open(self, x: Float[Tensor, "b q d"]) -> Float[Tensor, "b q 1"]:
        """How far the gate is open for each question, from 0 to 1."""
        return torch.sigmoid(x @ self.w_gate)
