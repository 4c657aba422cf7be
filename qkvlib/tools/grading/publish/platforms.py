"""Pack the autograder that Gradescope runs. It judges as `qkv grade` does.

Gradescope's container belongs to the instructor and holds the answers: give the zip to nobody else.
"""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Sequence
from pathlib import Path

import qkvlib
from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.publish.feedback import zipped
from qkvlib.tools.grading.publish.plan import read_plan

# What a grader and its sandboxes import; the rest of the course's packages only draw and show. The image's
# Python may be older than this one (Ubuntu 22.04 has 3.10). So the versions installed here are the upper
# bounds, and pip finds suitable ones for that Python.
NEEDED = ("ipython", "jaxtyping", "jinja2", "numpy", "platformdirs", "safetensors", "tqdm")
_PACKAGE = Path(qkvlib.__file__).resolve().parent
_LEFT_OUT = {"node_modules", "__pycache__", "static"}
_SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, while it makes the container.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv libseccomp2
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install --no-cache-dir --index-url https://download.pytorch.org/whl/cpu \\
    "torch<={torch}"
/autograder/venv/bin/pip install --no-cache-dir -r /autograder/source/requirements.txt
"""
_RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission. The two variables are for trying it out elsewhere.
root="${AUTOGRADER_ROOT:-/autograder}"
python="${AUTOGRADER_PYTHON:-$root/venv/bin/python}"
cd "$root/source" && exec "$python" -m qkvlib.tools.grading.autograder "$root"
"""


def write_gradescope(
    path: Path, exercises: Sequence[str], plan: Path, require_isolation: bool = False
) -> Path:
    """Write the autograder's zip, with the points of `plan` if there is such a table."""
    pins = "".join(f"{name}<={_version(name)}\n" for name in NEEDED)
    order = {"exercises": list(exercises), "require_isolation": require_isolation}
    files: dict[str, str | bytes] = {
        "setup.sh": _SETUP.format(torch=_version("torch")),
        "run_autograder": _RUN,
        "requirements.txt": pins,
        "order.json": json.dumps(order),
    }
    if plan.exists():
        read_plan(plan)  # a table that cannot be read here could not be read there either
        files["plan.csv"] = plan.read_bytes()
    for file in _PACKAGE.rglob("*"):
        within = file.relative_to(_PACKAGE)
        if file.is_file() and not _LEFT_OUT & set(within.parts):
            files[f"qkvlib/{within.as_posix()}"] = file.read_bytes()
    write_atomically(path, zipped(files, programs=("setup.sh", "run_autograder")))
    return path


def _version(package: str) -> str:
    """Return the installed version, without the part that names the kind of processor."""
    return importlib.metadata.version(package).split("+")[0]
