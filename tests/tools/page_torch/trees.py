"""Make random expressions of random depth, written as programs.

Each kind of value has templates in which letters stand for other kinds: M is a matrix of the
shape of x, V a vector as long as a row of x, S one number, B a mask of x's shape, I whole numbers
of that shape, W whole numbers of any type and shape. All functions are moderate, so that numbers
stay where rounding errors are small.
"""

from __future__ import annotations

import random
import re

from tests.tools.page_torch.test_gradients import way_back
from tests.tools.page_torch.test_operations import inputs

FORMS = {
    "M": """
        x; w; x; w; (M + M); (M - M); (M * M); (M * V); (V - M); (M + S); (S * M); -M
        (M / (M.abs() + 1)); (V / (1 + M * M)); M.tanh(); M.sigmoid(); M.relu(); M.abs()
        torch.sin(M); M.cos(); M.tanh().exp(); (M.abs() + 0.1).sqrt(); M.abs().log1p()
        M.erf(); F.gelu(M); M.clamp(-1, 1); torch.maximum(M, M)
        torch.where(B, M, M); M.masked_fill(B, 0.5); (M * B); (M * I); M.softmax(0)
        M.softmax(-1); M.log_softmax(-1); (M @ M.mT) @ M / 9
        torch.einsum("ij,kj,kl->il", M, M, M); (M - M.mean(-1, keepdim=True))
        (M / (M.norm(dim=-1, keepdim=True) + 1)); M.cumsum(0); M.cumsum(1); M.flip(0)
        M.flip(1); M.roll(1, 1); M.roll(-1); M.tril(); M.triu(1); M.sort(1)[0]
        M.T.contiguous().T; M.mT.clone().mT; M.reshape(-1).view(x.shape)
        M[torch.arange(x.shape[0]).flip(0)]; torch.cat([M, M])[: x.shape[0]]
        torch.stack([M, M]).mean(0); (M.abs() + 1).prod(0) * M
        M[:, None].expand(-1, 2, -1).sum(1); torch.outer(M.sum(1), V) / 5
        M.gather(1, I % x.shape[1]); M.repeat(2, 1)[:: 2].reshape(x.shape)
        F.layer_norm(M, x.shape[1:]); F.pad(M, (1, 0))[:, :-1]; M.unsqueeze(0).squeeze(0)
        M.expand_as(M); torch.split(torch.cat([M, M], 1), x.shape[1], 1)[1]
    """,
    "V": """
        v; v; M.sum(0); M.mean(0); M.amax(0); M[0]; M[-1]; (V + V); (V * V); (S * V)
        V.tanh(); V.softmax(0); M.T @ M.sum(1) / 5; V.flip(0); (M * B).sum(0)
        M.std(0, correction=0); torch.cat([V, V])[: len(v)]; V.cumsum(0); M.norm(dim=0)
        M.logsumexp(0); M.max(0)[0]
    """,
    "S": """
        v[0]; x[0, 0]; 0.5; -2; M.sum(); M.mean(); V @ V; M.max(); V.min(); M[-1, 0]
        S * S; torch.tanh(V[0]); (M * M).sum().abs().sqrt(); M.var(correction=0); M[0] @ V
        torch.dot(V, V)
    """,
    "W": """
        i; i; i.to(torch.int32); i.to(torch.uint8); m
        (x > 0); (W + W); (W - W); (W * W); (W // (W.abs() + 1)); (W % 3); (W & W); (W | W)
        (W ^ W); ~W; -W; W.abs(); W + 1; W * True; 2 - W; W ** 2; W.clamp(0, 3); W.sum(0); W.sum()
        W.cumsum(1); W.prod(0); W.max(0)[0]; W.amin(1, keepdim=True); W.flip(0)
        W.T.contiguous().T; W[0]; W[-1:]; torch.where(B, W, W); W.masked_fill(B, 1); W.sort(1)[0]
        torch.cat([W, W]); W.bool(); W.long(); torch.stack([W, W]).amax(0); (W == W); (W < W)
        W.any(0); W.all(1); W.gather(1, I % x.shape[1]); torch.maximum(W, W); W.unique()
        W.argmax(); W.nonzero(); W.float(); (W / 2); W.tril(); W.eq(W).sum()
        W.repeat_interleave(2, 0); W.remainder(4); (W * 0.5)
        W.roll(1, 0); W.count_nonzero(); torch.outer(W[0], W[0]); W.mean(); W.square()
        W.sign(); W.topk(1)[0]; W.tolist(); W.floor()
        W.logical_not(); W.new_zeros(2); torch.zeros_like(W); torch.full_like(W, 3)
        W.type(torch.float32); W @ W.T; W.index_select(0, torch.tensor([0]))
        W.scatter(1, I % x.shape[1], 2); W.sqrt()
    """,
    "B": """
        m; m; (M > M); (M >= V); (M < 0.1); ~B; (B & B); (B | B); (B ^ B); B.flip(0)
        (I % 2 == 0); (I != I)
    """,
    "I": """
        i; i; (I + 1); (I * 2); (I % 3); (I // 2); I.flip(1); M.argsort(1); B.long()
        (I - I).abs(); I.clamp(0, 3)
    """,
}
# In-place changes of `out` once it exists; each on a separate line.
STEPS = """
out[0] = V
out[:, -1] += S
out = out * 2; out += M
out = out + 0; out *= M
out = out + 0; out[B] = 0
out = out + 0; out.masked_fill_(B, 0.5)
out = out + 0; out.T[0].mul_(2)
out = out + 0; part = out[-1]; part.add_(V); out = out * out
out = out + 0; out.view(-1)[0] = S
out = torch.stack([row * V for row in out])
out = out.detach() * M
""".strip().splitlines()
_CHOICES = {
    kind: [form.strip() for line in forms.strip().splitlines() for form in line.split("; ")]
    for kind, forms in FORMS.items()
}
_LETTER = re.compile(r"(?<![\w.\"'])[MVSBIW](?!\w)")


def expression(kind: str, depth: int, rng: random.Random) -> str:
    """Return a random expression of this kind; its leaves are names and numbers."""
    choices = _CHOICES[kind]
    if depth <= 0:
        choices = [form for form in choices if not _LETTER.search(form)]
    return f"({_filled(rng.choice(choices), depth - 1, rng)})"


def _filled(form: str, depth: int, rng: random.Random) -> str:
    return _LETTER.sub(lambda letter: expression(letter[0], depth, rng), form)


def program(rng: random.Random) -> str:
    """Return a random program: whole numbers, or floats with gradients, perhaps changed in place."""
    if rng.random() < 0.3:
        return f"{inputs(rng)}\nresult = {expression('W', rng.randint(1, 4), rng)}\n"
    lines = [f"out = {expression(rng.choice('MMMVS'), rng.randint(1, 4), rng)}"]
    if rng.random() < 0.4:
        lines = [f"out = {expression('M', rng.randint(1, 3), rng)} * 1"]
        lines += [_filled(rng.choice(STEPS), 1, rng) for _ in range(rng.randint(1, 2))]
    body = "\n".join([*lines, "made = torch.as_tensor(out).detach().clone()"])
    whole = way_back(inputs(rng), body, rng.randint(1, 9))
    return f"{whole}result = [made, result]\n"
