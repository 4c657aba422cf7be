"""How far training is, for whoever waits for it."""

from __future__ import annotations

import os
import sys

from tqdm import tqdm

_PATIENCE = 1.0  # seconds


def progress_bar(steps: int) -> tqdm:
    """A progress bar once a run has trained for a second, where somebody may be watching.

    In JupyterLab what stderr says leaves a pink band behind, even when it is wiped out again.
    """
    notebook = "JPY_SESSION_NAME" in os.environ  # JupyterLab sets it; nbval and nbclient do not
    file = sys.stdout if notebook else sys.stderr
    return tqdm(
        range(steps),
        delay=_PATIENCE,
        disable=not (notebook or file.isatty()),
        file=file,
        leave=False,
        unit=" steps",
    )
