"""Test that the names of torch that the exercises call for exist in the page, and that others say why not.

names.txt has the names that must be there. They come from six public repositories: models to read (nanoGPT,
minGPT, the annotated transformer), two courses and a library.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from qkvlib.tools.site.in_page.torch_names import HOMES, torch_names
from tests.tools.page_torch.conftest import Runs

NAMES = Path(__file__).parent / "names.txt"
# The names to test instead of a class.
INSTANCES = {"torch.Tensor": "torch.ones(2, 2)", "torch.nn.Module": "nn.Linear(2, 2)"}


def test_a_much_used_name_is_there(both: Runs) -> None:
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        home, _, names = line.partition(": ")
        programs = _types(home, names.split())
        for program, (found, wanted) in zip(programs, both(programs), strict=True):
            assert "error" not in wanted, f"torch itself has no such name: {program}"
            assert "error" not in found, program


@pytest.mark.parametrize("home", HOMES)
def test_a_name_of_torchs_is_there_or_says_that_it_is_not(both: Runs, home: str) -> None:
    names = json.loads(torch_names())[home].split()
    programs = _types(INSTANCES.get(home, home), names)
    for name, (found, wanted) in zip(names, both(programs), strict=True):
        if "error" in found and "error" not in wanted:
            assert found["error"][0] == "NotInThisPage", f"{home}.{name}: {found['message']}"
            assert f"{name}` is not in this page" in found["message"]
            assert "JupyterLab has all of torch" in found["message"]


@pytest.mark.parametrize("home", HOMES)
def test_what_nobody_has_is_not_said_to_be_torchs(both: Runs, home: str) -> None:
    ((found, wanted),) = both(_types(INSTANCES.get(home, home), ["nothing_like_it"]))
    assert (found["error"][0], found["message"]) == (wanted["error"][0], wanted["message"])


def _types(place: str, names: Sequence[str]) -> list[str]:
    return [f"result = type({place}.{name}).__name__" for name in names]


def test_a_whole_number_that_a_double_does_not_know_is_refused_and_never_wrong(both: Runs) -> None:
    programs = [
        "torch.tensor(2**53) + 1",
        "torch.tensor([2**40]) * torch.tensor([2**40])",
        "torch.tensor(2**60)",
        "torch.tensor(math.inf).long()",
    ]
    asked = [f"result = {program}" for program in programs]
    for program, (found, _) in zip(programs, both(asked), strict=True):
        assert "2**53" in found.get("message", ""), program
