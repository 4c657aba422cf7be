"""Test that the training loop learns, is reproducible, freezes, stops on request, and restores."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Generator, Tensor

from qkvlib.models import OneHead
from qkvlib.tasks import NO_ANSWER, Batch, Recall
from qkvlib.training import DivergedError, TrainingStopped, cross_entropy, train
from qkvlib.training.measures import measure
from qkvlib.training.optimisers import adam, adamw, sgd
from qkvlib.training.recording import Keep, Recording


def short(model: OneHead | None = None, steps: int = 20, **options: Any) -> Recording:
    return train(model or OneHead(16, 8), Recall(), steps, adam(0.02), **options)


@pytest.mark.whole
def test_training_learns() -> None:
    model, task = OneHead(16, 8), Recall()
    before = measure(model, task.test())
    recording = train(model, task, 300, adam(0.02))
    after = measure(model, task.test())
    assert before.accuracy < 0.3
    assert after.accuracy > 0.99
    assert after.mass > 0.95
    assert recording.losses[-1] < recording.losses[0] / 10


def test_the_loop_is_plain_gradient_descent() -> None:
    model, other = OneHead(16, 8, seed=1), OneHead(16, 8, seed=1)
    train(model, Recall(), 5, sgd(0.5), seed=7)
    generator = torch.Generator().manual_seed(1007)
    weights = [weight.requires_grad_() for weight in other.weights.values()]
    for _ in range(5):
        inputs, answers, _ = Recall().batch(64, generator)
        loss = torch.nn.functional.cross_entropy(other(*inputs).logits[:, 0], answers[:, 0])
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                weight -= 0.5 * gradient
    for name, weight in model.weights.items():
        torch.testing.assert_close(weight, other.weights[name])


def test_seeds_repeat_a_run_to_the_last_bit() -> None:
    one, same, other = (OneHead(16, 8, seed=1) for _ in range(3))
    for model, seed in ((one, 0), (same, 0), (other, 1)):
        short(model, seed=seed)
    assert all(torch.equal(w, same.weights[name]) for name, w in one.weights.items())
    assert not torch.equal(one.w_q, other.w_q)


@pytest.mark.parametrize(
    "frozen", ["w_q", "w_k", "w_v", "w_o", "embedding", ("w_q", "w_k"), ("w_v", "w_o", "embedding")]
)
def test_what_is_frozen_stays_and_the_rest_moves(frozen: str | tuple[str, ...]) -> None:
    model, start = OneHead(16, 8, seed=1), OneHead(16, 8, seed=1)
    recording = short(model, freeze=frozen)
    names = {frozen} if isinstance(frozen, str) else set(frozen)
    for name, weight in model.weights.items():
        assert torch.equal(weight, start.weights[name]) == (name in names)
    assert recording.gradients.keys() == model.weights.keys() - names
    assert recording.settings.freeze == sorted(names)


def test_afterwards_weights_are_plain_numbers() -> None:
    model = OneHead(16, 8)
    short(model)
    for weight in model.weights.values():
        assert not weight.requires_grad
        assert weight.grad is None
        assert weight.is_leaf


@pytest.mark.parametrize("fails", [False, True])
def test_the_callers_threads_come_back(fails: bool) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    seen = []

    @dataclass(frozen=True)
    class Watching(Recall):
        def batch(self, size: int, generator: Generator) -> Batch:
            seen.append(torch.get_num_threads())
            if fails:
                raise RuntimeError("on purpose")
            return super().batch(size, generator)

    try:
        if fails:
            with pytest.raises(RuntimeError, match="on purpose"):
                train(OneHead(16, 8), Watching(), 3, adam(0.02))
        else:
            train(OneHead(16, 8), Watching(), 3, adam(0.02))
        assert set(seen) == {1}
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@dataclass(frozen=True)
class Interrupted(Recall):
    """Press the stop button when the batch of step `at` is drawn."""

    at: int = 7

    def batch(self, size: int, generator: Generator) -> Batch:
        drawn.append(size)
        if len(drawn) == self.at + 1:
            raise KeyboardInterrupt
        return super().batch(size, generator)

    def test(self, size: int = 2000) -> Batch:
        return Recall().test(size)


drawn: list[int] = []


def test_an_interrupt_goes_on_up_and_keeps_what_was_recorded() -> None:
    drawn.clear()
    model = OneHead(16, 8)
    with pytest.raises(KeyboardInterrupt, match=r"^stopped at step 7 of 100$") as stopped:
        train(model, Interrupted(at=7), 100, adam(0.02), record=Keep(every=1))
    assert isinstance(stopped.value, TrainingStopped)
    recording = stopped.value.recording
    assert recording.steps.tolist() == list(range(7))
    assert recording.settings.outcome == "stopped at step 7 of 100"
    assert recording.attention["head"].shape[0] == 7
    assert not model.w_q.requires_grad


def test_an_interrupt_before_anything_happened_records_nothing() -> None:
    drawn.clear()
    with pytest.raises(TrainingStopped, match="stopped at step 0 of 100") as stopped:
        train(OneHead(16, 8), Interrupted(at=0), 100, adam(0.02))
    assert stopped.value.recording is None


def test_a_run_that_diverges_stops_and_says_what_to_try() -> None:
    model = OneHead(16, 8)
    with pytest.raises(DivergedError) as caught:
        train(model, Recall(), 500, sgd(1e9))
    words = str(caught.value)
    assert "sgd(1000000000.0)" in words
    assert "a tenth of that learning rate" in words
    recording = caught.value.recording
    assert len(recording) >= 2
    assert math.isfinite(recording.losses[-2])
    assert not math.isfinite(recording.losses[-1])
    assert "diverged" in recording.settings.outcome
    assert not model.w_q.requires_grad


def test_places_without_a_question_do_not_count() -> None:
    logits, answers = torch.randn(2, 3, 4), torch.tensor([[1, NO_ANSWER, 2], [NO_ANSWER, 0, 3]])
    asked = answers != NO_ANSWER
    expected = torch.nn.functional.cross_entropy(logits[asked], answers[asked])
    torch.testing.assert_close(cross_entropy(logits, answers), expected)


def test_adamw_warms_up_then_falls_and_cuts_long_gradients() -> None:
    weight = torch.zeros(3, requires_grad=True)
    optimizer = adamw(1.0, weight_decay=0.0, warm_up=4).make([weight], 10)
    rates = []
    for _ in range(10):
        weight.grad = torch.full((3,), 100.0)
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
        torch.testing.assert_close(weight.grad.norm(), torch.tensor(1.0))
    assert rates[0] == pytest.approx(0.25)
    assert max(rates) == rates[3] == pytest.approx(0.7)
    assert rates[3:] == sorted(rates[3:], reverse=True)
    assert rates[-1] == pytest.approx(0.1)


@dataclass(frozen=True)
class Slow(Recall):
    def batch(self, size: int, generator: Generator) -> Batch:
        time.sleep(0.05)
        return super().batch(size, generator)


@pytest.mark.parametrize(
    ("looks", "steps", "shown"), [(True, 3, False), (True, 50, True), (False, 50, False)]
)
@pytest.mark.whole
def test_a_progress_bar_comes_after_a_second_where_somebody_looks(
    looks: bool, steps: int, shown: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    if looks:
        monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
    train(OneHead(16, 8), Slow(), steps, adam(0.02))
    written = capsys.readouterr()
    assert ("steps" in written.out) == ("loss " in written.out) == shown
    assert written.err == ""  # a notebook would show it as a pink box


def test_measure_looks_only_at_what_is_asked() -> None:
    class Fixed(OneHead):
        def __call__(self, question: Tensor, cards: Tensor, mask: Tensor | None = None) -> Any:
            weights = torch.tensor([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]])[:, None, None]
            return torch.tensor([[[9.0, 0.0]], [[9.0, 0.0]]]), {"head": weights}

    batch = Batch(
        inputs=(torch.zeros(2, 1, 1), torch.zeros(2, 3, 1)),
        answers=torch.tensor([[0], [1]]),
        looks_at=torch.tensor([[1], [2]]),
    )
    score = measure(Fixed(1, 2), batch)
    assert score.accuracy == score.all_right == score.hits == 0.5
    assert score.mass == pytest.approx((0.25 + 1.0) / 2)
    assert score.entropy == pytest.approx(1.5 * math.log(2) / 2)


def test_keeping_less_does_not_change_the_run() -> None:
    one, other = OneHead(16, 8, seed=1), OneHead(16, 8, seed=1)
    short(one, record=Keep(every=1))
    short(other, record=Keep(every=7))
    assert all(torch.equal(w, other.weights[name]) for name, w in one.weights.items())
