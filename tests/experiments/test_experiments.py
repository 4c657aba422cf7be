"""Test every claim of the course, in the short form; `make experiments` tries many more seeds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from qkvlib.course.chapters import DOOR, chapters
from tests.experiments.__main__ import load, main
from tests.experiments.claims import CLAIMS, Claim, examine, row

load()

# Checking the shapes at every call would double the time; other tests check them.
pytestmark = pytest.mark.usefixtures("unchecked_signatures")

ROOT = Path(__file__).parent.parent


@pytest.mark.sweep(keep=15)
@pytest.mark.slow
@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if not c.long], ids=lambda claim: f"{claim.chapter} {claim.text}"
)
def test_the_claim_holds(claim: Claim) -> None:
    finding = examine(claim, range(1))
    assert finding.holds, row(finding)


def trains(source: Path) -> bool:
    """Return whether the chapter trains something, so that its claims may depend on a seed."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    loops = {"train", "train_together"}
    return any(isinstance(call, ast.Name) and call.id in loops for call in calls)


def test_every_chapter_that_trains_has_claims() -> None:
    sources = sorted((ROOT / "solutions").glob("*.py"))
    missing = {source.stem[:2] for source in sources if trains(source)}
    missing -= {claim.chapter for claim in CLAIMS}
    assert not missing, (
        f"chapter {missing} trains a model and claims nothing: enter what it says of the outcome "
        "with @claim in tests/experiments/chNN_name.py, so that it is tried on many seeds "
        "(CONTRIBUTING.md, 'A chapter')"
    )


def test_every_claim_belongs_to_a_chapter_and_is_made_once() -> None:
    assert {claim.chapter for claim in CLAIMS} <= {DOOR, *(chapter.number for chapter in chapters())}
    assert len({(claim.chapter, claim.text) for claim in CLAIMS}) == len(CLAIMS)


def made_up(bar: float) -> Claim:
    return Claim("00", "seeds are large", float, at_least=bar, at_most=None, most_seeds=20)


def test_a_claim_fails_when_one_seed_misses_the_bar() -> None:
    finding = examine(made_up(1.0), range(5))
    assert not finding.holds
    assert (finding.worst, finding.median) == (0.0, 2.0)
    assert "DOES NOT HOLD" in row(finding)
    assert examine(made_up(0.0), range(5)).holds


def test_a_claim_that_fails_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.experiments.__main__.CLAIMS", [made_up(1.0), made_up(0.0)])
    assert main(["--seeds", "3"]) == 1
    assert "1 of 2 claims hold" in capsys.readouterr().out
