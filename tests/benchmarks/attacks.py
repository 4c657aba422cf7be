"""Print the attack table: what each attack gained and harmed, and how many seconds it took to end.

python -m tests.benchmarks.attacks
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.grading.classroom import FULL, HASTY, MOST, ZERO
from tests.tools.grading.sandbox.attacks import ATTACKS
from tests.tools.grading.sandbox.test_attacks import Loot, points


def main() -> None:
    """Run every attack and print one line each."""
    down = "--walls-down" in sys.argv
    plan = WallPlan(walls=(), memory_mb=512) if down else WallPlan(memory_mb=512)
    judge = Judge(SandboxHost(plan), HASTY)
    patient = Judge(judge.host)
    points(judge, FULL)
    print("| family | attack | gained | harmed | ended within | honest work after it |")
    print("|---|---|---|---|---|---|")
    for name, attack in ATTACKS.items():
        if down and attack.family not in ("forging", "lying"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            loot = Loot(Path(folder) / "loot")
            started = time.monotonic()
            gained = points(judge, attack.cells(loot.folder, loot.port))
            seconds = time.monotonic() - started
            fair = points(patient, FULL) == MOST and points(patient, ZERO) == 0
            harmed = "yes" if loot.harmed() else "nothing"
            loot.server.close()
        print(
            f"| {attack.family} | {name} | {gained} of {MOST} | {harmed} | {seconds:.1f} s "
            f"| {'graded as ever' if fair else 'WRONG'} |"
        )
    judge.host.close()


if __name__ == "__main__":
    main()
