"""Test that a test that hangs is named, fails once, and stops no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLUGIN = ("-p", "tests.scheduler", "--numprocesses=2", "--dist=loadfile")
LIMITS = ("-o", "faulthandler_timeout=4", "-o", "faulthandler_exit_on_timeout=true")
TESTS = """
import threading
def test_before(): pass
def test_that_hangs(): threading.Event().wait()
def test_after(): pass
"""


@pytest.mark.whole
def test_what_hangs_is_named_and_the_rest_is_run_once(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    command = [sys.executable, "-m", "pytest", *PLUGIN, *LIMITS, str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert "crashed while running 'test_one.py::test_that_hangs'" in run.stdout
    assert "1 failed, 2 passed" in run.stdout
    assert 'test_one.py", line 4 in test_that_hangs' in run.stderr
