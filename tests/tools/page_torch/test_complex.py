"""Test complex numbers, as far as rotations need them: numbers, gradients and refusals as in torch."""

from __future__ import annotations

import random

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_operations import forms

# z and u are complex, x and y their parts, k one number.
NUMBERS = forms("""
z * u; z * k; z * 2.5; 1j * x; x * (0.5 - 2j); torch.exp(1j * x); (z * 0.1).exp()
torch.polar(x.abs() + 1, y); torch.complex(x, y); z.detach() * u; torch.tensor(2.5j) * z; x.to(z.dtype)
torch.view_as_complex(torch.cat([x, y], -1).unflatten(-1, (-1, 2)).contiguous()) * 1j
z.real * y; z.imag - x; torch.view_as_real(z * u); x.real + y; torch.view_as_real(z).sum(-1)
torch.view_as_real(z * torch.polar(torch.ones_like(x), y)).flatten(-2); torch.cumsum(x, 0) * z
torch.view_as_complex(torch.stack([x, y], -1))
""")
OTHER = forms("""
[z.dtype.is_complex, x.dtype.is_complex, z.is_floating_point()]; [str(z.dtype), str((z.real * 1j).dtype)]
[z.shape, z.ndim, z.numel(), len(z), z.size(-1), z.is_contiguous(), z.stride()]; z.requires_grad
str((torch.arange(2) * 1j).dtype) + str((torch.arange(2.0).double() * 1j).dtype); bool(torch.tensor(1j))
str(torch.promote_types(torch.complex64, torch.float64)) + str(torch.result_type(x, 1j))
torch.view_as_real(torch.ones(2, 1, 1, dtype=torch.complex64) * z)
""")
REFUSED = forms("""
torch.view_as_complex(torch.ones(2, 2).long()); torch.view_as_complex(torch.ones(2, 3))
torch.view_as_complex(torch.tensor(1.0)); torch.view_as_complex(torch.ones(2, 2).mT)
torch.view_as_complex(torch.ones(3, 3)[:, :2]); torch.view_as_complex(torch.ones(7)[1:].view(3, 2))
torch.view_as_real(x); x.imag; torch.polar(1.0, x); torch.polar(x, x.double()); torch.polar(x.long(), x)
torch.complex(x.double(), x.float()); x.detach().__imul__(1j); torch.tensor([1j], dtype=torch.float32)
z < u; z.softmax(-1)
""")
# Refused here but not by torch: better than a wrong number.
NOT_HERE = forms("""
torch.stack([z, u]); torch.cat([z, u]); torch.matmul(z, u); z ** 2; z.log(); x.where(x > 0, z)
z.prod(); z.mean(); torch.einsum("ij,ij->", z, u); torch.randn(2, dtype=torch.complex64); z.requires_grad_()
torch.autograd.grad(z.abs().sum(), z); torch.nn.Parameter(z.detach()); torch.linalg.norm(z); repr(z)
z.add_(1); z + u; z - 1j; z.reshape(-1); z.flatten(); z.clone()
z.sum(); z / u; -z; z == u; abs(z); z[0]; z.unbind(); torch.zeros_like(z)
""")


def start(rng: random.Random, kind: str) -> str:
    rows, columns = rng.sample(range(1, 6), 2)
    return f"""
wave = lambda a: torch.arange(1.0, {1 + rows * columns}, dtype={kind}).mul(a).sin() * 2
x, y, p, q = (wave(a).view({rows}, {columns}).requires_grad_() for a in (1, 2, 3, 5))
z, u, k = torch.complex(x, y), torch.complex(p, q + 3), x[0, 0] * y[0, 0]
"""


def way_back(made: str) -> str:
    return f"""{made}
out = torch.view_as_real(out) if out.dtype.is_complex else out
numbers = [str(out.dtype), out.detach()]
if out.requires_grad:
    total = (out * torch.arange(1.0, 1 + out.numel(), dtype=out.dtype).sin().view(out.shape)).sum()
    numbers += torch.autograd.grad(total, [x, y, p, q], allow_unused=True)
result = numbers
"""


def test_numbers_and_gradients_are_torchs(both: Runs) -> None:
    rng = random.Random(2)
    asked = [(each, kind) for each in NUMBERS for kind in ("torch.float32", "torch.float64")]
    programs = [way_back(f"{start(rng, kind)}out = {each}") for each, kind in asked]
    programs += [f"{start(rng, 'torch.float32')}result = {each}" for each in OTHER]
    pairs = zip([*(each for each, _ in asked), *OTHER], both(programs), strict=True)
    wrong = [f"{each}: {words}" for each, (f, w) in pairs if (words := apart(f, w, strides=False))]
    assert not wrong, "\n".join(wrong)


def test_what_torch_refuses_is_refused(both: Runs) -> None:
    begin = start(random.Random(4), "torch.float32")
    pairs = zip(REFUSED, both([f"{begin}result = {each}" for each in REFUSED]), strict=True)
    for each, (found, wanted) in pairs:
        assert "error" in wanted, f"torch does it: {each}"
        words = apart(found, wanted)
        assert not words or found["error"][0] == "NotInThisPage", f"{each}: {words}"


def test_what_is_missing_is_no_number(both: Runs) -> None:
    begin = start(random.Random(5), "torch.float32")
    for each, (found, _) in zip(
        NOT_HERE, both([f"{begin}result = {each}" for each in NOT_HERE]), strict=True
    ):
        assert found.get("error", [""])[0] == "NotInThisPage", f"{each}: {found}"
        assert "complex numbers" in found["message"], found["message"]


def test_what_is_missing_is_named(both: Runs) -> None:
    begin = start(random.Random(6), "torch.float32")
    for each, name in (("z ** 2", "pow"), ("x ** 1j", "pow"), ("z + u", "add"), ("z == u", "eq")):
        ((found, _),) = both([f"{begin}result = {each}"])
        assert found["message"].startswith(f"`{name}` of complex numbers"), found["message"]
