"""Test that the page's optimisers accept and refuse what torch's do, and take the same steps."""

from __future__ import annotations

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_operations import forms

OPTIMISERS = {
    "SGD": ("lr", "momentum", "weight_decay"),
    "Adam": ("lr", "eps", "weight_decay"),
    "AdamW": ("lr", "eps", "weight_decay"),
}
NUMBERS = forms("""
-1; -0.0; 0; 0.1; 2; math.nan; math.inf; -math.inf; True; [1]; None; 'a'; torch.tensor(0.1)
torch.tensor(-0.1)
""")
BETAS = forms("""
(0.9, 0.999); (0.0, 0.0); (0, 0.9); (1.0, 0.9); (0.9, 1.0); (-0.1, 0.9); (0.9, math.nan)
[0.9, 0.9]
""")
PARAMETERS = forms("""
[p]; [p, q]; [p, p]; (p, q); iter([p]); p; []; [p * 2]; [r]; [1]; None; [p, None]
nn.Linear(2, 2).parameters()
""")
STEPS = forms("""
SGD([p, q], lr=0.1); SGD([p, q], lr=0.1, momentum=0.9); SGD([p, q], 0.1, 0.9, weight_decay=0.1)
SGD([p], lr=math.nan); SGD([p, q], lr=torch.tensor(0.1)); Adam([p, q])
Adam([p, q], lr=0.1, betas=(0.5, 0.9), weight_decay=0.1); AdamW([p, q], lr=0.1)
AdamW([p, q], 0.1, (0.5, 0.9), 1e-3); AdamW([p, q], lr=0.1, weight_decay=0.5, eps=1e-3)
AdamW([p, q], 0.1, (0.5, 0.9), 1e-3, 0.5)
""")
# Settings for how a step is computed, which do not affect the numbers here.
WAYS = ("foreach=None, fused=False", "nonsense=1", "differentiable=False")
NOT_HERE = (
    "SGD([p], foreach=True)",
    "SGD([p], momentum=0.5, nesterov=True)",
    "SGD([p], momentum=0.5, dampening=0.1)",
    "Adam([p], maximize=True)",
    "SGD([{'params': [p]}], lr=0.1)",
    "SGD(nn.Linear(2, 2).named_parameters(), lr=0.1)",
    "AdamW([p], amsgrad=True)",
    "Adam([p], fused=True)",
    "AdamW([p], capturable=True)",
)
START = """
p = torch.tensor([1.0, -2.0], requires_grad=True)
q = torch.tensor([[0.5, 3.0]], requires_grad=True)
r = p * 2
r.retain_grad()
"""


def made() -> list[str]:
    """Return every setting with every value, and various arguments instead of a list of parameters."""
    named = [
        f"{kind}([p], {setting}={value})"
        for kind, settings in OPTIMISERS.items()
        for setting in settings
        for value in NUMBERS
    ]
    named += [f"{kind}([p], betas={betas})" for kind in ("Adam", "AdamW") for betas in BETAS]
    named += [f"{kind}({given})" for kind in OPTIMISERS for given in PARAMETERS]
    return named + [f"{kind}([p], {way})" for kind in OPTIMISERS for way in WAYS]


def test_what_torchs_constructors_refuse_is_refused_and_nothing_else(both: Runs) -> None:
    asked = made()
    programs = [f"{START}result = len(torch.optim.{one}.param_groups)" for one in asked]
    wrong = []
    for one, (found, wanted) in zip(asked, both(programs), strict=True):
        words = apart(found, wanted)
        if not words and wanted.get("error", [""])[0] == "ValueError":
            words = "" if found["message"] == wanted["message"] else found["message"]
        if words:
            wrong.append(f"{one}: {words}")
    assert not wrong, "\n".join(wrong)


def test_what_is_missing_says_so(both: Runs) -> None:
    for found, _ in both([f"{START}torch.optim.{one}" for one in NOT_HERE]):
        assert found["error"][0] == "NotInThisPage"


def test_steps_are_torchs(both: Runs) -> None:
    step = "o.zero_grad(); ((p * q).sum() ** 2 + q.sum()).backward(); o.step()"
    programs = [f"{START}o = torch.optim.{one}\nfor _ in range(4): {step}\nresult = [p, q]" for one in STEPS]
    for one, (found, wanted) in zip(STEPS, both(programs), strict=True):
        assert "error" not in wanted, one
        assert not (words := apart(found, wanted)), f"{one}: {words}"
