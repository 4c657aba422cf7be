"""How every worker of a run is set up. This file imports no torch, so that the command answers at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from qkvlib.tools.grading.sandbox.child.walls import WallPlan


@dataclass(frozen=True)
class TimeLimits:
    """Seconds: to run the cells, for one call, for one exercise, for everything that a student handed in.

    A class has `hanging` seconds for all the time that students take beyond the `usual`. When these are used
    up, every remaining student gets only the usual time, which is many times what honest work takes. `own` is
    how long the grader itself may compute on one verdict.
    """

    cells: float = 15.0
    call: float = 3.0
    exercise: float = 10.0
    student: float = 120.0
    usual: float = 20.0
    hanging: float = 600.0
    own: float = 30.0


@dataclass(frozen=True)
class Settings:
    """The restrictions, and the time limits."""

    plan: WallPlan = field(default_factory=WallPlan)
    time_limits: TimeLimits = field(default_factory=TimeLimits)
    require_isolation: bool = False
