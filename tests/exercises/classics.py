"""Common mistakes, written in learners' styles: loops, einsum, in place, functional.

None of them is in the bank. The key of each says what is wrong with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

Programs = dict[str, Callable[..., Any]]
CLASSICS: dict[str, Programs] = {}


def softmax_of(scores, dim=-1):
    e = torch.exp(scores - scores.max(dim=dim, keepdim=True).values)
    return e / e.sum(dim=dim, keepdim=True)


def _queries_summed(x, w_q):
    total = 0.0
    for word in x:
        total = total + word @ w_q
    return total


CLASSICS["queries"] = {
    "x, handed on": lambda x, w_q: x.clone(),
    "as nn.Linear stores it": lambda x, w_q: torch.einsum("nd,kd->nk", x, w_q),
    "of the whole sentence, by a loop": _queries_summed,
    "a column for each word": lambda x, w_q: torch.einsum("nd,dk->kn", x, w_q),
}


def _dot_returns_inside(a, b):
    total = 0
    for x, y in zip(a, b):
        total += x * y
        return total


def _dot_overwrites(a, b):
    total = 0
    for x, y in zip(a, b):
        total = x * y
    return total


def _dot_from_one(a, b):
    return sum(a[i] * b[i] for i in range(1, len(a)))


CLASSICS["dot"] = {
    "products not summed, by einsum": lambda a, b: torch.einsum("i,i->i", a, b),
    "products in a list": lambda a, b: [x * y for x, y in zip(a, b)],
    "return inside the loop": _dot_returns_inside,
    "= for +=": _dot_overwrites,
    "counts from 1": _dot_from_one,
    "the mean": lambda a, b: a.mul(b).mean(),
    "cosine, by torch": lambda a, b: F.cosine_similarity(a, b, dim=0),
    "sums, by a loop": lambda a, b: sum(x + y for x, y in zip(a, b)),
}


def _centre_by_columns(x):
    x = x.clone()
    for j in range(x.shape[1]):
        x[:, j] -= x[:, j].mean()
    return x


CLASSICS["centre"] = {
    "columns, by a loop": _centre_by_columns,
    "one mean for all": lambda x: x.sub(torch.mean(x)),
    "no keepdim": lambda x: x - torch.sum(x, 1) / x.shape[1],
    "the means alone": lambda x: torch.stack([row.mean() for row in x]),
    "columns, in place": lambda x: x.clone().sub_(x.mean(0)),
}


def _cosine_by_loops(a, b, divide):
    table = torch.zeros(len(a), len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            table[i, j] = divide(a[i], b[j])
    return table


CLASSICS["cosine_similarity"] = {
    "not divided, by loops": lambda a, b: _cosine_by_loops(a, b, lambda x, y: (x * y).sum()),
    "a's length alone": lambda a, b: _cosine_by_loops(a, b, lambda x, y: x @ y / (x @ x).sqrt()),
    "row by row": lambda a, b: F.cosine_similarity(a, b),
    "transposed, by einsum": lambda a, b: torch.einsum(
        "id,jd->ji", F.normalize(a, dim=1), F.normalize(b, dim=1)
    ),
    "without the root": lambda a, b: _cosine_by_loops(
        a, b, lambda x, y: x @ y / ((x * x).sum() * (y * y).sum()) if x.any() and y.any() else x @ y
    ),
    "columns normalised": lambda a, b: F.normalize(a, dim=0) @ F.normalize(b, dim=0).T,
    "b not turned": lambda a, b: F.normalize(a, dim=-1) @ F.normalize(b, dim=-1),
}


def _nearest_by_loop(query, keys):
    best, found = -math.inf, 0
    for i, key in enumerate(keys):
        if float(query @ key) > best:
            best, found = float(query @ key), i
    return found


CLASSICS["nearest"] = {
    "dot product, by a loop": _nearest_by_loop,
    "distance, by a loop": lambda query, keys: min(
        range(len(keys)), key=lambda i: float((keys[i] - query).norm())
    ),
    "the cosine itself": lambda query, keys: F.cosine_similarity(query[None], keys).max(),
    "counted from one": lambda query, keys: int(F.cosine_similarity(query[None], keys).argmax()) + 1,
    "the key itself": lambda query, keys: keys[F.cosine_similarity(query[None], keys).argmax()],
    "argmin": lambda query, keys: torch.argmin(F.normalize(keys, dim=1) @ F.normalize(query, dim=0)),
}


def _softmax_loop_by_columns(scores):
    flat = scores.reshape(-1, scores.shape[-1]).clone()
    for j in range(flat.shape[1]):
        flat[:, j] = softmax_of(flat[:, j])
    return flat.reshape(scores.shape)


CLASSICS["softmax"] = {
    "overflows": lambda scores: torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True),
    "first dimension": lambda scores: F.softmax(scores, dim=0),
    "over everything": lambda scores: F.softmax(scores.flatten(), dim=0).view_as(scores),
    "no exponential": lambda scores: scores.div(scores.sum(-1, keepdim=True)),
    "log": lambda scores: F.log_softmax(scores, dim=-1),
    "sigmoid": lambda scores: 1 / (1 + torch.exp(-scores)),
    "not divided": lambda scores: torch.exp(scores - torch.amax(scores, -1, keepdim=True)),
    "no keepdim": lambda scores: (
        torch.exp(scores - scores.max(-1, keepdim=True)[0])
        / torch.exp(scores - scores.max(-1, keepdim=True)[0]).sum(-1)
    ),
}


def _lookup_by_loop(query, keys, values, weight):
    output = torch.zeros(values.shape[1])
    weights = weight([query @ key for key in keys])
    for w, value in zip(weights, values):
        output = output + w * value
    return output


CLASSICS["soft_lookup"] = {
    "the best alone": lambda query, keys, values: values[torch.argmax(torch.mv(keys, query))],
    "scores for weights, by a loop": lambda *given: _lookup_by_loop(*given, lambda s: s),
    "keys blended": lambda query, keys, values: torch.einsum("n,nd->d", (keys @ query).softmax(0), keys),
    "scaled": lambda query, keys, values: F.scaled_dot_product_attention(query[None], keys, values)[0],
    "the weights": lambda query, keys, values: softmax_of(keys @ query),
    "not summed": lambda query, keys, values: torch.stack(
        [w * v for w, v in zip(softmax_of(keys @ query), values)]
    ),
    "not normalised": lambda *given: _lookup_by_loop(*given, lambda s: [torch.exp(x - max(s)) for x in s]),
}


def _weights_by_loops(q, k, by=None, dim=-1):
    if q.ndim > 2:
        return torch.stack([_weights_by_loops(a, b, by, dim) for a, b in zip(q, k)])
    scores = torch.zeros(len(q), len(k))
    for i in range(len(q)):
        for j in range(len(k)):
            scores[i, j] = (q[i] * k[j]).sum()
    return softmax_of(scores / (by or q.shape[1] ** 0.5), dim)


CLASSICS["attention_weights"] = {
    "no root, by loops": lambda q, k: _weights_by_loops(q, k, by=1),
    "d_k for its root": lambda q, k: F.softmax(torch.matmul(q, k.transpose(-1, -2)) / q.size(-1), -1),
    "over queries, by loops": lambda q, k: _weights_by_loops(q, k, dim=0),
    "times the root": lambda q, k: torch.softmax(
        torch.einsum("...nd,...md->...nm", q, k) * math.sqrt(q.shape[-1]), -1
    ),
    "the scores": lambda q, k: torch.einsum("...nd,...md->...nm", q, k) / np.sqrt(q.shape[-1]),
    "the root of the queries": lambda q, k: F.softmax(q @ k.mT / q.shape[-2] ** 0.5, -1),
    "divided after softmax": lambda q, k: softmax_of(q @ k.mT) / math.sqrt(k.shape[-1]),
    "keys ask": lambda q, k: _weights_by_loops(k, q),
}

CLASSICS["project_qkv"] = {
    "w_q for k": lambda x, w_q, w_k, w_v: tuple(torch.matmul(x, w) for w in (w_q, w_q, w_v)),
    "transposed weights": lambda x, w_q, w_k, w_v: tuple(F.linear(x, w) for w in (w_q, w_k, w_v)),
    "k before q": lambda x, w_q, w_k, w_v: tuple(torch.einsum("nd,de->ne", x, w) for w in (w_k, w_q, w_v)),
    "values are x": lambda x, w_q, w_k, w_v: [x.mm(w_q), x.mm(w_k), x],
    "weights first": lambda x, w_q, w_k, w_v: (
        torch.matmul(w_q, x),
        torch.matmul(w_k, x),
        torch.matmul(w_v, x),
    ),
    "* for @": lambda x, w_q, w_k, w_v: (torch.mul(x, w_q), torch.mul(x, w_k), torch.mul(x, w_v)),
}

CLASSICS["bilinear_form"] = {
    "inner product, by einsum": lambda w_q, w_k: torch.einsum("de,df->ef", w_q, w_k),
    "keys first, by einsum": lambda w_q, w_k: torch.einsum("de,fe->fd", w_q, w_k),
    "not turned": lambda w_q, w_k: torch.mm(w_q, w_k),
    "divided by the root": lambda w_q, w_k: F.linear(w_q, w_k) / w_q.size(1) ** 0.5,
    "w_k with itself": lambda w_q, w_k: F.linear(w_q, w_q),
}


def _attention(q, k, v, mask=None, *, by=None, softmax=None, hide=None):
    scores = torch.einsum("...nd,...md->...nm", q, k) / (by or math.sqrt(q.size(-1)))
    if mask is not None:
        scores = (hide or (lambda s, m: torch.where(m, s, float("-inf"))))(scores, mask)
    weights = (softmax or softmax_of)(scores)
    return torch.einsum("...nm,...mv->...nv", weights, v), weights


def _attention_by_rows(q, k, v, mask=None, root=True, masked=True):
    if q.ndim > 2:
        masks = [None] * len(q) if mask is None else mask.expand(*q.shape[:-1], k.shape[-2])
        parts = [_attention_by_rows(*one, root, masked) for one in zip(q, k, v, masks)]
        return torch.stack([p[0] for p in parts]), torch.stack([p[1] for p in parts])
    rows = []
    for i in range(len(q)):
        scores = k @ q[i]
        if root:
            scores = scores / k.shape[1] ** 0.5
        if mask is not None and masked:
            scores[~mask[i]] = -math.inf
        rows.append(softmax_of(scores))
    return torch.stack(rows) @ v, torch.stack(rows)


def _masked_after(q, k, v, mask=None):
    weights = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


CLASSICS["scaled_dot_product_attention"] = {
    "no root, by rows": lambda q, k, v, mask=None: _attention_by_rows(q, k, v, mask, root=False),
    "mask ignored, by rows": lambda q, k, v, mask=None: _attention_by_rows(q, k, v, mask, masked=False),
    "mask the other way, -1e9": lambda *given: _attention(*given, hide=lambda s, m: s.masked_fill(m, -1e9)),
    "0 for hidden scores": lambda *given: _attention(*given, hide=lambda s, m: s * m.float()),
    "0 filled in": lambda *given: _attention(*given, hide=lambda s, m: s.masked_fill(~m, 0)),
    "mask after softmax": _masked_after,
    "softmax over queries": lambda *given: _attention(*given, softmax=lambda s: s.softmax(-2)),
    "d_k for its root": lambda q, *others: _attention(q, *others, by=q.shape[-1]),
    "weights first": lambda *given: _attention(*given)[::-1],
    "the output alone": lambda q, k, v, mask=None: F.scaled_dot_product_attention(q, k, v, attn_mask=mask),
    "the mask added": lambda *given: _attention(*given, hide=lambda s, m: s + m),
}

CLASSICS["softmax_backward"] = {
    "no correction": lambda d_weights, weights: torch.mul(weights, d_weights),
    "sigmoid's": lambda d_weights, weights: d_weights * (weights - weights**2),
    "unweighted sum": lambda d_weights, weights: torch.stack(
        [w * (d - d.sum()) for d, w in zip(d_weights.flatten(0, -2), weights.flatten(0, -2))]
    ).reshape(weights.shape),
    "over columns": lambda d_weights, weights: (
        weights * (d_weights - torch.einsum("...nm,...nm->...m", weights, d_weights)[..., None, :])
    ),
    "no last factor": lambda d_weights, weights: (
        d_weights - torch.einsum("...nm,...nm->...n", weights, d_weights)[..., None]
    ),
    "other sign": lambda d_weights, weights: (
        weights * (weights * d_weights).sum(-1, True) - weights * d_weights
    ),
}


def _backward(d_output, q, k, v, weights, *, root=True, correct=True):
    d_v = torch.einsum("...nm,...nv->...mv", weights, d_output)
    d_weights = torch.einsum("...nv,...mv->...nm", d_output, v)
    d_scores = weights * d_weights
    if correct:
        d_scores = d_scores - weights * d_scores.sum(-1, keepdim=True)
    if root:
        d_scores = d_scores / math.sqrt(k.shape[-1])
    d_q = torch.einsum("...nm,...md->...nd", d_scores, k)
    return d_q, torch.einsum("...nm,...nd->...md", d_scores, q), d_v


def _backward_without_softmax(d_output, q, k, v, weights):
    d_scores = d_output.matmul(v.transpose(-1, -2)) / q.shape[-1] ** 0.5
    return d_scores.matmul(k), d_scores.transpose(-1, -2) @ q, weights.transpose(-1, -2) @ d_output


CLASSICS["attention_backward"] = {
    "no root, by einsum": lambda *given: _backward(*given, root=False),
    "no correction, by einsum": lambda *given: _backward(*given, correct=False),
    "no softmax": _backward_without_softmax,
    "v first": lambda *given: _backward(*given)[::-1],
    "k before q": lambda *given: tuple(_backward(*given)[i] for i in (1, 0, 2)),
}

CLASSICS["projection_gradients"] = {
    "not transposed": lambda x, *d: tuple(torch.matmul(x, one) for one in d),
    "results transposed": lambda x, *d: tuple(torch.einsum("nd,ne->ed", x, one) for one in d),
    "averaged": lambda x, *d: tuple(torch.einsum("nd,ne->de", x, one) / len(x) for one in d),
    "summed first": lambda x, *d: tuple(torch.outer(x.sum(0), one.sum(0)) for one in d),
    "k before q": lambda x, d_q, d_k, d_v: [x.t().mm(d_k), x.t().mm(d_q), x.t().mm(d_v)],
}


def _step(params, lr, move, clear=True):
    with torch.no_grad():
        for i in range(len(params)):
            move(params[i], params[i].grad, lr)
            if clear:
                params[i].grad = None


def _step_in_a_new_list(params, lr):
    params = [p - lr * p.grad for p in params]


def _step_without_no_grad(params, lr):
    for p in params:
        p.sub_(lr * p.grad)
        p.grad.zero_()


CLASSICS["sgd_step"] = {
    "uphill": lambda params, lr: _step(params, lr, lambda p, g, lr: p.add_(g, alpha=lr)),
    "gradients kept": lambda params, lr: _step(params, lr, lambda p, g, lr: p.sub_(g, alpha=lr), clear=False),
    "no learning rate": lambda params, lr: _step(params, lr, lambda p, g, lr: p.sub_(g)),
    "a new list": _step_in_a_new_list,
    "no no_grad": _step_without_no_grad,
}


def _train(params, x, targets, lr, *, place=-1, sign=-1.0, zero=True, lossy=None, step=True):
    w_q, w_k, w_v, w_o = params
    out = F.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)
    loss = (lossy or F.cross_entropy)(out[:, place] @ w_o, targets)
    loss.backward()
    for p in params if step else ():
        p.data = p.data + sign * lr * p.grad
        if zero:
            p.grad = None
    return loss.item()


def _train_summed(logits, targets):
    return -F.log_softmax(logits, -1)[range(len(targets)), targets].sum()


def _train_softmax_twice(logits, targets):
    return F.cross_entropy(torch.softmax(logits, -1), targets)


CLASSICS["training_step"] = {
    "uphill": lambda *given: _train(*given, sign=1.0),
    "gradients kept": lambda *given: _train(*given, zero=False),
    "first word": lambda *given: _train(*given, place=0),
    "summed": lambda *given: _train(*given, lossy=_train_summed),
    "softmax twice": lambda *given: _train(*given, lossy=_train_softmax_twice),
    "nothing returned": lambda *given: _train(*given) and None,
}


def _entropy_by_loops(weights, log=math.log, sign=-1.0):
    flat = weights.reshape(-1, weights.shape[-1])
    found = [sign * sum(float(w) * log(float(w)) for w in row if w > 0) for row in flat]
    return torch.tensor(found).reshape(weights.shape[:-1])


CLASSICS["attention_entropy"] = {
    "NaN at zero": lambda weights: -torch.einsum("...m,...m->...", weights, torch.log(weights)),
    "no sign, by loops": lambda weights: _entropy_by_loops(weights, sign=1.0),
    "base two, by loops": lambda weights: _entropy_by_loops(weights, log=math.log2),
    "averaged": lambda weights: torch.special.entr(weights).mean(-1),
    "over queries": lambda weights: torch.special.entr(weights).sum(-2),
}

CLASSICS["embed"] = {
    "columns": lambda tokens, table: table.transpose(0, 1)[tokens],
    "from one, by a loop": lambda tokens, table: torch.stack(
        [table[int(t) - 1] for t in tokens.flatten()]
    ).reshape(*tokens.shape, -1),
    "one-hot alone": lambda tokens, table: torch.eye(len(table))[tokens],
    "summed": lambda tokens, table: F.embedding(tokens, table).sum(dim=-2),
    "first rows": lambda tokens, table: torch.stack([table[i] for i in range(tokens.shape[-1])]).expand(
        *tokens.shape, table.shape[1]
    ),
}


def _blends(x, w_q, w_k, w_v):
    return F.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)


CLASSICS["contextual_similarity"] = {
    "before attention": lambda x, y, i, j, *w: F.cosine_similarity(x[i], y[j], dim=0),
    "dot product": lambda x, y, i, j, *w: torch.dot(_blends(x, *w)[i], _blends(y, *w)[j]),
    "places exchanged": lambda x, y, i, j, *w: F.cosine_similarity(
        _blends(x, *w)[j], _blends(y, *w)[i], dim=0
    ),
    "values": lambda x, y, i, j, w_q, w_k, w_v: F.cosine_similarity(x[i] @ w_v, y[j] @ w_v, 0),
}


def _positions_by_loops(n, d, first=math.sin, second=math.cos, power=2):
    table = torch.zeros(n, d)
    for t in range(n):
        for i in range(0, d, 2):
            angle = t / 10000 ** (power * (i // 2) / d)
            table[t, i], table[t, i + 1] = first(angle), second(angle)
    return table


def _positions_side_by_side(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


CLASSICS["positional_encoding"] = {
    "cos first, by loops": lambda n, d: _positions_by_loops(n, d, math.cos, math.sin),
    "half the powers, by loops": lambda n, d: _positions_by_loops(n, d, power=1),
    "side by side": _positions_side_by_side,
    "transposed": lambda n, d: _positions_by_loops(n, d).T,
}


def _causal_by_loops(n, may):
    return torch.tensor([[may(i, j) for j in range(n)] for i in range(n)])


CLASSICS["causal_mask"] = {
    "upper, by loops": lambda n: _causal_by_loops(n, lambda i, j: j >= i),
    "True hides, by loops": lambda n: _causal_by_loops(n, lambda i, j: j > i),
    "no diagonal, by loops": lambda n: _causal_by_loops(n, lambda i, j: j < i),
    "floats": lambda n: torch.tril(torch.ones((n, n))),
    "minus infinity": lambda n: torch.full((n, n), -math.inf).triu(1),
}

CLASSICS["padding_mask"] = {
    "turned round": lambda lengths, n: torch.stack([torch.arange(n) >= length for length in lengths])[
        :, None
    ],
    "two dimensions, by loops": lambda lengths, n: torch.tensor(
        [[j < int(length) for j in range(n)] for length in lengths]
    ),
    "one too many": lambda lengths, n: torch.stack(
        [torch.arange(n) <= length for length in lengths]
    ).unsqueeze(1),
    "rows hidden": lambda lengths, n: (torch.arange(n)[None] < lengths[:, None]).unsqueeze(-1),
    "floats": lambda lengths, n: (torch.arange(n) < lengths[:, None]).float().unsqueeze(1),
}


def _both(q, k, v, lengths, join, empty=0.0):
    n = q.shape[1]
    causal = torch.ones(n, n).tril() == 1
    real = (torch.arange(n) < lengths[:, None])[:, None]
    scores = torch.bmm(q, k.transpose(1, 2)) / k.shape[-1] ** 0.5
    weights = scores.masked_fill(~join(causal, real), -math.inf).softmax(-1).nan_to_num(empty)
    return weights.bmm(v), weights


CLASSICS["masked_attention"] = {
    "causal alone": lambda *given: _both(*given, lambda causal, real: causal.expand_as(real & causal)),
    "padding alone": lambda *given: _both(*given, lambda causal, real: real.expand_as(real & causal)),
    "or for and": lambda *given: _both(*given, torch.logical_or),
    "NaN": lambda *given: _both(*given, torch.logical_and, math.nan),
    "upside down": lambda *given: _both(*given, lambda causal, real: ~(causal & real)),
}


def _split_by_loops(x, n_heads, place):
    b, n, d = x.shape
    d_k = d // n_heads
    out = x.new_zeros(b, n_heads, n, d_k)
    for h in range(n_heads):
        for j in range(d_k):
            out[:, h, :, j] = x[:, :, place(h, j, d_k, n_heads)]
    return out


CLASSICS["split_heads"] = {
    "viewed straight": lambda x, h: x.contiguous().view(len(x), h, x.shape[1], -1),
    "dealt out, by loops": lambda x, h: _split_by_loops(x, h, lambda i, j, d_k, h: j * h + i),
    "reversed, by loops": lambda x, h: _split_by_loops(x, h, lambda i, j, d_k, h: (h - 1 - i) * d_k + j),
    "not transposed": lambda x, h: x.unflatten(-1, (h, -1)),
    "words last": lambda x, h: torch.stack([part.mT for part in x.chunk(h, -1)], 1),
    "heads first": lambda x, h: torch.stack(torch.chunk(x, h, dim=2)),
}

CLASSICS["merge_heads"] = {
    "reshaped straight": lambda heads: heads.contiguous().view(len(heads), heads.shape[2], -1),
    "summed, by a loop": lambda heads: sum(heads[:, i] for i in range(heads.shape[1])),
    "below each other": lambda heads: torch.cat(list(heads.unbind(1)), dim=1),
    "like cards": lambda heads: torch.stack(heads.unbind(1), dim=-1).flatten(2),
    "reversed": lambda heads: torch.cat(heads.unbind(1)[::-1], dim=-1),
}


def _heads(x, w_q, w_k, w_v, w_o, n_heads, mask=None, *, by=None, masked=True, join=None, out=True):
    found, maps = [], []
    for a, b, c in zip(*(w.chunk(n_heads, dim=1) for w in (w_q, w_k, w_v))):
        scores = (x @ a) @ (x @ b).mT / (by or a.shape[1]) ** 0.5
        if mask is not None and masked:
            scores = torch.where(mask, scores, -math.inf)
        maps.append(scores.softmax(-1))
        found.append(maps[-1] @ (x @ c))
    merged = torch.cat(found, -1) if join is None else join(torch.stack(found, 1))
    return merged @ w_o if out else merged, torch.stack(maps, 1)


def _heads_root_of_all(x, w_q, *others):
    return _heads(x, w_q, *others, by=w_q.shape[1])


CLASSICS["multi_head_attention"] = {
    "no root": lambda *given: _heads(*given, by=1),
    "root of the whole width": _heads_root_of_all,
    "mask lost": lambda *given: _heads(*given, masked=False),
    "no w_o": lambda *given: _heads(*given, out=False),
    "merged without transpose": lambda *given: _heads(
        *given, join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)
    ),
    "weights averaged": lambda *given: (_heads(*given)[0], _heads(*given)[1].mean(dim=1)),
    "one head": lambda x, w_q, w_k, w_v, w_o, n_heads, mask=None: (
        _heads(x, w_q, w_k, w_v, w_o, 1, mask)[0],
        _heads(x, w_q, w_k, w_v, w_o, 1, mask)[1][:, 0],
    ),
}

CLASSICS["head_contributions"] = {
    "summed": lambda heads, w_o: torch.einsum(
        "bhnd,hdo->bno", heads, w_o.reshape(heads.shape[1], -1, w_o.shape[1])
    ),
    "first slice, by a loop": lambda heads, w_o: torch.stack(
        [heads[:, i] @ w_o[: heads.shape[-1]] for i in range(heads.shape[1])], dim=1
    ),
    "no w_o": lambda heads, w_o: heads.clone(),
    "every h-th row": lambda heads, w_o: torch.stack(
        [heads[:, i] @ w_o[i :: heads.shape[1]] for i in range(heads.shape[1])], dim=1
    ),
}


def _loop(params, batches, mask, lr, heads=None, *, sign=1.0, place=-1, masked=True, last=False):
    w_q, w_k, w_v, w_o = params
    losses = []
    for x, targets in batches:
        output, _ = _heads(x, w_q, w_k, w_v, w_o, 2, mask if masked else None)
        logits = output[:, place].reshape(targets.numel(), -1)
        loss = F.cross_entropy(logits, targets.reshape(-1))
        loss.backward()
        with torch.no_grad():
            for p in params:
                p.sub_(sign * lr * p.grad)
                p.grad = None
        losses.append(loss.item())
    return losses[-1] if last else losses


CLASSICS["train_two_heads"] = {
    "uphill": lambda *given: _loop(*given, sign=-1.0),
    "first word": lambda *given: _loop(*given, place=0),
    "mask lost": lambda *given: _loop(*given, masked=False),
    "last loss": lambda *given: _loop(*given, last=True),
    "no step": lambda *given: _loop(*given, sign=0.0),
}


def _head_scores_by_loops(weights, targets, count_all=False):
    found = []
    for head in weights:
        asked = [(i, int(t)) for i, t in enumerate(targets) if t >= 0]
        total = sum(float(head[i, t]) for i, t in asked)
        found.append(total / (len(targets) if count_all else len(asked)))
    return torch.tensor(found)


CLASSICS["head_scores"] = {
    "-1 as the last": lambda weights, targets: weights[:, range(len(targets)), targets].mean(1),
    "all words counted, by loops": lambda *given: _head_scores_by_loops(*given, count_all=True),
    "hits": lambda weights, targets: (weights.argmax(2) == targets)[:, targets >= 0].float().mean(1),
    "heads averaged": lambda *given: _head_scores_by_loops(*given).mean(),
}


def _silenced(x, w_q, w_k, w_v, w_o, n_heads, head, silence):
    parts = []
    for i, w in enumerate(zip(*(w.chunk(n_heads, dim=1) for w in (w_q, w_k, w_v)))):
        parts.append(F.scaled_dot_product_attention(*(x @ one for one in w)) * silence(i, head))
    return torch.cat(parts, dim=-1) @ w_o


CLASSICS["ablate_head"] = {
    "the others": lambda *given: _silenced(*given, lambda i, head: float(i == head)),
    "from one": lambda *given: _silenced(*given, lambda i, head: float(i != head - 1)),
    "none": lambda *given: _silenced(*given, lambda i, head: 1.0),
    "stretched": lambda x, w_q, w_k, w_v, w_o, n_heads, head: _silenced(
        x, w_q, w_k, w_v, w_o, n_heads, head, lambda i, head: n_heads / (n_heads - 1) if i != head else 0.0
    ),
}

CLASSICS["break_symmetry"] = {
    "as it was": lambda *w: tuple(one.clone() for one in w),
    "noise": lambda *w: tuple(one + torch.randn(one.shape) / 100 for one in w),
    "one alone": lambda w_q, w_k, w_v, w_o: w_q + F.one_hot(torch.tensor(0), w_q.shape[1]),
}


def _cross(ask, find, give, w_q, w_k, w_v, by=None):
    scores = torch.einsum("...nd,...md->...nm", ask @ w_q, find @ w_k)
    weights = softmax_of(scores / (by or w_q.shape[1]) ** 0.5)
    return weights.matmul(give @ w_v), weights


CLASSICS["cross_attention"] = {
    "the memory asks": lambda x, memory, *w: _cross(memory, x, x, *w),
    "values of x": lambda x, memory, *w: _cross(x, memory, x, *w),
    "keys of x": lambda x, memory, *w: _cross(x, x, memory, *w),
    "x alone": lambda x, memory, *w: _cross(x, x, x, *w),
    "no root": lambda x, memory, *w: _cross(x, memory, memory, *w, by=1),
    "w_k and w_v exchanged": lambda x, memory, w_q, w_k, w_v: _cross(x, memory, memory, w_q, w_v, w_k),
}


def _decode(memory, table, w_self, w_cross, w_out, start, stop, longest, *, keep=(), row=-1, add=True):
    said = [start]
    while len(said) <= longest:
        x = table[said]
        found = F.scaled_dot_product_attention(*(x @ w for w in w_self))
        x = x + found if add else found
        q, k, v = x @ w_cross[0], memory @ w_cross[1], memory @ w_cross[2]
        x = x + F.scaled_dot_product_attention(q, k, v)
        token = (x[row] @ w_out).argmax().item()
        if token == stop:
            return ([start] if "start" in keep else []) + said[1:] + ([stop] if "stop" in keep else [])
        said.append(token)
    return said if "start" in keep else said[1:]


CLASSICS["greedy_decode"] = {
    "start kept": lambda *given: _decode(*given, keep=("start",)),
    "stop kept": lambda *given: _decode(*given, keep=("stop",)),
    "the first row": lambda *given: _decode(*given, row=0),
    "the first part not added": lambda *given: _decode(*given, add=False),
}

CLASSICS["read_alignment"] = {
    "columns": lambda weights: torch.max(weights, dim=0).indices,
    "weights": lambda weights: weights.max(dim=1).values,
    "from one": lambda weights: torch.tensor([int(row.argmax()) + 1 for row in weights]),
    "over all": lambda weights: torch.argmax(weights),
}


def _block(x, w, n_heads, mask=None, *, first=True, second=True, bend=torch.relu, bias=True, add=True):
    def norm(y, name):
        return F.layer_norm(y, y.shape[-1:], w[f"{name}_gain"], w[f"{name}_shift"])

    y = norm(x, "norm") if first else x
    found, weights = _heads(y, w["w_q"], w["w_k"], w["w_v"], w["w_o"], n_heads, mask)
    x = x + found if add else found
    y = norm(x, "ff") if second else x
    inner = bend(y @ w["w_1"] + (w["b_1"] if bias else 0))
    return x + inner @ w["w_2"], weights


CLASSICS["encoder_block"] = {
    "attention not added": lambda *given: _block(*given, add=False),
    "second norm missing": lambda *given: _block(*given, second=False),
    "no norm": lambda *given: _block(*given, first=False, second=False),
    "no bend": lambda *given: _block(*given, bend=lambda y: y),
    "gelu": lambda *given: _block(*given, bend=F.gelu),
    "no bias": lambda *given: _block(*given, bias=False),
    "mask lost": lambda x, w, n_heads, mask=None: _block(x, w, n_heads),
}

CLASSICS["weights_to_torch"] = {
    "not turned": lambda w_q, w_k, w_v, w_o: (torch.vstack([w_q, w_k, w_v]), w_o),
    "beside each other": lambda w_q, w_k, w_v, w_o: (torch.hstack([w_q, w_k, w_v]), w_o.T),
    "w_o as it is": lambda w_q, w_k, w_v, w_o: (torch.hstack([w_q, w_k, w_v]).T, w_o),
}

CLASSICS["weights_from_torch"] = {
    "not turned": lambda packed, out: (*packed.split(len(out)), out),
    "w_o as it is": lambda packed, out: (*(part.t() for part in packed.chunk(3)), out),
    "values first": lambda packed, out: [*(part.T for part in packed.chunk(3)[::-1]), out.T],
}

CLASSICS["count_parameters"] = {
    "times the heads": lambda d, h, f: h * 4 * d**2 + 2 * d * f + f + 4 * d,
    "no w_o": lambda d, h, f: sum([d * d] * 3) + d * f + f + f * d + 2 * (d + d),
    "no norms": lambda d, h, f: 4 * d**2 + d * f + f + f * d,
    "no bias": lambda d, h, f: 4 * d**2 + 2 * d * f + 4 * d,
}

CLASSICS["count_multiply_adds"] = {
    "no attention": lambda n, d, f: n * (4 * d**2 + 2 * d * f),
    "scores alone": lambda n, d, f: n * (4 * d**2 + n * d + 2 * d * f),
    "one word": lambda n, d, f: 4 * d**2 + 2 * n * d + 2 * d * f,
    "three projections": lambda n, d, f: n * (3 * d**2 + 2 * n * d + 2 * d * f),
}


def _real(x, w_q, b_q, w_k, b_k, *, by=None, dim=-1):
    q, k = F.linear(x, w_q.T, b_q), F.linear(x, w_k.T, b_k)
    scores = torch.einsum("nd,md->nm", q, k)
    return softmax_of(scores / math.sqrt(by or k.shape[1]), dim)


CLASSICS["real_head_weights"] = {
    "no b_q": lambda x, w_q, b_q, w_k, b_k: _real(x, w_q, torch.zeros_like(b_q), w_k, b_k),
    "biases exchanged": lambda x, w_q, b_q, w_k, b_k: _real(x, w_q, b_k, w_k, b_q),
    "no root": lambda *given: _real(*given, by=1),
    "over queries": lambda *given: _real(*given, dim=0),
    "root of d_model": lambda x, *others: _real(x, *others, by=x.shape[1]),
}


def _sink_in_a_loop(scores, *, one=1.0, largest=True):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = torch.exp(row - row.max()) if largest else torch.exp(row)
        rows.append(e / (one + e.sum()))
    return torch.stack(rows).reshape(scores.shape)


CLASSICS["softmax_with_a_sink"] = {
    "the one as it is, by a loop": _sink_in_a_loop,
    "overflows, by a loop": lambda scores: _sink_in_a_loop(scores, largest=False),
    "no one": lambda scores: softmax_of(scores),
    "no one, by torch": lambda scores: F.softmax(scores, dim=-1),
    "each by itself": lambda scores: 1 / (1 + torch.exp(-scores)),
    "halved": lambda scores: softmax_of(scores) / 2,
    "one weight too many": lambda scores: F.softmax(F.pad(scores, (0, 1)), dim=-1),
    "padded in front": lambda scores: F.softmax(F.pad(scores, (1, 0)), dim=-1)[..., :-1],
}


def _gated(q, k, v, x, w_gate, *, by=torch.sigmoid):
    weights = softmax_of(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    return by(x @ w_gate) * (weights @ v)


CLASSICS["gated_attention"] = {
    "no sigmoid": lambda *given: _gated(*given, by=lambda gate: gate),
    "softmax": lambda *given: _gated(*given, by=softmax_of),
    "tanh": lambda *given: _gated(*given, by=torch.tanh),
    "turned round": lambda *given: _gated(*given, by=lambda gate: torch.sigmoid(-gate)),
    "no gate": lambda q, k, v, x, w_gate: F.scaled_dot_product_attention(q, k, v),
    "added": lambda q, k, v, x, w_gate: F.scaled_dot_product_attention(q, k, v) + (x @ w_gate).sigmoid(),
}


def _rotated(x, positions, *, base=10000, sign=1, halves=False):
    d = x.shape[-1]
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    cos, sin = torch.cos(angles), sign * torch.sin(angles)
    if halves:
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)
    turned = x.clone()
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return turned


def _rotated_in_place(x, positions):
    angles = positions[:, None] / 10000 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    turned = x.clone()
    turned[..., 0::2] = turned[..., 0::2] * angles.cos() - turned[..., 1::2] * angles.sin()
    turned[..., 1::2] = turned[..., 1::2] * angles.cos() + turned[..., 0::2] * angles.sin()
    return turned


CLASSICS["rotate_by_position"] = {
    "as in LLaMA's later code": lambda *given: _rotated(*given, halves=True),
    "clockwise": lambda *given: _rotated(*given, sign=-1),
    "overwritten": _rotated_in_place,
    "rows counted": lambda x, positions: _rotated(x, torch.arange(x.shape[-2])),
    "base": lambda *given: _rotated(*given, base=1000),
    "minus in the second line": lambda x, positions: (
        _rotated(x, -positions) * torch.tensor([1.0, -1.0]).repeat(x.shape[-1] // 2)
    ),
    "sinusoids added": lambda x, positions: (
        x
        + torch.stack(
            [
                (a := positions[:, None] / 10000 ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])).sin(),
                a.cos(),
            ],
            -1,
        ).flatten(-2)
    ),
}


def _stretched(q, k, by):
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 * by


CLASSICS["scores_that_know_length"] = {
    "plain": lambda q, k, trained_on: _stretched(q, k, 1),
    "log n": lambda q, k, trained_on: _stretched(q, k, math.log(k.shape[-2])),
    "upside down": lambda q, k, trained_on: _stretched(
        q, k, math.log(trained_on) / math.log(k.shape[-2]) if k.shape[-2] > 1 else 1
    ),
    "no logarithms": lambda q, k, trained_on: _stretched(q, k, k.shape[-2] / trained_on),
    "of the ratio": lambda q, k, trained_on: _stretched(q, k, math.log(k.shape[-2] / trained_on)),
    "queries": lambda q, k, trained_on: _stretched(q, k, math.log(q.shape[-2]) / math.log(trained_on)),
    "weights": lambda q, k, trained_on: softmax_of(
        _stretched(q, k, math.log(k.shape[-2]) / math.log(trained_on))
    ),
}


def _cached(x, w_q, w_k, w_v, k, v, *, kept=lambda k, v: (k, v), by=None):
    q, k, v = x @ w_q, torch.vstack((k, x @ w_k)), torch.vstack((v, x @ w_v))
    weights = softmax_of(q @ k.T / math.sqrt(by or k.shape[1]))
    return weights @ v, *kept(k, v)


CLASSICS["attend_with_cache"] = {
    "what came is what is handed back": lambda *given: (_cached(*given)[0], *given[4:]),
    "asks before it appends": lambda x, w_q, w_k, w_v, k, v: (
        softmax_of(x @ w_q @ k.T / math.sqrt(k.shape[1])) @ v,
        torch.vstack((k, x @ w_k)),
        torch.vstack((v, x @ w_v)),
    ),
    "is_causal": lambda x, w_q, w_k, w_v, k, v: (
        F.scaled_dot_product_attention(
            x @ w_q, torch.vstack((k, x @ w_k)), torch.vstack((v, x @ w_v)), is_causal=True
        ),
        torch.vstack((k, x @ w_k)),
        torch.vstack((v, x @ w_v)),
    ),
    "newest first": lambda *given: _cached(*given, kept=lambda k, v: (k.roll(1, 0), v.roll(1, 0))),
    "no root": lambda *given: _cached(*given, by=1),
    "output alone": lambda *given: _cached(*given)[0],
    "new rows alone": lambda *given: (_cached(*given)[0], given[0] @ given[2], given[0] @ given[3]),
}


def _grouped(q, k, v, *, by=torch.repeat_interleave, softmax=softmax_of):
    times = q.shape[-3] // k.shape[-3]
    k, v = by(k, times, -3), by(v, times, -3)
    return softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5) @ v


CLASSICS["grouped_query_attention"] = {
    "repeat": lambda *given: _grouped(*given, by=lambda one, n, at: torch.cat([one] * n, at)),
    "the first for all": lambda q, k, v: _grouped(q, k[..., :1, :, :], v[..., :1, :, :]),
    "the mean for all": lambda q, k, v: _grouped(q, k.mean(-3, True), v.mean(-3, True)),
    "over the queries": lambda *given: _grouped(*given, softmax=lambda s: softmax_of(s, -2)),
    "no root": lambda q, k, v: _grouped(q * q.shape[-1] ** 0.5, k, v),
}

CLASSICS["count_cache"] = {
    "keys alone": lambda layers, h, kv, d, n: layers * kv * d * n,
    "all heads": lambda layers, h, kv, d, n: 2 * layers * h * d * n,
    "q, k and v of each": lambda layers, h, kv, d, n: sum(layers * h * d * n for _ in "qkv"),
    "three for each": lambda layers, h, kv, d, n: (2 * kv + h) * layers * d * n,
    "one layer": lambda layers, h, kv, d, n: 2 * kv * d * n,
    "bytes": lambda layers, h, kv, d, n: 2 * (2 * layers * kv * d * n),
}


def _next_block(scores, v, largest, total, blend, *, shrinks=(True, True), divides=False):
    new = torch.max(largest, scores.max(1, keepdim=True)[0])
    factor, e = torch.exp(largest - new), torch.exp(scores - new)
    total = (factor if shrinks[0] else 1) * total + e.sum(1, keepdim=True)
    blend = (factor if shrinks[1] else 1) * blend + e @ v
    return new, total, blend / total if divides else blend


CLASSICS["online_softmax"] = {
    "total as it was": lambda *given: _next_block(*given, shrinks=(False, True)),
    "blend as it was": lambda *given: _next_block(*given, shrinks=(True, False)),
    "both as they were": lambda *given: _next_block(*given, shrinks=(False, False)),
    "divided in each round": lambda *given: _next_block(*given, divides=True),
    "the old largest": lambda *given: (given[2], *_next_block(*given)[1:]),
    "a row for a column": lambda scores, v, largest, total, blend: (
        (new := torch.max(largest, scores.max(1, keepdim=True)[0])),
        torch.exp(largest - new) * total + torch.exp(scores - new).sum(1),
        torch.exp(largest - new) * blend + torch.exp(scores - new) @ v,
    ),
    "the block alone": lambda scores, v, *before: (
        torch.max(before[0], scores.max(1, keepdim=True)[0]),
        torch.exp(scores - torch.max(before[0], scores.max(1, keepdim=True)[0])).sum(1, True),
        torch.exp(scores - torch.max(before[0], scores.max(1, keepdim=True)[0])) @ v,
    ),
}


def _linear_in_a_loop(q, k, v, *, decay=1.0, read_first=False, role=lambda q, k, v: (q, k, v)):
    q, k, v = role(q, k, v)
    memory, rows = torch.zeros(k.shape[1], v.shape[1], dtype=q.dtype), []
    for i in range(len(q)):
        before = memory
        memory = decay * memory + torch.outer(k[i], v[i])
        rows.append(q[i] @ (before if read_first else memory))
    return torch.stack(rows)


CLASSICS["linear_attention"] = {
    "reads first": lambda *given: _linear_in_a_loop(*given, read_first=True),
    "memory replaced": lambda *given: _linear_in_a_loop(*given, decay=0.0),
    "keys asked for": lambda *given: _linear_in_a_loop(*given, role=lambda q, k, v: (k, q, v)),
    "the triangle in the memory": lambda q, k, v: q @ torch.tril(k.T @ v),
    "no mask, brackets moved": lambda q, k, v: q @ (k.T @ v),
    "no mask": lambda q, k, v: (q @ k.T) @ v,
    "scaled": lambda q, k, v: torch.tril(q @ k.T / q.shape[-1] ** 0.5) @ v,
    "softmax": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
    "minus infinity": lambda q, k, v: (
        (q @ k.T).masked_fill(torch.ones(len(q), len(q)).triu(1).bool(), float("-inf")) @ v
    ),
}


def _nucleus(probabilities, p, *, ascending=False, keep=lambda sums, each, p: sums - each < p):
    each, order = probabilities.sort(descending=not ascending)
    left = torch.zeros_like(probabilities)
    left[order] = each * keep(each.cumsum(-1), each, p)
    return left / left.sum()


CLASSICS["top_p"] = {
    "the last one missing": lambda *given: _nucleus(*given, keep=lambda sums, each, p: sums < p),
    "from the small end": lambda *given: _nucleus(*given, ascending=True),
    "a threshold": lambda probabilities, p: (
        (probabilities * (probabilities >= p)) / (probabilities * (probabilities >= p)).sum()
    ),
    "sum below one": lambda probabilities, p: (
        probabilities * (_nucleus(probabilities, p) > 0).to(probabilities.dtype)
    ),
    "sorted": lambda probabilities, p: _nucleus(probabilities.sort(descending=True).values, p),
    "unsorted sums": lambda probabilities, p: F.normalize(
        probabilities * (probabilities.cumsum(0) - probabilities < p), p=1, dim=0
    ),
}
