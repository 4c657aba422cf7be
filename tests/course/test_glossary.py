"""Test the glossary: every word is defined once and is found by any of its names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from qkvlib import glossary, terms
from qkvlib.course.chapters import Chapter, chapters
from qkvlib.course.glossary.entry import read

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "qkvlib/course/glossary/glossary.md"


@pytest.mark.parametrize("word", ["query", "key", "value", "weights"])
def test_the_confusing_words_have_their_meanings_told_apart(word: str) -> None:
    assert len(read(WORDS)[word].meanings) >= 4
    told = repr(glossary(word))
    for meaning in read(WORDS)[word].meanings:
        assert f"{meaning.where}: {meaning.means}" in told


def test_a_word_is_found_by_its_other_names() -> None:
    assert repr(terms("scalar product")) == repr(terms("Dot product ")) == repr(terms("q @ k"))


def test_a_word_of_its_own_comes_before_the_same_word_as_code() -> None:
    assert repr(glossary("weights")).startswith("weights (")


def test_an_unknown_word_suggests_a_known_one() -> None:
    said = "'softmx' is not in the glossary: try 'softmax', 'online softmax'"
    assert repr(glossary("softmx")) == f"{said}. glossary() lists every word."
    assert said in glossary("softmx").text
    with pytest.raises(ValueError, match=said):
        terms("softmx")


IN_PASSING = (
    "table, weight matrix, matrix, vector, tensor, shape, batch, broadcasting, position, place, bend, "
    "relu, variance, standard deviation, spread, seed, Adam, SGD, torch, transformer, model, job, sink, "
    "RoPE, KV cache"
)


@pytest.mark.parametrize("word", IN_PASSING.split(", "))
def test_a_word_that_the_lessons_use_in_passing_is_explained(word: str) -> None:
    assert "is not in the glossary" not in glossary(word).text


def test_all_words_have_a_meaning_here_and_are_listed() -> None:
    listed = repr(glossary())
    for name, term in read(WORDS).items():
        assert term.what
        assert term.role in ("", "query", "key", "value")
        assert f"{name} (" in listed or f"{name}: " in listed


def test_a_line_that_is_no_fact_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "glossary.md"
    file.write_text("Head.\n## query\nwhat: it asks\nsymbl: q\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'query' has the line 'symbl: q'"):
        read(file)


def test_words_are_set_as_text_and_not_as_markup() -> None:
    assert "W<sub>Q</sub>" in terms("W_Q").html
    assert "<code>attention_scores</code>" in terms("scores").html
    assert "<i>Attention Is All You Need</i>" in glossary("query").html


def boxes(source: Path) -> list[str]:
    """Return the words that a lesson's glossary boxes define."""
    code = re.sub(r"^# .*$", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    boxed = [call for call in calls if ast.unparse(call.func) == "terms"]
    return [ast.literal_eval(word) for box in boxed for word in box.args]


def test_every_word_is_defined_in_one_lesson_alone() -> None:
    defined = [word for source in sorted((ROOT / "solutions").glob("*.py")) for word in boxes(source)]
    twice = {word for word in defined if defined.count(word) > 1}
    assert not twice, f"two lessons define {twice}: leave the word to the first of them"


def plain(text: str) -> str:
    """Return only the letters, so that *W_Q* equals $W_Q$ and a line may break inside a word."""
    return re.sub(r"[^a-z]+", " ", re.sub(r"[_{}$\\]", "", text.lower()))


@pytest.mark.parametrize("source", sorted((ROOT / "solutions").glob("*.py")), ids=lambda p: p.stem)
def test_the_words_that_a_lesson_defines_stand_in_its_text(source: Path) -> None:
    text = plain("\n".join(re.findall(r"^# .*$", source.read_text("utf-8"), re.MULTILINE)))
    assert [word for word in boxes(source) if plain(word).strip() not in text] == []


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_every_chapter_with_exercises_but_the_quiz_ends_with_its_words(chapter: Chapter) -> None:
    source = ROOT / f"solutions/{chapter.name}.py"
    assert boxes(source) or not chapter.exercises or chapter.name == "17_quiz", (
        f"{source.name} has exercises and no box of terms: add `terms(...)` near its end, and what "
        "the glossary lacks to qkvlib/course/glossary/glossary.md (CONTRIBUTING.md, 'A chapter')"
    )
