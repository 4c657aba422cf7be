"""A head that keeps all cards, or one sum of them: softmax attention and linear attention."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.models.base import Answer, Draw, Model


@dataclass(eq=False)
class FixedMemory(Model):
    """A question, and cards of which it keeps one table: what is written on them is added up.

        q = embedding[question] w_q
        k, v = embedding[cards' first token] w_k, embedding[cards' second token] w_v
        logits = q (k^T v) w_o

    The key is made of the first token on a card, the value of the second, so that nothing but the
    memory stands between question and answer. With `softmax` it is the usual attention, which keeps
    every key and every value: the control.
    """

    n_tokens: int
    n_answers: int
    d_model: int = 8
    softmax: bool = False
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {"embedding": draw(self.n_tokens, d, spread=1.0)}
        weights |= {name: draw(d, d) for name in ("w_q", "w_k", "w_v")}
        weights["w_o"] = draw(d, self.n_answers)
        return weights

    def __call__(self, question: Tensor, cards: Tensor) -> Answer:
        q, k, v = self.ask(question), self.keys(cards), self.values(cards)
        if self.softmax:
            output, weights = scaled_dot_product_attention(q, k, v)
            return Answer(output @ self.w_o, {"head": weights.unsqueeze(1)})
        return Answer(q @ (k.mT @ v) @ self.w_o, {})

    def ask(self, question: Tensor) -> Float[Tensor, "b q d"]:
        """The query of each question."""
        return self.embedding[question[..., 0]] @ self.w_q

    def keys(self, cards: Tensor) -> Float[Tensor, "b n d"]:
        """What each card is found by."""
        return self.embedding[cards[..., 0]] @ self.w_k

    def values(self, cards: Tensor) -> Float[Tensor, "b n d"]:
        """What each card hands out."""
        return self.embedding[cards[..., 1]] @ self.w_v
