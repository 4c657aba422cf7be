"""Test the course with the oldest, newest or Colab's packages: `python tests/places/ends.py oldest`.

constraints.txt pins one set of versions, but pyproject.toml allows many, and a learner may have any
of them. So the mathematics and every untouched lesson run in environments with the oldest versions
allowed, with the newest, and with Colab's. The Python that runs this script creates them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = ["beartype", "hypothesis", "nbval", "pytest"]
MATHEMATICS = ["attention", "gradients", "masks", "multi_head", "positions"]


def versions(end: str) -> str:
    """Return the versions that pip must use, as the lines of a constraints file."""
    if end == "newest":
        return ""
    if end == "colab":
        return (Path(__file__).parent / "colab.txt").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = project.split("\ndependencies = [")[1].split("\n]")[0]
    oldest = [f"{name}=={version}" for name, version in re.findall(r'"([\w-]+)>=([\d.]+)', needed)]
    return "\n".join(oldest)


def environment(end: str) -> Path:
    """Create the environment from scratch, and return its Python."""
    folder = ROOT / ".venv" / "ends" / end
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with tempfile.TemporaryDirectory() as held:
        constraints = Path(held) / "constraints.txt"
        constraints.write_text(versions(end), encoding="utf-8")
        pip = [python, "-m", "pip", "install", "--quiet", "--constraint", constraints]
        if index := os.environ.get("TORCH_INDEX"):
            quick = ["--no-deps", "--index-url", index, "--retries", "0", "--timeout", "15"]
            subprocess.run([*pip, *quick, "torch"], check=False)
        subprocess.run([*pip, "--editable", ROOT, *TOOLS], check=True)
    return python


def main(end: str) -> int:
    """Run the mathematics and the lessons there; return 0 if everything passes, like an exit code."""
    python = environment(end)
    subprocess.run([python, "-m", "pip", "list", "--format=freeze"], check=True)
    mathematics = [f"tests/test_{name}.py" for name in MATHEMATICS]
    runs = [[*mathematics, "tests/models", "tests/training"], ["--nbval-lax", "lessons"]]
    quick = {**os.environ, "QKVLIB_QUICK": "1"}
    failed = [subprocess.run([python, "-m", "pytest", *run], cwd=ROOT, env=quick).returncode for run in runs]
    return max(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
