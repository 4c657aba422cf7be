"""The lab without a browser; torch's own attention and autograd are the oracle."""

from __future__ import annotations

import base64
import json
import math
import re
import time
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import mse_loss, scaled_dot_product_attention

from qkvlib.gradients import trace
from qkvlib.learner import progress
from qkvlib.masks import causal_mask
from qkvlib.widgets import AtLeast, AtMost, AttentionLab, Goal, LossBelow, Prefers
from qkvlib.widgets.kit.goals import Seen, Standing
from qkvlib.widgets.lab import packing
from qkvlib.widgets.lab.compute import Attention
from tests.wire import Wire, saved

WEIGHTS = ("w_q", "w_k", "w_v")


def numbers(n: int = 4, d: int = 5, d_k: int = 3, d_v: int = 2, heads: int = 1) -> list[Tensor]:
    """X, W_Q, W_K, W_V and a target."""
    torch.manual_seed(n * 100 + d)
    shapes = [(n, d), (d, heads * d_k), (d, heads * d_k), (d, heads * d_v), (n, heads * d_v)]
    return [torch.randn(shape) for shape in shapes]


def oracle(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    target: Tensor,
    mask: Tensor | None = None,
    heads: int = 1,
) -> dict[str, Tensor]:
    """Output, loss and gradients as torch finds them."""
    leaves = [value.detach().clone().requires_grad_() for value in (x, w_q, w_k, w_v)]
    q, k, v = (torch.stack((leaves[0] @ w).chunk(heads, dim=1)).requires_grad_() for w in leaves[1:])
    each = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    output = torch.cat(list(each), dim=1)
    loss = mse_loss(output, target)
    names = ["d_x", "d_w_q", "d_w_k", "d_w_v", "d_q", "d_k", "d_v"]
    found = torch.autograd.grad(loss, [*leaves, q, k, v])
    return {"output": output, "loss": loss, **dict(zip(names, found, strict=True))}


def shown(lab: AttentionLab, state: dict[str, Any]) -> dict[str, Tensor]:
    """What a page unpacks: [h rows columns] of every name that the state carries."""
    setup, found = lab.setup(), {}
    for group, names in setup["groups"].items():
        packed = state.get(group)
        if not packed:
            continue
        flat = torch.frombuffer(bytearray(packed), dtype=torch.float32)
        for name in names:
            rows, columns = setup["sizes"][name]
            count = rows * columns * (1 if name in ("x", "d_x") else setup["heads"])
            found[name], flat = flat[:count].reshape(-1, rows, columns), flat[count:]
        assert not len(flat)
    return found


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("masked", [False, True])
def test_every_number_and_gradient_is_torchs(heads: int, masked: bool) -> None:
    given = numbers(heads=heads)
    mask = causal_mask(4) if masked else None
    lab = AttentionLab(*given, n_heads=heads, mask=mask)
    expected = oracle(*given, mask=mask, heads=heads)
    found = shown(lab, lab.pack())
    assert lab.loss == pytest.approx(expected["loss"].item(), rel=1e-5)
    torch.testing.assert_close(lab.output, expected["output"])
    torch.testing.assert_close(found["d_x"][0], expected["d_x"], rtol=1e-4, atol=1e-6)
    for name in ("d_q", "d_k", "d_v"):
        torch.testing.assert_close(found[name], expected[name], rtol=1e-4, atol=1e-6)
    for name in WEIGHTS:
        whole = torch.cat(list(found[f"d_{name}"]), dim=1)
        torch.testing.assert_close(whole, expected[f"d_{name}"], rtol=1e-4, atol=1e-6)


def scaled(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ v, weights


@pytest.mark.parametrize("attention", [None, scaled])
def test_two_heads_are_one_record(attention: Attention | None) -> None:
    lab = AttentionLab(*numbers(heads=2), n_heads=2, attention=attention)
    assert lab.trace.q.shape == lab.gradients.d_q.shape == (2, 4, 3)
    assert lab.trace.output.shape == lab.gradients.d_output.shape == lab.output.shape
    assert lab.gradients.d_heads.shape == lab.trace.heads.shape
    assert lab.gradients.d_x.shape == lab.x.shape
    assert lab.weights is lab.trace.weights


def test_an_edit_moves_everything_downstream() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    state = Wire(lab).ask(edit={"w_k 0 2 1": -1.5, "w_v 0 0 0": 2.0}, gesture=1)["state"]
    given[2][2, 1], given[3][0, 0] = -1.5, 2.0
    torch.testing.assert_close(shown(lab, state)["output"][0], oracle(*given)["output"])
    assert lab.w_k[2, 1] == -1.5


def test_an_edit_in_the_second_head_finds_its_column() -> None:
    lab = AttentionLab(*numbers(heads=2), n_heads=2)
    before = lab.w_q
    Wire(lab).ask(edit={"w_q 1 4 0": 7.0}, gesture=1)
    changed = (lab.w_q != before).nonzero().tolist()
    assert changed == [[4, 3]]


def test_a_step_is_sgd() -> None:
    given = numbers()
    lab = AttentionLab(*given, learning_rate=0.3)
    parameters = [w.clone().requires_grad_() for w in given[1:4]]
    optimiser = torch.optim.SGD(parameters, lr=0.3)
    for _ in range(5):
        optimiser.zero_grad()
        output = scaled_dot_product_attention(*(given[0] @ w for w in parameters))
        mse_loss(output, given[4]).backward()
        optimiser.step()
        Wire(lab).ask(do="step", gesture=1)
    for name, w in zip(WEIGHTS, parameters, strict=True):
        torch.testing.assert_close(getattr(lab, name), w.detach(), rtol=1e-4, atol=1e-5)


def test_frozen_matrices_stay_and_the_others_move() -> None:
    lab = AttentionLab(*numbers(), frozen=["w_q"])
    Wire(lab).ask(do="freeze", choice="w_v")
    before = {name: getattr(lab, name) for name in WEIGHTS}
    lab.step(3)
    assert lab.frozen == ("w_q", "w_v")
    assert [torch.equal(getattr(lab, name), before[name]) for name in WEIGHTS] == [
        True,
        False,
        True,
    ]
    Wire(lab).ask(do="freeze", choice="w_q")
    assert lab.frozen == ("w_v",)


def test_undo_goes_back_a_gesture_at_a_time() -> None:
    lab = AttentionLab(*numbers())
    wire, start = Wire(lab), lab.w_q
    for value in (1.0, 2.0, 3.0):
        wire.ask(edit={"w_q 0 0 0": value}, gesture=1)
    assert wire.ask(edit={"w_q 0 0 0": 4.0}, gesture=2)["state"]["moves"] == 3
    assert wire.ask(do="undo")["state"]["moves"] == 2
    assert lab.w_q[0, 0] == 3.0
    wire.ask(do="undo")
    assert torch.equal(lab.w_q, start)
    assert wire.ask(do="undo")["state"]["undo"] == 0


def test_reset_goes_to_the_start_and_can_be_undone() -> None:
    lab = AttentionLab(*numbers())
    start = lab.w_q
    lab.step(4)
    stepped, losses = lab.w_q, lab.pack()["losses"]
    Wire(lab).ask(do="reset")
    assert torch.equal(lab.w_q, start)
    assert len(lab.pack()["losses"]) == 1
    lab.undo()
    assert torch.equal(lab.w_q, stepped)
    assert lab.pack()["losses"] == losses


def test_a_clicked_mask_is_torchs_mask() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    state = Wire(lab).ask(do="mask", choice=[1, 3])["state"]
    mask = torch.ones(4, 4, dtype=torch.bool)
    mask[1, 3] = False
    assert state["mask"] == "1111111011111111"
    assert lab.weights[1, 3] == 0
    torch.testing.assert_close(lab.output, oracle(*given, mask=mask)["output"])
    Wire(lab).ask(do="mask", choice=[1, 3])
    assert lab.mask.all()


def test_python_reads_writes_and_observes() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    wire = Wire(lab)
    seen: list[float] = []
    lab.observe(lambda change: seen.append(change["new"]), "loss")
    lab.w_q = torch.zeros(5, 3)
    torch.testing.assert_close(lab.weights, torch.full((4, 4), 0.25))
    assert len(seen) == 1
    assert len(wire.sent) == 1
    wire.ask(edit={"w_v 0 0 0": 3.0}, gesture=1)
    assert len(seen) == 2
    lab.x = given[0].flip(0)
    torch.testing.assert_close(lab.trace.q, given[0].flip(0) @ lab.w_q)
    assert lab.gradients.d_w_q.shape == (5, 3)
    lab.undo()
    assert torch.equal(lab.x, given[0])


def test_what_an_observer_moves_during_a_request_is_part_of_it() -> None:
    lab = AttentionLab(*numbers())
    wire = Wire(lab)

    def tie(change: Any) -> None:
        lab.w_k, lab.x = lab.w_q, lab.x.abs()

    lab.observe(tie, "w_q")
    answer = wire.ask(edit={"w_q 0 0 0": 3.0}, gesture=1)["state"]
    expected = trace(lab.x, lab.w_q, lab.w_q, lab.w_v)
    torch.testing.assert_close(lab.weights, expected.weights)
    assert (answer["undo"], answer["moves"]) == (1, 2)
    assert "given" in answer
    lab.step()
    assert torch.equal(lab.w_k, lab.w_q)
    torch.testing.assert_close(lab.trace.k, lab.x @ lab.w_k)


def test_the_tensors_given_stay_the_learners_own() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    given[1][0, 0] = 50.0
    Wire(lab).ask(edit={"w_k 0 0 0": 50.0}, gesture=1)
    assert lab.w_q[0, 0] != 50.0
    assert given[2][0, 0] != 50.0


def test_without_a_target_there_is_no_loss_and_no_step() -> None:
    lab = AttentionLab(*numbers()[:4])
    assert lab.loss is None
    assert lab.gradients is None
    state = Wire(lab).ask(do="step", gesture=1)["state"]
    assert "no step to take" in state["note"]
    assert not any(name.startswith("d_") for name in shown(lab, lab.pack()))


def test_a_step_out_of_the_picture_is_not_taken() -> None:
    given = numbers()
    lab = AttentionLab(*given, learning_rate=1000)
    state = Wire(lab).ask(do="step", gesture=1)["state"]
    assert "Nothing moved: try a smaller one." in state["note"]
    assert torch.equal(lab.w_v, given[3])


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(-1)
    return weights @ v, weights


def unscaled(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    weights = (q @ k.T).softmax(-1)
    return weights @ v, weights


@pytest.mark.parametrize("heads", [1, 3])
def test_the_learners_own_function_does_the_work(heads: int) -> None:
    given = numbers(heads=heads)
    mask = causal_mask(4)
    ours = AttentionLab(*given, n_heads=heads, mask=mask)
    own = AttentionLab(*given, n_heads=heads, mask=mask, attention=attend)
    for name, value in shown(ours, ours.pack()).items():
        found = shown(own, own.pack())[name]
        if name in ("scores", "d_scores"):
            assert found.isnan().all()
        else:
            torch.testing.assert_close(found, value, rtol=1e-4, atol=1e-6)
    other = AttentionLab(*given, n_heads=heads, attention=unscaled)
    assert not torch.allclose(other.output, AttentionLab(*given, n_heads=heads).output)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda q, k, v: q @ k.T, "a tensor of shape (4, 4), but the output and the weights"),
        (lambda q, k, v: (q @ k.T, v), "returned a tensor of shape (4, 4) as output, but shape"),
        (lambda q, k, v: (v / 0, q @ k.T), "returned output with nan or infinity"),
        (lambda q, k, v: (v.detach(), q @ k.T), "no gradient comes back through"),
        (lambda q, k, v: q @ v, "raised RuntimeError: "),
        (lambda q, k, v: None, "returned None, but the output"),
    ],
)
def test_a_wrong_function_is_told_in_words(wrong: Any, words: str) -> None:
    lab = AttentionLab(*numbers(), attention=wrong)
    assert words in lab.pack()["error"]
    state = Wire(lab).ask(edit={"w_q 0 0 0": 1.0}, gesture=1)["state"]
    assert words in state["error"]
    assert lab.loss is None
    assert lab.weights is None
    assert shown(lab, state)["output"].isnan().all()
    assert "AttentionLab(4 tokens" in repr(lab)
    assert lab.static_html()


def endless(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    while q[0, 0] > 2:
        pass
    return unscaled(q, k, v)


def test_an_endless_loop_in_the_learners_function_is_stopped_and_said() -> None:
    x = torch.eye(2)
    lab = AttentionLab(x, x, x, x, x, n_heads=2, attention=endless)
    wire = Wire(lab)
    began = time.monotonic()
    state = wire.ask(edit={"w_q 0 0 0": 3.0}, gesture=1)["state"]
    assert 1.5 < time.monotonic() - began < 2.9  # before the page gives the kernel up
    assert state["error"] == (
        "endless(q, k, v) was stopped after 2 seconds. Is there a loop that never ends?"
    )
    assert wire.ask(edit={"w_q 0 0 0": 1.0}, gesture=2)["state"]["error"] == ""


def its_law() -> Goal:
    words = "Make *its* give most weight to *law*, while *law* does not look at *its*."
    conditions = [Prefers("law", row="its"), AtMost("its", 0.1, row="law")]
    return Goal("03-its-law", words, conditions, touch=["w_q", "w_k"])


def sentence(goal: Goal) -> AttentionLab:
    w = torch.zeros(3, 2)
    return AttentionLab(torch.eye(3), w, w, w, tokens="law and its", goal=goal)


def test_a_goal_is_met_by_hand_and_kept(home: object) -> None:
    lab = sentence(its_law())
    wire = Wire(lab)
    assert not lab.pack()["goal"]["met"]
    state = wire.ask(edit={"w_q 0 2 0": 3.0, "w_k 0 0 0": 3.0}, gesture=1)["state"]
    assert state["goal"]["words"] == "“law” gives “its” 0.33, at most 0.10 is wanted."
    assert 0.5 < state["goal"]["share"] < 1
    state = wire.ask(edit={"w_q 0 0 1": 3.0, "w_k 0 2 1": -3.0}, gesture=2)["state"]
    assert state["goal"]["met"]
    assert progress.recall("goals", "03-its-law") is True
    assert AttentionLab(lab.x, lab.w_q, lab.w_k, lab.w_v, tokens="law and its", goal=its_law()).met


def test_a_goal_counts_only_if_the_rest_stays(home: object) -> None:
    lab = sentence(Goal("g", "…", [Prefers("law", row="its")], touch=["w_q"]))
    lab.w_k = [[3.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    lab.w_q = [[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]]
    assert "w_k is not what it was" in lab.pack()["goal"]["words"]
    assert progress.recall("goals", "g") is None


def test_training_moves_only_what_a_goal_may_touch(home: object) -> None:
    given = numbers()
    goal = Goal("loss", "…", [LossBelow(0.1)], touch=["w_v"])
    lab = AttentionLab(*given, goal=goal)
    lab.step(3)
    assert torch.equal(lab.w_q, given[1])
    assert not torch.equal(lab.w_v, given[3])
    lab.step(400)
    assert lab.met == (lab.loss < 0.1)


def test_at_least_asks_for_a_weight(home: object) -> None:
    goal = Goal("least", "…", [AtLeast("law", 0.8, row="its")], touch=["w_q", "w_k"])
    lab = sentence(goal)
    assert lab.standing.words == "“its” gives “law” 0.33, at least 0.80 is wanted."
    lab.w_k = [[3.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    lab.w_q = [[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]]
    assert lab.met


def test_a_met_goal_says_what_it_was_met_with_whatever_moves_then(home: object) -> None:
    lab = sentence(Goal("kept", "…", [AtLeast("law", 0.4, row="its")], touch=["w_q", "w_k"]))
    lab.w_k = [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    lab.w_q = [[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]]
    words = "Now move whatever you like."
    assert lab.pack()["goal"] == {"met": True, "share": 1.0, "words": words}
    lab.w_v = torch.ones(3, 2)
    assert lab.pack()["goal"] == {"met": True, "share": 1.0, "words": words}


BAD = [
    ({"w_q": torch.zeros(3, 3)}, "w_q has shape (3, 3), but x has 5 features: w_q needs 5 rows"),
    ({"w_k": torch.zeros(5, 2)}, "w_k has shape (5, 2), but w_q has 3 columns"),
    ({"target": torch.zeros(4, 3)}, "target has shape (4, 3), but the output has shape (4, 2)"),
    ({"x": torch.zeros(5)}, "x has shape (5,), but the lab draws matrices"),
    ({"w_v": torch.full((5, 2), math.nan)}, "w_v[0, 0] is nan, but every number must be between"),
    ({"x": torch.zeros(1000, 5)}, "x has 1000 tokens, but the lab draws at most 8"),
    ({"mask": torch.ones(4, 4)}, "mask has dtype torch.float32, but a mask is boolean"),
    ({"tokens": "a b"}, "there are 2 tokens for 4 rows of x"),
    ({"n_heads": 2}, "w_q has shape (5, 3), but there are to be 2 heads"),
    ({"frozen": ["w_o"]}, "frozen names 'w_o'"),
    ({"learning_rate": 0}, "learning_rate is 0, but it must be above 0"),
    ({"view": "all"}, "view is 'all', but the lab has weights"),
    ({"target": None, "view": "both"}, "without a target there are none"),
    ({"goal": Goal("g", "…", [Prefers("law")], ["w_q"])}, "there is no 'law' among"),
    ({"goal": Goal("g", "…", [Prefers(0)], ["x"])}, "the goal may touch 'x'"),
]


@pytest.mark.parametrize(("change", "words"), BAD, ids=[words[:30] for _, words in BAD])
def test_bad_input_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    given = dict(zip(("x", *WEIGHTS, "target"), numbers(), strict=True))
    with pytest.raises(ValueError, match=r".*") as error:
        AttentionLab(**{**given, **change})
    assert words in str(error.value)


def test_assigning_another_shape_is_refused_and_changes_nothing() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    with pytest.raises(ValueError, match="w_q has shape"):
        lab.w_q = torch.zeros(2, 2)
    assert torch.equal(lab.w_q, given[1])
    assert "made without a target" in _refusal(AttentionLab(*given[:4]), given[4])


def _refusal(lab: AttentionLab, target: Tensor) -> str:
    with pytest.raises(ValueError, match="target") as error:
        lab.target = target
    return str(error.value)


def test_a_tweak_is_small_and_so_is_the_whole() -> None:
    lab = AttentionLab(*numbers(4, 4, 3, 3))
    wire = Wire(lab)
    edit = {"edit": {"w_q 0 0 0": 0.25}, "gesture": 1}
    (answer,) = wire.receive({"view": "0123456789a", "seq": 1, **edit})
    size = len(json.dumps(answer["content"])) + sum(map(len, answer.get("buffers", [])))
    assert size < 1000
    assert not answer["content"]["state"]["gradients"]
    assert wire.ask(do="look")["state"]["gradients"]
    assert len(saved(wire.opening())) < 64_000
    assert len(lab.static_html()) < 18_000
    assert not wire.ask(do="view", choice="gradients")["state"]["gradients"], "the page has them"
    own = Wire(AttentionLab(*numbers(4, 4, 3, 3), attention=scaled))
    assert own.ask(do="view", choice="gradients")["state"]["gradients"]


def test_a_page_gets_what_it_needs_to_compute_by_itself(home: object) -> None:
    class Odd:
        def standing(self, seen: Seen) -> Standing:
            return Standing(False, 0.5, "odd")

    goal = Goal("page", "…", [Prefers("law", row="its"), LossBelow(0.5)], touch=["w_q"])
    setup = sentence(goal).setup()
    assert setup["goal"]["conditions"] == [
        {"kind": "Prefers", "column": 0, "row": 2, "head": 0},
        {"kind": "LossBelow", "bound": 0.5},
    ]
    assert setup["start"]["names"] == ["x", "w_q", "w_k", "w_v"]
    assert setup["start"]["mask"] == "1" * 9
    assert not setup["double"]
    assert AttentionLab(*numbers(), attention=scaled).setup()["start"] is None
    odd = sentence(Goal("odd", "…", [Odd()], touch=["w_q"])).setup()
    assert odd["start"] is None, "only Python knows this kind of condition"


def test_a_page_that_came_to_the_same_is_not_answered(home: object) -> None:
    def sum_of(lab: AttentionLab) -> float:
        return packing.sum_up(lab, packing.sizes(lab.start, lab.n_heads))[0]

    ahead, lab = AttentionLab(*numbers()), AttentionLab(*numbers())
    wire = Wire(lab)
    edit = {"edit": {"w_q 0 1 2": 0.25}, "gesture": 1}
    ahead.carry_out(edit)
    request = {"view": "test", "seq": 1, **edit}
    assert wire.receive({**request, "sum": sum_of(ahead)}) == []
    assert torch.equal(lab.w_q, ahead.w_q)
    assert wire.receive(["test", 2, edit["edit"], 1, sum_of(ahead)]) == [], "the same, said shortly"
    for wrong in (0.001, 1.0, -50.0):
        (answer,) = wire.receive({**request, "sum": sum_of(ahead) + wrong})
        assert answer["content"]["packed"] == ["moving"]


@pytest.mark.parametrize(
    "request_of_another",
    [
        {"do": "mask", "choice": [0, 1]},
        {"do": "rate", "choice": 0.3},
        {"do": "freeze", "choice": "w_k"},
        {"do": "undo"},
        {"edit": {"w_v 0 0 0": 0.0001}, "gesture": 2},
    ],
)
def test_whatever_moves_makes_another_sum(request_of_another: dict[str, Any], home: object) -> None:
    lab = AttentionLab(*numbers())
    lab.carry_out({"edit": {"w_q 0 1 2": 0.25}, "gesture": 1})
    total, _ = packing.sum_up(lab, packing.sizes(lab.start, lab.n_heads))
    assert lab.agrees(total)
    lab.carry_out(request_of_another)
    assert not lab.agrees(total)


def test_many_steps_and_a_whole_log_are_one_request() -> None:
    one, many = AttentionLab(*numbers()), AttentionLab(*numbers())
    wire = Wire(one)
    wire.ask(edit={"w_q 0 0 0": 0.5}, gesture=1)
    for _ in range(5):
        wire.ask(do="step", gesture=2)
    wire.ask(do="mask", choice=[1, 3])
    log = [
        {"edit": {"w_q 0 0 0": 0.5}, "gesture": 1},
        {"do": "step", "times": 5, "gesture": 2},
        {"do": "mask", "choice": [1, 3]},
    ]
    state = Wire(many).ask(log=log)["state"]
    assert (state["moves"], state["undo"]) == (8, 3)
    assert many.pack() == one.pack()


def test_after_reset_a_goal_can_be_met_again(home: object) -> None:
    lab = sentence(its_law())
    wire = Wire(lab)
    edit = {"w_q 0 2 0": 3.0, "w_k 0 0 0": 3.0, "w_q 0 0 1": 3.0, "w_k 0 2 1": -3.0}
    assert wire.ask(edit=edit, gesture=1)["state"]["goal"]["met"]
    standing = wire.ask(do="reset")["state"]["goal"]
    assert not standing["met"]
    assert standing["words"].startswith("When “its” looks: ")
    assert progress.recall("goals", "03-its-law") is True
    assert wire.ask(edit=edit, gesture=2)["state"]["goal"]["met"]


def test_the_repr_is_the_same_every_time() -> None:
    assert repr(AttentionLab(*numbers())) == repr(AttentionLab(*numbers()))
    assert repr(AttentionLab(*numbers(heads=2)[:4], n_heads=2)) == (
        "AttentionLab(4 tokens, d_model=5, d_k=3, d_v=2, 2 heads)"
    )


def test_the_still_picture_says_who_looks_at_whom() -> None:
    html = sentence(its_law()).static_html()
    assert html.startswith('<img alt="Attention, number by number: “law” gives most weight to “')
    assert "<script" not in html


def test_the_still_picture_has_every_head_and_the_gradients() -> None:
    lab = AttentionLab(*numbers(heads=2), n_heads=2)
    html = lab.static_html()
    assert "head 1: t0 gives" in html
    assert "head 2: t0 gives" in html
    picture = base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()
    assert all(f">{title}<" in picture for title in ("A 1", "A 2", "dL / dW K"))
    shown = [float(text) for text in re.findall(r">(-?\d+\.\d\d)<", picture)]
    wanted = lab.gradients.d_w_k.flatten().tolist()
    assert all(round(number, 2) in shown for number in wanted)
    assert ">-0.00<" not in picture


def test_a_function_of_torchs_own_is_told_about_in_words() -> None:
    attend = torch.nn.functional.scaled_dot_product_attention  # in C, without a signature
    lab = AttentionLab(*numbers(), attention=attend)
    assert lab.setup()["maskable"]
    assert "returned a tensor of shape (4, 2)" in lab.error
