"""One attention head, or several side by side, between a question and some cards."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention, softmax
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.multi_head import multi_head_attention, multi_head_attention_cut_input

Mask = Bool[Tensor, "b q n"] | None
Attended = tuple[Float[Tensor, "b q d"], Float[Tensor, "b q n"]]


@dataclass(eq=False)
class OneHead(Model):
    """A question, some cards, one head: each card is heard in proportion to its weight.

        x = embedding[question], memory = embedding[cards]
        q = x w_q,  k = memory w_k,  v = memory w_v
        logits = softmax(q k^T / sqrt(d_k)) v w_o

    The vectors of the tokens on one card are added. Without `n_tokens` there is no embedding, and the
    inputs are vectors already. Without `d_k` queries and keys are as wide as x, and without `d_v` values
    are. `spread` is the standard deviation of the first embedding: at 0.1 to 0.3
    attention starts uniform and ends readable.
    """

    n_tokens: int | None
    n_answers: int
    d_model: int = 12
    d_k: int = 0
    spread: float = 0.3
    seed: int = 0
    d_v: int = 0

    def __post_init__(self) -> None:
        self.d_k = self.d_k or self.d_model
        self.d_v = self.d_v or self.d_model
        super().__post_init__()

    def first_weights(self) -> dict[str, Tensor]:
        draw = Draw(self.seed)
        weights = {}
        if self.n_tokens is not None:
            weights["embedding"] = draw(self.n_tokens, self.d_model, self.spread)
        weights["w_q"] = draw(self.d_model, self.d_k)
        weights["w_k"] = draw(self.d_model, self.d_k)
        weights["w_v"] = draw(self.d_model, self.d_v)
        weights["w_o"] = draw(self.d_v, self.n_answers)
        return weights

    def __call__(self, question: Tensor, cards: Tensor, mask: Mask = None) -> Answer:
        output, weights = self.attend(self.embed(question), self.embed(cards), mask)
        return Answer(output @ self.w_o, {"head": weights.unsqueeze(1)})

    def embed(self, tokens: Tensor) -> Float[Tensor, "b n d"]:
        """The vector of each place: the sum of its tokens' rows of the embedding."""
        return tokens if self.n_tokens is None else self.embedding[tokens].sum(-2)

    def attend(self, x: Float[Tensor, "b q d"], memory: Float[Tensor, "b n d"], mask: Mask) -> Attended:
        q, k, v = x @ self.w_q, memory @ self.w_k, memory @ self.w_v
        return scaled_dot_product_attention(q, k, v, mask)


@dataclass(eq=False)
class TiedHead(OneHead):
    """One head with fewer than three matrices.

    Those that `tied` names are one and the same: by default w_k is w_q. Tied matrices need the same shape,
    so d_v is d_k where values are tied. What is `left_out` is the identity, which needs d_k = d_model.
    """

    tied: str = "w_q w_k"
    left_out: str = ""

    def first_weights(self) -> dict[str, Tensor]:
        weights = super().first_weights()
        for name in (*self.tied.split()[1:], *self.left_out.split()):
            del weights[name]
        return weights

    @property
    def w_q(self) -> Tensor:
        return self._matrix("w_q")

    @property
    def w_k(self) -> Tensor:
        return self._matrix("w_k")

    @property
    def w_v(self) -> Tensor:
        return self._matrix("w_v")

    def _matrix(self, name: str) -> Tensor:
        if name in self.left_out.split():
            return torch.eye(self.d_model)
        tied = self.tied.split()
        return self.weights[tied[0] if name in tied else name]


class UniformHead(OneHead):
    """A control that cannot choose: every card it may see weighs the same."""

    def attend(self, x: Float[Tensor, "b q d"], memory: Float[Tensor, "b n d"], mask: Mask) -> Attended:
        equal = torch.zeros(*x.shape[:2], memory.shape[1])
        if mask is not None:
            equal = equal.masked_fill(~mask, -torch.inf)
        weights = softmax(equal)
        return weights @ (memory @ self.w_v), weights


class UnscaledHead(OneHead):
    """One head whose scores are not divided by sqrt(d_k)."""

    def attend(self, x: Float[Tensor, "b q d"], memory: Float[Tensor, "b n d"], mask: Mask) -> Attended:
        # multiplying q by sqrt(d_k) undoes the division
        q, k, v = x @ self.w_q * self.d_k**0.5, memory @ self.w_k, memory @ self.w_v
        return scaled_dot_product_attention(q, k, v, mask)


@dataclass(eq=False)
class MultiHead(Model):
    """The same question and cards with several heads, whose outputs w_o mixes into one vector.

    q, k, v = x w_q, memory w_k, memory w_v, each cut into n_heads pieces
    logits = merge(softmax(q_i k_i^T / sqrt(d_k)) v_i) w_o read_out
    """

    n_tokens: int | None
    n_answers: int
    d_model: int = 16
    n_heads: int = 2
    spread: float = 0.5
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {}
        if self.n_tokens is not None:
            weights["embedding"] = draw(self.n_tokens, d, self.spread)
        weights |= {name: draw(d, d) for name in ("w_q", "w_k", "w_v", "w_o")}
        weights["read_out"] = draw(d, self.n_answers)
        return weights

    def __call__(
        self,
        question: Tensor,
        cards: Tensor,
        mask: Mask = None,
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


@dataclass(eq=False)
class OwnHeads(Model):
    """Several heads that a function of yours computes, between some cards and a question.

        x = embedding[cards], then embedding[question]
        logits = attend(x, w_q, w_k, w_v, w_o, n_heads, mask), of which the last row is read

    Card and question are words of one sentence, of which the last one asks. The `mask` [n, n] says
    who may look at whom: nobody at the question. So what is drawn is the question's look at the
    cards. The embedding stays as it was drawn.
    """

    attend: Callable[..., tuple[Tensor, Tensor]] = field(repr=False)
    mask: Bool[Tensor, "n n"] = field(repr=False)
    n_tokens: int
    n_answers: int
    d_model: int = 16
    n_heads: int = 2
    seed: int = 0

    @property
    def runs_foreign(self) -> bool:
        return True

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {"embedding": draw(self.n_tokens, d, spread=1.0)}
        weights |= {name: draw(d, d) for name in ("w_q", "w_k", "w_v")}
        return weights | {"w_o": draw(d, self.n_answers)}

    def __call__(self, question: Tensor, cards: Tensor, ablate: Collection[int] = ()) -> Answer:
        """`ablate` names heads (0, 1, ...) to silence, to see what they were for."""
        w_o = without_heads(self.w_o, ablate, self.n_heads)
        x, (w_q, w_k, w_v) = self.sentence(question, cards), (self.w_q, self.w_k, self.w_v)
        output, weights = self.attend(x, w_q, w_k, w_v, w_o, self.n_heads, self.mask)
        return Answer(output[:, -1:], {"heads": weights[:, :, -1:, :-1]})

    def sentence(self, question: Tensor, cards: Tensor) -> Float[Tensor, "b n d"]:
        """The vectors of the cards and, last, that of the question: each the sum of its tokens'."""
        return self.embedding[torch.cat([cards, question], dim=1)].sum(-2)


@dataclass(eq=False)
class SplitFirst(Model):
    """x is cut into pieces before the projection, so that each head sees its own piece alone.

    There is one small matrix a head, [n_heads, d_k, d_k]. The inputs are vectors already.
    """

    n_answers: int
    d_model: int = 16
    n_heads: int = 2
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        d_k, draw = self.d_model // self.n_heads, Draw(self.seed)
        weights = {
            name: torch.stack([draw(d_k, d_k) for _ in range(self.n_heads)]) for name in ("w_q", "w_k", "w_v")
        }
        weights["w_o"] = draw(self.d_model, self.d_model)
        weights["read_out"] = draw(self.d_model, self.n_answers)
        return weights

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
