"""How every worker of a run is set up. It imports no torch, so that the command answers at once."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

from qkvlib.grading.room.walls import Plan


@dataclass(frozen=True)
class Allowance:
    """Seconds: to run the cells, for one call, for one exercise, for one notebook; and how long
    the grader itself may compute on one verdict."""

    cells: float = 15.0
    call: float = 3.0
    exercise: float = 10.0
    notebook: float = 120.0
    own: float = 30.0


@dataclass(frozen=True)
class Settings:
    """Which walls, how much time, and whether rooms are forked (Linux) or started one by one."""

    plan: Plan = field(default_factory=Plan)
    allowance: Allowance = field(default_factory=Allowance)
    fork: bool = sys.platform == "linux"
    require_isolation: bool = False


def read_settings(order: dict[str, Any]) -> Settings:
    """The settings from the JSON in which they were sent."""
    return Settings(
        Plan(**order["plan"]),
        Allowance(**order["allowance"]),
        order["fork"],
        order["require_isolation"],
    )
