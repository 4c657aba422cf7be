"""An encoder-decoder: two encoder blocks read the letters, one decoder block says the sounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor

from qkvlib.data import FOLDER
from qkvlib.masks import causal_mask
from qkvlib.models.base import Answer, Draw, Model
from qkvlib.models.blocks import (
    attend,
    attention_weights_of,
    encoder_block,
    feed_forward,
    feed_forward_weights_of,
    layer_norm,
    part_of,
    under,
)
from qkvlib.tasks.pronunciation import END, LETTERS, SOUNDS, START, letters, sounds, spelling

PRETRAINED = FOLDER / "pronouncer.safetensors"


@dataclass(frozen=True)
class Reading:
    """A word read aloud: `weights` has a row for each sound and for the end, a column a letter."""

    word: str
    sounds: tuple[str, ...]
    weights: Float[Tensor, "m n"]

    @property
    def rows(self) -> list[str]:
        """The names of the rows: who asks."""
        return [*self.sounds, "end"]

    @property
    def columns(self) -> list[str]:
        """The names of the columns: who answers."""
        return [*self.word, "end"]


@dataclass(eq=False)
class Pronouncer(Model):
    """Letters in, sounds out. The decoder's cross-attention asks; the letters answer.

    The encoder and the decoder's look at its own past have `n_heads` heads. Cross-attention has
    one head, which costs nothing in accuracy and leaves one map to read.
    """

    LONGEST: ClassVar[int] = 24

    n_layers: int = 2
    d_model: int = 64
    n_heads: int = 4
    seed: int = 0

    def first_weights(self) -> dict[str, Tensor]:
        draw, d = Draw(self.seed), self.d_model
        weights = {
            "letters.embedding": draw(len(LETTERS), d, spread=0.3),
            "letters.places": draw(self.LONGEST, d, spread=0.1),
            "sounds.embedding": draw(len(SOUNDS), d, spread=0.3),
            "sounds.places": draw(self.LONGEST, d, spread=0.1),
        }
        for layer in range(1, self.n_layers + 1):
            block = attention_weights_of(draw, d) | feed_forward_weights_of(draw, d, 2 * d)
            weights |= under(f"encoder_{layer}", block)
        weights |= under("decoder", attention_weights_of(draw, d))
        weights |= under("cross", attention_weights_of(draw, d))
        weights |= under("decoder", feed_forward_weights_of(draw, d, 2 * d))
        for last in ("memory", "spoken"):
            weights[f"{last}.norm_gain"] = torch.ones(d)
            weights[f"{last}.norm_shift"] = torch.zeros(d)
        weights["read_out"] = draw(d, len(SOUNDS))
        return weights

    @classmethod
    def pretrained(cls) -> Pronouncer:
        """The model that ships, 17,000 steps old; `qkvlib/data/pronouncer.md` says how good."""
        model = cls(seed=1)
        model.load(PRETRAINED)
        return model

    def __call__(self, spelt: Int[Tensor, "b n"], heard: Int[Tensor, "b m"]) -> Answer:
        memory, _ = self.encode(spelt)
        logits, maps = self.decode(heard, memory)
        return Answer(logits, {"cross": maps["cross"]})

    def encode(self, spelt: Int[Tensor, "b n"]) -> tuple[Float[Tensor, "b n d"], dict[str, Tensor]]:
        """Read the letters once: a vector for each of them, that knows its neighbours."""
        x = self._enter("letters", spelt)
        maps = {}
        for layer in range(1, self.n_layers + 1):
            name = f"encoder_{layer}"
            x, maps[name] = encoder_block(x, part_of(self.weights, name), self.n_heads)
        return self._norm("memory", x), maps

    def decode(
        self, heard: Int[Tensor, "b m"], memory: Float[Tensor, "b n d"]
    ) -> tuple[Float[Tensor, "b m n_sounds"], dict[str, Tensor]]:
        """After each sound heard so far, a score for every sound that could come next."""
        own, cross = part_of(self.weights, "decoder"), part_of(self.weights, "cross")
        x = self._enter("sounds", heard)
        normed = self._norm("decoder", x)
        looked, past = attend(normed, normed, own, self.n_heads, causal_mask(heard.shape[1]))
        x = x + looked
        looked, alignment = attend(self._norm("cross", x), memory, cross, n_heads=1)
        x = x + looked
        x = x + feed_forward(x, own)
        logits = self._norm("spoken", x) @ self.read_out
        return logits, {"decoder": past, "cross": alignment}

    def pronounce(self, words: Sequence[str]) -> list[list[str]]:
        """The likeliest sound, again and again, until `<end>`; the words must be of one length."""
        memory, _ = self.encode(letters(words))
        said = torch.full((len(words), 1), START)
        while said.shape[1] < self.LONGEST and not (said == END).any(1).all():
            logits, _ = self.decode(said, memory)
            said = torch.cat([said, logits[:, -1:].argmax(-1)], dim=1)
        return [[SOUNDS[sound] for sound in row[1:] if sound < START] for row in _cut(said)]

    @torch.no_grad()
    def read(self, word: str) -> Reading:
        """Read a word or a name aloud, and tell which letters each of its sounds looked at."""
        spelt = spelling(word)
        said = self.pronounce([spelt])[0]
        heard, _ = sounds([said])
        weights = self(letters([spelt]), heard).attention["cross"][0, 0]
        return Reading(spelt, tuple(said), weights)

    def _enter(self, side: str, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        places = self.weights[f"{side}.places"][: tokens.shape[1]]
        return self.weights[f"{side}.embedding"][tokens] + places

    def _norm(self, name: str, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b n d"]:
        return layer_norm(x, self.weights[f"{name}.norm_gain"], self.weights[f"{name}.norm_shift"])


def _cut(said: Int[Tensor, "b m"]) -> list[list[int]]:
    """Each row up to its first `<end>`."""
    return [row[: row.index(END)] if END in row else row for row in said.tolist()]
