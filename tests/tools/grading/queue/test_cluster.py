"""Test that a class on a cluster gets the same points, even if a node is killed during the run."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from qkvlib.tools.grading.queue.grade_class import Options, grade_class
from qkvlib.tools.grading.queue.record import Record
from tests.tools.grading.classroom import FULL, MOST, ZERO, Heard, hand_in

SLOW = "import time\nx = time.sleep(0.2)"


@pytest.mark.sweep
def test_a_class_on_a_cluster_survives_a_killed_node(tmp_path: Path) -> None:
    wanted = {}
    for i in range(8):
        cells = FULL if i % 2 else ZERO
        hand_in(tmp_path / "in" / f"s{i:02}" / "01_similarity.ipynb", [SLOW, *cells, f"# {i}"])
        wanted[f"s{i:02}"] = MOST if i % 2 else 0
    record, shots = Record(tmp_path / "out" / "results.jsonl"), threading.Event()
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster, set_as_default=False) as client:
        nodes = [info["pid"] for info in client.run(lambda: {"pid": os.getpid()}).values()]

        class Shooter(Heard):
            def advance(self) -> None:
                super().advance()
                if not shots.is_set():  # the first result has arrived: kill a node
                    shots.set()
                    os.kill(nodes[0], signal.SIGKILL)

        shooter = Shooter()
        options = Options(scheduler=cluster.scheduler_address)
        found = grade_class(tmp_path / "in", record, options, shooter)
        time.sleep(0.1)
    record.close()
    assert shots.is_set()
    assert shooter.total == shooter.done == len(wanted)
    assert {result.student: result.points for result in found.results} == wanted
    assert found.problems == ()
