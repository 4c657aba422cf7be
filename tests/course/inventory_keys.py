"""For each item of the inventory, a program that computes which choice is right.

It returns the choice in the words of the form's file, based on what it computes. If it cannot
decide, it returns "?", and the test fails.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from qkvlib.attention import (
    attention_scores,
    attention_weights,
    cross_attention,
    project_qkv,
    scaled_dot_product_attention,
    softmax,
)
from qkvlib.models import OneHead
from qkvlib.multi_head import multi_head_attention, multi_head_attention_cut_input

KEYS: dict[str, Callable[[], str]] = {}


def key(program: Callable[[], str]) -> Callable[[], str]:
    """Register the program for the item that it is named after."""
    KEYS[program.__name__] = program
    return program


def say(*found: tuple[bool, str]) -> str:
    """Return the only choice that holds."""
    holding = [words for holds, words in found if holds]
    return holding[0] if len(holding) == 1 else "?"


def random(*shape: int, seed: int = 0) -> Tensor:
    """Return random numbers of variance 1, with many digits."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def same(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and bool(torch.allclose(a, b, atol=1e-10, rtol=1e-10))


def scores(x: Tensor, w_q: Tensor, w_k: Tensor) -> Tensor:
    return (x @ w_q) @ (x @ w_k).mT


X, W_Q, W_K, W_V = random(5, 6), *(random(6, 6, seed=s) for s in (1, 2, 3))


def trained_one_step() -> tuple[Tensor, Tensor, Tensor]:
    """Return W_Q before and after one step on a sentence, and the gradient of the scores."""
    w_q = W_Q.clone().requires_grad_()
    raw = attention_scores(X @ w_q, X @ W_K)
    raw.retain_grad()
    (softmax(raw) @ (X @ W_V)).square().sum().backward()
    return W_Q, (w_q - 0.1 * w_q.grad).detach(), raw.grad


def model(n_tokens: int = 500) -> OneHead:
    return OneHead(n_tokens, 4, d_model=16, d_k=8)


def stored(n_tokens: int = 500) -> dict[str, Tensor]:
    return model(n_tokens).first_weights()


@key
def a01() -> str:
    kept = stored()
    assert not {"q", "k", "v", "weights"} & kept.keys()
    per_word = kept["w_q"].shape[0] == 500
    return say(
        ("w_q" in kept and not per_word, "W_Q, one matrix for whatever word comes"),
        (per_word, "A row of W_Q that belongs to river"),
    )


@key
def b01() -> str:
    one, other = random(5, 6, seed=7), random(5, 6, seed=8)
    passes = [project_qkv(x, W_Q, W_K, W_V) for x in (one, other)]
    maps = [attention_weights(q, k) for q, k, _ in passes]
    kept = W_K.clone()
    return say(
        (same(kept, W_K), "W_K"),
        (same(passes[0][1], passes[1][1]), "The keys"),
        (same(*maps), "The attention weights"),
    )


@key
def a02() -> str:
    q, k, v = project_qkv(X, W_Q, W_K, W_V)
    return say(
        (not same(q, k) and not same(k, v), "Q, K and V differ: each is another projection of X"),
        (same(q, k) and same(k, v), "Q = K = V, since X is the same"),
        (same(q, k) and not same(k, v), "Q = K, since the two are compared with each other; V differs"),
    )


@key
def b02() -> str:
    q, k, _ = project_qkv(X, W_Q, W_K, W_V)
    tied_q, tied_k, _ = project_qkv(X, W_Q, W_Q, W_V)
    by_the_matrices = not same(q, k) and same(tied_q, tied_k)
    return say(
        (by_the_matrices, "W_Q and W_K differ, and X goes through each"),
        (same(q, k), "There must be a fault: X is the same"),
    )


@key
def a03() -> str:
    """List the leaves of the output's graph, except for q, k and v."""
    given = [random(2, 4, seed=s).requires_grad_() for s in range(3)]
    output, _ = scaled_dot_product_attention(*given)
    leaves, nodes = set(), [output.grad_fn]
    while nodes:
        node = nodes.pop()
        if node is None:
            continue
        if hasattr(node, "variable"):
            leaves.add(id(node.variable))
        nodes += [before for before, _ in node.next_functions]
    others = leaves - {id(one) for one in given}
    return say(
        (not others, "None: it all comes from q, k and v"),
        (len(others) == 4, "4: one for each pair of words"),
    )


@key
def b03() -> str:
    """Run two sentences through one model: its maps differ, but nothing stored does."""
    head = model()
    before = {name: weight.clone() for name, weight in head.weights.items()}
    one, other = torch.tensor([[[1], [2]]]), torch.tensor([[[2], [3]]])
    maps = [head(words, words).attention["head"] for words in (one, other)]
    assert not torch.equal(*maps)
    kept = all(torch.equal(before[name], weight) for name, weight in head.weights.items())
    return say((kept, "None"), (not kept, "The attention weights"))


@key
def a04() -> str:
    tied, apart = scores(X, W_Q, W_Q), scores(X, W_Q, W_K)
    alike = random(5, 6) + 1e-3 * random(5, 6, seed=4)
    return say(
        (same(tied, tied.mT) and not same(apart, apart.mT), "Head 1 alone"),
        (same(apart, apart.mT), "Both: a dot product is the same both ways"),
        (same(s := scores(alike, W_Q, W_K), s.mT), "Both, if the two words belong to one topic"),
    )


def ring(s: Tensor) -> bool:
    """Return whether each gives its hunter more than its prey; 0 hunts 1, 1 hunts 2, 2 hunts 0."""
    return bool(s[1, 0] > s[1, 2] and s[2, 1] > s[2, 0] and s[0, 2] > s[0, 1])


def ever(w_q: Callable[[int], Tensor], w_k: Callable[[int], Tensor], like: float = 1.0) -> bool:
    """Return whether any of many random pairs does it; a likeness of 0 makes all words equal."""
    return any(
        ring(scores(random(1, 4) + like * random(3, 4, seed=s), w_q(s), w_k(s))) for s in range(1, 300)
    )


def some(kind: int) -> Callable[[int], Tensor]:
    return lambda seed: random(4, 4, seed=10_000 * kind + seed)


@key
def b04() -> str:
    return say(
        (ever(some(1), some(2)) and not ever(some(1), some(1)), "With a W_Q and a W_K that differ"),
        (ever(some(1), some(1)), "With W_Q = W_K as well: a pair is a pair"),
        (ever(some(1), some(1), 0.1), "With W_Q = W_K as well, if hunter and prey are alike"),
    )


@key
def a05() -> str:
    rows, columns = stored(500)["w_q"].shape
    return f"{rows} × {columns}"


@key
def b05() -> str:
    more = stored(501)["w_k"].shape[0] - stored(500)["w_k"].shape[0]
    assert stored(501)["embedding"].shape[0] == 501
    return {0: "None", 1: "One"}.get(more, "?")


def ten_steps(separately: bool) -> list[Tensor]:
    """Take ten steps. Separately, each matrix has its own backward pass, in which only it gets a gradient."""
    weights = [w.clone().requires_grad_() for w in (W_Q, W_K, W_V)]
    for _ in range(10):
        output, _ = scaled_dot_product_attention(*project_qkv(X, *weights))
        loss = (output - 1).square().mean()
        if separately:
            gradients = [torch.autograd.grad(loss, w, retain_graph=True)[0] for w in weights]
        else:
            gradients = list(torch.autograd.grad(loss, weights))
        moved = zip(weights, gradients, strict=True)
        weights = [(w - 0.01 * g).detach().requires_grad_() for w, g in moved]
    return [w.detach() for w in weights]


@key
def a06() -> str:
    one, many = ten_steps(separately=False), ten_steps(separately=True)
    alike = all(torch.equal(a, b) for a, b in zip(one, many, strict=True))
    moved = not same(one[0], W_Q)
    return say(
        (alike and moved, "are the same in both plans"),
        (not moved, "have not moved in either plan: the loss does not speak of them"),
    )


@key
def b06() -> str:
    """The loss below names no word to look at and uses no second network."""
    before, after, _ = trained_one_step()
    return say((not same(before, after), "The loss of the whole model, and its backward pass"))


def one_step_of_a_row(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return what one step changes, for six equal weights and values of which the first is the target."""
    row = torch.zeros(6, dtype=torch.float64, requires_grad=True)
    values = random(6, 4, seed=seed)
    loss = (softmax(row) @ values - values[0]).square().sum()
    loss.backward()
    moved = row.detach() - 0.001 * row.grad
    helps = -(values * (2 * (values.mean(0) - values[0]))).sum(-1)
    return moved, helps - helps.mean(), softmax(moved) - 1 / 6


@key
def a07() -> str:
    moved, helps, _ = one_step_of_a_row(3)
    pushed = torch.equal(moved > 0, helps > 0)
    return say((pushed and bool(helps[0] > 0), "Up, and those of worse values down"))


@key
def b07() -> str:
    """Values and vectors are drawn independently, so likeness plays no part; the loss names no word."""
    agree = [torch.equal(grown > 0, helps > 0) for _, helps, grown in map(one_step_of_a_row, range(9))]
    return say((all(agree), "Its value helps the answer more than the average of the six"))


@key
def a08() -> str:
    """Train random vectors of two red things and two green ones."""
    cosines = []
    for seed in range(5):
        vectors = (0.1 * random(4, 6, seed=seed)).requires_grad_()
        reading = random(6, seed=50 + seed).requires_grad_()
        colours = torch.tensor([1.0, 1.0, 0.0, 0.0], dtype=torch.float64)
        for _ in range(200):
            wrong = nn.functional.binary_cross_entropy_with_logits(vectors @ reading, colours)
            for_vectors, for_reading = torch.autograd.grad(wrong, (vectors, reading))
            vectors = (vectors - for_vectors).detach().requires_grad_()
            reading = (reading - for_reading).detach().requires_grad_()
        cosines.append(torch.cosine_similarity(vectors[0], vectors[1], dim=0).item())
    return say(
        (min(cosines) > 0.5, "They come to point the same way"),
        (max(cosines) < 0.2, "They stay apart: one is food, and the other is not"),
    )


@key
def b08() -> str:
    maps = [
        attention_weights(x @ random(4, 4, seed=2 * s + 1), x @ random(4, 4, seed=2 * s + 2))
        for s in range(400)
        for x in [random(5, 4, seed=5000 + s)]
    ]
    mean = torch.stack(maps).mean(0)
    others = mean[~torch.eye(5, dtype=torch.bool)]
    even = float(others.max() - others.min()) < 0.05
    return say(
        (even and float(others.min()) > 0.1, "As much as it gives any other word"),
        (float(others.max()) == 0, "None, since nobody has said where to look"),
    )


def attended(x: Tensor) -> Tensor:
    return scaled_dot_product_attention(*project_qkv(x, W_Q, W_K, W_V))[0]


@key
def a09() -> str:
    x = random(3, 6, seed=9)
    turned = x.flip(0)
    return say(
        (same(attended(x)[1], attended(turned)[1]), "stays the same: a sum has no order"),
        (not same(attended(x)[1], attended(turned)[1]), "is another, for now another one bites"),
    )


@key
def b09() -> str:
    looks = attention_weights(X[:3] @ W_Q, X[:3] @ W_K)[0] > 0
    return say(
        (bool(looks.all()), "To all three, for nothing is hidden from it"),
        (int(looks.sum()) == 1, "To itself alone"),
    )


def read_by_the_first_query(column: slice) -> int:
    x = random(12).requires_grad_()
    (x @ random(12, 12, seed=1))[column].sum().backward()
    return int((x.grad != 0).sum())


@key
def a10() -> str:
    """Our layer agrees with one that cuts W_Q's columns; a layer that cuts x gives other numbers."""
    weights = [random(12, 12, seed=s) for s in range(4)]
    x = random(3, 12, seed=5)
    usual, cut = multi_head_attention, multi_head_attention_cut_input
    pieces = [torch.stack([w[:6, :6], w[6:, 6:]]) for w in weights[:3]]
    assert not same(usual(x, *weights, 2)[0], cut(x, *pieces, weights[3])[0])
    return {12: "Of all 12, as head 2 does", 6: "Of the first 6"}.get(
        read_by_the_first_query(slice(0, 6)), "?"
    )


@key
def b10() -> str:
    read = read_by_the_first_query(slice(4, 8))
    return say(
        (read == 12, "Of all numbers of x, with columns 5 to 8 of W_Q"),
        (read == 4, "Of numbers 5 to 8 of x"),
    )


def trained_heads(difference: float) -> bool:
    """Return whether two heads are equal after thirty steps; `difference` is theirs at the start."""
    half = [random(6, 3, seed=s) for s in range(3)]
    w_q, w_k, w_v = (torch.cat([w, w], dim=1) for w in half)
    rows = random(3, 6, seed=8)
    w_q[:, :3] += difference * random(6, 3, seed=11)
    weights = [w.requires_grad_() for w in (w_q, w_k, w_v, torch.cat([rows, rows]))]
    for _ in range(30):
        output, _ = multi_head_attention(X, *weights, 2)
        gradients = torch.autograd.grad((output - 1).square().mean(), weights)
        weights = [(w - 0.05 * g).detach().requires_grad_() for w, g in zip(weights, gradients, strict=True)]
    return same(weights[0][:, :3], weights[0][:, 3:])


@key
def a11() -> str:
    return say(
        (trained_heads(0), "are still copies: equal gradients reach both"),
        (not trained_heads(0), "have shared the work, as heads do"),
    )


@key
def b11() -> str:
    by_the_start = trained_heads(0) and not trained_heads(0.1)
    return say(
        (by_the_start, "Different random numbers at the start"),
        (not trained_heads(0), "The layer, which gives each head a job"),
    )


@key
def a12() -> str:
    _, weights = cross_attention(random(2, 6), random(5, 6, seed=1), W_Q, W_K, W_V)
    return " × ".join(map(str, weights.shape))


@key
def b12() -> str:
    """With W_Q = 0 the weights are equal, so whatever still passes through comes from the values."""
    written, read = random(2, 6).requires_grad_(), random(5, 6, seed=1).requires_grad_()
    cross_attention(written, read, 0 * W_Q, W_K, W_V)[0].sum().backward()
    from_read, from_written = bool(read.grad.any()), bool(written.grad.any())
    return say(
        (from_read and not from_written, "Of the sentence that is read"),
        (from_written and not from_read, "Of the sentence that is written"),
        (from_read and from_written, "Of both, for Q, K and V come from the same x"),
    )


def two_layers(x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the input of torch's second layer, the output of its first, and the queries of both."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(6, 2, 12, dropout=0.0, batch_first=True, dtype=x.dtype)
    stack = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).train()
    seen: list[Tensor] = []
    first_out: list[Tensor] = []
    for one in stack.layers:
        one.self_attn.register_forward_pre_hook(lambda _, given: seen.append(given[0].detach()))
    stack.layers[0].register_forward_hook(lambda _, __, out: first_out.append(out.detach()))
    stack(x[None])
    queries = [
        entering[0] @ one.self_attn.in_proj_weight[:6].mT
        for entering, one in zip(seen, stack.layers, strict=True)
    ]
    return seen[1][0], first_out[0][0], queries[0], queries[1]


@key
def a13() -> str:
    entering, given_out, query, _ = two_layers(X)
    return say(
        (same(entering, given_out), "What layer 1 has given out at that place"),
        (same(entering, X), "The embedding of boat"),
        (same(entering, query), "The query of boat, from layer 1"),
    )


@key
def b13() -> str:
    other = torch.cat([X[:1], random(4, 6, seed=77)])
    (*_, first, second), (*_, first_then, second_then) = two_layers(X), two_layers(other)
    kept = same(first[0], first_then[0]), same(second[0], second_then[0])
    return {
        (True, False): "In layer 2, and not in layer 1",
        (True, True): "In none: it is the same word",
        (False, False): "In both: its neighbours are others",
    }.get(kept, "?")


@key
def a14() -> str:
    words = ["cow", "horse", "boat"]
    x = torch.tensor([[1, 0], [0.9, 0.1], [0, 1]])
    s = scores(x, torch.eye(2), torch.tensor([[0.0, 1], [1, 0]]))
    return words[1 + int(s[0, 1:].argmax())]


@key
def b14() -> str:
    x = random(9, 6)
    x = x / x.norm(dim=-1, keepdim=True)
    most = attention_weights(x, x).argmax(-1)
    return say(
        (torch.equal(most, torch.arange(9)), "At itself"),
        (torch.equal(most[1:], torch.arange(8)), "At the word before it"),
    )


@key
def a15() -> str:
    spread = float((random(400, 64) @ random(400, 64, seed=1).mT).std())
    return say((abs(spread - 8) < 0.5, "About 8"), (abs(spread - 1) < 0.5, "About 1"))


@key
def b15() -> str:
    q, k = random(500, 256), random(16, 256, seed=1)
    raw, scaled = softmax(q @ k.mT), attention_weights(q, k)
    sharp = float(raw.amax(-1).mean()) > 0.85 and float(scaled.amax(-1).mean()) < 0.4
    return say(
        (sharp, "Nearly all of its weight is on one of them"),
        (same(raw, scaled), "As with the division: softmax sees which score is larger, and no more"),
        (float(raw.sum(-1).max()) > 1.01, "All of its weights are larger, so that they sum to more than one"),
    )


@key
def a16() -> str:
    falls = []
    for size in (1.0, 8.0):  # with the division and without it
        row = size * random(6)
        raised = row + torch.eye(6, dtype=torch.float64)[2]
        falls.append(bool((softmax(raised) < softmax(row))[torch.arange(6) != 2].all()))
    return say((all(falls), "It falls, for the row sums to one"), (not any(falls), "It stays"))


@key
def b16() -> str:
    before, after = softmax(random(6)), softmax(random(6) + 5)
    return say(
        (same(before, after), "They stay"),
        (bool((after > before).all()), "They all grow"),
        (float(after.max()) > float(before.max()) + 1e-9, "They become sharper"),
    )


@key
def a17() -> str:
    """Solve for a W_K that gives any wanted product."""
    wanted = random(6, 6, seed=42)
    w_k = torch.linalg.solve(W_Q, wanted).mT
    return say(
        (same(W_Q @ w_k.mT, wanted), "Yes: W_K can bring the product to what is needed"),
        (not same(W_Q @ w_k.mT, wanted), "No: where a word looks is decided in W_Q"),
    )


@key
def b17() -> str:
    turn = torch.linalg.qr(random(6, 6, seed=5)).Q
    w_q, w_k = W_Q @ turn, W_K @ turn
    assert not same(w_q, W_Q)
    alike = all(same(scores(x, W_Q, W_K), scores(x, w_q, w_k)) for x in (X, random(7, 6, seed=6)))
    return say(
        (alike, "Yes: it is enough that W_Q W_Kᵀ is the same"),
        (not alike, "No: with another W_Q it looks elsewhere"),
    )


def score_of(w_q: list[list[int]], w_k: list[list[int]]) -> str:
    x = torch.eye(2)
    s = scores(x, torch.tensor(w_q).float(), torch.tensor(w_k).float())
    return str(int(s[0, 1]))


@key
def a18() -> str:
    return score_of([[1, 3], [0, 1]], [[1, 2], [4, 1]])


@key
def b18() -> str:
    return score_of([[2, 1], [0, 1]], [[1, 3], [4, 1]])


@key
def a19() -> str:
    before, after, _ = trained_one_step()
    rows_moved = int((before != after).any(-1).sum())
    query_moved = not same(X @ before, X @ after)
    return say(
        (rows_moved == 6 and query_moved, "W_Q, and the query of farmer"),
        (not rows_moved and query_moved, "The query of farmer alone, for the queries are learned"),
        (rows_moved == 1, "One row of W_Q, that of farmer"),
    )


@key
def b19() -> str:
    head, vector = model(), random(1, 16, seed=31).float()
    shape = head.first_weights()["w_q"].shape
    query = vector @ head.first_weights()["w_q"]
    return say(
        (query.shape == (1, 8) and shape == (16, 8), "A query, by the W_Q that is there"),
        (head.first_weights()["w_q"].shape != shape, "A row of W_Q"),
    )


@key
def a20() -> str:
    tied, apart = scores(X, W_Q, W_Q), scores(X, W_Q, W_K)
    lost = same(tied, tied.mT) and not same(apart, apart.mT)
    return say((lost, "Score wolf for goat otherwise than goat for wolf"))


@key
def b20() -> str:
    """W_V plays no part in a score, so it may equal another matrix."""
    fails = {
        "qk": not ever(some(1), some(1)),
        "qv": not ever(some(3), some(2)),  # W_V equals W_Q; W_K differs
        "kv": not ever(some(1), some(3)),
    }
    return say(
        (fails == {"qk": True, "qv": False, "kv": False}, "For W_Q and W_K"),
        (not any(fails.values()), "For none: all three get the same x"),
    )
