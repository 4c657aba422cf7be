"""A plugin: put all temporary files of a test run into one folder.

The first process makes the folder. Workers, kernels, browsers and servers inherit it as TMPDIR.
Another process waits until the first one ends, in whatever way, and removes the folder. That process
is in its own session, so it does not get Ctrl-C.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = "QKVLIB_TESTS_FOLDER"  # names it. The name is short, since a socket's path has at most 108 bytes
# Some processes end a little later than the one that started them, and write until then.
_REMOVE = """
import pathlib, shutil, sys, time
folder = pathlib.Path(sys.argv[1])
sys.stdin.read()
given_up = time.monotonic() + 30
while folder.exists() and time.monotonic() < given_up:
    shutil.rmtree(folder, ignore_errors=True)
    time.sleep(0.1 * folder.exists())
"""


def _make() -> None:
    folder = tempfile.mkdtemp(prefix="qkv-")
    Path(folder, "jupyter").mkdir()
    os.environ.update(
        {FOLDER: folder, "TMPDIR": folder, "JUPYTER_RUNTIME_DIR": os.path.join(folder, "jupyter")}
    )
    tempfile.tempdir = folder
    remover = subprocess.Popen(
        [sys.executable, "-c", _REMOVE, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(folder).parent,
        start_new_session=True,
    )
    atexit.register(remover.communicate)


if FOLDER not in os.environ:
    _make()
