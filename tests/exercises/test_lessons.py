"""Test that each lesson also runs with every other right answer of the bank."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from qkvlib.checking import check
from qkvlib.exercises import EXERCISES
from tests.exercises import lessons
from tests.exercises.lessons import FOLDER, StoppedError, asked_in, cells_of, go_through, reached, rounds

pytestmark = pytest.mark.whole

Two = tuple[Tensor, Tensor]
Mask = Tensor | None
by_lesson = pytest.mark.parametrize("lesson", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem[:2])


@pytest.mark.sweep(keep=3)
@by_lesson
def test_a_lesson_goes_on_with_every_alternative(lesson: Path, home: Path) -> None:
    cells = cells_of(lesson)
    names = asked_in(cells)
    needed = reached(cells, set(names))
    for answers in rounds(names):
        go_through(needed, answers)


# --- Other right answers, with which a lesson once stopped --------------------------------------


def _embed_by_a_layer(tokens: Tensor, table: Tensor) -> Tensor:
    return nn.Embedding.from_pretrained(table)(tokens)


def _step_in_single(params: list[Tensor], lr: float) -> None:
    for p in params:
        p.data = (p - lr * p.grad).detach().float()
        p.grad = None


def _step_that_switches_off(params: list[Tensor], lr: float) -> None:
    torch.set_grad_enabled(False)
    for p in params:
        p -= lr * p.grad
        p.grad = None


def _projection_by_layers(x: Tensor, *d: Tensor) -> tuple[Tensor, ...]:
    found = []
    for one in d:
        layer = nn.Linear(x.shape[1], one.shape[1], bias=False)
        (layer(x) * one).sum().backward()
        found.append(layer.weight.grad.T)
    return tuple(found)


def _split_by_lists(x: Tensor, n_heads: int) -> Tensor:
    return torch.tensor([[piece.tolist() for piece in one.chunk(n_heads, -1)] for one in x])


def _merge_into_zeros(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    merged = torch.zeros(b, n, h * d)
    for i in range(h):
        merged[:, :, i * d : (i + 1) * d] = heads[:, i]
    return merged


def _attention_by_numbers(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).detach()
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(-1)
    return weights @ v.detach(), weights


def _attention_in_place(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights /= weights.sum(-1, keepdim=True)
    return weights @ v, weights


OTHERS: list[tuple[str, dict[str, Callable[..., Any]]]] = [
    (
        "04",
        {
            "scaled_dot_product_attention": _attention_by_numbers,
            "projection_gradients": _projection_by_layers,
            "sgd_step": _step_in_single,
        },
    ),
    ("04", {"scaled_dot_product_attention": _attention_in_place, "sgd_step": _step_that_switches_off}),
    ("06", {"embed": _embed_by_a_layer}),
    ("08", {"split_heads": _split_by_lists, "merge_heads": _merge_into_zeros}),
]


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(("chapter", "answers"), OTHERS)
def test_a_lesson_goes_on_with_right_answers_of_others(
    chapter: str, answers: dict[str, Callable[..., Any]], home: Path
) -> None:
    (lesson,) = FOLDER.glob(f"{chapter}_*.py")
    go_through(reached(cells_of(lesson), set(answers)), answers)


def test_what_the_lesson_lends_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lent = check(lessons.called("embed", _embed_by_a_layer))
    assert "The lesson goes on with your `embed`." in (said := capsys.readouterr().out)
    assert "send gradients back through this function" in said
    table = torch.eye(3, requires_grad=True)
    assert lent(torch.tensor([1]), table).requires_grad
    assert check(lessons.called("embed", lambda tokens, table: table[tokens]))
    assert "gradients" not in capsys.readouterr().out


@pytest.mark.parametrize("chapter", ["04", "06", "08", "11"])
def test_the_solution_is_lent_nothing(chapter: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lend(function: Any, *_: Any) -> Any:
        raise AssertionError(function.__name__)

    monkeypatch.setattr("qkvlib.checking.going_on.lent_where_lacking", lend)
    (lesson,) = FOLDER.glob(f"{chapter}_*.py")
    cells = cells_of(lesson)
    go_through(reached(cells, set(asked_in(cells))), {})


# --- The tests above can fail -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["embed", "sgd_step"])
def test_a_lesson_that_lends_nothing_stops(name: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qkvlib.checking.going_on.lacking", lambda *_: ())
    answer = {"embed": _embed_by_a_layer, "sgd_step": _step_in_single}[name]
    chapter = EXERCISES[name].chapter
    (lesson,) = FOLDER.glob(f"{chapter:02}_*.py")
    with pytest.raises(StoppedError):
        go_through(reached(cells_of(lesson), {name}), {name: answer})


def test_a_wrong_answer_stops_a_lesson(home: Path) -> None:
    (lesson,) = FOLDER.glob("01_*.py")
    with pytest.raises(StoppedError, match="dot is not taken for right"):
        go_through(reached(cells_of(lesson), {"dot"}), {"dot": lambda a, b: a * b})


def test_every_exercise_is_asked_in_its_lesson() -> None:
    asked = [name for lesson in sorted(FOLDER.glob("*.py")) for name in asked_in(cells_of(lesson))]
    assert asked == list(EXERCISES)


@pytest.mark.parametrize(("long", "_short"), lessons.CUTS)
def test_what_is_cut_short_stands_in_a_lesson(long: str, _short: str) -> None:
    assert any(long in lesson.read_text(encoding="utf-8") for lesson in FOLDER.glob("*.py"))
