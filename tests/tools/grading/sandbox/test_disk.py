"""Test that a sandbox gets only its share of the disk, however it tries to get more."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qkvlib.tools.grading.sandbox.child import own_disk, protocol
from qkvlib.tools.grading.sandbox.child.walls import NEEDED, WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.grading.sandbox.asking import ask

SHARE = WallPlan().folder_mb

# Each tries to take 300 MB, waits until the grader notices, and reports how much it got.
GREEDY = {
    "a file that seems to be empty": """
        handle = os.open("x", os.O_CREAT | os.O_RDWR)
        libc.fallocate(handle, 1, ctypes.c_long(0), ctypes.c_long(300 << 20))
        time.sleep(1)
        return os.fstat(handle).st_blocks >> 11""",
    "files that are removed and still mapped": """
        for _ in range(20): take(remove=True)
        time.sleep(1)
        return taken()""",
    "files that are removed and still open": """
        for _ in range(20): take(remove=True, close=False)
        time.sleep(1)
        return taken()""",
    "files that are replaced and still mapped": """
        for _ in range(20):
            take(remove=False)
            os.rename("x", "y")
        time.sleep(1)
        return taken()""",
    "files without a name": """
        for _ in range(20): take(flags=os.O_TMPFILE, name=".", remove=False)
        time.sleep(1)
        return taken()""",
    "a file that is made longer and mapped": """
        for i in range(20):
            handle = os.open(f"x{i}", os.O_CREAT | os.O_RDWR)
            os.ftruncate(handle, 15 << 20)
            held.append(mmap.mmap(handle, 15 << 20))
            try:
                held[-1][:] = b"x" * (15 << 20)
            except BaseException: break
            os.close(handle)
        time.sleep(1)
        return taken()""",
}
SETTING = """
import time
def taken():
    return sum(len(x) for x in held) >> 20
def take(remove, flags=os.O_CREAT, name="x", close=True):
    handle = os.open(name, flags | os.O_RDWR)
    done = 0
    try:
        for _ in range(15): done += os.write(handle, os.urandom(1 << 20))
    except OSError: pass
    if done: held.append(mmap.mmap(handle, done, prot=mmap.PROT_READ))
    if remove: os.remove(name)
    if close: os.close(handle)
"""


@pytest.fixture(scope="module")
def diskless() -> Iterator[SandboxHost]:
    found = SandboxHost(WallPlan(walls=NEEDED))
    yield found
    found.close()


@pytest.fixture(params=["host", "diskless"], ids=["all walls", "no disk of its own"])
def walled(request: pytest.FixtureRequest) -> SandboxHost:
    found: SandboxHost = request.getfixturevalue(request.param)
    return found


def test_a_folder_is_empty_at_first_whoever_had_it_before(walled: SandboxHost) -> None:
    look = "before = os.listdir()\nopen('left', 'w').close()\nreturn before, os.listdir()"
    for _ in range(2):
        with walled.open() as sandbox:
            assert ask(sandbox, "", look) == ([], ["left"])
        if "own disk" in sandbox.walls:
            assert not list(sandbox.folder.iterdir())
        else:
            assert not sandbox.folder.exists()


@pytest.mark.parametrize("name", GREEDY)
def test_what_is_taken_is_no_more_than_the_share(name: str, walled: SandboxHost) -> None:
    with walled.open() as sandbox:
        try:
            found = ask(sandbox, SETTING, GREEDY[name])
        except protocol.DisconnectedError:  # stopped by the grader, or ended by the kernel
            return
    # The system refused, or granted at most the share.
    assert type(found) is str or (type(found) is int and found <= SHARE)


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("name", [*list(GREEDY)[:3], *list(GREEDY)[4:]])
def test_without_walls_it_is_more(name: str, open_air: SandboxHost) -> None:
    with open_air.open() as sandbox:
        found = ask(sandbox, SETTING, GREEDY[name])
    assert isinstance(found, int)
    assert found > SHARE


@pytest.mark.parametrize("hides", [True, False])
def test_the_class_cannot_be_seen_from_a_sandbox(tmp_path: Path, hides: bool) -> None:
    """The sizes and times of others' files, which Landlock does not hide, show who has submitted what."""
    (tmp_path / "bea.ipynb").write_text("{}")
    (tmp_path / "graded").mkdir()  # results may be in the class's folder
    places = tuple(str(tmp_path / name) for name in ("", "graded", "missing"))
    host = SandboxHost(WallPlan(hidden=places if hides else ()))
    with host.open() as sandbox:
        if "own disk" not in sandbox.walls:
            pytest.skip("no disk of its own here")
        found = ask(sandbox, "", f"return os.stat({str(tmp_path / 'bea.ipynb')!r}).st_size")
    host.close()
    assert found == ("FileNotFoundError" if hides else 2)


def test_a_folder_that_holds_the_libraries_is_not_hidden(tmp_path: Path) -> None:
    inside = tmp_path / "sandbox"
    inside.mkdir()
    hidden = [str(tmp_path), sys.prefix, str(tmp_path / "sandbox")]
    assert not own_disk._that_can_be_shut(str(inside), hidden)
