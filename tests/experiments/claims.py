"""Define a claim of the course: a measurement on one seed, and the bar that it must clear."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """`measured(seed)` must be at least `at_least`, or at most `at_most`, on every seed."""

    chapter: str
    text: str
    measured: Callable[[int], float]
    at_least: float | None
    at_most: float | None
    most_seeds: int = 20
    """Enough for a claim whose run is long; 1 for one that no seed enters."""
    long: bool = False
    """Left out of the short form."""

    def clears(self, value: float) -> bool:
        above = self.at_least is None or value >= self.at_least
        return above and (self.at_most is None or value <= self.at_most)


@dataclass(frozen=True)
class Finding:
    """The results on the seeds: `worst` is the value nearest to, or farthest past, the bar."""

    claim: Claim
    values: list[float]
    seconds: float

    @property
    def worst(self) -> float:
        return min(self.values) if self.claim.at_least is not None else max(self.values)

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def holds(self) -> bool:
        return all(map(self.claim.clears, self.values))


CLAIMS: list[Claim] = []

Measurement = Callable[[int], float]


def claim(
    chapter: str,
    text: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    most_seeds: int = 20,
    long: bool = False,
) -> Callable[[Measurement], Measurement]:
    """Register the function below as a claim of that chapter."""
    if (at_least is None) == (at_most is None):
        raise ValueError(f"{text!r} needs one bar: at_least or at_most")

    def enter(measured: Measurement) -> Measurement:
        CLAIMS.append(Claim(chapter, text, measured, at_least, at_most, most_seeds, long))
        return measured

    return enter


def examine(claim: Claim, seeds: Sequence[int]) -> Finding:
    """Measure a claim on each of these seeds, up to the claim's own limit."""
    began = time.process_time()
    values = [float(claim.measured(seed)) for seed in seeds[: claim.most_seeds]]
    return Finding(claim, values, time.process_time() - began)


def number(value: float) -> str:
    """Format a number briefly, but keep 3.6e-15 different from 0."""
    return f"{value:.1e}" if 0 < abs(value) < 1e-3 else f"{value:.3f}"


def row(finding: Finding) -> str:
    """Format one line of the table."""
    claim = finding.claim
    bar = f">= {claim.at_least:g}" if claim.at_least is not None else f"<= {claim.at_most:g}"
    verdict = "holds" if finding.holds else "DOES NOT HOLD"
    return (
        f"{claim.chapter}  {claim.text:<72} {len(finding.values):>5}  {bar:>10}  "
        f"{number(finding.worst):>9}  {number(finding.median):>9}  {verdict}"
    )


HEAD = f"ch  {'claim':<72} {'seeds':>5}  {'bar':>10}  {'worst':>9}  {'median':>9}"
