"""Every claim of the course, in the short form; `make experiments` tries many more seeds."""

from __future__ import annotations

import pytest

from tests.experiments.__main__ import load, main
from tests.experiments.claims import CLAIMS, Claim, examine, row

load()


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if not c.long], ids=lambda claim: f"{claim.chapter} {claim.text}"
)
def test_the_claim_holds(claim: Claim) -> None:
    finding = examine(claim, range(1))
    assert finding.holds, row(finding)


def test_every_chapter_that_measures_has_claims() -> None:
    assert {claim.chapter for claim in CLAIMS} == {f"{chapter:02}" for chapter in range(2, 13)}
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
