"""Whether a test passes depends on the commit: none asks for the day, or draws without a seed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BY_THE_CLOCK = {"today", "now", "utcnow", "time"}  # of `date`, `datetime` and the module `time`
GENERATORS = {"Random", "default_rng"}


def depends(code: str) -> list[str]:
    """The calls in some code whose results are others on another day, or in another run."""
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    found = []
    for call in calls:
        match call.func:
            case ast.Attribute(value=ast.Name("date" | "datetime" | "time"), attr=name):
                found += [ast.unparse(call)] * (name in BY_THE_CLOCK)
            case ast.Attribute(attr=name) | ast.Name(id=name):
                found += [ast.unparse(call)] * (name in GENERATORS and not call.args)
    return found


@pytest.mark.parametrize("path", sorted(TESTS.rglob("*.py")), ids=lambda path: path.name)
def test_a_test_is_the_same_on_any_day(path: Path) -> None:
    assert not depends(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "code", ["date.today()", "datetime.now(utc)", "time.time()", "random.Random()", "default_rng()"]
)
def test_a_day_and_a_draw_without_a_seed_are_found(code: str) -> None:
    assert depends(f"x = {code}") == [code]
    assert not depends("random.Random(0), time.monotonic(), default_rng(3), self.now()")
