"""Multi-head attention, whole."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import masks
from qkvlib import multi_head as many
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=3,
    needed_later=("float64", "gradients"),
    builds_on=("split_heads", "merge_heads", "scaled_dot_product_attention", "project_qkv"),
    returns=("output", "weights"),
    hints=(
        "You have all the parts: project, split, attend, merge, and w_o at the end.",
        "`scaled_dot_product_attention` works on a batch of heads. A mask [b, n, n] needs a dimension for "
        "the heads: `mask[:, None]`.",
        "q, k, v = split_heads of x times w_q, x times w_k and x times w_v; attend, with the same mask for "
        "all heads; output = merge_heads of the result, times w_o; return output and weights",
    ),
)

exercise.reference(many.multi_head_attention)

Two = tuple[Tensor, Tensor]
Mask = Tensor | None


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def layer(b: int, n: int, d: int, h: int, d_k: int, d_v: int, out: int) -> Any:
        weights = (
            normal(generator, d, h * d_k),
            normal(generator, d, h * d_k),
            normal(generator, d, h * d_v),
            normal(generator, h * d_v, out),
        )
        return (normal(generator, b, n, d), *weights, h)

    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    eye = torch.eye(2)
    whole = (
        x,
        2 * eye,
        torch.tensor([[0.0, 1.0], [1.0, 0.0]]),
        eye,
        torch.tensor([[1.0, 0.0], [1.0, 3.0]]),
        2,
    )
    padding = masks.combine_masks(masks.padding_mask(torch.tensor([4, 2]), 4), masks.causal_mask(4))
    return [
        Case("2 words, 2 heads of one number each", whole),
        Case("2 sentences of 3 words, 2 heads of width 3", layer(2, 3, 5, 2, 3, 4, 6)),
        Case("as many heads as words, square weights", layer(1, 3, 9, 3, 3, 3, 9)),
        Case("a single head", layer(2, 3, 4, 1, 4, 4, 4)),
        Case("4 heads of a single number", layer(1, 3, 4, 4, 1, 1, 4)),
        Case("a causal mask", (*layer(2, 4, 6, 3, 2, 2, 6), masks.causal_mask(4))),
        Case("a mask for each sentence, [b, n, n]", (*layer(2, 4, 4, 2, 2, 2, 4), padding)),
        Case("8 heads", layer(1, 4, 16, 8, 2, 2, 16)),
        Case(
            "an x that is not stored row by row",
            (scattered(normal(generator, 2, 3, 4)), *layer(2, 3, 4, 2, 2, 3, 4)[1:]),
        ),
        Case("an output as wide as nothing else", layer(2, 3, 5, 2, 3, 4, 7)),
    ]


def _split(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, h: int) -> Any:
    return tuple(many.split_heads(x @ w, h) for w in (w_q, w_k, w_v))


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Two:
    return scaled_dot_product_attention(q, k, v, many.same_for_all_heads(mask))


def _mask_as_it_is(q: Tensor, k: Tensor, v: Tensor, w_o: Tensor, mask: Mask) -> Two:
    """The rest of the way with a mask that lacks a dimension for the heads."""
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "You reshape straight to [b, h, n, d_k], which mixes the words.",
    "If you shuffle the words of a sentence, should the outputs be shuffled in the same way? Are your "
    "outputs?",
)
def view_without_transpose(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    b, n, _ = x.shape
    q, k, v = ((x @ w).reshape(b, n_heads, n, -1) for w in (w_q, w_k, w_v))
    heads, weights = _attend(q, k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "The weights are right, but you merge the heads without first moving them back. So every word gets "
    "pieces of other words.",
    "The last step of splitting has to be undone first. Which step is it?",
)
def merged_without_transpose(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    b, n, _ = x.shape
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q, k, v, mask)
    return heads.reshape(b, n, -1) @ w_o, weights


@exercise.mistake(
    "You divide by the square root of the whole width. But each head's dot products run only over its own "
    "d_k numbers.",
    "With 2 heads of width 3, how many products are added in one head's dot product?",
)
def root_of_whole_width(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q / math.sqrt(n_heads), k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "You divide by the square root of x's width, d_model. But a score is a sum of d_k products, one for "
    "each number of a head's query.",
    "Does the dot product run over the last dimension of x, or of q?",
)
def root_of_model_width(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q * math.sqrt(q.shape[-1] / x.shape[-1]), k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k), where d_k is the width of one head.",
    "How many products are added in one head's dot product?",
)
def no_scale(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q * math.sqrt(q.shape[-1]), k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "You cut x into pieces before you project. Then each head sees only its own piece of x, and part of W_Q "
    "is never used.",
    "Which numbers of a word may head 0 look at: the first few numbers, or all numbers?",
)
def x_cut_first(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    def own_block(w: Tensor) -> Tensor:
        """w with zeros everywhere except in the blocks on its diagonal, one for each head."""
        block = torch.zeros_like(w)
        for rows, columns, piece in zip(
            block.chunk(n_heads, 0), range(n_heads), w.chunk(n_heads, 0), strict=True
        ):
            rows.chunk(n_heads, 1)[columns].copy_(piece.chunk(n_heads, 1)[columns])
        return block

    if x.shape[-1] % n_heads:
        raise RuntimeError("x cannot be cut into equal pieces")
    return many.multi_head_attention(x, own_block(w_q), own_block(w_k), own_block(w_v), w_o, n_heads, mask)


@exercise.mistake(
    "You never use w_o, so you return the heads side by side, without mixing them.",
    "How many heads does column 0 of your result come from, and how many should it come from?",
)
def no_w_o(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q, k, v, mask)
    return many.merge_heads(heads), weights


@exercise.mistake(
    "You multiply by w_o transposed. But w_o itself already has the shape that the product needs.",
    "The merged heads have h d_v columns. How many rows must a matrix have that multiplies them from the "
    "right?",
)
def w_o_transposed(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q, k, v, mask)
    return many.merge_heads(heads) @ w_o.T, weights


@exercise.mistake(
    "Your mask never reaches the scores, so your heads see everything.",
    "In which of your lines does the mask appear?",
)
def mask_lost(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)


@exercise.mistake(
    "A mask for each sentence is [b, n, n], and your scores are [b, h, n, n]. torch aligns these shapes "
    "from the right, so the dimension b of the mask meets the dimension h of the scores.",
    "Which size does the mask need in the dimension of the heads, so that the mask works for all heads?",
)
def mask_meets_the_heads(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    return _mask_as_it_is(q, k, v, w_o, mask)


@exercise.mistake(
    "There are two mistakes. You divide by the root of x's width, d_model, instead of the root of d_k, the "
    "width of one head. And a mask for each sentence, [b, n, n], needs a dimension of size 1 for the heads.",
    "Does one head's dot product run over the last dimension of x, or of q?",
)
def root_of_model_width_and_mask(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    return _mask_as_it_is(q * math.sqrt(q.shape[-1] / x.shape[-1]), k, v, w_o, mask)


@exercise.mistake(
    "There are two mistakes. You divide by the root of the whole width, instead of the root of d_k, the "
    "width of one head. And a mask for each sentence, [b, n, n], needs a dimension of size 1 for the heads.",
    "With 2 heads of width 3, how many products are added in one head's dot product?",
)
def root_of_whole_width_and_mask(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    return _mask_as_it_is(q / math.sqrt(n_heads), k, v, w_o, mask)


@exercise.mistake(
    "There are two mistakes. You do not divide the scores by sqrt(d_k), where d_k is the width of one head. "
    "And a mask for each sentence, [b, n, n], needs a dimension of size 1 for the heads.",
    "How many products are added in one head's dot product?",
)
def no_scale_and_mask(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    return _mask_as_it_is(q * math.sqrt(q.shape[-1]), k, v, w_o, mask)


@exercise.mistake(
    "Every head uses the first columns of w_q, w_k and w_v, so all heads are the same.",
    "Which columns of w_q belong to head 1?",
)
def first_slice_for_all(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = (t[:, :1].expand_as(t) for t in _split(x, w_q, w_k, w_v, n_heads))
    heads, weights = _attend(q, k, v, mask)
    return many.merge_heads(heads) @ w_o, weights


@exercise.mistake(
    "You add the heads' scores up and take one softmax. But each head has to make its own choice.",
    "If head 0 looks at *law* and head 1 at *old*, how many sets of weights do you need?",
)
def one_softmax(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).sum(1, keepdim=True).expand(-1, n_heads, -1, -1)
    weights = masks.apply_mask(scores, many.same_for_all_heads(mask)).softmax(-1)
    return many.merge_heads(weights @ v) @ w_o, weights


@exercise.mistake(
    "You never use n_heads, so you compute one wide head.",
    "What would change in your result if there were twice as many heads?",
)
def one_wide_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    output, weights = scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, mask)
    return output @ w_o, weights


@exercise.mistake(
    "The output is right, but you average the weights over the heads. This hides what each head looks at.",
    "What shape should the weights have, if each of h heads has its own matrix [n, n]?",
)
def weights_averaged(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    output, weights = many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask)
    return output, weights.mean(1)


@exercise.mistake(
    "You average the heads' outputs before w_o. But the outputs belong side by side.",
    "How many rows does w_o have, and how wide must the merged heads be to fit?",
)
def heads_averaged(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    heads, weights = _attend(q, k, v, mask)
    return heads.mean(1) @ w_o[: heads.shape[-1]], weights


@exercise.mistake(
    "Your softmax runs over the heads. But each head divides its own attention among the words.",
    "Your scores are [b, h, n, n]. Which dimension counts the keys?",
)
def softmax_over_heads(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = _split(x, w_q, w_k, w_v, n_heads)
    scores = masks.apply_mask(q @ k.mT / math.sqrt(q.shape[-1]), many.same_for_all_heads(mask))
    weights = scores.softmax(1)
    return many.merge_heads(weights @ v) @ w_o, weights


@exercise.alternative
def _a_w_for_each_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    a, b, c = (torch.stack(w.chunk(n_heads, dim=1)) for w in (w_q, w_k, w_v))
    return many.multi_head_attention_per_head(x, a, b, c, w_o, mask)


@exercise.alternative
def _by_loops(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Any:
    output: Any = 0
    maps = []
    slices = zip(*(w.chunk(n_heads, 1) for w in (w_q, w_k, w_v)), w_o.chunk(n_heads), strict=True)
    for a, b, c, own_o in slices:
        scores = (x @ a) @ (x @ b).transpose(1, 2) / a.shape[1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -torch.inf)
        maps.append(F.softmax(scores, dim=-1))
        output = output + maps[-1] @ (x @ c) @ own_o
    return output, torch.stack(maps, dim=1)


@exercise.alternative
def _by_einsum(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Mask = None
) -> Two:
    q, k, v = (torch.einsum("bnd,dhe->bhne", x, w.reshape(len(w), n_heads, -1)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("bhie,bhje->bhij", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~(mask if mask.ndim == 2 else mask[:, None]), -1e9)
    weights = torch.softmax(scores, -1)
    out = torch.einsum("bhij,bhje,heo->bio", weights, v, w_o.reshape(n_heads, -1, w_o.shape[1]))
    return out, weights
