"""Test what a sandbox can read, and the checks that replace a missing wall."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest

from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.results import from_json
from qkvlib.tools.grading.sandbox.child import landlock, seccomp
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.folders import Folders
from qkvlib.tools.grading.sandbox.host import SandboxHost, SandboxLost
from qkvlib.tools.grading.settings import Settings
from tests.tools.grading.classroom import HASTY
from tests.tools.grading.sandbox.asking import ask


def test_everything_below_a_place_is_named_except_the_secrets(tmp_path: Path) -> None:
    """An example is site-packages with qkvlib in it, or an environment inside a checkout."""
    for name in ("torch/a.py", "qkvlib/b.py", "numpy/core/c.py", "numpy/secret/d.py", "six.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to(tmp_path / "qkvlib")
    secrets = [tmp_path / "qkvlib", tmp_path / "numpy" / "secret", Path("/elsewhere")]
    found = {str(path.relative_to(tmp_path)) for path in landlock.without(tmp_path, secrets)}
    assert found == {"torch", "numpy/core", "six.py"}
    assert list(landlock.without(tmp_path, [tmp_path])) == []
    assert list(landlock.without(tmp_path / "torch", [tmp_path])) == [tmp_path / "torch"]


@pytest.mark.skipif(not landlock.version(), reason="needs Landlock")
def test_the_course_cannot_be_read_though_it_is_installed_beside_torch(tmp_path: Path) -> None:
    """In a site-packages with qkvlib's references, a sandbox can read their neighbours but not them."""
    site = tmp_path / "site-packages"
    for name in ("qkvlib/answers.py", "neighbour/module.py"):
        (site / name).parent.mkdir(parents=True)
        (site / name).write_text("x = 1")
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        f"sys.path.insert(0, {str(Path(landlock.__file__).parents[1])!r})\n"
        "from child import landlock\n"
        f"site = Path({str(site)!r})\n"
        "places = [os.open(p, os.O_PATH) for p in landlock.without(site, [site / 'qkvlib'])]\n"
        "import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)\n"
        f"landlock.close_in(places, {str(tmp_path)!r} + '/site-packages/neighbour')\n"
        "print((site / 'neighbour/module.py').read_text())\n"
        "try: print((site / 'qkvlib/answers.py').read_text())\n"
        "except PermissionError: print('closed')\n"
        "try: print(os.listdir(site))\n"
        "except PermissionError: print('closed')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:3] == ["x = 1", "closed", "closed"]


def test_a_sandbox_finds_nothing_of_the_graders_environment(host: SandboxHost) -> None:
    spy = "import os\ndef dot(a, b):\n    raise RuntimeError(sorted(os.environ))"
    (verdict,) = Judge(host, HASTY).notebook([spy], ["dot"], 3)
    assert "HOME" in verdict.message
    assert "SECRET_KEY" not in verdict.message


def test_a_machine_on_which_nothing_starts_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    host = SandboxHost(WallPlan())
    with pytest.raises(SandboxLost, match="three times"), host.open():
        pass


def test_the_filter_lets_no_dangerous_call_through() -> None:
    allowed = set(seccomp._ALLOWED.split())
    dangerous = """fork vfork clone clone3 execve execveat socket connect bind kill tkill tgkill
        ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal truncate
        chmod fchmod fchmodat chown setxattr utimensat symlink link linkat mount unshare setns bpf
        io_uring_setup perf_event_open userfaultfd keyctl sendmsg recvmsg memfd_create prctl
        setrlimit prlimit64 ioctl setuid seccomp landlock_restrict_self shmget mknod"""
    assert not allowed & set(dangerous.split())


def test_settings_arrive_as_they_were_sent() -> None:
    settings = Settings(WallPlan(memory_mb=5), HASTY, require_isolation=True)
    assert from_json(Settings, json.loads(json.dumps(asdict(settings)))) == settings


def test_what_a_killed_grader_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """It removes nothing else: not a running grader's folder, and not one that only has such a name."""
    code = (
        "import os, signal\n"
        "from qkvlib.tools.grading.sandbox.folders import Folders\n"
        "(Folders().make() / 'large').write_text('x')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=False, env=environment)
    (left,) = tmp_path.iterdir()
    (tmp_path / "qkv-sandbox-file").write_text("not ours")
    (tmp_path / "qkv-sandbox-link").symlink_to(tmp_path.parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path))
        at_work, next_one = Folders(), Folders()
        folders = [at_work.make(), next_one.make(), at_work.make()]
    assert not left.exists()
    assert all(folder.is_dir() for folder in folders)
    assert {path.name for path in tmp_path.iterdir()} == {
        "qkv-sandbox-file",
        "qkv-sandbox-link",
        *(folder.parent.name for folder in folders),
    }
    at_work.close()
    next_one.close()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_crash_is_written_down_nowhere_though_the_walls_are_down(open_air: SandboxHost) -> None:
    import resource

    with open_air.open():
        zygote = open_air.zygote_number()
    hard = resource.prlimit(zygote, resource.RLIMIT_CORE)[1]
    if hard == 0:
        pytest.skip("no process may write its crash down here")
    resource.prlimit(zygote, resource.RLIMIT_CORE, (hard, hard))
    with open_air.open() as sandbox:
        look = "return resource.getrlimit(resource.RLIMIT_CORE)[0]"
        assert ask(sandbox, "import resource", look) == 0


def test_a_host_can_be_closed_by_two_at_once() -> None:
    class Zygote:
        def wait(self, seconds: float = 0) -> None:
            time.sleep(0.2)

        def kill(self) -> None:
            """Do nothing: it is already dead."""

    host = SandboxHost(WallPlan())
    host.close()
    vars(host)["_zygote"] = Zygote()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(host.close)
        time.sleep(0.3)  # the second still waits for the zygote when the first has seen it end
        pool.submit(host.close).result()
        first.result()
