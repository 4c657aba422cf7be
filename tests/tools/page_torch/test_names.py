"""The names that tensor code uses most are there, or say themselves that they are not.

Six public repositories were counted: models to read (nanoGPT, minGPT, the annotated transformer),
two courses and a library. What at least two of them use of torch stands in names.txt, and more.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
import torch

from tests.tools.page_torch.conftest import Runs

NAMES = Path(__file__).parent / "names.txt"
# Where torch has names, and what to ask for them in place of a class.
HOMES = {
    "torch.Tensor": "torch.ones(2, 2)",
    "torch.nn.Module": "nn.Linear(2, 2)",
    **dict.fromkeys(
        ("torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils",
         "torch.optim", "torch.optim.lr_scheduler", "torch.linalg", "torch.special",
         "torch.autograd", "torch.func", "torch.distributions", "torch.testing", "torch.random")
    ),
}  # fmt: skip


def test_a_name_is_there_or_says_that_it_is_not(both: Runs) -> None:
    for line in NAMES.read_text(encoding="utf-8").splitlines():
        where, _, names = line.partition(": ")
        home = where.removeprefix("missing ")
        programs = [f"result = type({home}.{name}).__name__" for name in names.split()]
        for program, (found, wanted) in zip(programs, both(programs), strict=True):
            assert "error" not in wanted, f"torch itself has no such name: {program}"
            name = program.removeprefix("result = type(").removesuffix(").__name__")
            if where == home:
                assert "error" not in found, program
            else:
                assert found["error"][0] == "NotInThisPage", program
                assert f"`{name}` is not in this page" in found["message"]
                assert "JupyterLab has all of torch" in found["message"]


@pytest.mark.parametrize("home", HOMES)
def test_a_name_of_torchs_is_there_or_says_that_it_is_not(both: Runs, home: str) -> None:
    place = HOMES[home] or home
    thing = functools.reduce(getattr, home.split(".")[1:], torch)
    names = _fresh_names()[home]
    for name, (found, wanted) in zip(names, both(_types(place, names)), strict=True):
        if "error" in found and "error" not in wanted and _is_torchs(getattr(thing, name)):
            assert found["error"][0] == "NotInThisPage", f"{home}.{name}: {found['message']}"


@pytest.mark.parametrize("home", HOMES)
def test_what_nobody_has_is_not_said_to_be_torchs(both: Runs, home: str) -> None:
    ((found, wanted),) = both(_types(HOMES[home] or home, ["nothing_like_it"]))
    assert (found["error"][0], found["message"]) == (wanted["error"][0], wanted["message"])


@functools.cache
def _fresh_names() -> dict[str, list[str]]:
    """Each home's names in a Python of its own: in this one another test's program may add some."""
    asked = f"import functools, json, torch\nhomes = {list(HOMES)}\n" + (
        "found = {h: dir(functools.reduce(getattr, h.split('.')[1:], torch)) for h in homes}\n"
        "print(json.dumps({h: [n for n in found[h] if n[0] != '_'] for h in homes}))"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
    names: dict[str, list[str]] = json.loads(ran.stdout)
    return names


def _types(place: str, names: Sequence[str]) -> list[str]:
    return [f"result = type({place}.{name}).__name__" for name in names]


def _is_torchs(value: object) -> bool:
    """And not a module of Python's, or a name that torch's own code imports."""
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch.")
    home = getattr(value, "__module__", None)
    return not isinstance(home, str) or home.split(".")[0] == "torch"


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
