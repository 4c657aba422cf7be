"""Test that test results depend only on the commit: no test reads the date or draws without a seed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BY_THE_CLOCK = {"today", "now", "utcnow", "time"}  # of `date`, `datetime` and the module `time`
GENERATORS = {"Random", "default_rng"}


def depends(code: str) -> list[str]:
    """Return the calls in some code whose results change with the day or with the run."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    found = []
    for call in calls:
        match call.func:
            case ast.Attribute(value=ast.Name("date" | "datetime" | "time"), attr=name):
                found += [ast.unparse(call)] * (name in BY_THE_CLOCK)
            case ast.Attribute(attr=name) | ast.Name(id=name):
                found += [ast.unparse(call)] * (name in GENERATORS and not call.args)
    return found


def test_the_tests_are_the_same_on_any_day() -> None:
    files = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    assert len(files) > 100
    assert not {path: found for path, code in files.items() if (found := depends(code))}


@pytest.mark.parametrize(
    "code", ["date.today()", "datetime.now(utc)", "time.time()", "random.Random()", "default_rng()"]
)
def test_a_day_and_a_draw_without_a_seed_are_found(code: str) -> None:
    assert depends(f"x = {code}") == [code]
    assert not depends("random.Random(0), time.monotonic(), default_rng(3), self.now()")
