"""One attention layer that reads an image: a learned question looks at its patches."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.models.base import Answer, Draw, Model
from qkvlib.multi_head import multi_head_attention


@dataclass(eq=False)
class PatchReader(Model):
    """A vector for each patch, one reader that asks them all, and a read-out.

        memory = relu(pixels patch + places)
        logits = attention(reader, memory) read_out

    Two controls: one that does not attend averages the values of all patches, and one that is not
    placed sees the same image when its patches are rearranged.
    """

    d_model: int = 32
    n_heads: int = 4
    attends: bool = True
    placed: bool = True
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {
            "patch": draw(4, d),
            "reader": draw(1, d, spread=0.3),
            **{name: draw(d, d) for name in ("w_q", "w_k", "w_v", "w_o")},
            "w_1": draw(d, 2 * d),
            "b_1": torch.zeros(2 * d),
            "w_2": draw(2 * d, d),
            "read_out": draw(d, 10),
        }
        if self.placed:
            weights["places"] = draw(16, d, spread=0.3)
        return weights

    def __call__(self, pixels: Float[Tensor, "b 16 4"]) -> Answer:
        patches = pixels @ self.patch
        memory = torch.relu(patches + self.places if self.placed else patches)
        if self.attends:
            reader = self.reader.expand(len(pixels), 1, -1)
            x, weights = multi_head_attention(
                reader, self.w_q, self.w_k, self.w_v, self.w_o, self.n_heads, context=memory
            )
            maps = {"heads": weights}
        else:
            x, maps = memory.mean(1, keepdim=True) @ self.w_v @ self.w_o, {}
        x = x + torch.relu(x @ self.w_1 + self.b_1) @ self.w_2
        return Answer(x @ self.read_out, maps)
