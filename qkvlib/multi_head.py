"""Many heads: three ways to write them, two of which are the same function.

    a W for each head          multi_head_attention_per_head    [h d_model d_k]
    one big W and a reshape    multi_head_attention             [d_model h*d_k]
    X cut into pieces first    multi_head_attention_cut_input   [h d_model/h d_k]

The big W is the heads' W's side by side, so `split_heads(w_q, n_heads)` gives each head its own:
the columns of a matrix are divided among the heads in the same way as the features of tokens.
Cutting X first is a different function, whose big W is zero outside the blocks on its diagonal.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.shapes import need_heads, need_multi_head, need_rows


def split_heads(x: Float[Tensor, "*b n width"], n_heads: int) -> Float[Tensor, "*b h n d_k"]:
    """Divide the features of every token among the heads: first `view`, then `transpose`.

    [n h*d_k] -> [n h d_k] -> [h n d_k]. The view cuts each token's features into n_heads pieces;
    the transpose brings the heads to the front. A view alone, straight to [h n d_k], has the same
    shape and mixes the words: head 0 would get the first words whole.
    """
    need_heads("x", x, n_heads)
    *batch, n, width = x.shape
    return x.view(*batch, n, n_heads, width // n_heads).transpose(-3, -2)


def merge_heads(heads: Float[Tensor, "*b h n d_v"]) -> Float[Tensor, "*b n width"]:
    """Put the heads' outputs side by side again: `split_heads` backwards, transpose then flatten.

    [h n d_v] -> [n h d_v] -> [n h*d_v]
    """
    return heads.transpose(-3, -2).flatten(start_dim=-2)


def multi_head_attention(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "d_model width"],
    w_k: Float[Tensor, "d_source width"],
    w_v: Float[Tensor, "d_source width_v"],
    w_o: Float[Tensor, "width_v d_out"],
    n_heads: int,
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
) -> tuple[Float[Tensor, "*b n d_out"], Float[Tensor, "*b h n m"]]:
    """Several attentions at once, each with its own queries, keys and values, joined by w_o.

    Every head sees all of x, through its own columns of w_q, w_k and w_v, and scales by its own
    sqrt(d_k). Keys and values come from the context if there is one (cross-attention), else from
    x. The mask [n m] or [*b n m], True where a query MAY ATTEND, holds for all heads alike.

        head_i = attention(X W_Q_i, X W_K_i, X W_V_i)        output = [head_1 ... head_h] W_O
    """
    source = x if context is None else context
    need_multi_head(x, w_q, w_k, w_v, w_o, n_heads, context)
    q = split_heads(x @ w_q, n_heads)
    k = split_heads(source @ w_k, n_heads)
    v = split_heads(source @ w_v, n_heads)
    heads, weights = scaled_dot_product_attention(q, k, v, same_for_all_heads(mask))
    return merge_heads(heads) @ w_o, weights


def multi_head_attention_per_head(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "h d_model d_k"],
    w_k: Float[Tensor, "h d_source d_k"],
    w_v: Float[Tensor, "h d_source d_v"],
    w_o: Float[Tensor, "h*d_v d_out"],
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
) -> tuple[Float[Tensor, "*b n d_out"], Float[Tensor, "*b h n m"]]:
    """The same layer, one head after the other: a W for each head, as the paper writes it.

    `multi_head_attention` does this with one product instead of h. To get these w's from its big
    ones: `split_heads(w_q, n_heads)`, and back: `merge_heads(w_q)`.
    """
    source = x if context is None else context
    outputs, weights = [], []
    for w_q_i, w_k_i, w_v_i in zip(w_q, w_k, w_v, strict=True):
        q, k, v = x @ w_q_i, source @ w_k_i, source @ w_v_i
        output_i, weights_i = scaled_dot_product_attention(q, k, v, mask)
        outputs.append(output_i)
        weights.append(weights_i)
    return torch.cat(outputs, dim=-1) @ w_o, torch.stack(weights, dim=-3)


def multi_head_attention_cut_input(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "h d_piece d_k"],
    w_k: Float[Tensor, "h d_piece_source d_k"],
    w_v: Float[Tensor, "h d_piece_source d_v"],
    w_o: Float[Tensor, "h*d_v d_out"],
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
) -> tuple[Float[Tensor, "*b n d_out"], Float[Tensor, "*b h n m"]]:
    """A different layer: x is cut into pieces first, and each head sees only its own piece of x.

    Compare `split_heads(x) @ w_q` here with `split_heads(x @ w_q)` in `multi_head_attention`. It
    equals that layer with `torch.block_diag(*w_q)` as its big w_q: most of it zeros, h times fewer
    numbers to train, and every head blind to the features of the others.
    """
    n_heads = len(w_q)
    pieces = split_heads(x, n_heads)
    source = pieces if context is None else split_heads(context, n_heads)
    q, k, v = pieces @ w_q, source @ w_k, source @ w_v
    heads, weights = scaled_dot_product_attention(q, k, v, same_for_all_heads(mask))
    return merge_heads(heads) @ w_o, weights


def same_for_all_heads(mask: Bool[Tensor, "*b n m"] | None) -> Tensor | None:
    """The mask with an axis of length 1 for the heads: [*b n m] -> [*b 1 n m] ([n m] fits)."""
    return mask if mask is None or mask.dim() <= 2 else mask.unsqueeze(-3)


def head_contributions(
    heads: Float[Tensor, "*b h n d_v"], w_o: Float[Tensor, "h*d_v d_out"]
) -> Float[Tensor, "*b h n d_out"]:
    """What each head adds to the output, through its own slice of the rows of w_o.

    Summed over the heads this is the layer's output: putting the heads side by side and multiplying
    by w_o is the same as multiplying each by its slice and adding.

        [head_1 ... head_h] W_O = head_1 W_O_1 + ... + head_h W_O_h
    """
    n_heads, d_v = heads.shape[-3], heads.shape[-1]
    need_rows("w_o", w_o, n_heads * d_v, f"{n_heads} heads of {d_v} features make {{}}")
    return heads @ w_o.view(n_heads, d_v, -1)


def to_torch(
    w_q: Float[Tensor, "d_model d_model"],
    w_k: Float[Tensor, "d_source d_model"],
    w_v: Float[Tensor, "d_source d_model"],
    w_o: Float[Tensor, "d_model d_model"],
    n_heads: int,
) -> nn.MultiheadAttention:
    """torch's layer with our weights: `layer(x, x, x)` gives what `multi_head_attention` gives.

    torch stores each W transposed, [out in], and its heads' widths must add up to d_model. Its
    masks are the other way round: pass `attn_mask=~mask`. To see the weights of each head, ask for
    `average_attn_weights=False`.
    """
    d_model, d_source = w_q.shape[0], w_k.shape[0]
    for name, w in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v), ("w_o", w_o)):
        rows = d_source if name in ("w_k", "w_v") else d_model
        if w.shape != (rows, d_model):
            raise ValueError(
                f"{name} has shape {tuple(w.shape)}, but torch's layer keeps the width {d_model} "
                f"of w_q's rows throughout: {name} needs the shape {(rows, d_model)}"
            )
    need_heads("w_q", w_q, n_heads)
    layer = nn.MultiheadAttention(
        d_model, n_heads, bias=False, kdim=d_source, vdim=d_source, batch_first=True
    ).to(w_q.dtype)
    with torch.no_grad():
        for stored, w in zip(_stored(layer), (w_q, w_k, w_v, w_o), strict=True):
            stored.copy_(w.mT)
    return layer


def _stored(layer: nn.MultiheadAttention) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The layer's own four matrices; torch keeps three of them in one when their widths are equal."""
    if layer.in_proj_weight is None:
        q, k, v = layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight
    else:
        q, k, v = layer.in_proj_weight.chunk(3)
    return q, k, v, layer.out_proj.weight
