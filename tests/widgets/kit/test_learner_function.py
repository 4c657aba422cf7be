"""A learner's own function in a widget: whatever it does, the kernel and the widget go on."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.widgets import AttentionLab
from qkvlib.widgets.kit.learner_function import reply


class SilentError(BaseException):
    def __str__(self) -> str:
        raise SystemExit("I say nothing")


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (SystemExit(3), "f(x) raised SystemExit: 3, in the line: raise raised"),
        (SilentError(), "f(x) raised SilentError: (its message cannot be shown)"),
    ],
)
def test_the_kernel_outlives_whatever_it_raises(raised: BaseException, words: str) -> None:
    def ends(_: Tensor) -> Any:
        raise raised

    with pytest.raises(ValueError, match=r"raised") as caught:
        reply(ends, "f(x)", torch.ones(2))
    assert words in str(caught.value)


def test_an_interrupt_still_stops() -> None:
    def interrupted() -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reply(interrupted, "f()")


def test_a_function_that_switches_gradients_off_still_gets_its_own() -> None:
    def attention(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        found = scaled_dot_product_attention(q, k, v)
        torch.set_grad_enabled(False)
        return found

    x, *weights = (torch.rand(3, 3) for _ in range(4))
    own, ours = (
        AttentionLab(x, *weights, target=torch.ones(3, 3), attention=one)
        for one in (attention, scaled_dot_product_attention)
    )
    assert torch.is_grad_enabled()
    torch.testing.assert_close(own.gradients.d_w_q, ours.gradients.d_w_q)


def test_what_a_cell_beside_it_does_stays() -> None:
    """It runs on another thread, and a cell may set meanwhile what is one for both."""
    inside, set_beside = threading.Event(), threading.Event()

    def waits() -> bool:
        torch.set_grad_enabled(False)
        inside.set()
        return set_beside.wait(10)

    kept = list[bool]()

    def hand() -> None:
        assert reply(waits, "f()")
        kept.append(torch.is_grad_enabled())

    thread = threading.Thread(target=hand)
    thread.start()
    assert inside.wait(10)
    torch.set_default_dtype(torch.float64)
    try:
        set_beside.set()
        thread.join(10)
        assert torch.get_default_dtype() == torch.float64
        assert kept == [True]
    finally:
        torch.set_default_dtype(torch.float32)
