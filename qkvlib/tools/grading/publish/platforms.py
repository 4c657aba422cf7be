"""What other platforms run: an autograder for Gradescope, a workflow for GitHub Classroom.

Both judge as `qkv grade` does. Gradescope's container is the instructor's, and holds the answers:
the zip goes to nobody else. A repository is its student's, so what runs there shows, and proves
nothing.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import qkvlib
from qkvlib.learner.files import write_atomically
from qkvlib.tools.authoring.elsewhere import parsed

# What a grader imports; the rest of the course's packages draw and show.
NEEDED = ("jaxtyping", "jinja2", "numpy", "platformdirs", "safetensors", "tqdm")
_PACKAGE = Path(qkvlib.__file__).resolve().parent
_LEFT_OUT = {"node_modules", "__pycache__", "static"}
_SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, while it makes the container.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv libseccomp2
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install --no-cache-dir --index-url https://download.pytorch.org/whl/cpu \\
    torch=={torch}
/autograder/venv/bin/pip install --no-cache-dir -r /autograder/source/requirements.txt
"""
_RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission. The two variables are for trying it out elsewhere.
root="${AUTOGRADER_ROOT:-/autograder}"
python="${AUTOGRADER_PYTHON:-$root/venv/bin/python}"
cd "$root/source" && exec "$python" -m qkvlib.tools.grading.autograder gradescope "$root"
"""
_WORKFLOW = """# Shows the verdicts of the course's checks on each push, to learn from.
#
# The points are of no trust: whoever owns the repository can change this file, and the computer
# that runs it also runs the notebooks. Grade with `qkv grade`.
name: Verdicts
on:
  push:
  workflow_dispatch:
permissions:
  contents: read
  checks: write
  actions: read
jobs:
  verdicts:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    if: github.actor != 'github-classroom[bot]'
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install the course
        run: |
          pip install --index-url https://download.pytorch.org/whl/cpu torch=={torch}
          pip install "qkvlib @ {source}"
      - name: Verdicts
        id: verdicts
        run: python -m qkvlib.tools.grading.autograder github . {exercises}
      - name: Tell GitHub Classroom
        if: steps.verdicts.outputs.result != ''
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
          VERDICTS_RESULTS: ${{{{ steps.verdicts.outputs.result }}}}
        with:
          runners: verdicts
"""


def write_gradescope(path: Path, exercises: Sequence[str], plan: Path) -> Path:
    """Write the autograder's zip, with the points of `plan` where there is such a table."""
    pins = "".join(f"{name}=={_version(name)}\n" for name in NEEDED)
    files = {
        "setup.sh": _SETUP.format(torch=_version("torch")),
        "run_autograder": _RUN,
        "requirements.txt": pins,
        "exercises.json": json.dumps(list(exercises)) + "\n",
    }
    if plan.exists():
        files["plan.csv"] = plan.read_text(encoding="utf-8-sig")
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            _add(archive, name, text.encode(), name in ("setup.sh", "run_autograder"))
        for file in sorted(_PACKAGE.rglob("*")):
            within = file.relative_to(_PACKAGE)
            if file.is_file() and not _LEFT_OUT & set(within.parts):
                _add(archive, f"qkvlib/{within.as_posix()}", file.read_bytes())
    write_atomically(path, found.getvalue())
    return path


def write_github(folder: Path, exercises: Sequence[str]) -> Path:
    """Write the workflow where GitHub looks for it in a repository.

    It installs the course from where it is published: a ValueError where that is nowhere.
    """
    path = folder / ".github" / "workflows" / "classroom.yml"
    text = _WORKFLOW.format(
        torch=_version("torch"), source=_source(), exercises=" ".join(exercises)
    )  # fmt: skip
    write_atomically(path, text)
    return path


def _add(archive: zipfile.ZipFile, name: str, data: bytes, runs: bool = False) -> None:
    member = zipfile.ZipInfo(name)
    member.create_system = 3  # unix, so that the permissions count
    member.external_attr = (0o100755 if runs else 0o100644) << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, data)


def _version(package: str) -> str:
    """The version that is installed here, without the part that says for which processor."""
    return importlib.metadata.version(package).split("+")[0]


def _source() -> str:
    """What pip installs of the address that a fork states in pyproject.toml."""
    addresses = importlib.metadata.metadata("qkvlib").get_all("Project-URL") or []
    found = dict(line.split(", ", 1) for line in addresses)
    if "Source" not in found:
        raise ValueError(
            "The workflow installs the course from a repository, and this copy names none. State "
            "yours in pyproject.toml, under [project.urls], and install the course again."
        )
    return parsed(found["Source"]).requirement
