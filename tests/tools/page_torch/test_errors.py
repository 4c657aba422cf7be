"""Test that errors in the page have torch's type, and that a learner reads the same words."""

from __future__ import annotations

from qkvlib.checking.errors import _MEANINGS, in_plain_words
from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_operations import forms

START = """
a, b = torch.ones(2, 3), torch.ones(4, 3)
v, m = torch.ones(3), torch.ones(2, 3) > 0
t = torch.ones(2, 3, 4)
i = torch.arange(6).view(2, 3)
p = torch.ones(2, 3, requires_grad=True)
"""
PROGRAMS = forms("""
a @ b; a @ a; a - a.max(-1); a.min(-1).sum(); a.T @ b.T; a @ torch.ones(2); v @ torch.ones(2)
v @ torch.ones(4, 5); t @ torch.ones(2, 3, 4); t @ torch.ones(5); t @ torch.ones(3, 4)
t.bmm(torch.ones(2, 3, 4)); t.bmm(a); a.mm(t); torch.dot(v, torch.ones(2)); torch.dot(a, a)
torch.outer(a, v); a @ 2; 2 @ a; a @ [1, 2]; a @ None; a @ (a, a); a @ i.T; i @ a.T; a @ a.double().T
a + b; a + torch.ones(2); a * torch.ones(4); a + None; a + "x"; a + (a, a); a * [1, 2]; a += b; a += t
i += 0.5; i += a; v += a; a.sum(2); a.sum(dim=-3); a.softmax(2); torch.softmax(a, dim=5); torch.softmax(a)
torch.softmax([1.0, 2.0], dim=0); torch.exp(1.0); torch.sum([1, 2]); torch.stack(a.tolist())
torch.cat([1, 2]); torch.cat([a, 2]); torch.matmul(a, 2); a.mean(-3, keepdim=True); a.transpose(0, 2)
a.unsqueeze(4); a.permute(0); a.permute(0, 0); a.t().view(-1); t.transpose(1, 2).view(2, 12)
t.transpose(0, 1).view(-1); a.view(4); a.view(-1, 4); a.view(-1, -1); a.reshape(7); a.reshape(4, 2)
a.reshape(-1, 5); a.view(2, 3.0); a.expand(4, 3); a.expand(3); a.expand(-1, -1, -1, 2); a[5]; a[-3]
a[0, 3]; a[0, 0, 0]; a[:, 7]; a[..., 9]; a[0.5]; a["x"]; a[None, 0, 5]; a[torch.tensor([0, 5])]; a[[7]]
a[:, [1, 8]]; a[torch.tensor([0.0, 1.0])]; a[torch.ones(3) > 0]; a[torch.ones(2, 4) > 0]
a[[0, 1], [0, 1, 2]]; v[0][0]; v[0.0]; a[1.5:]; a[::-1]; [1, 2, 3][torch.tensor(0.5)]
[1, 2, 3][torch.tensor([0, 1])]; [1, 2, 3][a]; a[0] = torch.ones(4); a[:, 0] = torch.ones(3); a[5] = 1
a[m] = torch.ones(5); a[[0, 1]] = torch.ones(4); a[0] = None; a[0] = "x"; a.masked_fill(m.T, 0)
a.masked_fill(i, 0); a.masked_fill(m, None); i.masked_fill(m, 0.5); i.masked_fill(m, -math.inf)
torch.where(a, a, a); torch.where(m, a, torch.ones(4)); torch.cat([a, torch.ones(2, 4)])
torch.cat([a, v]); torch.cat([]); torch.cat([torch.tensor(1.0), torch.tensor(2.0)]); torch.cat(a)
torch.stack([a, b]); torch.stack([]); torch.stack([v, torch.ones(2)]); torch.vstack([a, torch.ones(2)])
torch.einsum("ij,jk->ik", a, b); torch.einsum("ij,kj->ik", a, t); torch.einsum("ijk->i", a)
torch.einsum("ij->k", a); torch.einsum("ij,jk->ik", a); torch.einsum("ij", a, a)
torch.einsum("ij->ii", a); torch.einsum("i1->i", a); i.mean(); i.softmax(-1); i.std(); i.norm(); m.mean()
m - m; m - 1; -m; i.log_softmax(0); F.softmax(i, dim=-1); F.gelu(i); F.layer_norm(i, (3,))
F.layer_norm(a, (4,)); i.exp_(); i.float().masked_fill_(m, 1).long() ** -1; 2 ** i.neg(); v.mT
torch.tensor(1.0).mT; t.t(); if a: pass; bool(a); a and b; not a; float(a); int(v); a.item()
float(torch.ones(0)); bool(torch.ones(0)); math.sqrt(a); range(v); range(torch.tensor(2.0))
len(torch.tensor(1.0)); list(torch.tensor(1.0)); for q in torch.tensor(1.0): pass; q, r, s = a; q, r = v
a(); a.foo; a.shape(); a.shape.foo; None.shape; (a, a).shape; (a, a).softmax(-1); (1.0).shape; (1.0).sum()
(1)[0]; len(1.0); undefined_name; torch.zeros(2, -1); torch.zeros(2.5); torch.zeros("x")
torch.arange(0, 5, 0); torch.arange(5, 0); torch.tensor([[1, 2], [3]]); torch.tensor([a, a])
torch.tensor([v, 1.0]); torch.tensor("x"); torch.tensor(None); torch.tensor([1, None])
torch.tensor({1, 2}); a.split([1, 2], dim=0); a.split(0); a.chunk(0); a.gather(1, i)
a.gather(1, torch.tensor([[0]]).float()); a.gather(1, torch.tensor([0])); a.gather(0, torch.tensor([[5]]))
a.scatter(1, torch.tensor([[9]]), 1.0); a.index_select(0, torch.tensor([5])); a.index_select(0, i)
a.topk(9); a.diagonal(0, 1, 1); v.tril(); t.diag(); a.unflatten(1, (2, 2)); a.flatten(1, 0); a.repeat(2)
a.squeeze(4); torch.randint(3, 3, (2,)); torch.multinomial(torch.zeros(3), 1)
torch.multinomial(torch.ones(3), 5); F.one_hot(a); F.one_hot(i, 3); F.embedding(a, b)
F.embedding(torch.tensor([7]), b); F.cross_entropy(a, torch.tensor([0, 5]))
F.cross_entropy(a, torch.tensor([0, 1, 2])); F.cross_entropy(a, torch.tensor([0.0, 1.0]))
F.cross_entropy(a, None); F.cross_entropy(a, [0, 1]); F.cross_entropy(i, torch.tensor([0, 1]))
F.nll_loss(a, torch.tensor([0.0, 1.0])); F.scaled_dot_product_attention(a, b, a)
F.scaled_dot_product_attention(a, a.double(), a); F.linear(a, torch.ones(4, 5)); nn.Linear(4, 2)(a)
nn.Linear(3, 2)(i); nn.Linear(3, 2)(a.double()); nn.LayerNorm(4)(a); nn.Module()(a)
nn.Linear(3, 2).foo; nn.MultiheadAttention(5, 2); torch.optim.SGD([], lr=0.1); torch.optim.SGD(p, lr=0.1)
torch.optim.SGD([p * 2], lr=0.1); torch.optim.SGD([p], lr=-1); p += 1; p[0] = 1; p[0].add_(1); p.zero_()
p.backward(); a.sum().backward(); (p * 2).backward(); (p.exp().sum().backward(), p.numpy())
p.detach().sum().backward(); with torch.no_grad(): (p * 2).sum().backward()
torch.autograd.grad(a.sum(), a); torch.autograd.grad(p.sum(), [p, a])
torch.autograd.grad(p.sum(), (p * 2)); i.requires_grad_()
torch.ones(2, requires_grad=True, dtype=torch.int64); (p * 2).requires_grad_(False)
torch.set_default_dtype(torch.int64); a.to("cuda"); a.expand(2, 2, 3).add_(1); torch.equal(a, 1)
torch.isclose(a, a.double()); a < "x"; a == None; a.allclose(b); torch.manual_seed("x")
[0, 0] * __import__("sys").maxsize
""")
LONGER = (
    "y = p.exp(); z = y.sum(); y += 1; z.backward()",
    "y = p * 2; z = (y * y).sum(); y[0] = 0; z.backward()",
    "y = p.exp(); y.sum().backward(); y.sum().backward()",
    "y = (p * p).sum(); y.backward(); y.backward()",
    "y = p.sum(); y.backward(); y.backward(); result = p.grad",
    "y = (p * p).sum(); y.backward(retain_graph=True); y.backward(); result = p.grad",
    "y = p.sigmoid(); y.mul_(2); y.sum().backward()",
    "y = p.softmax(-1); y[0, 0] = 1; y.sum().backward()",
    "y = p.relu(); y.add_(1); y.sum().backward()",
    "y = p.log(); y.add_(1); y.sum().backward(); result = p.grad",
    "y = p + 0; y.clamp_(0, 0.5); y.sum().backward(); result = p.grad",
    "class Net(nn.Module):\n    def __init__(self):\n        self.w = nn.Parameter(a)\nNet()",
    "def f(x): return x\nf(a, b)",
    "def f(x): return x\nf()",
    "def f(x): return x\nf(y=a)",
)


def test_what_goes_wrong_goes_wrong_in_torchs_way(both: Runs) -> None:
    bodies = [
        line
        if " = " in line or line.startswith(("if", "for", "with", "q,")) or "+=" in line
        else f"result = {line}"
        for line in PROGRAMS
    ]
    programs = [START + body for body in (*bodies, *LONGER)]
    outcomes = both(programs)
    wrong = {
        program.removeprefix(START): words
        for program, (found, wanted) in zip(programs, outcomes, strict=True)
        if (words := apart(found, wanted, strides=False))
    }
    assert not wrong, "\n".join(f"{program}: {words}" for program, words in wrong.items())
    met = {
        pattern
        for pattern, _ in _MEANINGS
        for _, wanted in outcomes
        if "error" in wanted
        and in_plain_words(wanted["error"][0], wanted["message"])
        and __import__("re").search(pattern, f"{wanted['error'][0]}: {wanted['message']}")
    }
    assert len(met) == len(_MEANINGS), {p for p, _ in _MEANINGS} - met
