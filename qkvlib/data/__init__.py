"""What ships with the package: a dictionary, trained weights. `tools/authoring/data` made them."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
