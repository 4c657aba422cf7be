"""Test that a process's own memory is put together in large pages, where the system can do it."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

SETTING = Path("/sys/kernel/mm/transparent_hugepage/enabled")
# A block of 64 MB in small pages; before and after, how many KB of it are in large ones.
PROGRAM = """
from qkvlib.tools.grading.sandbox.child import large_pages

def large():
    with open("/proc/self/smaps") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("AnonHugePages"))

block = bytearray(b"x") * (64 << 20)
before = large()
large_pages.gather()
print(before, large(), block.count(b"x") == 64 << 20)
"""


def test_small_pages_are_gathered_and_keep_their_contents() -> None:
    version = tuple(map(int, platform.release().split(".")[:2]))
    if version < (6, 1) or not SETTING.exists() or "[always]" in SETTING.read_text():
        pytest.skip("this Linux gathers no pages when asked, or does it unasked")
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    before, after, whole = ran.stdout.split()
    assert int(after) > int(before)
    assert whole == "True"
