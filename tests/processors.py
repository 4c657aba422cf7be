"""Imitate other processors, as far as this one can: `python -m tests.processors`.

torch and the library below it choose their code by what a processor can do. If they are told that it
can do less, they add in another order, and the last digits of every training run differ. Each pass
runs all notebooks and the tests of training, tasks and claims. Arguments choose passes:
`python -m tests.processors avx2 threads`.

Lessons and training loops use one thread by themselves. A second one affects the code around them:
measures, claims, figures, and the mathematics.
"""

from __future__ import annotations

import os
import subprocess
import sys

import torch

# From the least capable to the most, by torch's names.
KERNELS = {
    "default": {"ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"},
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "AVX2"},
    "avx512": {"ATEN_CPU_CAPABILITY": "avx512"},
}
PASSES = {**KERNELS, "threads": {"OMP_NUM_THREADS": "2", "QKVLIB_THREADS": "2"}}

# A browser, a server or a sandbox gives answers that depend on no rounding.
ELSEWHERE = ("page", "jupyterlab", "tools/grading", "tools/site", "places", "app", "course")
TESTS = [
    *("lessons", "solutions", "tests", "-m", "not whole"),
    *(f"--ignore=tests/{folder}" for folder in ELSEWHERE),
    *("-p", "no:cacheprovider", "--numprocesses=2", "--dist=loadfile", "--no-loadscope-reorder"),
]


def lacking(capability: str) -> set[str]:
    """Return the kernels that a machine of this capability cannot run: an instruction would stop it."""
    names = list(KERNELS)
    best = names.index(capability.lower()) if capability.lower() in names else 0
    return set(names[best + 1 :])


def main(chosen: list[str]) -> int:
    """Run the passes; return 1 if one of them fails."""
    if unknown := set(chosen) - set(PASSES):
        print(f"there is no pass {', '.join(sorted(unknown))}; there are {', '.join(PASSES)}")
        return 2
    capability = torch.backends.cpu.get_cpu_capability()
    failed = []
    for name in chosen or PASSES:
        if name in lacking(capability):
            print(f"{name}: left out, this processor has {capability}", flush=True)
            continue
        print(f"{name} ...", flush=True)
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **PASSES[name]}
        if subprocess.run([sys.executable, "-m", "pytest", *TESTS], env=environment).returncode:
            failed.append(name)
    print(f"red: {', '.join(failed)}" if failed else "every pass is green")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
