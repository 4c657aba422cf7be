"""A whole block: look at the others, then think alone."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import masks
from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal
from qkvlib.models import blocks

exercise = ExerciseBuilder(
    points=3,
    needed_later=("float64", "gradients"),
    builds_on=("multi_head_attention",),
    returns=("output", "weights"),
    lends=(blocks.layer_norm,),
    hints=(
        "The block has two parts. Each part reads a normalised x and adds its result to x.",
        "`F.layer_norm(x, x.shape[-1:], gain, shift)` normalises x. Attention comes first. Then comes the "
        "feed-forward part, relu(z w_1 + b_1) w_2, where z is normalised.",
        "y = norm of x; x = x + multi-head attention of y; z = norm of the new x; "
        "x = x + feed-forward of z; return x and the attention weights",
    ),
)

exercise.reference(blocks.encoder_block)

Weights = dict[str, Tensor]
Two = tuple[Tensor, Tensor]
Mask = Tensor | None


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, n: int, d: int, h: int, d_ff: int) -> tuple[Tensor, Weights, int]:
        shapes = {"w_q": (d, d), "w_k": (d, d), "w_v": (d, d), "w_o": (d, d)}
        shapes |= {"w_1": (d, d_ff), "w_2": (d_ff, d)}
        w = {name: normal(generator, *s) / math.sqrt(s[0]) for name, s in shapes.items()}
        w["b_1"] = normal(generator, d_ff)
        for name in ("norm_gain", "norm_shift", "ff_gain", "ff_shift"):
            w[name] = normal(generator, d) * 0.5 + ("gain" in name)
        return 2 * normal(generator, b, n, d) + 1, w, h

    def flat(x: Tensor, w: Weights, h: int) -> tuple[Tensor, Weights, int]:
        x[:, 1] = 1.5
        return x, w, h

    return [
        Case("one sentence of 2 words, 2 heads", case(1, 2, 4, 2, 6)),
        Case("2 sentences of 3 words", case(2, 3, 6, 3, 8)),
        Case("all sizes equal", case(4, 4, 4, 1, 4)),
        Case("a causal mask", (*case(2, 4, 6, 2, 12), masks.causal_mask(4))),
        Case("a single head", case(2, 3, 5, 1, 7)),
        Case("4 heads", case(1, 5, 8, 4, 16)),
        Case("a word whose numbers are all equal", flat(*case(1, 3, 4, 2, 6))),
    ]


def _norm(x: Tensor, w: Weights, name: str) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], w[f"{name}_gain"], w[f"{name}_shift"])


def _look(x: Tensor, w: Weights, h: int, mask: Mask) -> Two:
    return many.multi_head_attention(x, w["w_q"], w["w_k"], w["w_v"], w["w_o"], h, mask)


def _think(x: Tensor, w: Weights) -> Tensor:
    return torch.relu(x @ w["w_1"] + w["b_1"]) @ w["w_2"]


@exercise.mistake(
    "The result of attention replaces x. Add it to x instead, because a block only ever adds to what is "
    "there.",
    "If attention found nothing (zeros), what should be left of a word?",
)
def attention_replaces_x(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    x, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    return x + _think(_norm(x, w, "ff"), w), weights


@exercise.mistake(
    "The result of the feed-forward part replaces x. Add it to x instead.",
    "If the feed-forward part gave zeros, what should come out of the block?",
)
def thinking_replaces_x(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    return _think(_norm(x + looked, w, "ff"), w), weights


@exercise.mistake(
    "Your last line adds to the x that came in. So the feed-forward part reads the result of attention, but "
    "this result is missing from the sum.",
    "In out = x' + feed forward(norm(x')), is x' the x before attention, or the x after attention?",
)
def added_to_the_first_x(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    return x + _think(_norm(x + looked, w, "ff"), w), weights


@exercise.mistake(
    "You normalise after adding, as the original transformer paper did. But in this block the norm comes "
    "first, inside each part.",
    "In x + part(norm(x)), is the x before the plus sign normalised?",
)
def norm_afterwards(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(x, w, n_heads, mask)
    x = _norm(x + looked, w, "norm")
    return _norm(x + _think(x, w), w, "ff"), weights


@exercise.mistake(
    "There is no layer norm in your block.",
    "Which of the weights in w do you never use?",
)
def no_norm(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(x, w, n_heads, mask)
    x = x + looked
    return x + _think(x, w), weights


@exercise.mistake(
    "The second layer norm, before the feed-forward part, is missing.",
    "Where do you use ff_gain and ff_shift?",
)
def second_norm_missing(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    x = x + looked
    return x + _think(x, w), weights


@exercise.mistake(
    "You add each result to the normalised x. But the x that passes through the block must not be "
    "normalised.",
    "After which step do you lose the x that came in?",
)
def normalised_x_kept(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    x = _norm(x, w, "norm")
    looked, weights = _look(x, w, n_heads, mask)
    x = _norm(x + looked, w, "ff")
    return x + _think(x, w), weights


@exercise.mistake(
    "You add the result of attention to the normalised x. Add this result to the x that came in.",
    "After a line like `x = norm(x)`, where is the x that came in?",
)
def first_x_lost(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    x = _norm(x, w, "norm")
    looked, weights = _look(x, w, n_heads, mask)
    x = x + looked
    return x + _think(_norm(x, w, "ff"), w), weights


@exercise.mistake(
    "The activation function (relu) between the two products is missing. Without an activation function, a "
    "single matrix could replace both products.",
    "What does relu do to negative numbers?",
)
def no_relu(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    x = x + looked
    return x + (_norm(x, w, "ff") @ w["w_1"] + w["b_1"]) @ w["w_2"], weights


@exercise.mistake(
    "You use gelu as the activation function, but this block has relu.",
    "What do relu and gelu give for -1?",
)
def gelu_for_relu(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    x = x + looked
    return x + F.gelu(_norm(x, w, "ff") @ w["w_1"] + w["b_1"]) @ w["w_2"], weights


@exercise.mistake(
    "The bias b_1 is missing. Without b_1, relu can bend only where the product with w_1 is zero.",
    "Which of the weights in w do you never use?",
)
def no_bias(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    x = x + looked
    return x + torch.relu(_norm(x, w, "ff") @ w["w_1"]) @ w["w_2"], weights


@exercise.mistake(
    "Attention and the feed-forward part both read the x that came in. The feed-forward part should read "
    "the x to which attention has added its result.",
    "In which line does the feed-forward part read the result of attention?",
)
def side_by_side(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    return x + looked + _think(_norm(x, w, "ff"), w), weights


@exercise.mistake(
    "Your mask never reaches attention.",
    "In which line do you pass the mask on?",
)
def mask_lost(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    return blocks.encoder_block(x, w, n_heads)


@exercise.alternative
def _block_by_hand(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Any:
    def norm(y: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
        centred = y - y.mean(-1, keepdim=True)
        variance = (centred**2).mean(-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * gain + shift

    y = norm(x, w["norm_gain"], w["norm_shift"])
    looked, weights = _look(y, w, n_heads, mask)
    x = x + looked
    y = norm(x, w["ff_gain"], w["ff_shift"])
    return x + (y @ w["w_1"] + w["b_1"]).clamp(min=0) @ w["w_2"], weights


@exercise.alternative
def _block_by_modules(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    layer = many.to_torch(w["w_q"], w["w_k"], w["w_v"], w["w_o"], n_heads)
    y = _norm(x, w, "norm")
    hidden = None if mask is None else ~mask
    looked, weights = layer(y, y, y, attn_mask=hidden, average_attn_weights=False)
    x = x + looked
    y = F.linear(_norm(x, w, "ff"), w["w_1"].T, w["b_1"])
    return x + F.linear(F.relu(y), w["w_2"].T), weights


@exercise.alternative
def _block_in_place(x: Tensor, w: Weights, n_heads: int, mask: Mask = None) -> Two:
    out = x.clone()
    looked, weights = _look(_norm(x, w, "norm"), w, n_heads, mask)
    out += looked
    out += _think(_norm(out, w, "ff"), w)
    return out, weights
