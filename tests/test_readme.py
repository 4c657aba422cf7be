"""Test that README's links and commands work."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md"]


def test_the_lines_for_windows_run_in_cmd_and_in_powershell() -> None:
    """PowerShell 5 has no `&&`, cmd has no `;`, and neither accepts a slash in a command's path."""
    (block,) = re.findall(r"```bat\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    for line in block.splitlines():
        command, *_ = line.split()
        assert command == "py" or command.startswith(".venv\\Scripts\\")
        assert not re.search(r"&&|[;|%$'`<>/]", line)


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        name
        for page in PAGES
        for name in re.findall(r"\bmake ([a-z]+)\b", (ROOT / page).read_text(encoding="utf-8"))
    }
    assert named <= targets
    assert {"lab", "test"} <= named
