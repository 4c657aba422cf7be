"""The heads widget without a browser: maps, jobs, silenced heads, errors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from qkvlib import progress
from qkvlib.models import MultiHead, OneHead, Stack
from qkvlib.tasks import Agreement, Induction, Recall, TwoQuestions
from qkvlib.training import adam, train
from qkvlib.training.head_jobs import job
from qkvlib.widgets import Heads, Silencing
from tests.wire import Wire, saved

WORDS = ["the", "law", "and", "its", "spirit"]


@pytest.fixture(scope="module")
def two_questions() -> MultiHead:
    task = TwoQuestions()
    model = MultiHead(task.n_tokens, task.n_answers, n_heads=2)
    train(model, task, 500, adam(0.01))
    return model


def weights(*shape: int) -> Tensor:
    return torch.softmax(torch.randn(*shape, generator=torch.Generator().manual_seed(1)), -1)


def sent(state: dict[str, Any]) -> np.ndarray[Any, Any]:
    kind = "<u2" if state["bits"] == 16 else "u1"
    whole = np.frombuffer(state["maps"], kind)
    return whole / (2 ** state["bits"] - 1)


@pytest.mark.parametrize(("shape", "error"), [((2, 5, 5), 1e-4), ((8, 23, 23), 4e-3)])
def test_the_page_gets_every_weight(shape: tuple[int, ...], error: float) -> None:
    given = weights(*shape)
    state = Wire(Heads(given, [f"w{i}" for i in range(shape[1])])).opening()["state"]
    assert sent(state) == pytest.approx(given.flatten().numpy(), abs=error)


def test_only_a_weight_of_zero_arrives_as_zero() -> None:
    given = torch.tensor([[1.0, 0.0, 0.0], [1 - 1e-7, 1e-7, 0.0], [0.5, 0.5, 1e-9]])
    arrived = sent(Wire(Heads(given, ["a", "b", "c"])).opening()["state"]).reshape(3, 3)
    assert ((arrived == 0) == (given == 0).numpy()).all()


@pytest.mark.parametrize(
    ("words", "map_of"),
    [
        ("previous token 1.00", lambda n: torch.eye(n).roll(1, 0)),
        ("next token 1.00", lambda n: torch.eye(n).roll(-1, 0)),
        ("itself 1.00", lambda n: torch.eye(n)),
        ("first token 1.00", lambda n: torch.eye(n)[:1].expand(n, n)),
        (
            "no clear job (most: next token 0.33)",
            lambda n: 0.8 * torch.full((n, n), 1 / n) + 0.2 * torch.eye(n).roll(-1, 0),
        ),
    ],
)
def test_a_head_is_named_by_what_it_does(words: str, map_of: Any) -> None:
    assert str(job(map_of(6)[None], None, of_itself=True)) == words


def test_words_that_look_at_others_have_no_previous_token() -> None:
    assert job(torch.eye(6).roll(1, 0)[None], None, of_itself=False) is None
    widget = Heads(torch.eye(2)[None], ["a", "b"], ["c", "d"])
    assert repr(widget) == "Heads(the head)"
    assert Wire(widget).opening()["state"]["jobs"] == [""]
    assert "<table" not in widget.static_html()


@pytest.mark.whole
def test_two_heads_take_a_question_each(two_questions: MultiHead) -> None:
    widget = Heads.of(two_questions, TwoQuestions())
    state = Wire(widget).opening()["state"]
    names, scores = zip(*(words.rsplit(" ", 1) for words in state["jobs"]), strict=True)
    assert set(names) == {"matching key, question 1", "matching key, question 2"}
    assert min(map(float, scores)) > 0.8
    assert widget.accuracy == pytest.approx([1.0, 1.0], abs=0.01)


def test_a_silenced_head_takes_its_question_along(two_questions: MultiHead) -> None:
    task = TwoQuestions()
    widget = Heads.of(two_questions, task)
    wire = Wire(widget)
    state = wire.ask(do="silence", choice=[0, 1])["state"]
    own = "question 2" in state["jobs"][1]
    assert state["now"][own] < 0.3
    assert state["now"][1 - own] > 0.95
    test = task.test(500)
    logits = two_questions(*test.inputs, ablate=[1]).logits
    right = (logits.reshape(500, 2, -1).argmax(-1) == test.answers).float().mean(0)
    assert state["now"] == pytest.approx(right.tolist(), abs=1e-5)
    assert widget.silenced == [("heads", 1)]
    assert wire.ask(do="silence", choice=[0, 1])["state"]["now"] == state["before"]
    wire.ask(do="silence", choice=[0, 0])
    assert wire.ask(do="hear all")["state"]["silenced"] == []


def test_a_goal_is_met_by_the_right_head_alone(two_questions: MultiHead, home: object) -> None:
    goal = Silencing("66-first", "Lose the first question alone.", loses=[0], keeps=[1])
    widget = Heads.of(two_questions, TwoQuestions(), goal=goal)
    wire = Wire(widget)
    state = wire.opening()["state"]
    wrong = next(i for i, words in enumerate(state["jobs"]) if "question 2" in words)
    assert not wire.ask(do="silence", choice=[0, wrong])["state"]["goal"]["met"]
    wire.ask(do="silence", choice=[0, 1 - wrong])
    assert progress.recall("goals", "66-first") is None
    assert wire.ask(do="silence", choice=[0, wrong])["state"]["goal"]["met"]
    assert progress.recall("goals", "66-first") is True


def test_a_silenced_layer_changes_what_the_next_one_sees() -> None:
    task = Induction()
    model = Stack(task.n_tokens, task.n_answers, d_model=32, n_layers=2, causal=True)
    wire = Wire(Heads.of(model, task))
    before = sent(wire.opening()["state"])
    after = sent(wire.ask(do="silence", choice=[0, 0])["state"])
    assert (before[: 18 * 18] == after[: 18 * 18]).all()
    assert not (before[18 * 18 :] == after[18 * 18 :]).all()


def test_padding_is_left_out() -> None:
    task = Agreement()
    widget = Heads.of(OneHead(task.n_tokens, task.n_answers), task)
    state = Wire(widget).ask(do="example", choice=2)["state"]
    setup = widget.setup()
    assert all(word for _, columns in setup["examples"] for word in columns)
    assert sent(state).sum() == pytest.approx(1, abs=1e-3)
    assert len(sent(state)) == len(setup["examples"][2][1])
    assert not setup["can_silence"]


def test_what_a_notebook_saves_is_below_thirty_kilobytes() -> None:
    widget = Heads(weights(8, 23, 23), [f"word{i}" for i in range(23)])
    output, _ = widget._repr_mimebundle_()
    assert len(saved(Wire(widget).opening())) + len(json.dumps(output)) < 30_000


def test_it_reads_the_same_each_time() -> None:
    given = torch.eye(5).roll(1, 0)
    read = "Heads(head 1: previous token 1.00; head 2: previous token 1.00)"
    assert repr(Heads(torch.stack([given, given]), WORDS)) == read
    assert repr(Heads(given, WORDS)) == "Heads(the head: previous token 1.00)"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Heads(weights(2, 4, 5), WORDS), r"needs the shape \(heads, 5, 5\)"),
        (lambda: Heads(torch.randn(5, 5), WORDS), "after softmax, not the scores"),
        (lambda: Heads(torch.full((5, 5), torch.nan), WORDS), "holds nan"),
        (lambda: Heads(weights(1000, 1000), ["w"] * 1000), "draws at most 64 words"),
        (lambda: Heads(weights(12, 40, 40), ["w"] * 40), "at most 19 words"),
        (
            lambda: Heads.of(Stack(16, 16, n_layers=0), Induction()),
            "there is no head to look at",
        ),
        (
            lambda: Heads.of(
                OneHead(16, 8), Recall(), goal=Silencing("66-x", "Lose it.", loses=[1])
            ),
            "names question 2, but the task asks 1",
        ),
    ],
)
def test_bad_input_is_refused_with_words(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()
