"""List the names of the installed torch, so that a page can say of each one that it lacks it."""

from __future__ import annotations

import functools
import json
import subprocess
import sys

# The modules and classes of the page's torch that report what they lack.
HOMES = (
    "torch",
    "torch.Tensor",
    "torch.autograd",
    "torch.linalg",
    "torch.nn",
    "torch.nn.Module",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.optim",
    "torch.random",
    "torch.special",
)
_PROGRAM = """
import functools, json, torch
from types import ModuleType

def is_torchs(value):
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch.")
    home = getattr(value, "__module__", None)
    return not isinstance(home, str) or home.split(".")[0] == "torch"

def names(home):
    thing = functools.reduce(getattr, home.split(".")[1:], torch)
    public = [name for name in dir(thing) if not name.startswith("_")]
    return " ".join(name for name in public if is_torchs(getattr(thing, name)))

print(json.dumps({home: names(home) for home in HOMES}))
"""


@functools.cache
def torch_names() -> str:
    """Return the public names by module, as JSON, without those that torch imports from elsewhere.

    A separate Python lists them, because in this one something may have imported more of torch.
    """
    program = f"HOMES = {HOMES}\n{_PROGRAM}"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    return json.dumps(json.loads(ran.stdout), indent=0)
