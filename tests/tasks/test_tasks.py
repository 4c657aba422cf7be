"""Test that tasks draw what they describe, name it, and never tell a model where to look."""

from __future__ import annotations

import pytest
import torch

from qkvlib.tasks import (
    NO_ANSWER,
    Agreement,
    Attribute,
    BankSense,
    Batch,
    Cloakroom,
    Digits,
    FirstWord,
    Halves,
    Induction,
    KeepOrFind,
    ManyCards,
    MaskedWord,
    NewVectors,
    NextWord,
    OpeningWord,
    Partners,
    Pronunciation,
    Recall,
    Rhyme,
    RockPaperScissors,
    Task,
    TwoQuestions,
    WordsBack,
)
from qkvlib.tasks.digits import cut

TASKS: list[Task] = [
    Agreement(),
    *(Attribute(asks) for asks in ("royal", "female", "who")),  # type: ignore[arg-type]
    BankSense(),
    Cloakroom(),
    Cloakroom(32),
    Digits(),
    FirstWord(),
    Halves(),
    Induction(),
    KeepOrFind(),
    KeepOrFind(empty_card=True),
    ManyCards(),
    MaskedWord(),
    NewVectors(),
    NextWord(),
    OpeningWord(),
    Partners(),
    Pronunciation(shortest=3, longest=4),
    Recall(),
    Rhyme(),
    RockPaperScissors(),
    TwoQuestions(),
    WordsBack(),
]

each_task = pytest.mark.parametrize("task", TASKS, ids=repr)


def drawn(task: Task, seed: int, size: int = 200) -> list[torch.Tensor]:
    batch = task.batch(size, torch.Generator().manual_seed(seed))
    return [*batch.inputs, batch.answers]


@each_task
def test_a_seed_draws_the_same_batch_another_seed_another_and_tests_are_always_the_same(task: Task) -> None:
    one, same, other = drawn(task, 0), drawn(task, 0), drawn(task, 1)
    assert all(map(torch.equal, one, same))
    assert not all(a.shape == b.shape and torch.equal(a, b) for a, b in zip(one, other, strict=True))
    tests, again = task.test(50), task.test(50)
    assert all(map(torch.equal, (*tests.inputs, tests.answers), (*again.inputs, again.answers)))


@each_task
def test_answers_are_answers_of_the_task_or_not_asked(task: Task) -> None:
    answers = drawn(task, 0)[-1]
    assert answers.dtype == torch.int64
    assert answers.min() >= NO_ANSWER
    assert answers.max() < task.n_answers
    assert (answers != NO_ANSWER).any(1).all()  # every example has a question


@each_task
def test_the_probe_is_few_examples_with_a_name_for_every_row_and_column(task: Task) -> None:
    batch = task.probe()
    names = task.names(batch)
    assert 1 <= len(names) == len(batch.answers) <= 8
    for rows, columns in names:
        assert all(isinstance(name, str) for name in rows + columns)
        assert len(columns) == batch.inputs[min(1, len(batch.inputs) - 1)].shape[1] or isinstance(
            task, Pronunciation
        )


@each_task
def test_a_repr_builds_the_task_again(task: Task) -> None:
    assert eval(repr(task), {type(task).__name__: type(task)}) == task


def holder(task: Task, batch_size: int = 50) -> list[tuple[list[str], list[str], int, int]]:
    """Return for each example: the question's names, the cards' names, the card to look at, the answer."""
    batch = task.batch(batch_size, torch.Generator().manual_seed(3))
    names = task.names(batch)
    return [
        (rows, columns, int(where), int(answer))
        for (rows, columns), places, answers in zip(names, batch.looks_at, batch.answers, strict=True)
        for where, answer in zip(places, answers, strict=True)
        if where != NO_ANSWER
    ]


@pytest.mark.parametrize("task", [Recall(), ManyCards(n_cards=40), Cloakroom(32)], ids=repr)
def test_recall_asks_for_the_colour_on_that_persons_card(task: Recall | ManyCards | Cloakroom) -> None:
    for (question,), cards, where, answer in holder(task):
        assert cards[where] == f"{question} {task.answers[answer]}"
        assert len({card.rsplit(" ", 1)[0] for card in cards}) == len(cards)


def test_two_questions_ask_for_two_different_people_in_order() -> None:
    examples = holder(TwoQuestions())
    for place, ((question,), cards, where, answer) in enumerate(examples):
        first, _, second, _ = question.split()
        asked = (first, second)[place % 2]
        assert first != second
        assert cards[where] == f"{asked} {TwoQuestions.answers[answer]}"


@pytest.mark.parametrize("empty_card", [False, True])
def test_keep_or_find_asks_for_the_notes_colour_or_for_that_on_the_persons_card(empty_card: bool) -> None:
    task = KeepOrFind(empty_card=empty_card)
    batch = task.test(200)
    for ((note,), shown), where, answer in zip(
        task.names(batch), batch.looks_at[:, 0].tolist(), batch.answers[:, 0].tolist(), strict=True
    ):
        what, person, own = note.split()
        assert ("empty card" in shown, shown[0] == "empty card") == (empty_card, empty_card)
        if what == "keep":
            assert (where, task.answers[answer]) == (NO_ANSWER, own)
        else:
            assert shown[where] == f"{person} {task.answers[answer]}"
    assert 0.4 < (batch.looks_at >= 0).float().mean() < 0.6


def test_words_back_asks_for_the_word_so_many_places_before() -> None:
    (words,), answers, looks_at = WordsBack(n_words=9, back=4).test(20)
    assert (answers[:, :4] == NO_ANSWER).all()
    assert torch.equal(answers[:, 4:], words[:, :5])
    assert torch.equal(words.gather(1, looks_at[:, 4:]), answers[:, 4:])


def test_opening_word_asks_for_the_same_place_everywhere() -> None:
    (words,), answers, looks_at = OpeningWord(n_words=7).test(20)
    assert torch.equal(answers, words[:, :1].expand(-1, 7))
    assert not looks_at.any()


def test_rock_paper_scissors_wants_the_winners_colour() -> None:
    beaten_by = {"rock": "paper", "paper": "scissors", "scissors": "rock"}
    task = RockPaperScissors()
    batch = task.batch(20, torch.Generator().manual_seed(0))
    for (players, _), answers in zip(task.names(batch), batch.answers.tolist(), strict=True):
        held = dict(name.split() for name in players)
        wanted = [held[beaten_by[name.split()[0]]] for name in players]
        assert [task.answers[a] for a in answers] == wanted


def test_partners_go_both_ways() -> None:
    task = Partners()
    players = torch.arange(8)[None]
    assert torch.equal(task.wanted(task.wanted(players)), players)
    assert (task.wanted(players) != players).all()


def test_agreement_translates_it_by_the_noun_it_stands_for() -> None:
    seen = {}
    for (last,), words, where, answer in holder(Agreement(), 400):
        seen[words[where], last] = Agreement.answers[answer]
    assert seen["cow", "tired"] == "sie"
    assert seen["dog", "hungry"] == "er"
    assert seen["field", "icy"] == "es"
    assert ("cow", "icy") not in seen


@pytest.mark.parametrize(("task", "count"), [(Agreement(), 173), (Digits(), 360)], ids=repr)
def test_what_is_tested_was_never_trained_on(task: Task, count: int) -> None:
    def examples(batch: Batch) -> set[tuple[float, ...]]:
        return {tuple(row) for row in batch.inputs[min(1, len(batch.inputs) - 1)].flatten(1).tolist()}

    known = examples(task.batch(5000, torch.Generator().manual_seed(0)))
    unseen = examples(task.test())
    assert len(unseen) == count
    assert not known & unseen


def test_agreement_shows_sentences_that_differ_in_their_last_word_alone() -> None:
    names = Agreement().names(Agreement().probe())
    one, other = ([word for word in columns if word] for _, columns in names[:2])
    assert one[:-1] == other[:-1]
    assert (one[-1], other[-1]) == ("tired", "icy")


def test_new_vectors_are_never_the_same_twice() -> None:
    task = NewVectors()
    keys = task.batch(50, torch.Generator().manual_seed(0)).inputs[1][..., : task.d_key]
    assert len(torch.unique(keys.flatten(0, 1), dim=0)) == 50 * task.n_cards


def test_halves_keep_person_and_colour_apart() -> None:
    task = Halves()
    people, colours = task.codes()
    half = task.d_model // 2
    assert not people[:, half:].any()
    assert not colours[:, :half].any()
    for (question,), cards, where, answer in holder(task):
        assert cards[where] == f"{question} {task.answers[answer]}"


def test_bank_asks_about_bank_alone_and_the_topic_decides() -> None:
    batch = BankSense().batch(100, torch.Generator().manual_seed(0))
    (words,) = batch.inputs
    assert torch.equal(batch.answers != NO_ANSWER, words == 0)
    for text, answers in zip(words.tolist(), batch.answers.tolist(), strict=True):
        names = {BankSense.tokens[word] for word in text}
        river = bool(names & {"river", "boat", "fish", "water", "mud", "shore"})
        money = bool(names & {"money", "loan", "cash", "credit", "account", "debt"})
        assert river != money
        assert BankSense.answers[max(answers)] == ("Ufer" if river else "Bank")


def test_a_masked_word_is_hidden_and_asked_for() -> None:
    task = MaskedWord()
    (words,), answers, _ = task.batch(100, torch.Generator().manual_seed(0))
    assert torch.equal(words == task.tokens.index("[mask]"), answers != NO_ANSWER)
    assert ((answers != NO_ANSWER).sum(1) == 1).all()


def test_the_next_word_is_the_habitual_one_as_often_as_said() -> None:
    task = NextWord()
    (words,), answers, _ = task.batch(5000, torch.Generator().manual_seed(0))
    usual = ((words + 1) % 8 == answers).float().mean()
    assert abs(float(usual) - task.ceiling) < 0.01
    assert torch.equal(words[:, 1:], answers[:, :-1])


def test_induction_asks_what_followed_the_first_time() -> None:
    task = Induction()
    (line,), answers, looks_at = task.batch(50, torch.Generator().manual_seed(0))
    for words, right, where in zip(line.tolist(), answers.tolist(), looks_at.tolist(), strict=True):
        for place in task.asked().tolist():
            followed = words.index(words[place]) + 1
            assert followed == where[place] < task.n_words
            assert words[followed] == right[place] == words[place + 1]


def test_the_first_word_is_asked_for_at_the_end() -> None:
    (words,), answers, _ = FirstWord().batch(50, torch.Generator().manual_seed(0))
    assert torch.equal(answers[:, -1], words[:, 0])
    assert (answers[:, :-1] == NO_ANSWER).all()


def test_attributes_are_those_of_the_word_at_the_place_asked_for() -> None:
    truths = {"king": ("yes", "no"), "queen": ("yes", "yes"), "dog": ("no", "no"), "cat": ("no", "yes")}
    for asks, which in (("royal", 0), ("female", 1)):
        task = Attribute(asks)  # type: ignore[arg-type]
        for (question,), cards, where, answer in holder(task):
            word, place = cards[where].split()
            assert question == f"{place}?"
            if word in truths:
                assert task.answers[answer] == truths[word][which]


def test_digits_are_cut_into_sixteen_patches_in_reading_order() -> None:
    image = torch.arange(64).view(1, 8, 8)
    patches = cut(image)
    assert patches.shape == (1, 16, 4)
    assert patches[0, 0].tolist() == [0, 1, 8, 9]
    assert patches[0, 1].tolist() == [2, 3, 10, 11]
    assert patches[0, 4].tolist() == [16, 17, 24, 25]


def test_the_rhyme_is_said_in_full() -> None:
    from qkvlib.tasks.rhyme import rhyme

    words = rhyme()
    assert words[:7] == ("this", "is", "the", "house", "that", "jack", "built")
    assert words.count("built") == 11
    assert "tattered" in words
