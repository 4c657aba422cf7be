"""Test that `make test` leaves out only the marked cases, and `make everything` nothing."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from tests.sweeps import MOST_CASES, OPTION, beyond, pytest_collection_modifyitems, swept

ROOT = Path(__file__).parents[1]


class Case:
    """The attributes of a test that `swept` reads."""

    def __init__(self, nodeid: str, *marks: pytest.Mark) -> None:
        self.nodeid = nodeid
        self.marks = marks

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((mark for mark in self.marks if mark.name == name), None)


def left_out(many: int, *marks: pytest.MarkDecorator) -> list[int]:
    cases = [Case(f"test_x.py::test[{n}]", *(one.mark for one in marks)) for n in range(many)]
    left = swept(cases)  # type: ignore[arg-type]
    return [n for n, case in enumerate(cases) if case in left]


def test_what_bears_no_mark_is_never_left_out() -> None:
    assert left_out(5) == []
    assert left_out(5, pytest.mark.whole) == []


def test_a_test_that_is_only_for_everything_is_left_out() -> None:
    assert left_out(3, pytest.mark.sweep) == [0, 1, 2]


def test_of_a_test_with_many_cases_some_at_equal_distances_are_kept() -> None:
    assert left_out(9, pytest.mark.sweep(keep=3)) == [1, 2, 4, 5, 7, 8]
    assert left_out(5, pytest.mark.sweep(keep=2)) == [1, 3, 4]
    assert left_out(2, pytest.mark.sweep(keep=3)) == []


def test_each_test_keeps_cases_of_its_own() -> None:
    once = pytest.mark.sweep(keep=1).mark
    cases = [Case(f"a.py::test_{name}[{n}]", once) for n in (1, 2) for name in ("one", "other")]
    assert swept(cases) == set(cases[2:])  # type: ignore[arg-type, comparison-overlap]


def test_quick_runs_a_few_cases_of_every_test() -> None:
    cases = [Case(f"a.py::test_{name}[{n}]") for name in ("one", "other") for n in range(6)]
    left = beyond(2, [*cases, Case("a.py::test_alone")])  # type: ignore[list-item]
    assert [n for n, case in enumerate(cases) if case not in left] == [0, 3, 6, 9]


@pytest.mark.parametrize(("asked", "many"), [(True, 1), (False, 2)])
def test_only_the_option_leaves_them_out(asked: bool, many: int) -> None:
    config = mock.Mock(getoption={OPTION: asked, MOST_CASES: 0}.__getitem__)
    items = [Case("a.py::test"), Case("b.py::test", pytest.mark.sweep.mark)]
    pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]
    assert len(items) == many
    assert config.hook.pytest_deselected.called == asked


def test_make_test_and_quick_leave_the_sweeps_out_and_everything_does_not() -> None:
    rules = (ROOT / "Makefile").read_text(encoding="utf-8").split("\n\n")
    recipes = {rule.partition(":")[0]: rule for rule in rules}
    assert OPTION in recipes["test"]
    assert f"{OPTION} {MOST_CASES}" in recipes["quick-tests"]
    assert "sweeps" in recipes["everything"].split()
    assert OPTION not in recipes["sweeps"]
    for target in ("test", "sweeps"):
        assert "python $(ALL_TESTS)" in recipes[target].splitlines()[-1]  # pytest comes last
