"""Test every operation of the page's torch against torch's: on random shapes, dtypes, views."""

from __future__ import annotations

import random
from typing import Any

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs


def forms(text: str) -> list[str]:
    """Split a text into its parts, at semicolons and line ends."""
    return [form for line in text.strip().splitlines() for form in line.split("; ")]


# x, y, w are matrices of the same random shape, or two of them broadcast against each other; v is a
# vector as long as a row of x, m a mask of x's shape, i whole numbers of its shape.
UNARY = forms("""
exp; log; log2; log10; log1p; sqrt; rsqrt; reciprocal; square; sin; cos; acos; tanh; sigmoid; erf; relu; floor
ceil; round; neg; abs; sign; isnan; isinf; isfinite; logical_not; negative; absolute
""")
BINARY = forms("""
add; sub; mul; div; pow; remainder; floor_divide; maximum; minimum; logaddexp; eq; ne; lt; le; gt; ge
logical_and; logical_or; logical_xor; true_divide; subtract; multiply
""")
REDUCTIONS = forms(
    "sum; mean; prod; amax; amin; argmax; argmin; all; any; std; var; logsumexp; norm; count_nonzero"
)
ALONG = ["softmax", "log_softmax", "cumsum"]
EXPRESSIONS = forms("""
x.T; x.mT.contiguous(); x.t().flatten(); x.reshape(-1); x.T.reshape(-1); x.view(-1, 1)
x.unsqueeze(1).expand(-1, 3, -1); x[None].squeeze(0); x.squeeze(); x.permute(1, 0)
x.unflatten(1, (1, -1)); x.flip(0); x.flip(0, 1); x.roll(1, 0); x.roll(2)
x.tril(); x.triu(1); x.diagonal(); x.diag(); v.diag(); v.diag_embed(1); x.repeat(2, 1); x.repeat(2, 1, 2)
x.repeat_interleave(2, 1); x.repeat_interleave(2); x.split(1); x.split([1, x.shape[1] - 1], dim=1)
x.chunk(2, -1); x.unbind(1); torch.cat([x, w]); torch.cat([x, w], dim=-1); torch.stack([x, w], 1)
torch.stack([x, w], -1); torch.vstack([x, v]); torch.hstack([x, w])
torch.outer(v, v); torch.cdist(x, w); torch.where(m, x, w); torch.where(m, x, 0.5); torch.where(m)
x.masked_fill(m, 7); x.masked_fill(m, -math.inf); x[m]; x[0]; x[-1, 0]; x[:, 0]; x[..., 1:]; x[::2]
x[:, None]; x[1:, [0, 0]]; x[[0, -1]]; x[[0, -1], [0, 0]]; x[x[:, 0] > 0]; x[torch.tensor(0)]
x[:, torch.tensor([[0, 0], [0, 0]])]; x[None, :, [0]]; x[True]; x[torch.arange(x.shape[0]), 0]
x.gather(1, i % x.shape[1]); x.gather(0, i[:1] % x.shape[0]); x.scatter(1, i % x.shape[1], w)
x.scatter(1, i % x.shape[1], 2.0); x.scatter_add(0, i % x.shape[0], w)
x.index_select(1, torch.tensor([0, 0])); x.sort(1); x.sort(0, descending=True); x.argsort(-1); x.topk(1)
x.topk(1, dim=0, largest=False); x.max(); x.min(0)
x.max(1, keepdim=True); x.unique(); x.nonzero(); m.nonzero()
m.nonzero(as_tuple=True); m.sum(); m.sum(1); m.float().mean(0); m & ~m; m | (x > 0); m ^ m; i + 1; i * 2.5
i / 2; i // 3; i % 3; -i // 2; i ** 2; i.float().std(); i.sum(0); i.cumsum(1); i & 3; i == i.T.T
i.to(torch.int32) * 2; i.to(torch.uint8) + 1; (i.to(torch.uint8) * 50); i.bool(); (x * 3).long()
(x * 3).int(); x.double(); x.to(torch.float64) + x; x @ w.T
x @ v; v @ x.T; v @ v; x.matmul(w.mT); x.mm(w.T); torch.stack([x, w]) @ w.T
torch.stack([x, w]).bmm(torch.stack([x, w]).mT); torch.stack([x, w])[:, None] @ torch.stack([x, w, x]).mT
torch.einsum("ij,kj->ik", x, w); torch.einsum("ij,kj", x, w); torch.einsum("ij->j", x)
torch.einsum("ij,ij->", x, w); torch.einsum("ij,j->i", x, v); torch.einsum("...j,j->...", x, v)
torch.einsum("i,j->ij", v, v); torch.einsum("ii->i", x @ w.T); torch.einsum("ij,kj,kl->il", x, w, x)
x.norm()
x.norm(dim=1, keepdim=True); x.norm(p=1, dim=0); x.norm(p=math.inf); x.clamp(-0.5, 0.5); x.clamp(min=0)
x.clamp(max=v); x.nan_to_num(); (x / 0).nan_to_num(); x.isclose(w); x.allclose(x); x.equal(w)
x.round(decimals=1); x.var(0, unbiased=False); x.std(correction=0); x.sum((0, 1)); x.mean(0, keepdim=True)
x.prod(0); x.amax((0, 1)); x.argmax(); x.tolist(); x.shape; x.T.stride(); x.numel(); x.size(-1); len(x)
x.dim(); x.T.is_contiguous(); x.new_zeros(2, 3); x.new_ones(2); x.new_full((2,), 3); torch.zeros_like(x)
torch.ones_like(i); torch.full_like(x, 2); torch.full((2, 2), 1); torch.full((2,), True); torch.arange(5)
torch.arange(1, 6, 2); torch.arange(0, 1, 0.25); torch.arange(3.0); torch.arange(5, 0, -1)
torch.linspace(0, 1, 5); torch.linspace(-1, 1, 4); torch.eye(3); torch.eye(2, 3)
torch.tensor([[1, 2], [3, 4]]); torch.tensor([1, 2.5]); torch.tensor(True)
torch.tensor([]); torch.tensor([[], []]); torch.tensor([torch.tensor(1.0), torch.tensor(2.0)])
torch.as_tensor([1, 2]); torch.finfo(torch.float32).eps; torch.finfo(torch.float64).max
torch.result_type(x, 1); torch.promote_types(torch.int64, torch.float32); torch.broadcast_to(v, x.shape)
torch.broadcast_tensors(x, v); torch.logaddexp(x, w); torch.xlogy(x.abs(), w.abs())
torch.special.entr(x.abs()); torch.empty_strided((2, 3), (1, 2)).stride(); torch.linalg.norm(x)
F.softmax(x, dim=1); F.log_softmax(x, dim=0); F.relu(x); F.gelu(x); F.gelu(x, approximate="tanh")
F.sigmoid(x); F.linear(x, w); F.linear(x, w, x @ w[0]); F.layer_norm(x, x.shape[1:])
F.layer_norm(x, x.shape[1:], v, v); F.normalize(x); F.normalize(x, dim=0)
F.cosine_similarity(x, w); F.cosine_similarity(x[:, None], w[None], dim=-1); F.pad(x, (1, 2))
F.pad(x, (1, 0, 0, 2), value=3); F.one_hot(i); F.one_hot(i % 3, num_classes=4)
F.embedding(i % x.shape[0], x); F.cross_entropy(x, i[:, 0] % x.shape[1])
F.cross_entropy(x, i[:, 0] % x.shape[1], reduction="none")
F.cross_entropy(x, i[:, 0] % x.shape[1], reduction="sum"); F.cross_entropy(x, w.softmax(1))
F.cross_entropy(x, (i[:, 0] % x.shape[1]).where(i[:, 0] > 1, -100))
F.cross_entropy(v, i[0, 0] % x.shape[1]); F.nll_loss(x.log_softmax(1), i[:, 0] % x.shape[1])
F.scaled_dot_product_attention(x, w, w)
F.scaled_dot_product_attention(x[None], w[None], w[None], attn_mask=(x @ w.T > 0))
F.scaled_dot_product_attention(x, w, w, is_causal=True)
F.scaled_dot_product_attention(x, w, w, scale=1.0); repr(x); repr(i); repr(m); repr(x[0]); repr(x[:0])
repr(x * 1e6); repr(x * 1e-6); repr(x.round()); repr(x / 0); repr(x[0, 0]); repr(torch.stack([x, w]))
repr(x.requires_grad_()); repr((x.requires_grad_() * 2).sum()); repr(nn.Parameter(x)); str(x.shape)
repr(x.max(0)); repr(x.dtype); f"{x[0, 0]:.3f}"
""")
# Index a reordered tensor t by positions k, which may be reordered too.
PICKED = forms("""
t[[0, 1]]; t[:, [0, 1]]; t[:, :, [0, 1]]; t[[0, 1], :, [0, 1]]; t[k]; t[k.T]; t[:, k.T]
t[:, k.T, 0]; t[:, k.T, torch.tensor([0, 1])]; t[None, True]; t[t > 9]
t[k[0], k.T[:, :1]]; t.mT[:, [0, 1]]; t.index_select(0, k[0]); F.embedding(k.T, x)
""")
DTYPES = ("float32", "float64")


def numbers(rng: random.Random, *shape: int) -> Any:
    if not shape:
        return round(rng.uniform(-2, 2), 3)
    return [numbers(rng, *shape[1:]) for _ in range(shape[0])]


def inputs(rng: random.Random, dtype: str = "float64") -> str:
    """Return the start of a program: its inputs, which may be views with an unusual memory layout."""
    rows, columns = rng.randint(1, 4), rng.randint(1, 5)
    lines = []
    for name in ("x", "w"):
        if rng.random() < 0.3:
            turned = numbers(rng, columns, rows)
            lines.append(f"{name} = torch.tensor({turned}, dtype=torch.{dtype}).T")
        else:
            lines.append(f"{name} = torch.tensor({numbers(rng, rows, columns)}, dtype=torch.{dtype})")
    lines.append(f"v = torch.tensor({numbers(rng, columns)}, dtype=torch.{dtype})")
    other = rng.choice([(rows, columns), (columns,), (rows, 1), (1, columns), (), (2, rows, 1)])
    lines.append(f"y = torch.tensor({numbers(rng, *other)}, dtype=torch.{dtype})")
    lines.append("m = x > w")
    whole = [[rng.randint(0, 6) for _ in range(columns)] for _ in range(rows)]
    lines.append(f"i = torch.tensor({whole})")
    return "\n".join(lines)


def expressions() -> list[str]:
    made = [f"{form}" for name in UNARY for form in (f"x.{name}()", f"torch.{name}(w.abs() / 3)")]
    made += [f"i.{name}()" for name in ("exp", "abs", "neg", "sign", "sqrt", "sigmoid")]
    for name in BINARY:
        made += [f"torch.{name}(x, y)", f"torch.{name}(x.abs(), w)", f"y.{name}(x)"]
    for name in REDUCTIONS:
        arguments = ("dim=0", "-1, keepdim=True" if name != "count_nonzero" else "-1")
        if name == "norm":
            arguments = ("dim=0", "dim=-1, keepdim=True")
        made += [f"x.{name}({each})" for each in arguments]
        made += [f"x.{name}()"] if name != "logsumexp" else []
    for name in ALONG:
        made += [f"x.{name}(0)", f"torch.{name}(x, dim=-1)"]
    return made + EXPRESSIONS


# One number without dimensions (z), booleans (m), bytes (u), floats (f), and floats with some nan or
# inf (n).
OF_FEW_KINDS = forms("""
m.argmax(); m.argmin(0); ~f; f.bitwise_not(); m.abs(); abs(m); m.floor(); m.ceil(); m.round(); m.topk(1)
z[-1:]; z[:]; z[0]; z[None]; z[...]; z[()]
z.repeat_interleave(2, 0); z.repeat_interleave(2); u.all(0); u.any(); u.all(); z.any(0); z.all(-1)
z.sum(0); z.prod(0); z.float().mean(0); z.float().std(0, correction=0); z.max(0); z.argmin(0)
z.float().norm(dim=0); z.count_nonzero(0); z.sum(0, keepdim=True); z.float().logsumexp(0); z.sum(1)
z.amax(0); z.cumsum(0); z.softmax(0); z.float().softmax(0); z.float().log_softmax(-1); z.flip(0)
z.sort(0); z.topk(1); z.unique(); z.float().var(0, correction=0); z.sum((0,)); z.sum((0, 0))
z.index_select(0, torch.tensor([0])); z.index_select(0, torch.tensor([1])); z.roll(1); z.roll(1, 0)
z.index_select(0, torch.tensor([0, 0])); z.cumsum(1); torch.outer(f, [1.0]); torch.outer([1.0], f)
torch.outer(f, z); m | torch.ones(3, 2); m[:, 0] | torch.ones(3); f.repeat(2, 1) | m; m & 1.5; m - 1
1 - m; 2.5 - m; m.sign(); m.sort(); m.square(); m ** 2; m * m; m / m; m // m; m % m; m.prod(); m.max()
n.max(1)
m.cumsum(0); m.clamp(0, 1); m.relu(); m.sqrt(); m.exp(); m + m; -m; m - m; m < m; m @ m
""")


def differing(both: Runs, programs: list[str]) -> list[str]:
    pairs = zip(programs, both(programs), strict=True)
    return [f"{one.splitlines()[-1]}: {words}" for one, (f, w) in pairs if (words := apart(f, w))]


def test_one_number_and_truths_are_done_with_as_in_torch(both: Runs) -> None:
    start = """m = torch.tensor([[True, False], [True, True]])
f, z = torch.ones(2), torch.tensor(3)
u = torch.tensor([1, 2], dtype=torch.uint8)
n = torch.tensor([[1.0, 2.0, math.nan], [math.nan, 1.0, 0.0], [3.0, 2.0, 2.0]])
"""
    assert not differing(both, [f"{start}result = {each}" for each in OF_FEW_KINDS])


def test_what_is_done_with_a_transposed_tensor_lies_as_in_torch(both: Runs) -> None:
    start = """x = torch.arange(30.0, dtype=torch.float64).sin().view(5, 6)[:, ::2].T
w, v, y, m, i = x.cos(), x[0], x[:1], x > 0, (x * 3).long().abs()
t, k = torch.arange(24.0).view(2, 3, 4).permute(2, 0, 1), torch.tensor([[0, 1, 0], [1, 1, 0]])
"""
    assert not differing(both, [f"{start}result = {each}" for each in expressions() + PICKED])


def test_every_operation_gives_what_torch_gives(both: Runs) -> None:
    rng = random.Random(1)
    asked = [(expression, dtype) for expression in expressions() for dtype in DTYPES]
    wrong = differing(both, [f"{inputs(rng, dtype)}\nresult = {expression}" for expression, dtype in asked])
    assert not wrong, "\n".join(wrong)
