"""Test that whatever honest code changes in a session is restored and reported."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from qkvlib.calling import session
from qkvlib.calling.call import Returned, call
from qkvlib.checking import verdict

# A side effect of a function, an expression that reads the setting, and a word of the report.
DEEDS: dict[str, tuple[Callable[[], Any], Callable[[], Any], str]] = {
    "no gradients": (lambda: torch.set_grad_enabled(False), torch.is_grad_enabled, "switched off"),
    "another dtype": (
        lambda: torch.set_default_dtype(torch.float64),
        torch.get_default_dtype,
        "different dtype",
    ),
    "one thread": (
        lambda: torch.set_num_threads(torch.get_num_threads() + 1),
        torch.get_num_threads,
        "different number of threads",
    ),
    "how torch prints": (
        lambda: torch.set_printoptions(precision=1),
        lambda: str(torch.ones(2) / 3),
        "printed",
    ),
    "how NumPy prints": (lambda: np.set_printoptions(precision=1), lambda: str(np.ones(2) / 3), "printed"),
    "torch's softmax": (lambda: setattr(torch, "softmax", len), lambda: torch.softmax, "`torch.softmax`"),
}


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restore the session, so that a failing test does not break the others."""
    with session.put_back([]):
        yield


@pytest.mark.parametrize("what", DEEDS)
def test_a_setting_of_the_session_is_put_back(what: str) -> None:
    do, ask, words = DEEDS[what]

    def right(a: Tensor, b: Tensor) -> Tensor:
        product = (a * b).sum()
        do()
        return product

    def wrong(a: Tensor, b: Tensor) -> Tensor:
        do()
        return torch.ones(2)

    before = ask()
    judged = verdict("dot", right)
    assert ask() == before
    assert judged.outcome == "right"
    assert words in judged.message
    assert judged.needs_care
    assert judged.message.count("\nBut ") == 1
    assert verdict("dot", wrong).outcome == "wrong"
    assert ask() == before


def test_gradients_that_stay_switched_on_are_not_called_off() -> None:
    def right(a: Tensor, b: Tensor) -> Tensor:
        torch.set_grad_enabled(True)
        return a @ b

    with torch.no_grad():
        judged = verdict("dot", right)
        assert not torch.is_grad_enabled()
    assert "gradients stay switched on." in judged.message


def test_filters_of_warnings_are_put_back() -> None:
    before = list(warnings.filters)
    call(lambda: warnings.simplefilter("error"), (), 5.0)
    assert warnings.filters == before


def test_what_is_said_on_stderr_is_kept_in_place_of_shown(capsys: pytest.CaptureFixture[str]) -> None:
    reply = call(lambda: print("aside", file=sys.stderr), (), 5.0)
    assert isinstance(reply, Returned)
    assert reply.printed == "aside\n"
    assert capsys.readouterr() == ("", "")


def test_an_input_that_became_incomparable_has_changed() -> None:
    def swaps(x: Tensor) -> None:
        torch.utils.swap_tensors(x, torch.empty(2, device="meta"))

    reply = call(swaps, (torch.ones(2),), 5.0)
    assert isinstance(reply, Returned)
    assert reply.changed == (0,)


def refuses(*_: Any) -> Any:
    raise ValueError("not this one")


def test_a_value_that_cannot_be_judged_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict is still given if looking at the value fails."""
    for part in ("what_counts", "_evidence", "_name_the_mistake"):
        with monkeypatch.context() as patch:
            patch.setattr(f"qkvlib.checking.verdicts.{part}", refuses)
            judged = verdict("dot", lambda a, b: a)
        assert judged.outcome == "wrong"
