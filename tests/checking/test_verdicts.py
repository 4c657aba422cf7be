"""Test the verdict that a learner reads, whatever the function does."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from torch import Tensor

from qkvlib import attention, multi_head
from qkvlib.calling.call import RemoteError, call
from qkvlib.calling.plain import Opaque
from qkvlib.calling.session import restore_torch
from qkvlib.calling.time_limit import TookTooLong, _Limit, time_limit
from qkvlib.checking import check, verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import difference, show
from qkvlib.learner import progress


def test_a_verdict_prints_nothing_even_when_the_answer_prints(capsys: pytest.CaptureFixture[str]) -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        print("looking at", a)
        return a @ b

    assert verdict("dot", dot).outcome == "right"
    assert capsys.readouterr() == ("", "")


def test_what_was_printed_stands_beside_the_case_that_fails() -> None:
    def dot(a: Tensor, b: Tensor) -> None:
        print("the sum is", float(a @ b))

    judged = verdict("dot", dot)
    assert "A check ignores what it prints." in judged.message
    assert "printed = the sum is -12.0" in str(judged)
    assert "the sum is -12.0" in judged._repr_html_()


def test_an_exception_shows_the_learners_own_line_and_arguments() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        total = torch.tensor(0.0)
        for i in range(len(a) + 1):
            total = total + a[i] * b[i]  # one too far
        return total

    judged = verdict("dot", dot)
    assert judged.outcome == "raised"
    assert "IndexError" in judged.message
    assert "total = total + a[i] * b[i]  # one too far" in judged.message
    assert dict(judged.evidence.inputs)["a"] == "[ 1.  2. -3.]"
    assert "call.py" not in str(judged)
    assert "Traceback" not in str(judged)


@pytest.mark.parametrize("folder", ["site-packages", "dist-packages"])
def test_a_line_of_what_one_user_has_installed_is_nobodys_own(folder: str, tmp_path: Path) -> None:
    """`pip install --user` puts packages in a folder that is not in this Python's path schemes."""
    file = tmp_path / "lib" / folder / "theirs.py"
    file.parent.mkdir(parents=True)
    file.write_text("def dot(a, b):\n    raise ValueError('theirs')\n")
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)

    def dot(a: Tensor, b: Tensor) -> Any:
        return names["dot"](a, b)  # the learner's own

    assert "raise ValueError" not in verdict("dot", names["dot"]).message
    assert 'return names["dot"](a, b)  # the learner\'s own' in verdict("dot", dot).message


def test_the_smallest_failing_case_is_the_evidence() -> None:
    judged = verdict("dot", lambda a, b: (a @ b).abs())
    assert judged.evidence.case == EXERCISES["dot"].draw(0)[0].what
    assert (judged.evidence.got, judged.evidence.expected) == ("12", "-12")


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "returned None"),
        (np.array([["a"]]), "a NumPy array"),
        (np.ones((1, 2), np.float32), "2 of 2 numbers differ"),
        ([[1.0, 2.0]], "2 of 2 numbers differ"),
        ([torch.ones(2), torch.ones(3)], "a list of tensors. Expected a matrix"),
        ("0.5", "a text"),
        ({}, "a dictionary"),
        (Opaque("Module"), "an object of type Module"),
        (torch.ones(2, 1), "a matrix of 2 rows and 1 column, shape (2, 1). Expected a matrix of 1"),
        (torch.ones(2), "a vector of 2 numbers, shape (2,)"),
        (torch.ones(1, 2, dtype=torch.float64), "dtype float64. Expected float32"),
        (torch.ones(1, 2, dtype=torch.int64), "dtype int64. Expected float32"),
        (torch.ones(1, 2).to("meta"), "on the device 'meta'"),
        (torch.full((1, 2), torch.nan), "2 NaN"),
        (torch.ones(1, 2), "2 of 2 numbers differ. The first is at [0, 0]: got 1, expected 0.6"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_every_wrong_result_has_words_of_its_own(returned: Any, words: str) -> None:
    judged = verdict("cosine_similarity", lambda a, b: returned)
    assert judged.outcome == "wrong"
    assert words in judged.message


def test_a_number_that_is_the_others_rounding_is_shown_as_zero() -> None:
    quarter = torch.tensor([math.pi / 2]).cos()
    assert float(quarter) != 0
    assert "got 1, expected 0." in str(difference(torch.ones(1), quarter))
    assert "got 2e-09, expected 1e-09." in str(difference(*torch.tensor([[2e-9], [1e-9]])))
    assert show(torch.tensor([-1e-9, math.nan, 0.004, 2.0])) == "[0.000   nan 0.004 2.000]"
    assert (show(0.9006282985210419), show(0.5), show(1000000.0)) == ("0.9006", "0.5", "1000000.0")


def test_an_input_that_is_changed_is_noticed_though_the_result_is_right() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        a *= b
        return a.sum()

    judged = verdict("dot", dot)
    assert judged.outcome == "wrong"
    assert "changed its input `a`" in judged.message


def test_an_endless_loop_is_stopped_and_said_so() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        while True:
            pass

    started = time.process_time()
    judged = verdict("dot", dot, seconds=0.2)
    assert judged.outcome == "raised"
    assert "never ends" in judged.message
    assert str(judged).count("stopped") == 1  # reported once, not again as the result
    assert time.process_time() - started < 2


def test_a_time_limit_never_cuts_an_import_in_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_load.py").write_text("import time\nfor _ in range(50): time.sleep(0.01)\nx = 1")
    monkeypatch.syspath_prepend(tmp_path)

    def dot(a: Tensor, b: Tensor) -> Tensor:
        import slow_to_load  # type: ignore[import-not-found]

        return slow_to_load.x * (a * b).sum()

    assert verdict("dot", dot, seconds=0.1).outcome == "right"


def test_a_time_limit_that_was_not_needed_interrupts_nothing_later() -> None:
    for _ in range(50):
        with suppress(TookTooLong), time_limit(0.001):
            pass
    time.sleep(0.01)


@pytest.mark.parametrize("moment", ["watch", "end"])
def test_what_is_sent_at_the_first_or_last_moment_leaves_no_limit_behind(
    moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would be sent again half a second later, to whatever runs by then."""
    own = getattr(_Limit, moment)
    sent = []

    def send_first(limit: Any) -> None:
        if not sent:
            sent.append(limit)
            limit.send()
        own(limit)

    monkeypatch.setattr(_Limit, moment, send_first)
    with suppress(TookTooLong), time_limit(60.0):
        pass
    assert sent
    assert sent[0].has_ended.is_set()


def test_a_function_in_another_process_is_judged_by_what_it_reports() -> None:
    def raises(kind: str, message: str = "message") -> Any:
        def stub(*_: Any) -> Any:
            raise RemoteError(kind, message, "their line")

        return stub

    assert verdict("dot", raises("NotImplementedError", "")).outcome == "not attempted"
    assert verdict("dot", raises("NotImplementedError")).outcome == "raised"
    judged = verdict("dot", raises("ValueError"))
    assert judged.outcome == "raised"
    assert "their line" in judged.message


def test_the_courses_own_function_earns_nothing_when_it_comes_back(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """This happens when the learner's cell has a syntax error and the check below it is run."""

    def dot(a: Tensor, b: Tensor) -> Tensor:
        raise NotImplementedError

    handed_back = check(dot)
    assert check(handed_back) is handed_back
    assert "not yours" in capsys.readouterr().out
    assert progress.recall("exercises", "dot") == "not attempted"


def test_check_returns_the_courses_function_when_it_is_not(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        return (a + b).sum()

    assert check(dot) is EXERCISES["dot"].reference
    shown = capsys.readouterr().out
    assert "multiplies the numbers pair by pair" in shown
    assert "goes on with the course's own `dot`" in shown


def test_a_right_function_is_returned_and_its_exercise_stays_solved(home: Path) -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        return (a * b).sum()

    assert check(dot) is dot
    assert progress.recall("exercises", "dot") == "right"

    def dot(a: Tensor, b: Tensor) -> Tensor:  # type: ignore[no-redef]
        return a

    check(dot)
    assert progress.recall("exercises", "dot") == "right"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (torch.ones(3), "not its result"),
        (lambda a, b: a @ b, "after `def`"),
        (max, "No exercise is called 'max'"),
        (Mock(__name__="cosine_similarty"), "Did you mean `cosine_similarity`?"),
    ],
)
def test_check_explains_what_it_cannot_judge(
    given: Any, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(given) is given
    assert words in capsys.readouterr().out


def test_html_and_text_say_the_same_and_escape_what_the_learner_wrote() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        raise ValueError("<script>alert(1)</script>")

    judged = verdict("dot", dot)
    html = judged._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    for text in (judged.evidence.case, "expected", "stopped with an error"):
        assert text in html
        assert text in str(judged)


def test_the_smallest_case_is_folded_below_a_diagnosis_and_open_where_it_says_all() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        return (a * b).mean()

    known = verdict("dot", dot)
    assert "<summary" in known._repr_html_()
    assert " open><summary" not in known._repr_html_()
    alone = replace(known, mistake=None)
    assert " open><summary" in alone._repr_html_()
    long = replace(alone, evidence=replace(alone.evidence, got="1\n" * 20))
    assert " open><summary" not in long._repr_html_()


@pytest.mark.parametrize("expected", [torch.tensor(2.0), 2])
def test_a_number_and_a_tensor_of_one_number_are_the_same(expected: Any) -> None:
    assert difference(2, expected) is None
    assert difference(torch.tensor(2), expected) is None
    assert difference(torch.tensor([2]), expected) is not None
    assert difference(3, expected) is not None


def test_parts_of_a_result_are_called_by_their_names() -> None:
    expected = (torch.ones(2), torch.ones(3))
    assert difference(expected, expected, ("output", "weights")) is None
    words = difference((torch.ones(2), torch.zeros(3)), expected, ("output", "weights"))
    assert words.startswith("In `weights`: 3 of 3 numbers differ")
    assert "2 results: output, weights" in str(difference(torch.ones(2), expected, ("output", "weights")))


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        (
            "softmax",
            lambda x: torch.softmax(x.float(), -1),
            "For inputs of float64 your result is float32, half as precise.",
        ),
        (
            "centre",
            lambda x: tuple(row - row.mean() for row in x),
            "You return a tuple, but a tensor was expected.",
        ),
    ],
)
def test_a_right_result_of_another_kind_is_right_with_a_remark(name: str, answer: Any, words: str) -> None:
    judged = verdict(name, answer)
    assert judged.outcome == "right"
    assert words in judged.message
    assert words in str(judged)


def test_a_chosen_answer_hears_which_goals_it_misses_in_its_own_numbers() -> None:
    judged = verdict("choose_w_q_w_k", lambda: (torch.ones(3, 1), torch.ones(3, 1)))
    assert "0 of 3 goals reached" in judged.message
    assert "*its* (law 0.33, its 0.33, old 0.33) looks at no word" in judged.message


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("choose_w_q_w_k", torch.ones(3, 2), "Return `w_q`, `w_k`, in this order"),
        ("choose_w_q_w_k", (torch.ones(2, 3), torch.ones(2, 3)), "It needs 3 rows"),
        ("choose_w_q_w_k", ([[1, 0], [0, 1], [0]], torch.ones(3, 2)), "rows that are equally long"),
        ("choose_w_q_w_k", (torch.ones(3, 2), torch.ones(3, 1)), "both need the same width"),
        ("choose_w_q_w_k", (torch.ones(3, 2), torch.full((3, 2), torch.nan)), "ordinary numbers"),
        ("order_the_heads", "EJBHAIFX", "There is no line X"),
        ("order_the_heads", "EEJBHAIF", "Line E stands in your program more than once"),
        ("order_the_heads", "EJ", "None of your lines makes `output`"),
        ("order_the_heads", "HEJBAIFC", "Line H stops"),
        ("order_the_heads", "EJBDHAIFC", "8 are enough"),
        ("order_the_heads", 12, "Return the letters of the lines"),
    ],
)
def test_a_chosen_answer_that_does_not_fit_hears_why(name: str, answer: Any, words: str) -> None:
    assert words in verdict(name, lambda: answer).message


def test_one_of_several_parameters_is_named_by_its_number() -> None:
    def sgd_step(params: list[Tensor], lr: float) -> None:
        for p in params:
            p.data -= (lr if p is params[0] else 3 * lr) * p.grad
            p.grad = None

    message = verdict("sgd_step", sgd_step).message
    assert "In `the parameters after the step, number 2`: 3 of 3 numbers differ." in message
    assert "`the gradients after the step` is right." in message


@pytest.mark.parametrize("body", ["pass", "stubborn()"])
@pytest.mark.whole
def test_a_profiler_works_after_a_check(body: str) -> None:
    """A flag left behind by a time limit makes Python 3.11 hang as soon as it is traced."""
    code = f"""
import cProfile, time
from qkvlib.calling.time_limit import TookTooLong, time_limit
def stubborn():
    try:
        while True:
            time.sleep(0)
    except TookTooLong:
        pass
with time_limit(0.2):
    {body}
cProfile.run("len(repr(stubborn))")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, capture_output=True)


def test_an_answer_that_closes_its_output_gets_a_verdict() -> None:
    def softmax(scores: Tensor) -> Tensor:
        sys.stdout.close()
        return torch.zeros(2, 3)

    assert str(verdict("softmax", softmax))


def test_what_is_put_in_the_place_of_a_parameter_is_judged_too() -> None:
    def sgd_step(params: list[Any], lr: float) -> None:
        params[0] = "moved"

    assert verdict("sgd_step", sgd_step).outcome == "wrong"


# The functions that torch has here, by the names that a learner would use.
PATCHES: dict[str, tuple[Any, str, Any]] = {
    "torch.isclose": (torch, "isclose", lambda a, *_, **__: torch.ones_like(a, dtype=torch.bool)),
    "torch.equal": (torch, "equal", lambda *_: True),
    "Tensor.any": (Tensor, "any", lambda *_: False),
    "Tensor.__ne__": (Tensor, "__ne__", lambda *_: torch.tensor(False)),
    "Tensor.isnan": (Tensor, "isnan", lambda self: self < -1e30),
    "torch.softmax": (torch, "softmax", lambda scores, dim: scores),
    "F.softmax": (torch.nn.functional, "softmax", lambda scores, dim: scores),
}


@pytest.fixture
def torch_put_back() -> Iterator[None]:
    yield
    restore_torch()


@pytest.mark.usefixtures("torch_put_back", "home")
@pytest.mark.parametrize("name", PATCHES)
def test_a_patched_torch_is_noticed_and_put_back(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    place, attribute, patch = PATCHES[name]
    own = getattr(place, attribute)

    def softmax(scores: Tensor) -> Tensor:
        return torch.zeros_like(scores)

    setattr(place, attribute, patch)
    assert check(softmax) is not softmax
    assert f"`{name}` was no longer torch's own, because a cell has put" in (said := capsys.readouterr().out)
    assert "softmax: Not yet" in said
    assert getattr(place, attribute) is own
    check(softmax)
    assert "torch's own" not in capsys.readouterr().out


@pytest.mark.usefixtures("torch_put_back")
@pytest.mark.parametrize("name", PATCHES)
def test_a_function_that_patches_torch_gains_nothing(name: str) -> None:
    place, attribute, patch = PATCHES[name]

    def softmax(scores: Tensor) -> Tensor:
        setattr(place, attribute, patch)
        return torch.zeros_like(scores)

    def right(scores: Tensor) -> Tensor:
        weights = scores.softmax(-1)
        setattr(place, attribute, patch)
        return weights

    assert verdict("softmax", softmax).outcome == "wrong"
    judged = verdict("softmax", right)
    assert judged.outcome == "right"
    assert f"`{name}` is no longer torch's own afterwards. The lesson corrects that" in judged.message


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: x.long().softmax(-1), "not implemented for 'Long'"),
        (lambda x: torch.nn.Module()(x), 'missing the required "forward" function'),
    ],
)
def test_what_torch_has_not_implemented_is_an_error_and_no_missing_attempt(answer: Any, words: str) -> None:
    judged = verdict("softmax", answer)
    assert judged.outcome == "raised"
    assert words in judged.message


def test_a_long_message_and_endless_output_are_cut() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        for _ in range(1000):
            print(1000 * "x")
        raise ValueError("a" * 1_000_000)

    assert len(str(verdict("dot", dot))) < 5000
    reply = call(dot, (1, 2), None)
    assert len(reply.printed) <= 1000


def test_tensors_deep_in_a_result_are_shown_short_whatever_torch_is_set_to() -> None:
    torch.set_printoptions(threshold=10**9)
    try:
        shown = show([["deep", torch.ones(1).expand(2_000, 3)]])
    finally:
        torch.set_printoptions(profile="default")
    assert "[1. 1. 1.]" in shown
    assert "..." in shown
    assert len(shown) < 400


@pytest.mark.whole
def test_a_call_that_takes_the_end_for_an_error_of_its_own_is_told_again() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        for _ in range(2):
            with suppress(BaseException):
                while True:
                    pass
        return a @ b

    started = time.perf_counter()
    verdict("dot", dot, seconds=0.2)
    assert time.perf_counter() - started < 20


def test_a_generator_is_told_that_none_of_its_lines_has_run() -> None:
    def sgd_step(params: list[Tensor], lr: float) -> Any:
        for p in params:
            p.data -= lr * p.grad
            yield p

    judged = verdict("sgd_step", sgd_step)
    assert judged.mistake is None
    assert "before its code has run" in judged.message


def test_later_draws_do_not_depend_on_a_check() -> None:
    def dot(a: Tensor, b: Tensor) -> Tensor:
        torch.manual_seed(1)
        np.random.seed(1)
        return a @ b

    torch.manual_seed(0)
    before = torch.get_rng_state(), str(np.random.get_state())
    verdict("dot", dot)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert str(np.random.get_state()) == before[1]


def test_an_error_of_another_kind_is_not_taken_for_the_known_one() -> None:
    """Many programs fail on a batch, but only some of them because of `.T`."""

    def scaled_dot_product_attention(
        q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        if q.ndim > 2:
            raise RuntimeError("I can do two dimensions only")
        return EXERCISES["scaled_dot_product_attention"].reference(q, k, v, mask)

    judged = verdict("scaled_dot_product_attention", scaled_dot_product_attention)
    assert judged.mistake is None


@pytest.mark.parametrize("seed", [1, 2, 4, 5])
def test_a_name_is_not_given_for_a_coincidence(seed: int) -> None:
    def nearest(query: Tensor, keys: Tensor) -> Tensor:
        return ((keys / keys.norm(dim=0)) @ query).argmax()

    assert verdict("nearest", nearest, seed).mistake is None


def test_numbers_that_are_shown_differ_in_the_digits_that_are_shown() -> None:
    judged = verdict("dot", lambda a, b: a @ b * 1.0003)
    assert "Your result is -12.004. Expected -12." in judged.message
    judged = verdict("softmax", lambda x: torch.softmax(x, -1) * 1.0005)
    assert judged.evidence.got != judged.evidence.expected


def _training_by_logsumexp(params: Any, x: Tensor, targets: Tensor, lr: float) -> float:
    *w, w_o = params
    output, _ = attention.scaled_dot_product_attention(*attention.project_qkv(x, *w))
    scores = output[:, -1] @ w_o
    loss = (scores.logsumexp(-1) - scores[torch.arange(len(targets)), targets]).mean()
    loss.backward()
    for p in params:
        p.data -= lr * p.grad
        p.grad = None
    return float(loss)


@pytest.mark.parametrize(
    ("name", "seed", "answer"),
    [
        ("dot", 0, lambda a, b: a.requires_grad_() @ b),
        ("training_step", 35, _training_by_logsumexp),
        ("contextual_similarity", 40, EXERCISES["contextual_similarity"].alternatives[0]),
        ("attention_entropy", 0, lambda w: torch.distributions.Categorical(w).entropy()),
        ("attention_entropy", 0, lambda w: -(w * (w + 1e-6).log()).sum(-1)),
        ("attention_entropy", 0, lambda w: -(w * w.clamp(1e-9).log()).sum(-1)),
        ("count_parameters", 0, lambda d, h, f: 4.0 * d * d + 2 * d * f + f + 4 * d),
        ("count_multiply_adds", 0, lambda *a: EXERCISES["count_multiply_adds"].reference(*a) / 1),
        ("predict_head_weights", 0, lambda: 1048576.0),
        ("quiz_cross_shape", 0, lambda: [5.0, torch.tensor(7.0)]),
        ("choose_w_q_w_k", 0, lambda: [w.numpy() for w in EXERCISES["choose_w_q_w_k"].reference()]),
        ("queries", 0, lambda x, w_q: (x @ w_q).tolist()),
    ],
)
def test_right_numbers_are_right(name: str, seed: int, answer: Any) -> None:
    judged = verdict(name, answer, seed)
    assert judged.outcome == "right", judged


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("seed", range(4))
def test_a_decoder_that_draws_its_tokens_is_wrong_and_told_that_it_draws(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy_decode(*given: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(Tensor, "argmax", lambda scores, *_: torch.multinomial(scores.softmax(-1), 1)[0])
            return EXERCISES["greedy_decode"].reference(*given)

    judged = verdict("greedy_decode", greedy_decode, seed)
    assert judged.outcome == "wrong"
    assert "gave two different results" in judged.message


def _overflows(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    e = (keys @ query).exp()
    return (e / e.sum()) @ values


def _without_the_root(memory: Tensor, table: Tensor, w_self: Any, w_cross: Any, *rest: Any) -> Any:
    root = w_self[0].shape[1] ** 0.5
    w_self, w_cross = ((root * w[0], w[1], w[2]) for w in (w_self, w_cross))
    return EXERCISES["greedy_decode"].reference(memory, table, w_self, w_cross, *rest)


def _rebinds(params: list[Tensor], lr: float) -> None:
    for i, p in enumerate(params):
        params[i] = (p - lr * p.grad).detach().requires_grad_()


@pytest.mark.sweep(keep=8)
@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize(
    ("name", "answer"),
    [("soft_lookup", _overflows), ("sgd_step", _rebinds), ("greedy_decode", _without_the_root)],
)
def test_what_once_slipped_through_is_wrong_on_every_seed(name: str, answer: Any, seed: int) -> None:
    assert verdict(name, answer, seed).outcome == "wrong"


def _starts_at_zero(query: Tensor, keys: Tensor) -> int:
    best, found = 0.0, 0
    for i, key in enumerate(keys):
        cosine = float(query @ key / key.norm())
        if cosine > best:
            best, found = cosine, i
    return found


def _x_cut_first(x: Tensor, *given: Any) -> tuple[Tensor, Tensor]:
    *w, w_o, n_heads = given[:5]
    outputs, maps = [], []
    for i, part in enumerate(x.chunk(n_heads, -1)):
        here = slice(i * part.shape[-1], (i + 1) * part.shape[-1])
        one = attention.scaled_dot_product_attention(*(part @ each[here, here] for each in w))
        outputs.append(one[0])
        maps.append(one[1])
    return torch.cat(outputs, -1) @ w_o, torch.stack(maps, 1)


def _k_and_v_exchanged(packed: Tensor, out: Tensor) -> tuple[Tensor, ...]:
    q, k, v = (part.T for part in packed.chunk(3))
    return q, v, k, out.T


def _ablated_by_keys(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    width = w_k.shape[1] // n_heads
    w_k = w_k.clone()
    w_k[:, head * width : (head + 1) * width] = 0
    return multi_head.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


def _ablated_by_scores(*given: Any) -> Tensor:
    *x_and_w, w_o, n_heads, head = given
    x, *w = x_and_w
    q, k, v = (multi_head.split_heads(x @ each, n_heads) for each in w)
    scores = q @ k.mT / q.shape[-1] ** 0.5
    scores[:, head] = 0
    return multi_head.merge_heads(scores.softmax(-1) @ v) @ w_o


def _masked(by_rows: bool, empty: float) -> Any:
    def masked_attention(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        n = q.shape[-2]
        there = torch.arange(n) < lengths[:, None]
        mask = torch.ones(n, n, dtype=torch.bool).tril() & there[:, None]
        if by_rows:
            mask = mask & there[:, :, None]
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1).nan_to_num(empty or 1 / n)
        return weights @ v, weights

    return masked_attention


def _hidden_by(number: float) -> Any:
    def scaled_dot_product_attention(
        q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = (scores if mask is None else scores.masked_fill(~mask, number)).softmax(-1)
        return weights @ v, weights

    return scaled_dot_product_attention


def _two_columns() -> tuple[Tensor, Tensor, Tensor]:
    keys = torch.eye(6)[:, :2]
    return 6 * keys, keys, torch.eye(6)[:, 3:]


def _written_over(scores: Tensor) -> Tensor:
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    scores.exp_()
    return weights / weights.sum(-1, keepdim=True)


def _values_silenced_for_good(*given: Any) -> Tensor:
    *inputs, head = given
    width = inputs[3].shape[1] // inputs[5]
    inputs[3][:, head * width : (head + 1) * width] = 0
    return multi_head.multi_head_attention(*inputs)[0]


def _queries_turned() -> tuple[Tensor, Tensor]:
    w_q, w_k = EXERCISES["choose_w_q_w_k"].reference()
    return -w_q, w_k


@pytest.mark.parametrize(
    ("name", "answer", "false"),
    [
        ("order_the_heads", lambda: "EJBHAICF", "F is missing"),
        ("ablate_head", _ablated_by_keys, "You set the head's columns of w_q"),
        ("ablate_head", _ablated_by_scores, "You set the head's columns of w_q"),
        ("count_parameters", lambda d, h, f: 4 * d * d + 2 * d * f + f + 2 * d, "You count one layer norm"),
        (
            "real_head_weights",
            lambda x, w_q, b_q, w_k, b_k: attention.attention_weights(x @ w_q + b_k, x @ w_k + b_k),
            "changed places",
        ),
        ("break_symmetry", lambda w_q, w_k, *others: (w_k, w_q, *others), "you changed"),
        ("choose_w_q_w_k", _queries_turned, "close together"),
        ("choose_recall_weights", _two_columns, "no card gets more than half"),
        ("masked_attention", _masked(True, 1e-30), "is to be hidden as keys"),
        ("masked_attention", _masked(False, 0), "You put a large negative number"),
        ("scaled_dot_product_attention", _hidden_by(-1e-9), "You set hidden scores to 0"),
        ("scaled_dot_product_attention", _hidden_by(-1e-4), "You set hidden scores to 0"),
        ("softmax", _written_over, "`-=` changes the tensor"),
        ("ablate_head", _values_silenced_for_good, "a copy of w_o"),
        ("softmax", lambda x: tuple(2 * row for row in x.softmax(-1)), "a list"),
        ("nearest", _starts_at_zero, "does not depend on"),
        ("multi_head_attention", _x_cut_first, "does not depend on"),
        ("embed", lambda tokens, table: table[tokens.sort(-1)[0]], "does not depend on"),
        (
            "real_head_weights",
            lambda x, w_q, b_q, w_k, b_k: attention.attention_weights(x @ w_q + b_q, x @ w_k) ** 2,
            "`b_k`",
        ),
        ("weights_from_torch", _k_and_v_exchanged, "everywhere"),
        ("centre", lambda x: [x[0], x[0][:1]], "torch.tensor("),
        ("positional_encoding", lambda n, d: torch.zeros(n, d).double(), "as the inputs have"),
        ("greedy_decode", lambda *_: [1.0, 2.0], "returned a list. Return a list"),
        ("quiz_cross_shape", lambda: (5.5, 7.0), "returned a tuple. Return"),
    ],
)
def test_what_is_said_of_these_is_true(name: str, answer: Any, false: str) -> None:
    judged = verdict(name, answer)
    assert judged.outcome == "wrong"
    assert false not in str(judged)


@pytest.mark.parametrize(
    "centred",
    [
        lambda x: [row - row.mean() for row in x],
        lambda x: x.numpy() - x.numpy().mean(1, keepdims=True),
        lambda x: (x - x.mean(1, keepdim=True)).to_sparse(),
    ],
)
def test_a_lesson_goes_on_with_tensors(centred: Any, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def centre(x: Tensor) -> Any:
        return centred(x)

    result = check(centre)(torch.tensor([[1.0, 3.0]]))
    assert isinstance(result, Tensor)
    assert result.layout == torch.strided
    assert result.tolist() == [[-1.0, 1.0]]
    said = capsys.readouterr().out
    assert re.search(r"`torch.stack|NumPy's, not torch's|as `torch.sparse_coo`", said), said


def test_a_lesson_goes_on_with_tensors_in_each_of_several_results(home: Path) -> None:
    def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
        return list(x @ w_q), (x @ w_k).to_sparse(), (x @ w_v).tolist()

    ones = torch.ones(2, 2)
    found = check(project_qkv)(ones.double(), *(ones.double() / 3 for _ in range(3)))
    for one in found:
        assert one.layout == torch.strided
        assert torch.allclose(one, ones.double() * 2 / 3, atol=1e-12, rtol=0)


def test_a_wrong_result_keeps_its_name_though_an_input_is_changed_too() -> None:
    def softmax(scores: Tensor) -> Tensor:
        scores -= scores.amax(-1, keepdim=True)
        return scores.exp()

    judged = verdict("softmax", softmax)
    assert judged.mistake.name == "not_divided"


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")
def test_a_sparse_result_of_a_wrong_shape_is_not_made_dense() -> None:
    """A dense one would hold 10**10 numbers."""
    huge = torch.sparse_coo_tensor(torch.zeros(2, 1).long(), torch.ones(1), (10**5, 10**5))
    words = difference(huge, torch.zeros(2, 2))
    assert words.startswith("Your result is a matrix of 100000 rows")


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        ([1.7, 2.9], torch.tensor([1, 2]), "a list of floats"),
        ([math.inf, 2.0], torch.tensor([1, 2]), "a list of floats"),
        ([7, 0], torch.tensor([True, False]), "a list"),
        ([1.0, 2.0], torch.tensor([1, 2]), None),
        ([True, False], torch.tensor([True, False]), None),
        ([[True], [False]], torch.tensor([[True], [False]]), None),
        ([True, False], torch.tensor([1.0, 0.0]), "a list"),
        ([1, 2.5], torch.tensor([1.0, 2.5]), None),
    ],
)
def test_a_list_is_a_tensor_only_where_nothing_is_cut_off(
    got: Any, expected: Tensor, words: str | None
) -> None:
    found = difference(got, expected)
    assert found is None if words is None else found is not None and words in found


def test_rows_are_called_uneven_only_where_they_are() -> None:
    wanted = torch.zeros(2, 2)
    assert "equally long" in (difference([[1.0], [1.0, 2.0]], wanted) or "")
    for got in (["a", "b"], [[1.0, 2.0], ["a", "b"]], [None]):
        assert "equally long" not in (difference(got, wanted) or "equally long")


def test_half_an_attempt_is_no_missing_one() -> None:
    """The branch for a mask is not written yet, but the other branch is right."""

    def half(query: Tensor, *given: Any) -> Any:
        if len(calls) > 1:
            raise NotImplementedError
        calls.append(1)
        return EXERCISES["softmax"].reference(query, *given)

    calls = [1]
    judged = verdict("softmax", half)
    assert judged.outcome == "raised"
    assert "Nothing to judge yet" not in judged.message


def test_a_diagnosis_is_shown_with_its_code_and_its_stress() -> None:
    (mistake,) = [each for each in EXERCISES["top_p"].mistakes if "*least*" in each.diagnosis]
    html = verdict("top_p", mistake.program)._repr_html_()
    assert "<i>least</i>" in html
    assert "*least*" not in html
