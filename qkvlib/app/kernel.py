"""What the course adds to a kernel of its environment: a word about cells that run out of order.

`ipython_kernel_config.json` names this module, and each kernel loads it when it starts. It stays
small: no kernel should wait for it.
"""

from __future__ import annotations

from typing import Any

ADVICE = (
    "If a cell above defines this name, that cell has not run since the kernel started. Choose "
    "Run > Run All Above Selected Cell, then run this cell again."
)


def load_ipython_extension(shell: Any) -> None:
    """Say below a NameError where the name comes from."""
    shell.events.register("post_run_cell", _advise)


def _advise(result: Any) -> None:
    if isinstance(result.error_in_exec, NameError):
        print(ADVICE)
