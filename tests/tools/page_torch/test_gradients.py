"""Test that the page's autograd gives torch's gradients: with a random cotangent, in float64."""

from __future__ import annotations

import random

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_operations import expressions, inputs

# Results that take several lines, through views and in-place changes.
PROGRAMS = (
    """
out = torch.zeros(x.shape[0], x.shape[0], dtype=x.dtype); out[:, 0] = x.sum(1); out[0] *= 2
out = x * 1; out[0] = w[0] * 3; out[:, 0].mul_(x[:, 0])
out = x * 1; part = out[0]; part += w[0]; out = out * part
out = x * 1; out[x > 0] = 0; out = out * w
out = x * 1; out[[0, 0]] = w[0]; out = out.exp()
out = x * 1; out.masked_fill_(m, 0.5)
out = x * 1; out.T[0] += 2 * w.T[0]
out = (x * 1).clone(); out.view(-1)[0] = w[0, 0]; out = out * out
out = torch.stack([x[r] * w[r] for r in range(x.shape[0])])
out = torch.cat([x[:1], w * 2, x[1:] * w[1:]]).T
out = x; out = out - out.mean(-1, keepdim=True); out = out / (out.var(-1, keepdim=True) + 1).sqrt()
out = x.detach() * w
out = (x * w).sum().expand(3, 2)
with torch.no_grad(): k = w * 2\nout = x * k
out = x.clone(); out += w; out -= x * w; out *= 2; out /= 3
out = (x @ w.T).softmax(-1) @ w
out = x.relu().log()
out = x.clamp(min=0).log() + x.clamp(-1, 0).neg().sqrt()
out = torch.maximum(x, w * 0).log() + torch.minimum(w, x * 0).neg().sqrt()
out = x.sign().relu().log() + x.round().sqrt() + x.floor().log()
out = (x / x.relu()).max() + (x * math.nan).min() + (x / x.relu()).amax(0) + x.clamp(0).min()
out = (x - x).std(0, correction=0) * x + x.norm() / (x - x).norm()
out = x.relu() * w
out = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)[0] * w
out = torch.autograd.grad((x.softmax(-1) * w).sum(), x, create_graph=True)[0]
out = torch.autograd.grad((x @ w.T).exp().sum(), [x, w], create_graph=True)[0]
out = torch.autograd.grad(F.layer_norm(x, x.shape[1:]).pow(3).sum(), x, create_graph=True)[0]
""".strip()
    .replace("\\n", "\n")
    .split("\nout")
)
# Functions without a slope, or with torch's convention for it where they have a kink or ties.
UNASKED = ("repr", "unique", "isclose", "linalg.", "cdist", "argmin")
UNASKED += ("p=math.inf", "as_tensor", 'f"', "int", "long", "requires_grad_")


def way_back(start: str, body: str, seed: int) -> str:
    return f"""{start}
x, w, v, y = (each.detach().requires_grad_() for each in (x, w, v, y))
{body}
outs = [out] if isinstance(out, torch.Tensor) else out
outs = [o for o in outs if isinstance(o, torch.Tensor) and o.requires_grad] \
    if isinstance(outs, (list, tuple)) else []
cotangent = lambda o: torch.arange(1.0, 1 + o.numel(), dtype=o.dtype).mul({seed}).sin()
total = sum((o * cotangent(o).view(o.shape)).sum() for o in outs)
result = torch.autograd.grad(total, [x, w, v, y], allow_unused=True) if outs else None
"""


def test_every_operation_sends_back_what_torch_sends(both: Runs) -> None:
    rng = random.Random(1)
    asked = [each for each in expressions() if not any(name in each for name in UNASKED)]
    bodies = [f"out = {each}" for each in asked]
    bodies += [each if each.startswith("out") else f"out{each}" for each in PROGRAMS]
    programs = [way_back(inputs(rng), body, rng.randint(1, 9)) for body in bodies]
    wrong = {
        body: words
        for body, (found, wanted) in zip(bodies, both(programs), strict=True)
        if (words := apart(found, wanted, strides=False))
    }
    assert not wrong, "\n".join(f"{body}: {words}" for body, words in wrong.items())
