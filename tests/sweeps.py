"""A plugin: `make test` runs each kind of test once, `make everything` runs every case.

`@pytest.mark.sweep` marks a test that `make test` leaves out. `@pytest.mark.sweep(keep=3)` marks a
test with many cases: `make test` runs three of them, the first and two others at equal distances. A
single case is marked in pytest's way, `pytest.param(..., marks=pytest.mark.sweep)`. Without
the option `--without-sweeps` everything runs, so that `pytest -k name` leaves nothing out.

`make quick` runs a few cases of every test, marked or not: `--most-cases 5`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

OPTION = "--without-sweeps"
MOST_CASES = "--most-cases"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="what `make test` runs")
    parser.addoption(MOST_CASES, type=int, default=0, help="of each test no more; 0: all")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make everything` runs, and all but a few cases of each test."""
    left = swept(items) if config.getoption(OPTION) else set()
    if most := config.getoption(MOST_CASES):
        left |= beyond(most, [item for item in items if item not in left])
    if left:
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]


def swept(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the marked cases, except the `keep` of each test."""
    cases: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sweep"):
            cases[_test_of(item), mark.kwargs.get("keep", 0)].append(item)
    return {item for (_, keep), equal in cases.items() for item in _but(keep, equal)}


def beyond(most: int, items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the cases to leave out, so that `most` cases of each test remain, at equal distances."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[_test_of(item)].append(item)
    return {item for equal in cases.values() for item in _but(most, equal)}


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _but(keep: int, equal: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return all but `keep` of a test's cases: the first is kept, and others at equal distances."""
    many = min(keep, len(equal))
    return set(equal) - {equal[place * len(equal) // many] for place in range(many)}


@pytest.fixture
def swept_too(request: pytest.FixtureRequest) -> bool:
    """Return whether the sweeps run: for a test that tries many seeds in one case."""
    return not request.config.getoption(OPTION)
