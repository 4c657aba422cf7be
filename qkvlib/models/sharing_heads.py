"""Heads side by side, some of whose matrices are one for all."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.multi_head import merge_heads, same_for_all_heads, split_heads


@dataclass(eq=False)
class SharingHeads(Model):
    """A question, some cards, several heads: each has its own matrices, or shares them.

        x = embedding[question], memory = embedding[cards]
        q, k, v = x w_q, memory w_k, memory w_v, each cut into pieces of d_k columns
        logits = merge(softmax(q_i k_i^T / sqrt(d_k)) v_i) w_o

    What `shared` names is one for all heads, and has the columns of a single head:
    `shared="w_k w_v"` are heads that differ in their queries alone.
    """

    n_tokens: int
    n_answers: int
    d_model: int = 32
    n_heads: int = 2
    d_k: int = 8
    shared: str = ""
    spread: float = 0.3
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw = Draw(self.seed)
        weights = {"embedding": draw(self.n_tokens, self.d_model, self.spread)}
        for name in ("w_q", "w_k", "w_v"):
            weights[name] = draw(self.d_model, self._pieces(name) * self.d_k)
        weights["w_o"] = draw(self.n_heads * self.d_k, self.n_answers)
        return weights

    def __call__(self, question: Tensor, cards: Tensor, mask: Bool[Tensor, "b q n"] | None = None) -> Answer:
        q, k, v = (own.expand(-1, self.n_heads, -1, -1) for own in self.project(question, cards))
        heads, weights = scaled_dot_product_attention(q, k, v, same_for_all_heads(mask))
        return Answer(merge_heads(heads) @ self.w_o, {"heads": weights})

    def project(
        self, question: Tensor, cards: Tensor
    ) -> tuple[Float[Tensor, "b h_q q d_k"], Float[Tensor, "b h_k n d_k"], Float[Tensor, "b h_v n d_k"]]:
        """Queries, keys and values, one for each head, or a single one where they are shared."""
        x, memory = self.embed(question), self.embed(cards)
        q = split_heads(x @ self.w_q, self._pieces("w_q"))
        k = split_heads(memory @ self.w_k, self._pieces("w_k"))
        return q, k, split_heads(memory @ self.w_v, self._pieces("w_v"))

    def embed(self, tokens: Tensor) -> Float[Tensor, "b n d"]:
        """The vector of each place: the sum of its tokens' rows of the embedding."""
        return self.embedding[tokens].sum(-2)

    def _pieces(self, name: str) -> int:
        return 1 if name in self.shared.split() else self.n_heads
