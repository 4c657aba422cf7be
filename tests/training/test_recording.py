"""A recording: bounded, evenly spread, and true to the run."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from qkvlib.models import OneHead, Stack
from qkvlib.tasks import Induction, Recall
from qkvlib.training import train
from qkvlib.training.optimisers import adam
from qkvlib.training.recording import Keep, Recorder, Recording, Settings


def recorded(steps: int = 20, model: OneHead | None = None, **options: Any) -> Recording:
    return train(model or OneHead(16, 8), Recall(), steps, adam(0.02), **options)


def tensors(recording: Recording) -> dict[str, Tensor]:
    groups = (recording.weights, recording.gradients, recording.attention)
    named = {f"{place}/{name}": t for place, g in enumerate(groups) for name, t in g.items()}
    return named | {n: getattr(recording, n) for n in ("steps", "losses", "accuracy")}


def test_every_tensor_has_the_kept_steps_first() -> None:
    recording = recorded(20, record=Keep(every=5))
    assert recording.steps.tolist() == [0, 5, 10, 15, 20]
    assert {len(tensor) for tensor in tensors(recording).values()} == {5} == {len(recording)}
    assert recording.weights["w_q"].shape == (5, 12, 12)
    assert recording.gradients["embedding"].shape == (5, 16, 12)
    assert recording.attention["head"].shape == (5, 4, 1, 1, 6)
    assert len(recording.rows) == len(recording.columns) == 4


def test_unless_told_otherwise_a_run_keeps_about_fifty_steps() -> None:
    assert recorded(20).steps.tolist() == [*range(21)]
    assert recorded(300).steps.tolist() == [*range(0, 301, 6)]


def test_a_kept_step_holds_the_weights_before_its_own_update() -> None:
    model, start = OneHead(16, 8, seed=1), OneHead(16, 8, seed=1)
    recording = recorded(20, model)
    for name, weight in model.weights.items():
        assert torch.equal(recording.weights[name][0], start.weights[name])
        assert torch.equal(recording.weights[name][-1], weight)


def test_a_kept_gradient_is_that_of_the_batch_at_that_step() -> None:
    recording = recorded(3)
    model = OneHead(16, 8).with_weights(recording.weights_at(2))
    generator = torch.Generator().manual_seed(1000)
    batches = [Recall().batch(64, generator) for _ in range(3)]
    inputs, answers, _ = batches[2]
    model.w_q.requires_grad_()
    loss = torch.nn.functional.cross_entropy(model(*inputs).logits[:, 0], answers[:, 0])
    torch.testing.assert_close(recording.losses[2], loss.detach())
    expected = torch.autograd.grad(loss, model.w_q)[0]
    torch.testing.assert_close(recording.gradients["w_q"][2], expected)


def test_attention_is_what_the_kept_weights_pay_to_the_probe() -> None:
    task = Induction()
    model = Stack(16, 16, n_layers=2, n_heads=2, causal=True, positions="learned", n_places=18)
    recording = train(model, task, 6, adam(0.02))
    for step in (0, 3, 6):
        maps = model.with_weights(recording.weights_at(step))(*task.probe().inputs).attention
        for name, weights in maps.items():
            torch.testing.assert_close(recording.attention[name][step], weights)


def test_weights_at_a_step_are_those_kept_last_and_ones_own_to_change() -> None:
    recording = recorded(20, record=Keep(every=5))
    assert [recording.index(step) for step in (0, 4, 5, 19, 20, 99)] == [0, 0, 1, 3, 4, 4]
    weights = recording.weights_at(7)
    assert torch.equal(weights["w_q"], recording.weights["w_q"][1])
    weights["w_q"].zero_()
    assert recording.weights["w_q"][1].any()


def watched(steps: int, keep: Keep) -> Recorder:
    """Return a recorder of a run without a model, whose only weight is the number of the step."""
    weight = torch.zeros(2, requires_grad=True)
    recorder = Recorder({"w": weight}, {"w": weight}, keep, steps)
    logits, answers = torch.zeros(1, 1, 2), torch.zeros(1, 1, dtype=torch.int64)
    for step in range(steps + 1):
        weight.data.fill_(step)
        weight.grad = torch.full((2,), -float(step))
        recorder.see(step, torch.tensor(float(step)), logits, answers)
    return recorder


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 700), st.integers(1, 20), st.integers(3, 40))
@pytest.mark.whole
def test_a_run_of_any_length_fits_and_stays_evenly_spread(steps: int, every: int, at_most: int) -> None:
    recorder = watched(steps, Keep(every=every, at_most=at_most))
    recording = recorder.recording({}, [], [], Settings("", "", ""))
    kept = recording.steps.tolist()
    assert len(kept) <= at_most
    assert len(recorder.rows) <= at_most
    assert (kept[0], kept[-1]) == (0, steps)
    assert len({b - a for a, b in pairwise(kept[:-1])}) <= 1
    expected = recording.steps.float()
    assert torch.equal(recording.losses, expected)
    assert torch.equal(recording.weights["w"], expected[:, None].expand(-1, 2))
    assert torch.equal(recording.gradients["w"], -expected[:, None].expand(-1, 2))


@pytest.mark.whole
def test_memory_is_bounded_too() -> None:
    keep = Keep(at_most=100_000, megabytes=0.001)
    recorder = watched(5000, keep)
    assert recorder.rows.numel() * 4 <= 0.001 * 2**20
    assert recorder.kept[-1] == 5000


def test_a_weight_that_no_batch_touches_has_a_gradient_of_zero() -> None:
    weight, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    recorder = Recorder({"w": weight, "o": other}, {"w": weight, "o": other}, Keep(), 0)
    weight.grad = torch.ones(2)
    recorder.see(0, torch.tensor(1.0), torch.zeros(1, 1, 2), torch.zeros(1, 1, dtype=torch.int64))
    gradients = recorder.unpacked()[1]
    assert gradients["w"].tolist() == [[1, 1]]
    assert gradients["o"].tolist() == [[0, 0]]


def test_a_repr_tells_what_happened_and_is_always_the_same() -> None:
    text = repr(recorded(20))
    assert text == repr(recorded(20))
    assert "OneHead(" in text
    assert "Recall(" in text
    assert "21 steps kept" in text
