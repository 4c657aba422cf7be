"""Test the heads widget without a browser: maps, jobs, silenced heads, errors."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from qkvlib.learner import progress
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
    """Return the weights as the page reads them: each byte is the middle of a bin, and zero is zero."""
    whole = np.frombuffer(state["maps"], "u1").astype(float)
    return np.where(whole > 0, ((whole - 0.5) / 200).clip(max=1), 0)


@pytest.mark.parametrize("shape", [(1, 5, 5), (8, 23, 23), (72, 27, 27)])
def test_the_page_gets_every_weight_with_its_two_digits(shape: tuple[int, ...]) -> None:
    given = weights(*shape)
    state = Wire(Heads(given, [f"w{i}" for i in range(shape[1])])).opening()["state"]
    arrived = sent(state)
    assert arrived == pytest.approx(given.flatten().numpy(), abs=0.0026)
    doubtful = (given.flatten().double() * 200 % 1 - 0.5).abs() > 0.4999  # between two digits
    written = [f"{share:.2f}" for share in arrived[~doubtful.numpy()]]
    assert written == [f"{share:.2f}" for share in given.flatten()[~doubtful].tolist()]


def test_a_whole_model_fits() -> None:
    layers = {f"layer {layer}": weights(12, 27, 27) for layer in range(6)}
    widget = Heads(layers, [f"w{i}" for i in range(27)], count_from=0)
    assert repr(widget) == "Heads(72 heads in 6 layers)"
    assert widget.setup()["count_from"] == 0
    assert len(widget.pack()["maps"]) == 6 * 12 * 27**2
    html = widget.static_html()
    assert html.count("<img") == 1
    assert "over 27 words: a row of maps for each layer, from layer 0, head 0 to layer 5," in html


def test_heads_are_numbered_within_their_layer_and_a_head_alone_has_its_layers_name() -> None:
    layers = {"layer_0": weights(2, 5, 5), "layer_1": weights(1, 5, 5)}
    assert Heads(layers, WORDS).setup()["layers"] == [
        {"name": "layer 0", "heads": ["layer 0, head 1", "layer 0, head 2"]},
        {"name": "layer 1", "heads": ["layer 1"]},
    ]


def test_the_still_picture_shows_each_of_a_few_heads() -> None:
    html = Heads(weights(3, 5, 5), WORDS).static_html()
    assert 'alt="Attention of head 1, head 2, head 3."' in html
    svg = base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()
    assert svg.count("<image ") == 3
    assert svg.count(">spirit</text>") == 6, "at the side of each, and above it"


def test_only_a_weight_of_zero_arrives_as_zero() -> None:
    given = torch.tensor([[1.0, 0.0, 0.0], [1 - 1e-7, 1e-7, 0.0], [0.5, 0.5, 1e-9]])
    arrived = sent(Wire(Heads(given, ["a", "b", "c"])).opening()["state"]).reshape(3, 3)
    assert ((arrived == 0) == (given == 0).numpy()).all()


@pytest.mark.parametrize(
    ("words", "map_of"),
    [
        ("1.00 of its weight on the token before", lambda n: torch.eye(n).roll(1, 0)),
        ("1.00 of its weight on the token after", lambda n: torch.eye(n).roll(-1, 0)),
        ("1.00 of its weight on the token itself", lambda n: torch.eye(n)),
        ("1.00 of its weight on the first token", lambda n: torch.eye(n)[:1].expand(n, n)),
        (
            "none of the usual jobs: at most 0.33 of its weight on the token after",
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


def test_two_heads_take_a_question_each_and_a_silenced_one_takes_its_along(two_questions: MultiHead) -> None:
    task = TwoQuestions()
    widget = Heads.of(two_questions, task)
    wire = Wire(widget)
    scores, names = zip(*(words.split(" ", 1) for words in wire.opening()["state"]["jobs"]), strict=True)
    assert set(names) == {f"of its weight where the key of question {q} is" for q in (1, 2)}
    assert min(map(float, scores)) > 0.8
    assert widget.accuracy == pytest.approx([1.0, 1.0], abs=0.01)
    state = wire.ask(edit={"silenced": [1]})["state"]
    own = "question 2" in state["jobs"][1]
    assert state["now"][own] < 0.3
    assert state["now"][1 - own] > 0.95
    test = task.test(500)
    logits = two_questions(*test.inputs, ablate=[1]).logits
    right = (logits.reshape(500, 2, -1).argmax(-1) == test.answers).float().mean(0)
    assert state["now"] == pytest.approx(right.tolist(), abs=1e-5)
    assert widget.silenced == [("heads", 1)]
    assert wire.ask(edit={"silenced": []})["state"]["now"] == state["before"]


def test_a_goal_is_met_by_the_right_head_alone(two_questions: MultiHead, home: object) -> None:
    goal = Silencing("66-first", "Lose the first question alone.", loses=[0], keeps=[1])
    widget = Heads.of(two_questions, TwoQuestions(), goal=goal)
    wire = Wire(widget)
    assert wire.opening()["state"]["jobs"] is None, "the goal asks for them"
    assert "question" not in repr(widget) + widget.static_html()
    jobs = wire.ask(edit={"silenced": [0]})["state"]["jobs"]
    progress.record("goals", "66-first", None)
    widget._met = False
    wrong = next(i for i, words in enumerate(jobs) if "question 2" in words)
    assert not wire.ask(edit={"silenced": [wrong]})["state"]["goal"]["met"]
    wire.ask(edit={"silenced": [0, 1]})
    assert progress.recall("goals", "66-first") is None
    assert wire.ask(edit={"silenced": [1 - wrong]})["state"]["goal"]["met"]
    assert progress.recall("goals", "66-first") is True


def test_a_silenced_layer_changes_what_the_next_one_sees() -> None:
    task = Induction()
    model = Stack(task.n_tokens, task.n_answers, d_model=32, n_layers=2, causal=True)
    wire = Wire(Heads.of(model, task))
    before = sent(wire.opening()["state"])
    after = sent(wire.ask(edit={"silenced": [0]})["state"])
    assert (before[: 18 * 18] == after[: 18 * 18]).all()
    assert not (before[18 * 18 :] == after[18 * 18 :]).all()


def test_padding_is_left_out() -> None:
    task = Agreement()
    widget = Heads.of(OneHead(task.n_tokens, task.n_answers), task)
    state = Wire(widget).ask(edit={"example": 2})["state"]
    setup = widget.setup()
    assert all(word for _, columns in setup["examples"] for word in columns)
    assert sent(state).sum() == pytest.approx(1, abs=0.02)
    assert len(sent(state)) == len(setup["examples"][2][1])
    assert not setup["can_silence"]


def test_what_a_notebook_saves_is_small() -> None:
    widget = Heads(weights(8, 23, 23), [f"word{i}" for i in range(23)])
    output, _ = widget._repr_mimebundle_()
    assert len(saved(Wire(widget).opening())) + len(json.dumps(output)) < 34_000


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Heads(weights(2, 4, 5), WORDS), r"needs the shape \(heads, 5, 5\)"),
        (lambda: Heads(torch.randn(5, 5), WORDS), "after softmax, not the scores"),
        (lambda: Heads(torch.full((5, 5), torch.nan), WORDS), "holds nan"),
        (lambda: Heads(weights(1000, 1000), ["w"] * 1000), "draws at most 64 words"),
        (lambda: Heads(weights(72, 40, 40), ["w"] * 40), "at most 28 words"),
        (lambda: Heads.of(Stack(16, 16, n_layers=0), Induction()), "there is no head to look at"),
        (
            lambda: Heads.of(OneHead(16, 8), Recall(), goal=Silencing("66-x", "Lose it.", loses=[1])),
            "names question 2, but the task asks 1",
        ),
    ],
)
def test_bad_input_is_refused_with_words(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()
