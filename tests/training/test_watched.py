"""Test the recording of a learner's own loop around a learner's own heads."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.chapter_08.multi_head_attention import view_without_transpose
from qkvlib.models import OwnHeads
from qkvlib.multi_head import multi_head_attention
from qkvlib.tasks import TwoQuestions
from qkvlib.training import Keep, Recording, Watched
from qkvlib.widgets import Heads, Replay

TASK = TwoQuestions()
MASK = torch.ones(7, 7, dtype=torch.bool)
MASK[:, -1] = False
LOOP = EXERCISES["train_two_heads"]
RIGHT = EXERCISES["multi_head_attention"].alternatives


def trained(
    heads: Any = multi_head_attention,
    loop: Any = LOOP.reference,
    steps: int = 12,
    seed: int = 0,
    lr: float = 1.0,
    record: Keep = Keep(every=1),  # noqa: B008  (frozen, so safe to share)
) -> tuple[OwnHeads, list[float], Recording]:
    layer = OwnHeads(heads, MASK, TASK.n_tokens, TASK.n_answers, seed=seed)
    batches = Watched(layer, TASK, steps, record=record, seed=seed)
    how = {"heads": heads} if loop is LOOP.reference else {}
    losses = loop([layer.w_q, layer.w_k, layer.w_v, layer.w_o], batches, MASK, lr, **how)
    return layer, losses, batches.recording()


def test_the_recording_saw_the_losses_that_the_loop_returned() -> None:
    layer, losses, run = trained(steps=6)
    assert run.steps.tolist() == [0, 1, 2, 3, 4, 5, 6]
    torch.testing.assert_close(run.losses[:-1], torch.tensor(losses))
    for name, weight in layer.weights.items():
        assert torch.equal(run.weights[name][-1], weight)
    assert run.settings.outcome == "finished"


def test_a_recorded_gradient_is_what_the_loop_walked_along() -> None:
    _, _, run = trained(steps=3, lr=0.5)
    for name in ("w_q", "w_k", "w_v", "w_o"):
        walked = (run.weights[name][:-1] - run.weights[name][1:]) / 0.5
        torch.testing.assert_close(walked, run.gradients[name][:-1], atol=1e-5, rtol=1e-3)
    assert torch.equal(run.weights["embedding"][0], run.weights["embedding"][-1])


@pytest.mark.parametrize("heads", RIGHT, ids=lambda one: one.__name__)
def test_right_heads_in_any_style_train_alike(heads: Any) -> None:
    torch.testing.assert_close(trained(heads)[1], trained()[1], atol=1e-3, rtol=1e-3)


def test_other_heads_train_otherwise() -> None:
    """The function that was passed in is trained, not another in its place."""
    layer, losses, run = trained(view_without_transpose.program)
    own, right, of_right = trained()
    assert abs(losses[0] - right[0]) > 1e-3
    assert not torch.allclose(layer.w_q, own.w_q, atol=1e-3)
    assert not torch.allclose(run.attention["heads"][0], of_right.attention["heads"][0], atol=1e-3)


@pytest.mark.parametrize("loop", LOOP.alternatives, ids=lambda one: one.__name__)
def test_right_loops_in_any_style_train_alike(loop: Any) -> None:
    _, losses, run = trained(loop=loop)
    torch.testing.assert_close([float(loss) for loss in losses], trained()[1], atol=1e-3, rtol=1e-3)
    assert run.settings.outcome == "finished"


def test_heads_that_torch_cannot_follow_through_many_steps_at_once_are_drawn_all_the_same() -> None:
    def heads(x: Tensor, *rest: Any) -> tuple[Tensor, Tensor]:
        output, weights = multi_head_attention(x, *rest)
        return output, weights if float(weights.detach().sum()) > 0 else -weights

    assert torch.equal(trained(heads)[2].attention["heads"], trained()[2].attention["heads"])


def test_a_loop_that_stops_early_has_left_a_recording() -> None:
    def stops(params: Any, batches: Any, mask: Any, lr: float) -> list[float]:
        for number, _ in enumerate(batches):
            if number == 3:
                break
        return []

    run = trained(loop=stops)[2]
    assert run.settings.outcome == "left at step 3 of 12"
    assert run.steps.tolist() == [0, 1, 2, 3]


def test_a_loop_that_diverges_comes_to_an_end() -> None:
    _, losses, run = trained(steps=50, lr=1e6)
    assert run.settings.outcome.startswith("diverged")
    assert len(losses) < 50


def test_only_the_steps_that_are_kept_are_looked_at() -> None:
    seen = []

    def heads(*given: Any) -> tuple[Tensor, Tensor]:
        seen.append(given)
        return multi_head_attention(*given)

    assert trained(heads, steps=10, record=Keep(every=5))[2].steps.tolist() == [0, 5, 10]
    assert len(seen) == 10 + 3 + 3  # the loop's own calls, the three looks, and the three maps


def test_replay_and_heads_show_it() -> None:
    layer, _, run = trained(steps=4)
    assert "5 steps kept" in repr(Replay(run, tokens=TASK.tokens))
    assert "head 2" in repr(Heads.of(layer, TASK))
