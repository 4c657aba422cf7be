"""How far training is, for whoever waits for it."""

from __future__ import annotations

import os
import sys

from torch import Tensor
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


def tell(bar: tqdm, loss: Tensor) -> None:
    """Have the bar say this loss when it is drawn next."""
    if not bar.disable:
        bar.set_postfix_str(f"loss {loss.detach():.3f}", refresh=False)
