"""Test the questions' page: links lead to sections, and each answer is proved by something that exists.

A renamed heading is fixed in `lessons/questions.md`; the failure names the line, the chapter and the
most similar heading. `python -m tests.tools.site.test_questions` rewrites the words of all links whose
address is right: run it after a chapter's title has changed.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

import pytest
import torch

from qkvlib.attention import attention_weights, scaled_dot_product_attention
from qkvlib.course.chapters import chapters
from qkvlib.exercises import EXERCISES
from qkvlib.tools.site.questions import SOURCE, Question, questions, without_comments
from qkvlib.tools.site.text import as_html
from tests.experiments.__main__ import load
from tests.experiments.claims import CLAIMS
from tests.tools.site.conftest import Site

ROOT = Path(__file__).parents[3]
QUESTIONS = questions(ROOT)
TITLES = {one.name: one.title for one in chapters()}
each = pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.asked[:50])


@cache
def source(lesson: str) -> str:
    return (ROOT / f"solutions/{lesson}.py").read_text(encoding="utf-8")


@cache
def sections(lesson: str) -> dict[str, str]:
    """Return a chapter's headings by their addresses, as in JupyterLab and on the site."""
    return {
        words.replace(" ", "-"): words for words in re.findall(r"^# ## (.+)$", source(lesson), re.MULTILINE)
    }


class Pointer(NamedTuple):
    """A link to a section of a lesson, by the address of its heading there."""

    words: str
    lesson: str
    section: str


def pointers(question: Question) -> list[Pointer]:
    found = re.findall(r"\[([^\]]+)\]\((\w+)\.ipynb#([^)\s]+)\)", question.below)
    return [Pointer(words, lesson, unquote(section)) for words, lesson, section in found]


def place(question: Question) -> str:
    """Return where a question stands, for the message of a test."""
    text = (ROOT / SOURCE).read_text(encoding="utf-8")
    return f"{SOURCE}:{1 + text.count(chr(10), 0, text.index(f'### {question.asked}'))}"


def broken(pointer: Pointer) -> str:
    """Return what is wrong with a link and what it should be, or nothing."""
    if pointer.lesson not in TITLES:
        return f"there is no lesson {pointer.lesson}; there are {', '.join(TITLES)}"
    if pointer.section not in sections(pointer.lesson):
        near = difflib.get_close_matches(pointer.section, sections(pointer.lesson), n=1, cutoff=0)
        return (
            f"{pointer.lesson} has no heading {pointer.section!r}. Most like it: {written(pointer, near[0])}"
        )
    right = written(pointer, pointer.section)
    there = f"[{pointer.words}]{right.partition(']')[2]}"
    return "" if there == right else f"{there} should be {right}"


def written(pointer: Pointer, section: str) -> str:
    words = f"{TITLES[pointer.lesson]}: {sections(pointer.lesson)[section]}"
    return f"[{words}]({pointer.lesson}.ipynb#{quote(section, safe=':?,-')})"


@each
def test_a_link_names_a_section_that_exists(question: Question) -> None:
    assert pointers(question), f"{place(question)}: it leads nowhere"
    for pointer in pointers(question):
        assert not (wrong := broken(pointer)), f"{place(question)}: {wrong}"


def test_a_heading_that_was_renamed_is_told_with_what_to_write() -> None:
    right, *_ = pointers(QUESTIONS[0])
    renamed = right._replace(section=f"{right.section}-now")
    assert written(right, right.section) in broken(renamed)
    assert written(right, right.section) in broken(right._replace(words="Another title: what it was"))
    assert "no lesson" in broken(right._replace(lesson="03_tables"))


@each
def test_what_proves_an_answer_exists(question: Question) -> None:
    proofs = re.findall(r"<!-- proof: (.*?) -->", question.below)
    assert proofs, f"{place(question)}: nothing proves it"
    for proof in proofs:
        assert exists(proof, question), f"{place(question)}: there is no {proof}"


def exists(proof: str, question: Question) -> bool:
    kind, _, rest = proof.partition(" ")
    if kind == "claim":
        load()
        chapter, _, text = rest.partition(": ")
        return any((one.chapter, one.text) == (chapter, text) for one in CLAIMS)
    if kind == "prediction":
        return any(f'"{rest}"' in source(lesson) for lesson in TITLES if lesson[:2] == rest[:2])
    if kind == "mistake":
        exercise, _, name = rest.partition(".")
        mistakes = EXERCISES[exercise].mistakes if exercise in EXERCISES else ()
        return any(one.name == name for one in mistakes)
    if kind == "cell:":
        return any(f"\n{rest}" in source(pointer.lesson) for pointer in pointers(question))
    return kind == "test:" and rest in globals()


@pytest.mark.parametrize(
    "proof",
    [
        "claim 04: that never was",
        "prediction 03-never-asked",
        "mistake softmax.never_made",
        "mistake never_asked.unstable",
        "cell: never_run()",
        "test: test_that_never_was",
        "rumour",
    ],
)
def test_what_does_not_exist_proves_nothing(proof: str) -> None:
    assert not exists(proof, QUESTIONS[0])


def test_the_five_come_first_and_an_answer_is_short() -> None:
    text = (ROOT / SOURCE).read_text(encoding="utf-8")
    groups = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert groups[0].count("\n### ") == 5
    assert len(QUESTIONS) == text.count("\n### ") >= 40
    assert len({one.asked for one in QUESTIONS}) == len(QUESTIONS)
    for one in QUESTIONS:
        sentences = re.findall(r"[.?!](?:\s|$)", one.answer)
        assert 1 <= len(sentences) <= 4, f"{one.asked}: {len(sentences)} sentences"


def test_the_page_asks_what_the_source_asks_and_shows_no_comment() -> None:
    html = as_html(without_comments(ROOT))
    assert re.findall(r"<h3[^>]*>(.*?)</h3>", html) == [one.asked for one in QUESTIONS]
    assert "proof" not in html
    assert len(re.findall(r'href="\d\d_\w+\.ipynb#', html)) == sum(len(pointers(one)) for one in QUESTIONS)


# --- claims of answers about numbers and shapes that no lesson computes -----------------------------------


def test_two_thin_matrices_store_less_than_their_product() -> None:
    generator = torch.Generator().manual_seed(0)
    for d_model, d_k in ((8, 3), (64, 16)):
        w_q, w_k = torch.randn(2, d_model, d_k, generator=generator, dtype=torch.float64)
        product = w_q @ w_k.T
        assert torch.linalg.matrix_rank(product) == d_k
        assert w_q.numel() + w_k.numel() == 2 * d_model * d_k < product.numel()


def test_rows_that_are_scaled_after_softmax_sum_to_one_over_the_root() -> None:
    q, k = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0))
    (scaled_too_late,) = (
        one.program for one in EXERCISES["attention_weights"].mistakes if one.name == "scaled_too_late"
    )
    torch.testing.assert_close(scaled_too_late(q, k).sum(-1), torch.full((5,), 8**-0.5))
    torch.testing.assert_close(attention_weights(q, k).sum(-1), torch.ones(5))


def test_a_hard_choice_passes_no_gradient_on() -> None:
    scores = torch.tensor([0.3, 0.1, 0.2], requires_grad=True)
    values = torch.tensor([[1.0], [2.0], [4.0]])
    hard = values[scores.argmax()].sum()
    assert not hard.requires_grad
    (scores.softmax(-1) @ values).sum().backward()
    assert (scores.grad != 0).all()


def test_twelve_heads_have_as_many_parameters_as_one() -> None:
    for heads in (1, 12):
        layer = torch.nn.MultiheadAttention(768, heads)
        assert sum(one.numel() for one in layer.parameters()) == 2_362_368


def test_a_hidden_score_has_weight_zero_and_a_finite_gradient() -> None:
    q, k, v = (
        torch.randn(3, 4, generator=torch.Generator().manual_seed(seed), requires_grad=True)
        for seed in range(3)
    )
    output, weights = scaled_dot_product_attention(q, k, v, torch.ones(3, 3).tril() == 1)
    output.sum().backward()
    assert (weights.triu(1) == 0).all()
    assert all(bool(one.grad is not None and one.grad.isfinite().all()) for one in (q, k, v))


def test_an_output_has_a_row_for_each_query() -> None:
    output, weights = scaled_dot_product_attention(torch.ones(2, 4), torch.ones(5, 4), torch.ones(5, 3))
    assert output.shape == (2, 3)
    assert weights.shape == (2, 5)


def mend() -> None:
    """Rewrite the words of each link whose address is right."""
    path = ROOT / SOURCE
    text = path.read_text(encoding="utf-8")
    for pointer in {each for one in QUESTIONS for each in pointers(one)}:
        if pointer.lesson in TITLES and pointer.section in sections(pointer.lesson):
            right = written(pointer, pointer.section)
            text = text.replace(f"[{pointer.words}]{right.partition(']')[2]}", right)
    path.write_text(text, encoding="utf-8")


@pytest.mark.whole
def test_a_link_to_a_widget_leads_to_one_that_moves(site: Site) -> None:
    page = (site.folder / "questions.html").read_text(encoding="utf-8")
    found = re.findall(r'href="(\w+\.html)#([^"]+)" aria-label="widget in', page)
    assert ("01_similarity.html", "vectors-1") in found
    for name, place in found:
        there = (site.folder / name).read_text(encoding="utf-8")
        assert re.search(rf'<div class="place" id="{place}" data-kind="(?!predict|recap)', there)


if __name__ == "__main__":
    mend()
