"""Test forked kernels: each order gets the process that was made for it."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jupyter_client.provisioning import local_provisioner

from tests import kernels


def test_threads_that_order_at_once_are_each_given_their_own(tmp_path: Path) -> None:
    """Otherwise the first to end its kernel would kill the other's, which would never answer again."""
    kernels.are_forked()  # as in the plugin
    folders = [tmp_path / str(number) for number in range(16)]

    def lives_in(folder: Path) -> str:
        folder.mkdir()
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", str(folder / "file.json")]
        kernel = local_provisioner.launch_kernel(command, cwd=folder, env=dict(os.environ))
        try:
            while (found := os.readlink(f"/proc/{kernel.pid}/cwd")) == str(kernels.ROOT):
                time.sleep(0.01)  # the kernel has not changed to this folder yet
            return found
        finally:
            kernel.kill()
            kernel.wait()

    with ThreadPoolExecutor(len(folders)) as pool:
        assert list(pool.map(lives_in, folders)) == list(map(str, folders))
