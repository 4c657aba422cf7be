"""Complex numbers, as far as a turn asks for them, are torch's: numbers, gradients and refusals."""

from __future__ import annotations

import random

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs

# z and u are complex, x and y their parts, k one number.
TO_COMPLEX = """
z * u
z * k
z * 2.5
1j * x
x * (0.5 - 2j)
z + u
z - 1j
1 + z
2 - z
z / u
1 / z
-z
z.conj() * u
torch.exp(1j * x)
(z * 0.1).exp()
torch.polar(x.abs() + 1, y)
torch.complex(x, y)
z.reshape(-1)
z.flatten()
z.view(-1, 1) * u.view(1, -1)
z.mT
z.T.contiguous()
z.transpose(0, -1) * 1j
z[0]
z[..., -1]
z[:, None, 0]
z[x > 0]
z[[0, 0]]
z.unsqueeze(-1)
z.unbind(-1)[0]
z.sum()
z.sum(0, keepdim=True)
z[0].expand(3, -1)
z.detach().clone()
torch.zeros_like(z) + z
torch.ones(2, 1, dtype=torch.complex64) * z[:1]
torch.tensor([1, 2.5j]).sum() * z
x.to(z.dtype)
torch.view_as_complex(torch.stack([x, y], -1))
torch.view_as_complex(torch.cat([x, y], -1).unflatten(-1, (-1, 2)).contiguous()) * 1j
torch.cumsum(x, 0) + z
"""
TO_REAL = """
z.real * y
z.imag - x
torch.real(u) + torch.imag(u)
z.abs()
abs(z)
(z * 0).abs()
z.angle()
torch.angle(z * 0)
x.angle() + y
torch.view_as_real(z * u)
torch.view_as_real(z * torch.polar(torch.ones_like(x), y)).flatten(-2)
x.real + x.conj()
(z == u) | (z != z)
torch.view_as_real(z).sum(-1)
"""
OTHER = """
result = [torch.is_complex(z), z.is_complex(), x.is_complex(), z.is_floating_point()]
result = [str(z.dtype), str((z * 1).dtype), str((z.real * 1j).dtype), z.element_size()]
result = [z.shape, z.ndim, z.numel(), len(z), z.size(-1), z.is_contiguous(), z.mT.is_contiguous()]
result = str((torch.arange(2) * 1j).dtype) + str((torch.arange(2.0).double() * 1j).dtype)
result = str((z[0, 0] * x.double()).dtype) + str((z[0, 0].to(torch.complex128) * x.float()).dtype)
result = str(torch.promote_types(torch.complex64, torch.float64)) + str(torch.result_type(x, 1j))
result = str(z.detach()[0, 0].item() == complex(x[0, 0], y[0, 0]))
result = str(torch.tensor([[1.5 + 2j, -0.25j]]))
result = str(torch.tensor([1 + 2j, -3]))
result = str(torch.tensor([1e-3 + 2e5j, -3]))
result = str(torch.tensor([1j, 2], dtype=torch.complex128))
result = repr(torch.zeros(2, 2, dtype=torch.cfloat))
result = str(torch.tensor(1 - 1j)) + str(torch.zeros(0, dtype=torch.cfloat))
result = [torch.allclose(z, z), torch.allclose(z, z + 1e-3), torch.equal(z.real, x)]
w = torch.zeros_like(z); w[0] = z[0]; w[1:, 0] = 1j; result = torch.view_as_real(w)
w = z.detach().clone(); w *= 1j; w += 2; result = torch.view_as_real(w)
w = z.detach().clone(); w.real = y.detach(); w.imag[0] = 1; result = torch.view_as_real(w)
w = torch.zeros(2, 2); torch.view_as_complex(w)[0] = 1 - 2j; result = w
w = z.detach().clone(); w[0] = x.detach()[0]; result = torch.view_as_real(w)
result = [torch.view_as_real(row) for row in z]
result = torch.view_as_real(z).stride()
result = z.stride()
result = z.requires_grad
result = [a.is_conj() for a in (z, z.conj(), z.conj().conj(), z.conj() * 1)]
result = [a.is_conj() for a in (z.conj()[0], z.conj().mT, z.conj().detach(), z.conj().clone())]
result = [a.is_conj() for a in (z.conj().resolve_conj(), z.conj().flatten(), x.conj())]
result = torch.view_as_real(z.conj().resolve_conj())
w = z.detach().clone(); c = w.conj(); c[0] = 3 - 1j; c += 2j; result = torch.view_as_real(w)
w = z.detach().clone(); c = w.conj(); w += 2j; result = torch.view_as_real(c.resolve_conj() * c[0])
w = z.detach().clone(); c = w.conj(); c.imag = y.detach(); c.real = 3; result = [w.real, w.imag]
w = z.detach().clone(); c = w.conj().conj(); w[0] = 0; result = torch.view_as_real(c)
w = z.detach().clone(); c = w.conj(); w[0] = 1j; result = [c.imag, c.real, c.abs(), str(c)]
result = float(torch.tensor(1 + 0j)), bool(torch.tensor(1j))
"""
REFUSED = """
torch.view_as_complex(torch.ones(2, 2).long())
torch.view_as_complex(torch.ones(2, 3))
torch.view_as_complex(torch.tensor(1.0))
torch.view_as_complex(torch.ones(2, 2).mT)
torch.view_as_complex(torch.ones(3, 3)[:, :2])
torch.view_as_complex(torch.ones(7)[1:].view(3, 2))
torch.view_as_real(x)
torch.view_as_real(z.conj())
torch.view_as_real(z.conj()[0].T)
torch.view_as_real(torch.conj(z.detach()).contiguous())
torch.imag(x)
x.imag
torch.polar(1.0, x)
torch.polar(x, x.double())
torch.polar(x.long(), x)
torch.complex(x.double(), x.float())
x.detach().clone().__imul__(1j)
x[0] + z.sum(0).unsqueeze(0).expand(2, -1)[:, :0]
float(torch.tensor(1j))
torch.tensor([1j], dtype=torch.float32)
z.view(7, 11)
z[0, 0, 0]
z.transpose(0, 2)
z < u
z.softmax(-1)
"""
# What is refused here and not by torch: no number is made up.
NOT_HERE = """
torch.stack([z, u])
torch.cat([z, u])
z @ u.mT
z ** 2
z.log()
torch.where(x > 0, z, u)
x.where(x > 0, z)
z.prod()
z.mean()
torch.einsum("ij,ij->", z, u)
torch.randn(2, dtype=torch.complex64)
z.requires_grad_()
torch.autograd.grad(z.abs().sum(), z)
torch.nn.Parameter(z.detach())
torch.linalg.norm(z)
z.half()
z.add_(1).mul_(2).sqrt_()
z.detach().conj().mul_(2)
z.detach().conj().imag.mul_(2)
z.detach().conj().imag[0].fill_(1)
z.detach().conj().imag.data.fill_(1)
"""


def start(rng: random.Random, kind: str) -> str:
    rows, columns = rng.sample(range(1, 6), 2)
    return f"""
torch.manual_seed({rng.randrange(1000)})
wave = lambda a: torch.arange(1.0, {1 + rows * columns}, dtype={kind}).mul(a).sin() * 2
x, y, p, q = (wave(a).view({rows}, {columns}).requires_grad_() for a in (1, 2, 3, 5))
z, u, k = torch.complex(x, y), torch.complex(p, q + 3), x[0, 0] * y[0, 0]
"""


def way_back(made: str) -> str:
    return f"""{made}
out = torch.view_as_real(out) if out.is_complex() else out
numbers = [str(out.dtype), out.detach()]
if out.requires_grad:
    total = (out * torch.arange(1.0, 1 + out.numel(), dtype=out.dtype).sin().view(out.shape)).sum()
    numbers += torch.autograd.grad(total, [x, y, p, q], allow_unused=True)
result = numbers
"""


def differing(both: Runs, programs: list[str]) -> list[str]:
    pairs = zip(programs, both(programs), strict=True)
    return [
        f"{program.partition('q + 3), ')[2]}: {words}"
        for program, (found, wanted) in pairs
        if (words := apart(found, wanted, strides=False))
    ]


def test_numbers_and_gradients_are_torchs(both: Runs) -> None:
    rng = random.Random(2)
    made = (TO_COMPLEX + TO_REAL).strip().splitlines()
    programs = [
        way_back(f"{start(rng, kind)}out = {each}")
        for each in made
        for kind in ("torch.float32", "torch.float64")
    ]
    wrong = differing(both, programs)
    assert not wrong, "\n".join(wrong)


def test_what_is_no_tensor_and_what_is_written_is_torchs(both: Runs) -> None:
    rng = random.Random(3)
    programs = [start(rng, "torch.float32") + each for each in OTHER.strip().splitlines()]
    wrong = differing(both, programs)
    assert not wrong, "\n".join(wrong)


def test_what_torch_refuses_is_refused(both: Runs) -> None:
    begin = start(random.Random(4), "torch.float32")
    for each in REFUSED.strip().splitlines():
        ((found, wanted),) = both([f"{begin}result = {each}"])
        assert "error" in wanted, f"torch does it: {each}"
        words = apart(found, wanted)
        assert not words or found["error"][0] == "NotInThisPage", f"{each}: {words}"


def test_what_is_missing_is_no_number(both: Runs) -> None:
    begin = start(random.Random(5), "torch.float32")
    for each in NOT_HERE.strip().splitlines():
        ((found, _),) = both([f"{begin}result = {each}"])
        assert found.get("error", [""])[0] == "NotInThisPage", f"{each}: {found}"
        assert "complex numbers" in found["message"], found["message"]
