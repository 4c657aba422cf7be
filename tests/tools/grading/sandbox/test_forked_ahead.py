"""Test that the sandbox forked ahead, while another works, is walled in and holds no one's data."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qkvlib.tools.grading.sandbox.child.walls import NEEDED, WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.grading.sandbox.asking import ask


@pytest.fixture
def own() -> Iterator[SandboxHost]:
    """Start a host whose processes a test may kill and count."""
    found = SandboxHost(WallPlan())
    yield found
    found.close()


def children(host: SandboxHost) -> set[int]:
    number = host.zygote_number()
    return {int(word) for word in Path(f"/proc/{number}/task/{number}/children").read_text().split()}


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_more_than_is_open_is_there_and_is_the_next(own: SandboxHost) -> None:
    with own.open() as first:
        wait_until(lambda: len(children(own)) == 2)
        (ahead,) = children(own) - {first.number}
    with own.open() as second:
        assert second.number == ahead
        assert set(NEEDED) <= set(second.walls)
        wait_until(lambda: first.number not in children(own))


def test_what_one_has_made_the_one_that_was_there_meanwhile_does_not_see(own: SandboxHost) -> None:
    with own.open() as first:
        wait_until(lambda: len(children(own)) == 2)
        made = "import os, torch\ntorch.left = open('left', 'w').write('x')"
        assert ask(first, made, "return float(os.path.exists('left'))") == 1
    with own.open() as second:
        look = "import os, torch\nseen = os.path.exists('left') or hasattr(torch, 'left')"
        assert ask(second, look, "return float(seen)") == 0


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("victim", ["zygote", "ahead"])
def test_when_it_is_lost_another_is_forked(own: SandboxHost, victim: str) -> None:
    with own.open() as first:
        wait_until(lambda: len(children(own)) == 2)
        (ahead,) = children(own) - {first.number}
    own._ahead.sock.recv(4096)  # as if it had not sent anything yet
    before = own.zygote_number()
    os.kill(before if victim == "zygote" else ahead, signal.SIGKILL)
    with own.open() as second:
        assert second.number != ahead
        assert ask(second, "", "return 1.0") == 1
    assert own.zygote_number() != before


def test_with_an_optimiser_none_is_used_that_was_forked_without(own: SandboxHost) -> None:
    look = "import sys\nseen = 'torch._dynamo' in sys.modules"
    with own.open() as first:
        assert ask(first, look, "return float(seen)") == 0
    for _ in range(2):
        with own.open(optimiser=True) as sandbox:
            assert ask(sandbox, look, "return float(seen)") == 1
    wait_until(lambda: len(children(own)) == 1)


def test_where_one_writes_to_the_machines_disk_its_folder_is_gone_with_it() -> None:
    host = SandboxHost(WallPlan(walls=("limits",)))
    with host.open() as first, host.open() as second:
        assert first.folder != second.folder
    assert not first.folder.exists()
    assert {first.number, second.number}.isdisjoint(children(host))
    assert second.folder != host._folder
    host.close()
    assert not second.folder.parent.exists()
