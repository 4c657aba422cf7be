"""What clear code costs: `python -m tests.benchmarks.mathematics`.

Each ratio is that of the medians of one run in which the two ways take turns. The clock counts this
process's own time on its one thread: on a busy machine the wall clock counts the neighbours too.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.gradients import backward, trace

Run = Callable[[], object]
MODULES = "qkvlib.gradients, qkvlib.positions"  # and through them all the others


def medians(ways: dict[str, Run], rounds: int) -> dict[str, float]:
    """Processor seconds a call of each way, in turns, after one round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, run in ways.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(times[1:]) for name, times in seconds.items()}


def report(title: str, ways: dict[str, Run], rounds: int) -> None:
    """One line: each way's median, and the first over the second."""
    took = medians(ways, rounds)
    (first, a), (second, b) = took.items()
    print(f"{title:38} {first} {1000 * a:9.3f} ms   {second} {1000 * b:9.3f} ms   {a / b:6.2f}")


def plain_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """What one would write for autograd: four operations, softmax being torch's own."""
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) @ v


def gradients_of_one_head(batch: tuple[int, ...], n: int, d: int, d_k: int) -> dict[str, Run]:
    x, d_output = torch.randn(*batch, n, d), torch.randn(*batch, n, d_k)
    weights = [torch.randn(d, d_k) / math.sqrt(d) for _ in range(3)]
    leaves = [tensor.clone().requires_grad_() for tensor in (x, *weights)]

    def autograd() -> object:
        x, w_q, w_k, w_v = leaves
        return torch.autograd.grad(plain_attention(x @ w_q, x @ w_k, x @ w_v), leaves, d_output)

    return {"by hand": lambda: backward(trace(x, *weights), d_output), "autograd": autograd}


def gradients_of_many_heads(batch: tuple[int, ...], n: int, d: int, n_heads: int) -> dict[str, Run]:
    x, d_output = torch.randn(*batch, n, d), torch.randn(*batch, n, d)
    weights = [torch.randn(d, d) / math.sqrt(d) for _ in range(4)]
    leaves = [tensor.clone().requires_grad_() for tensor in (x, *weights)]

    def autograd() -> object:
        x, *w, w_o = leaves
        q, k, v = ((x @ each).unflatten(-1, (n_heads, -1)).transpose(-3, -2) for each in w)
        output = plain_attention(q, k, v).transpose(-3, -2).flatten(start_dim=-2) @ w_o
        return torch.autograd.grad(output, leaves, d_output)

    def by_hand() -> object:
        *w, w_o = weights
        return backward(trace(x, *w, w_o=w_o, n_heads=n_heads), d_output)

    return {"by hand": by_hand, "autograd": autograd}


def attention(*shape: int) -> dict[str, Run]:
    q, k, v = (torch.randn(*shape) for _ in range(3))
    return {
        "ours": lambda: scaled_dot_product_attention(q, k, v),
        "torch's": lambda: functional.scaled_dot_product_attention(q, k, v),
    }


def attention_and_back(*shape: int) -> dict[str, Run]:
    q, k, v = (torch.randn(*shape, requires_grad=True) for _ in range(3))
    d_output = torch.randn(*shape)

    def back(output: Tensor) -> object:
        return torch.autograd.grad(output, (q, k, v), d_output)

    return {
        "ours": lambda: back(scaled_dot_product_attention(q, k, v)[0]),
        "torch's": lambda: back(functional.scaled_dot_product_attention(q, k, v)),
    }


def imports() -> tuple[float, float]:
    """Seconds that a new interpreter needs for torch, and then for the mathematics on top."""
    code = (
        "import time; start = time.process_time(); import torch; middle = time.process_time(); "
        f"import {MODULES}; print(middle - start, time.process_time() - middle)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    alone, more = ran.stdout.split()
    return float(alone), float(more)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)

    print("Trace and backward by hand, against autograd through torch's softmax (goal <= 1.0)")
    report("one head, 4 tokens, d 4", gradients_of_one_head((), 4, 4, 3), 2000)
    report("one head, 64 x 7 tokens, d 12", gradients_of_one_head((64,), 7, 12, 12), 1000)
    report("3 heads, 2 x 5 tokens, d 12", gradients_of_many_heads((2,), 5, 12, 3), 1000)
    report("4 heads, 64 x 8 tokens, d 16", gradients_of_many_heads((64,), 8, 16, 4), 500)
    report("8 heads, 512 tokens, d 512 (no goal)", gradients_of_many_heads((), 512, 512, 8), 15)

    print("\nOur attention against F.scaled_dot_product_attention, which is a single call")
    print("Small: we pay for a dozen calls. Large: for writing the scores and the weights down.")
    for title, shape, rounds in (
        ("4 tokens, d_k 3", (4, 3), 2000),
        ("64 x 4 heads x 8 tokens, d_k 16", (64, 4, 8, 16), 500),
        ("8 heads, 512 tokens, d_k 64", (8, 512, 64), 30),
    ):
        report(title, attention(*shape), rounds)
        report("  and back", attention_and_back(*shape), rounds)

    print("\nImporting the mathematics after torch (goal: 0.1 s)")
    alone, more = zip(*(imports() for _ in range(9)), strict=True)
    print(f"torch {statistics.median(alone):.3f} s   and then {statistics.median(more):.3f} s")


if __name__ == "__main__":
    main()
