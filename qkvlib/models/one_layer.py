"""One attention head, or several side by side, between a question and some cards."""

from __future__ import annotations

from collections.abc import Collection

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention, softmax
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.multi_head import multi_head_attention, multi_head_attention_cut_input

Attended = tuple[Float[Tensor, "b q d"], Float[Tensor, "b q n"]]


class OneHead(Model):
    """A question, some cards, one head: each card is heard in proportion to its weight.

        x = embedding[question], memory = embedding[cards]
        q = x w_q,  k = memory w_k,  v = memory w_v
        logits = softmax(q k^T / sqrt(d_k)) v w_o

    The tokens that lie on one card are added: a card's vector is the sum of theirs. Without
    `n_tokens` there is no embedding, and the inputs are vectors already. `spread` is the standard
    deviation of the first embedding: at 0.1 to 0.3 attention starts uniform and ends readable.
    """

    def __init__(
        self,
        n_tokens: int | None,
        n_answers: int,
        d_model: int = 12,
        d_k: int | None = None,
        spread: float = 0.3,
        seed: int = 0,
    ) -> None:
        self.n_tokens, self.n_answers, self.d_model = n_tokens, n_answers, d_model
        self.d_k, self.spread, self.seed = d_k or d_model, spread, seed
        draw = Draw(seed)
        self.weights = {}
        if n_tokens is not None:
            self.weights["embedding"] = draw(n_tokens, d_model, spread)
        self.weights |= {
            "w_q": draw(d_model, self.d_k),
            "w_k": draw(d_model, self.d_k),
            "w_v": draw(d_model, d_model),
            "w_o": draw(d_model, n_answers),
        }

    def __call__(
        self, question: Tensor, cards: Tensor, mask: Bool[Tensor, "b q n"] | None = None
    ) -> Answer:
        output, weights = self.attend(self.embed(question), self.embed(cards), mask)
        return Answer(output @ self.w_o, {"head": weights.unsqueeze(1)})

    def embed(self, tokens: Tensor) -> Float[Tensor, "b n d"]:
        """The vector of each place: the sum of its tokens' rows of the embedding."""
        return tokens if self.n_tokens is None else self.embedding[tokens].sum(-2)

    def attend(
        self,
        x: Float[Tensor, "b q d"],
        memory: Float[Tensor, "b n d"],
        mask: Bool[Tensor, "b q n"] | None,
    ) -> Attended:
        q, k, v = x @ self.w_q, memory @ self.w_k, memory @ self.w_v
        return scaled_dot_product_attention(q, k, v, mask)


class TiedHead(OneHead):
    """One head whose keys are made by the queries' own matrix: w_k is w_q."""

    def __init__(
        self,
        n_tokens: int | None,
        n_answers: int,
        d_model: int = 12,
        spread: float = 0.3,
        seed: int = 0,
    ) -> None:
        super().__init__(n_tokens, n_answers, d_model, spread=spread, seed=seed)
        del self.weights["w_k"]

    @property
    def w_k(self) -> Tensor:
        return self.w_q


class UniformHead(OneHead):
    """A control that cannot choose: every card it may see weighs the same."""

    def attend(
        self,
        x: Float[Tensor, "b q d"],
        memory: Float[Tensor, "b n d"],
        mask: Bool[Tensor, "b q n"] | None,
    ) -> Attended:
        equal = torch.zeros(*x.shape[:2], memory.shape[1])
        if mask is not None:
            equal = equal.masked_fill(~mask, -torch.inf)
        weights = softmax(equal)
        return weights @ (memory @ self.w_v), weights


class UnscaledHead(OneHead):
    """One head whose scores are not divided by sqrt(d_k)."""

    def attend(
        self,
        x: Float[Tensor, "b q d"],
        memory: Float[Tensor, "b n d"],
        mask: Bool[Tensor, "b q n"] | None,
    ) -> Attended:
        # multiplying q by sqrt(d_k) undoes the division
        q, k, v = x @ self.w_q * self.d_k**0.5, memory @ self.w_k, memory @ self.w_v
        return scaled_dot_product_attention(q, k, v, mask)


class MultiHead(Model):
    """The same question and cards with several heads, whose outputs w_o mixes into one vector.

    q, k, v = x w_q, memory w_k, memory w_v, each cut into n_heads pieces
    logits = merge(softmax(q_i k_i^T / sqrt(d_k)) v_i) w_o read_out
    """

    def __init__(
        self,
        n_tokens: int | None,
        n_answers: int,
        d_model: int = 16,
        n_heads: int = 2,
        spread: float = 0.5,
        seed: int = 0,
    ) -> None:
        self.n_tokens, self.n_answers, self.d_model = n_tokens, n_answers, d_model
        self.n_heads, self.spread, self.seed = n_heads, spread, seed
        draw = Draw(seed)
        self.weights = {}
        if n_tokens is not None:
            self.weights["embedding"] = draw(n_tokens, d_model, spread)
        self.weights |= {name: draw(d_model, d_model) for name in ("w_q", "w_k", "w_v", "w_o")}
        self.weights["read_out"] = draw(d_model, n_answers)

    def __call__(
        self,
        question: Tensor,
        cards: Tensor,
        mask: Bool[Tensor, "b q n"] | None = None,
        ablate: Collection[int] = (),
    ) -> Answer:
        """`ablate` names heads (0, 1, ...) to silence, to see what they were for."""
        x, memory = self.embed(question), self.embed(cards)
        w_o = without_heads(self.w_o, ablate, self.n_heads)
        output, weights = multi_head_attention(
            x, self.w_q, self.w_k, self.w_v, w_o, self.n_heads, mask, context=memory
        )
        return Answer(output @ self.read_out, {"heads": weights})

    def embed(self, tokens: Tensor) -> Float[Tensor, "b n d"]:
        """The vector of each place: the sum of its tokens' rows of the embedding."""
        return tokens if self.n_tokens is None else self.embedding[tokens].sum(-2)

    def start_equal(self) -> MultiHead:
        """Make every head a copy of the first: its columns of w_q, w_k, w_v, its rows of w_o."""
        d_k = self.d_model // self.n_heads
        for name in ("w_q", "w_k", "w_v"):
            self.weights[name] = self.weights[name][:, :d_k].repeat(1, self.n_heads)
        self.weights["w_o"] = self.weights["w_o"][:d_k].repeat(self.n_heads, 1)
        return self


class SplitFirst(Model):
    """x is cut into pieces before the projection, so that each head sees its own piece alone.

    There is one small matrix a head, [n_heads, d_k, d_k]. The inputs are vectors already.
    """

    def __init__(self, n_answers: int, d_model: int = 16, n_heads: int = 2, seed: int = 0) -> None:
        self.n_answers, self.d_model, self.n_heads, self.seed = n_answers, d_model, n_heads, seed
        d_k, draw = d_model // n_heads, Draw(seed)
        self.weights = {
            name: torch.stack([draw(d_k, d_k) for _ in range(n_heads)])
            for name in ("w_q", "w_k", "w_v")
        }
        self.weights["w_o"] = draw(d_model, d_model)
        self.weights["read_out"] = draw(d_model, n_answers)

    def __call__(self, x: Float[Tensor, "b q d"], memory: Float[Tensor, "b n d"]) -> Answer:
        output, weights = multi_head_attention_cut_input(
            x, self.w_q, self.w_k, self.w_v, self.w_o, context=memory
        )
        return Answer(output @ self.read_out, {"heads": weights})


def without_heads(
    w_o: Float[Tensor, "width d"], heads: Collection[int], n_heads: int
) -> Float[Tensor, "width d"]:
    """w_o with the rows of these heads set to zero: nobody hears what they found."""
    if not heads:
        return w_o
    heard = torch.tensor([head not in heads for head in range(n_heads)])
    return w_o * heard.repeat_interleave(len(w_o) // n_heads)[:, None]
