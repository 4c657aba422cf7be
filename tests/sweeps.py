"""A plugin: `make test` asks for each kind of promise once, `make everything` for every case.

`@pytest.mark.sweep` marks a test that `make test` leaves out. `@pytest.mark.sweep(keep=3)` marks
one with many cases: of these `make test` runs three, the first and two more at equal distances. A
single case is marked as pytest marks cases, `pytest.param(..., marks=pytest.mark.sweep)`. Without
the option `--without-sweeps` everything runs, so that `pytest -k name` leaves nothing out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

OPTION = "--without-sweeps"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(OPTION, action="store_true", help="what `make test` runs")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make everything` runs."""
    if config.getoption(OPTION):
        left = swept(items)
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]


def swept(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The marked cases, except the `keep` of each test."""
    cases: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sweep"):
            cases[item.nodeid.partition("[")[0], mark.kwargs.get("keep", 0)].append(item)
    left: set[pytest.Item] = set()
    for (_, keep), equal in cases.items():
        many = min(keep, len(equal))
        left |= set(equal) - {equal[place * len(equal) // many] for place in range(many)}
    return left


@pytest.fixture
def swept_too(request: pytest.FixtureRequest) -> bool:
    """Whether the sweeps run: for a test that tries many seeds in one case."""
    return not request.config.getoption(OPTION)
