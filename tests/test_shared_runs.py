"""Test that a shared run equals the run itself, to the last bit, and that unsafe ones are not shared."""

from __future__ import annotations

import functools
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

from qkvlib.models import OneHead
from qkvlib.tasks import Recall, RockPaperScissors
from qkvlib.training import Recording, adam, train, train_together
from tests.shared_runs import sharing


@functools.wraps(train)
def never(*given: object, **named: object) -> None:
    raise AssertionError("it was trained again")


GAME = RockPaperScissors()


def a_run(trained_by: object, model: OneHead, seed: int = 0) -> Recording:
    assert callable(trained_by)
    recording = trained_by(model, GAME, 5, adam(0.01), seed=seed)
    assert isinstance(recording, Recording)
    return recording


def runs(room: Path) -> list[Path]:
    return [path for path in room.iterdir() if not path.name.startswith(".")]  # without the locks


def head(kind: type[OneHead] = OneHead) -> OneHead:
    return kind(GAME.n_tokens, GAME.n_answers, d_model=4)


def test_a_shared_run_is_the_run_to_the_last_bit(tmp_path: Path) -> None:
    made, shared, plain = head(), head(), head()
    a_run(sharing(train, tmp_path), made)
    found = a_run(sharing(never, tmp_path), shared)
    expected = a_run(train, plain)
    for name, weight in plain.weights.items():
        assert torch.equal(weight, shared.weights[name])
        assert torch.equal(expected.weights[name], found.weights[name])
    assert torch.equal(expected.losses, found.losses)
    assert expected.settings == found.settings


def test_another_seed_another_start_or_another_kind_is_another_run(tmp_path: Path) -> None:
    class Mine(OneHead):
        """A learner's own task, which may be different in the next notebook."""

    a_run(sharing(train, tmp_path), head())
    assert len(runs(tmp_path)) == 1
    a_run(sharing(train, tmp_path), head(), seed=1)
    moved = head()
    moved.w_q = moved.w_q + 1
    a_run(sharing(train, tmp_path), moved)
    assert len(runs(tmp_path)) == 3
    a_run(sharing(train, tmp_path), head(Mine))
    assert len(runs(tmp_path)) == 3


def test_models_that_are_trained_together_are_shared_together(tmp_path: Path) -> None:
    @functools.wraps(train_together)
    def never_together(*given: object, **named: object) -> None:
        raise AssertionError("they were trained again")

    made, shared = ([OneHead(16, 8, d_model=4, seed=seed) for seed in range(2)] for _ in range(2))
    sharing(train_together, tmp_path)(made, Recall(), 5, adam(0.01))
    sharing(never_together, tmp_path)(shared, Recall(), 5, adam(0.01))
    for one, other in zip(made, shared, strict=True):
        for name, weight in one.weights.items():
            assert torch.equal(weight, other.weights[name])


def test_who_asks_for_a_run_that_is_being_made_waits_for_it(tmp_path: Path) -> None:
    made = []

    @functools.wraps(train)
    def slowly(*given: Any, **named: Any) -> Recording:
        made.append(1)
        time.sleep(0.2)
        return train(*given, **named)

    with ThreadPoolExecutor(2) as both:
        [*both.map(lambda model: a_run(sharing(slowly, tmp_path), model), (head(), head()))]
    assert len(made) == 1
