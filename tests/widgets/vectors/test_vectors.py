"""The vectors widget without a browser; torch's own functions are the oracle."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from qkvlib.learner import progress
from qkvlib.widgets import Goal, Prefers, Vectors
from tests.wire import Wire

QUERY = [2.0, 1.0]
KEYS = [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]


def third_key() -> Goal:
    return Goal(
        "01-third-key",
        "Make q prefer the third key; its length stays.",
        conditions=[Prefers(column=2)],
        touch=["query"],
        keep_lengths=True,
    )


def drag(wire: Wire, name: str, x: float, y: float, gesture: int = 1) -> dict[str, Any]:
    answer = wire.ask(edit={name: [x, y]}, gesture=gesture)
    state: dict[str, Any] = answer["state"]
    return state


def test_every_number_is_torchs() -> None:
    state = drag(Wire(Vectors(QUERY, KEYS)), "query", -0.3, 1.7)
    query, keys = torch.tensor([-0.3, 1.7]), torch.tensor(KEYS)
    cosines = cosine_similarity(query[None], keys)
    expected = {
        "query": query,
        "keys": keys,
        "query_length": torch.linalg.vector_norm(query),
        "lengths": torch.linalg.vector_norm(keys, dim=1),
        "scores": keys @ query,
        "cosines": cosines,
        "angles": torch.rad2deg(torch.arccos(cosines)),
        "weights": torch.softmax(keys @ query, 0),
    }
    for name, numbers in expected.items():
        torch.testing.assert_close(torch.tensor(state[name]), numbers, rtol=1e-4, atol=1e-4)


def test_a_key_can_be_moved_too() -> None:
    vectors = Vectors(QUERY, KEYS)
    drag(Wire(vectors), "1", 1.0, 1.0)
    assert vectors.keys.tolist() == [[2.0, 0.5], [1.0, 1.0], [0.5, 2.0]]
    assert vectors.scores[1] == 3.0


def test_python_reads_writes_and_observes() -> None:
    vectors = Vectors(QUERY, KEYS)
    wire = Wire(vectors)
    seen: list[Tensor] = []
    vectors.observe(lambda change: seen.append(change["new"]), "weights")
    vectors.query = [0.0, 3.0]
    assert torch.equal(vectors.query, torch.tensor([0.0, 3.0]))
    assert torch.equal(vectors.scores, torch.tensor([1.5, 6.0, 6.0]))
    torch.testing.assert_close(seen[-1], torch.softmax(vectors.scores, 0))
    (pushed,) = wire.sent
    assert pushed["state"]["state"]["query"] == [0.0, 3.0]
    drag(wire, "query", 1.0, 0.0)
    assert len(seen) == 2


def test_the_lists_and_tensors_given_stay_the_learners_own() -> None:
    keys = torch.tensor(KEYS)
    vectors = Vectors(QUERY, keys)
    keys[0] = 9.0
    assert vectors.keys[0].tolist() == KEYS[0]


def test_undo_takes_back_a_whole_drag() -> None:
    vectors = Vectors(QUERY, KEYS)
    wire = Wire(vectors)
    for step in range(5):
        drag(wire, "query", 1.0 + step, 1.0, gesture=1)
    drag(wire, "0", 1.0, 1.0, gesture=2)
    assert wire.ask(do="undo")["state"]["keys"][0] == KEYS[0]
    assert wire.ask(do="undo")["state"]["query"] == QUERY
    assert wire.ask(do="undo")["state"]["undo"] == 0


def test_reset_goes_back_to_the_start_and_can_be_undone() -> None:
    wire = Wire(Vectors(QUERY, KEYS))
    drag(wire, "query", 1.0, 1.0)
    assert wire.ask(do="reset")["state"]["query"] == QUERY
    assert wire.ask(do="undo")["state"]["query"] == [1.0, 1.0]


def test_a_vector_without_length_has_no_angle() -> None:
    state = drag(Wire(Vectors(QUERY, KEYS)), "query", 0.0, 0.0)
    assert state["angles"] == state["cosines"] == [None, None, None]
    assert state["scores"] == [0.0, 0.0, 0.0]


@pytest.mark.usefixtures("home")
def test_the_goal_is_met_and_kept() -> None:
    wire = Wire(Vectors(QUERY, KEYS, goal=third_key()))
    short = drag(wire, "query", 2.0, 1.0)["goal"]
    assert not short["met"]
    assert short["share"] == pytest.approx(0.2231, abs=1e-3)  # exp(3.0 - 4.5)
    assert short["words"] == "k₁ has weight 0.81, k₃ 0.18."
    assert progress.recall("goals", "01-third-key") is None
    met = drag(wire, "query", 1.0, 2.0)["goal"]
    assert met["met"]
    words = "Now move whatever you like."
    assert met["words"] == words
    assert drag(wire, "query", 2.0, -1.0)["goal"]["words"] == words
    assert progress.recall("goals", "01-third-key") is True
    again = Wire(Vectors(QUERY, KEYS, goal=third_key())).opening()
    assert again["setup"]["goal"]["met_before"]
    assert not again["state"]["goal"]["met"]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("query", "keys", "words"),
    [
        ([0.0, 9.0], KEYS, "A length has changed."),
        (QUERY, [[0.1, 0.1], [0.0, 0.0], [0.5, 2.0]], "The keys are not where they were."),
    ],
)
def test_the_goal_cannot_be_had_by_breaking_its_rules(
    query: list[float], keys: list[list[float]], words: str
) -> None:
    vectors = Vectors(QUERY, KEYS, goal=third_key())
    vectors.keys = keys
    vectors.query = query
    assert vectors.weights.argmax() == 2 or keys is KEYS
    goal = vectors.pack()["goal"]
    assert not goal["met"]
    assert goal["words"].startswith(words)
    assert progress.recall("goals", "01-third-key") is None


def test_the_learners_own_similarity_is_used() -> None:
    def manhattan(a: Tensor, b: Tensor) -> Tensor:
        return -(a - b).abs().sum()

    vectors = Vectors(QUERY, KEYS, similarity=manhattan)
    assert vectors.scores.tolist() == [-0.5, -4.0, -2.5]
    assert vectors.setup()["function"] == "manhattan"


def test_an_error_in_the_learners_function_is_shown_and_not_the_end() -> None:
    def fragile(a: Tensor, b: Tensor) -> Any:
        if a[0] > 2:
            return a @ b[None]
        return float(a @ b)

    vectors = Vectors(QUERY, KEYS, similarity=fragile)
    wire = Wire(vectors)
    state = drag(wire, "query", 3.0, 0.0)
    assert state["error"].startswith("fragile(q, k₁) raised RuntimeError: ")
    assert state["error"].endswith(", in the line: return a @ b[None]")
    assert state["scores"] == state["weights"] == [None, None, None]
    assert drag(wire, "query", 1.0, 0.0)["scores"] == [2.0, -1.0, 0.5]


def test_an_endless_loop_in_the_learners_function_is_stopped_and_said() -> None:
    def endless(a: Tensor, b: Tensor) -> Tensor:
        while a[0] > 2:
            pass
        return a @ b

    wire = Wire(Vectors(QUERY, KEYS, similarity=endless))
    assert drag(wire, "query", 3.0, 0.0)["error"] == (
        "endless(q, k₁) was stopped after 2 seconds. Is there a loop that never ends?"
    )
    assert drag(wire, "query", 1.0, 0.0)["scores"] == [2.0, -1.0, 0.5]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (torch.ones(2), "returned shape (2,), but one number was expected"),
        (None, "returned None, but a number was expected"),
        ("1.0 apart", "returned '1.0 apart', but a number was expected"),
        (float("nan"), "is nan, but a finite number was expected"),
    ],
)
def test_what_is_no_number_is_said_in_words(result: Any, words: str) -> None:
    vectors = Vectors(QUERY, KEYS, similarity=lambda a, b: result)
    assert words in vectors.pack()["error"]


@pytest.mark.parametrize(
    ("query", "keys", "words"),
    [
        ([1.0], KEYS, r"query has shape \(1,\), but a vector in the plane has 2 numbers"),
        (QUERY, [1.0, 2.0], r"keys has shape \(2,\), but this widget draws 1 to 5"),
        (QUERY, [[1.0, 2.0]] * 6, r"keys has shape \(6, 2\)"),
        (QUERY, [[1.0, 2.0, 3.0]], r"keys has shape \(1, 3\)"),
        ([float("nan"), 0.0], KEYS, r"query is \[nan, 0.0\], but every number must be between"),
        ([1e9, 0.0], KEYS, r"every number must be between -1000 and 1000"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_once(query: Any, keys: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Vectors(query, keys)


def test_names_must_fit_the_keys() -> None:
    with pytest.raises(ValueError, match="there are 2 names for 3 keys"):
        Vectors(QUERY, KEYS, names=["law", "old"])
    with pytest.raises(ValueError, match="must have 1 to 14 letters"):
        Vectors(QUERY, KEYS, names=["law", "old", ""])
    with pytest.raises(ValueError, match="keys has 2 rows"):
        Vectors(QUERY, KEYS).keys = KEYS[:2]


def test_an_assignment_that_is_refused_changes_nothing() -> None:
    vectors = Vectors(QUERY, KEYS)
    with pytest.raises(ValueError, match="query has shape"):
        vectors.query = [1.0, 2.0, 3.0]
    assert vectors.query.tolist() == QUERY
    assert vectors.scores.tolist() == [4.5, 0.0, 3.0]


def test_repr_is_the_same_each_time() -> None:
    text = "Vectors(query=(2.00, 1.00), law=(2.00, 0.50), old=(-1.00, 2.00), spirit=(0.50, 2.00))"
    assert repr(Vectors(QUERY, KEYS, names=["law", "old", "spirit"])) == text


def test_a_tweak_costs_few_bytes_and_one_answer() -> None:
    wire = Wire(Vectors(QUERY, [*KEYS, [1.0, 1.0], [0.0, 1.0]], goal=third_key()))
    (answer,) = wire.receive({"view": "v", "seq": 1, "edit": {"query": [1, 1]}, "gesture": 1})
    assert len(json.dumps(answer)) < 1500


def test_opening_and_saving_stay_small() -> None:
    vectors = Vectors(QUERY, KEYS, goal=third_key())
    bundle, _ = vectors._repr_mimebundle_()
    size = len(json.dumps(Wire(vectors).opening())) + len(json.dumps(bundle))
    assert size < 30_000, f"{size} bytes; a saved notebook carries them for every widget"
