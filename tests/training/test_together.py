"""Test that models trained together become what each would have become by itself."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from qkvlib.models import Model, MultiHead, OneHead, OwnHeads, PatchReader, Stack, TiedHead
from qkvlib.multi_head import multi_head_attention
from qkvlib.tasks import Digits, NextWord, Recall, Task, TwoQuestions
from qkvlib.training import (
    DivergedError,
    Keep,
    Optimiser,
    TrainingStopped,
    adam,
    adamw,
    sgd,
    train,
    train_together,
)
from tests.training.test_loop import Interrupted, drawn

RECALL, TWO, NEXT = Recall(), TwoQuestions(), NextWord()


def models(kind: str, seeds: int = 3) -> list[Model]:
    """Return models of this kind, one for each seed."""
    makers = {
        "one head": lambda seed: OneHead(16, 8, seed=seed),
        "tied": lambda seed: TiedHead(16, 8, seed=seed),
        "heads": lambda seed: MultiHead(TWO.n_tokens, TWO.n_answers, seed=seed),
        "stack": lambda seed: Stack(NEXT.n_tokens, NEXT.n_answers, causal=True, seed=seed),
        "images": lambda seed: PatchReader(seed=seed),
        "no look": lambda seed: PatchReader(seed=seed, attends=False),
    }
    return [makers[kind](seed) for seed in range(seeds)]


CASES = [
    ("one head", RECALL, adam(0.02), ()),
    ("one head", RECALL, sgd(0.5), "embedding"),
    ("tied", RECALL, adam(0.02), ["w_v"]),
    ("heads", TWO, adam(0.02), ()),
    ("stack", NEXT, adam(0.01), ()),
    ("images", [Digits(seed) for seed in range(3)], adam(0.005), ()),
    ("no look", [Digits(seed) for seed in range(3)], adam(0.005), ()),
    ("one head", RECALL, adamw(0.01), ()),
]


@pytest.mark.parametrize(("kind", "tasks", "optimiser", "freeze"), CASES)
def test_together_is_each_by_itself(
    kind: str, tasks: Task | list[Task], optimiser: Optimiser, freeze: str | list[str]
) -> None:
    alone, together = models(kind), models(kind)
    each = tasks if isinstance(tasks, list) else [tasks] * 3
    options = {"freeze": freeze, "record": Keep(every=4), "batch_size": 8}
    expected = [
        train(model, task, 12, optimiser, seed=seed, **options)
        for seed, (model, task) in enumerate(zip(alone, each, strict=True))
    ]
    found = train_together(together, tasks, 12, optimiser, **options)
    close = {"rtol": 1e-3, "atol": 1e-4}
    for one, other in zip(expected, found, strict=True):
        assert one.steps.tolist() == other.steps.tolist() == [0, 4, 8, 12]
        torch.testing.assert_close(one.losses, other.losses, **close)
        for group in ("weights", "gradients", "attention"):
            torch.testing.assert_close(getattr(one, group), getattr(other, group), **close)
        assert one.settings == other.settings
    for model, recording in zip(together, found, strict=True):
        for name, weight in model.weights.items():
            assert torch.equal(weight, recording.weights_at(12)[name])
            assert not weight.requires_grad


def test_recordings_of_runs_made_together_share_the_room_of_one() -> None:
    room = Keep(every=1, megabytes=0.3)
    recordings = train_together(models("one head"), RECALL, 40, sgd(0.1), record=room)
    weights = sum(weight.numel() for weight in models("one head")[0].weights.values())
    kept = sum(map(len, recordings)) * (2 * weights + 2) * 4
    assert all(3 < len(recording) < 41 for recording in recordings)
    assert kept <= 0.3 * 2**20


def test_somebody_elses_function_is_run_one_model_at_a_time() -> None:
    looked = []

    def attend(x: Tensor, *rest: object) -> tuple[Tensor, Tensor]:
        looked.append(float(x[0, 0, 0]))  # torch cannot do this to many models at once
        output, weights = multi_head_attention(x, *rest)  # type: ignore[arg-type]
        return output, weights

    def own(seed: int) -> OwnHeads:
        mask = torch.ones(7, 7, dtype=torch.bool)
        return OwnHeads(attend, mask, TWO.n_tokens, TWO.n_answers, seed=seed)

    start = own(1).w_q
    layers = [own(seed) for seed in range(2)]
    train_together(layers, TWO, 2, sgd(0.1), freeze="embedding")
    assert looked
    assert not torch.equal(layers[1].w_q, start)


def test_what_cannot_be_trained_together_says_so() -> None:
    with pytest.raises(ValueError, match="no model to train"):
        train_together([], RECALL, 1, sgd(0.1))
    with pytest.raises(ValueError, match="3 models and 2 tasks"):
        train_together(models("one head"), [RECALL, RECALL], 1, sgd(0.1))
    mixed = [OneHead(16, 8), TiedHead(16, 8)]
    with pytest.raises(ValueError, match=r"differ in their seed alone.*OneHead.*TiedHead"):
        train_together(mixed, RECALL, 1, sgd(0.1))
    wide = [OneHead(16, 8), OneHead(16, 8, d_k=3)]
    with pytest.raises(ValueError, match="train each kind by itself"):
        train_together(wide, RECALL, 1, sgd(0.1))


def test_one_that_diverges_is_the_one_that_is_told_of() -> None:
    heads = models("one head")
    heads[1].w_o = torch.full_like(heads[1].w_o, float("nan"))
    with pytest.raises(DivergedError, match="became nan at step 0") as caught:
        train_together(heads, RECALL, 5, sgd(0.1))
    assert caught.value.recording.settings.seed == 1


def test_stopping_hands_over_what_was_learned() -> None:
    drawn.clear()
    heads = models("one head", seeds=1)
    start = heads[0].w_v.clone()
    with pytest.raises(TrainingStopped, match="stopped at step 10 of 50"):
        train_together(heads, Interrupted(at=10), 50, adam(0.1))
    assert not torch.equal(heads[0].w_v, start)
