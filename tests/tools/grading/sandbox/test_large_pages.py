"""Test that a process's own memory is put together in large pages, where the system can do it."""

from __future__ import annotations

import subprocess
import sys

import pytest

# How many KB are in large pages: with one block, with a second, and when it is gathered. The first shows what
# the system can do now: it may be too old, or its memory in pieces.
PROGRAM = """
import ctypes
from qkvlib.tools.grading.sandbox.child import large_pages, libc

def large():
    with open("/proc/self/smaps") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("AnonHugePages"))

first = bytearray(b"x") * (64 << 20)
start = ctypes.addressof(ctypes.c_char.from_buffer(first))
start += -start % (2 << 20)
libc.libc().madvise(ctypes.c_void_p(start), ctypes.c_size_t(2 << 20), 25)
sizes = [large()]
block = bytearray(b"x") * (64 << 20)
sizes.append(large())
large_pages.gather()
print(*sizes, large(), block.count(b"x") == 64 << 20)
"""


def test_small_pages_are_gathered_and_keep_their_contents() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    first, before, after, whole = ran.stdout.split()
    if first == "0" or first != before:
        pytest.skip("this system gathers no pages when asked, or does it unasked")
    assert int(after) > int(before)
    assert whole == "True"
