"""What is built to be installed carries the lessons as they were committed.

In a folder in which somebody learns, the lessons hold that learner's work.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = {"wheel": "qkvlib/lessons", "sdist": "lessons"}


class Lessons(BuildHookInterface):
    """Adds the lessons to a wheel and to a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # which uses the lessons beside the package
            return
        self._committed = tempfile.TemporaryDirectory()
        lessons = committed(Path(self.root), Path(self._committed.name))
        if not lessons:
            lessons = Path(self.root, "lessons")
            self.app.display_warning(f"git knows no lessons here: taken as they are in {lessons}")
        for path in sorted(lessons.rglob("*")):
            if path.is_file() and ".ipynb_checkpoints" not in path.parts:
                place = f"{FOLDERS[self.target_name]}/{path.relative_to(lessons).as_posix()}"
                build_data["force_include"][str(path)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._committed.cleanup()


def committed(root: Path, into: Path) -> Path | None:
    """The folder with the lessons of the last commit, or None where git has none of `root`."""
    command = ["git", "archive", "--format=zip", "HEAD", "lessons"]
    try:
        packed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    zipfile.ZipFile(io.BytesIO(packed)).extractall(into)
    return into / "lessons"
