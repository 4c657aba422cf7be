"""Answers that share what is rare are listed; what many write, or the course itself, is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools import cli
from qkvlib.tools.grading.publish import pages
from qkvlib.tools.grading.publish.alike import alike, function_in, read, threshold
from tests.tools.grading.classroom import hand_in

USUAL = """def softmax(x):
    high = x.max(dim=-1, keepdim=True).values
    powers = (x - high).exp()
    return powers / powers.sum(dim=-1, keepdim=True)"""
OTHER = """def softmax(x):
    out = torch.exp(x - torch.amax(x, -1, True))
    total = out.sum(-1)
    return out / total[..., None]"""
ODD = """def softmax(x):
    # lift the valley before the flood
    valley = -x.amin(-1, True) * 0
    for flood in range(1):
        valley = valley + x - x.amax(-1, True)
    ark = valley.exp()
    return ark / ark.sum(-1, True)"""
NAMES = ["high", "powers", "out", "total", "y", "z", "res", "top", "e", "s", "big", "num", "den"]


def renamed(text: str, chance: random.Random) -> str:
    """An answer with names that somebody else might have chosen."""
    for old, new in zip(("high", "powers", "out", "total"), chance.sample(NAMES, 4), strict=True):
        text = text.replace(old, f"<{new}>")
    return text.replace("<", "").replace(">", "")


def a_class(size: int = 60, seed: int = 1) -> dict[str, str]:
    chance = random.Random(seed)
    return {
        f"s{i}": renamed(chance.choice([USUAL, USUAL, OTHER]), chance) for i in range(size)
    }  # fmt: skip


def every_exercise() -> list[str]:
    return [f"def {name}(*inputs): pass" for name in EXERCISES if name != "softmax"]


def pairs(answers: dict[str, str], *handed_out: str) -> list[tuple[str, str]]:
    found = alike({"softmax": answers}, {"softmax": handed_out})
    return [pair.students for pair in found]


@pytest.mark.parametrize("seed", range(5))
def test_a_class_that_worked_alone_is_not_listed(seed: int) -> None:
    assert pairs(a_class(seed=seed)) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_rare_answer_that_two_share_is_listed(seed: int) -> None:
    assert pairs(a_class(seed=seed) | {"a": ODD, "b": ODD}) == [("a", "b")]


def test_another_layout_hides_nothing_and_other_names_hide_the_names_alone() -> None:
    moved = ODD.replace(" = ", "  =  ").replace("(1)", "( 1 )").replace("flood\n", "flood\n\n")
    assert pairs(a_class() | {"a": ODD, "b": moved}) == [("a", "b")]
    (pair,) = alike({"softmax": a_class() | {"a": ODD, "b": ODD}}, {})
    other = ODD.replace("valley", "v").replace("ark", "w").replace("flood", "i")
    found = alike({"softmax": a_class() | {"a": ODD, "b": other}}, {})
    assert not found or found[0].bits < pair.bits


def test_a_changed_form_with_the_same_rare_words_is_listed() -> None:
    changed = ODD.replace("range(1)", "[0]") + " + 0"
    (pair,) = alike({"softmax": a_class() | {"a": ODD, "b": changed}}, {})
    assert pair.shared[0].same_form == 0
    assert set(pair.shared[0].names) == {"ark", "flood", "valley"}
    assert pair.shared[0].comments == ("lift the valley before the flood",)


def test_what_the_course_hands_out_counts_nothing() -> None:
    assert pairs(a_class() | {"a": ODD, "b": ODD}, ODD) == []


def test_what_many_write_is_not_rare() -> None:
    assert pairs(a_class(40) | {f"t{i}": ODD for i in range(20)}) == []


def test_short_answers_are_not_compared() -> None:
    short = {f"s{i}": "def dot(a, b): return (a * b).sum()" for i in range(60)}
    assert (
        pairs(
            short | {"a": "def dot(zz, qq): return zz @ qq", "b": "def dot(zz, qq): return zz @ qq"}
        )
        == []
    )


def test_bits_are_how_rare_it_is_and_the_bar_grows_with_the_class() -> None:
    answers = {str(i): USUAL for i in range(62)} | {"a": ODD, "b": ODD}
    (pair,) = alike({"softmax": answers}, {})
    form, comment, *names = [5.0] * 5  # 2 in 64, each: 5 bits
    assert pair.bits == pytest.approx(form + comment + sum(names))
    assert threshold(300) == pytest.approx(threshold(150) + 2, abs=0.02)
    assert threshold(1) > 0


def test_the_last_function_of_a_name_is_taken_with_all_its_lines() -> None:
    text = f"def softmax(x): return 1\nx = 1\n{ODD}\n\n    # more\n\nsoftmax = check(softmax)\n"
    assert function_in(text, "softmax") == f"{ODD}\n\n    # more"
    assert function_in("def softmax2(x): pass", "softmax") == ""
    assert function_in("def f(\n    x,\n):\n    return x\ny = 1", "f").endswith("return x")


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "'''" * 6_667, '"' * 20_001, "\\" * 20_000, "#" * 20_000, "\0é\ud800"]
)
def test_no_text_is_too_strange_to_be_cut_into_words(text: str) -> None:
    read(f"def softmax(x): {text}")


@pytest.mark.parametrize("mark", ['"', "'"])
def test_what_is_never_closed_is_one_word(mark: str) -> None:
    """Else its end is sought from every mark in it, and a page of them takes minutes."""
    assert read("x = " + mark + f"\\{mark}" * 6_000).form == ("n0", "=", "''")


def test_the_page_says_what_the_numbers_are_and_that_they_prove_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "in" / "b_1_assignsubmission_file_" / "all.ipynb", every_exercise())
    hand_in(tmp_path / "in" / "s1_1_assignsubmission_file_" / "all.ipynb", every_exercise())
    for name, text in (a_class(20) | {"<b>a": ODD + "  # <script>", "b": ODD}).items():
        hand_in(tmp_path / "in" / f"{name}_1_assignsubmission_file_" / "02.ipynb", [text])
    assert cli.main(["alike", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    assert "1 of 231 pairs are to be read. They prove nothing" in capsys.readouterr().out
    page = (tmp_path / "out" / "alike.html").read_text()
    for words in (
        "This is no proof of anything", "What the numbers say", "&lt;b&gt;a and b",
        f"{22 + 2 * (len(EXERCISES) - 1)} answers to {len(EXERCISES)} exercises",
        "has 231 pairs", "ark", "# &lt;script&gt;",
    ):  # fmt: skip
        assert words in page, words
    assert "<script" not in page
    assert cli.main(["alike", str(tmp_path / "nowhere")]) == 2


def test_two_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name, text in (a_class(40) | {"Jun Ito_1": ODD, "Jun Ito_2": ODD}).items():
        hand_in(tmp_path / "in" / f"{name}_assignsubmission_file_" / "02.ipynb", [text])
    cli.main(["alike", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    page = (tmp_path / "out" / "alike.html").read_text()
    assert "Jun Ito (Jun Ito_1) and Jun Ito (Jun Ito_2)" in page


def test_a_page_without_pairs_says_so() -> None:
    assert "No pairs share more than chance" in pages.alike_answers([], {"a": "A"}, {})
