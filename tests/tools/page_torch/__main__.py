"""Compare random expressions in the page and under torch: `python -m tests.tools.page_torch [5000 [SEED]]`.

It prints each program on which they differ; the exit code is 1 if there is one.
"""

from __future__ import annotations

import random
import sys

from tests.tools.page_torch.conftest import asking, opened
from tests.tools.page_torch.test_trees import TREES, differing
from tests.tools.page_torch.trees import program


def main(how_many: str = "5000", seed: str = "0") -> int:
    """Return the number of programs that differ."""
    rng, found = random.Random(int(seed)), 0
    with opened() as page:
        both = asking(page)
        for _ in range(0, int(how_many), TREES):
            wrong = differing(both, [program(rng) for _ in range(TREES)])
            found += len(wrong)
            print(*wrong, sep="\n\n", end="\n\n" if wrong else "", flush=True)
    print(f"{found} of {how_many} differ")
    return found


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
