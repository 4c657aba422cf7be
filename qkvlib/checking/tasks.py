"""Check that a learner's own task produces batches that a model can be trained on; explain what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from qkvlib.tasks import TwoQuestions
from qkvlib.tasks.base import NO_ANSWER, Batch, Task

_FEW, _MANY = 5, 2000
_LEFT_OUT = "a place where nothing is asked holds NO_ANSWER, -1"


class _WrongError(Exception):
    """What is wrong with a task, what was expected, and what to try."""


def check_task(task: Task) -> Task:
    """Look at a task of your own: `my_task = check_task(MyTask())`.

    It shows one example in words: the cards, the question, the answers, and on which card each answer can be
    read. If something does not fit, it says what, and returns `TwoQuestions()`, the task of chapter 9, so
    that the cells below can run.
    """
    try:
        few = _fits(task, _FEW, 0)
        _fits(task, _MANY, 2)
        _need_its_generator(task, few)
    except _WrongError as wrong:
        print(f"✗ {wrong}\nUntil your task fits, the cells below use the task of chapter 9.")
        return TwoQuestions()
    print("\n".join(["✓ A deal of your task:", *_deal(task, few)]))
    return task


def _fits(task: Any, size: int, seed: int) -> Batch:
    """Return a batch, after checking that everything in it fits."""
    if isinstance(task, type):
        raise _WrongError(f"{task.__name__} is a class. Make an instance of it: {task.__name__}()")
    if not isinstance(task, Task):
        raise _WrongError(f"this is a {type(task).__name__}, not a task: begin with `class MyTask(Task):`")
    batch = _sample(task, size, seed)
    question, cards = _inputs(task, batch)
    answers = _whole("answers", batch.answers, "[examples, questions]", 2)
    n_questions = answers.shape[1]
    each, rest = divmod(task.n_answers, max(n_questions, 1))
    if rest or not each or not n_questions:
        raise _WrongError(
            f"n_answers is {task.n_answers}, which cannot be divided equally among {n_questions} "
            "questions: it has to be the number of answers to one question, times the number of questions"
        )
    if len(task.answers) not in (each, task.n_answers):
        raise _WrongError(
            f"`answers` has {len(task.answers)} names, but a question has {each} answers: give "
            f"these {each} names, or all {task.n_answers}, one question after the other"
        )
    _need_range("answers", answers, NO_ANSWER, each, f"a question has {each} answers; {_LEFT_OUT}")
    if batch.looks_at is None:
        raise _WrongError(
            "looks_at is missing: it says which card shows each answer. No loss depends on it, but without "
            "it we cannot tell where a head should look"
        )
    looks_at = _whole("looks_at", batch.looks_at, "[examples, questions]", 2)
    if looks_at.shape != answers.shape:
        raise _WrongError(
            f"looks_at has shape {tuple(looks_at.shape)}, but answers has {tuple(answers.shape)}: "
            "give one card for each answer"
        )
    n_cards = cards.shape[1]
    _need_range("looks_at", looks_at, 0, n_cards, f"there are {n_cards} cards, from 0")
    for name, tensor in {"cards": cards, "answers": answers, "looks_at": looks_at}.items():
        if not len(tensor) == len(question) == size:
            raise _WrongError(
                f"{size} examples were requested, but {name} holds {len(tensor)} and the question "
                f"{len(question)}: `batch(size, generator)` has to return `size` examples in each tensor"
            )
    return batch


def _sample(task: Task, size: int, seed: int) -> Batch:
    try:
        batch = task.batch(size, torch.Generator().manual_seed(seed))
    except Exception as error:
        raise _WrongError(
            f"batch({size}, generator) stopped with {type(error).__name__}: {error}. Call it in a "
            "cell of its own, `my_task.batch(5, torch.Generator())`, to see the line"
        ) from error
    if not isinstance(batch, Batch):
        raise _WrongError(
            f"batch returns a {type(batch).__name__}. It has to return a Batch: "
            "`return Batch(inputs=(question, cards), answers=..., looks_at=...)`"
        )
    return batch


def _inputs(task: Task, batch: Batch) -> tuple[Tensor, Tensor]:
    if len(batch.inputs) != 2:
        raise _WrongError(f"inputs holds {len(batch.inputs)} tensors, but two are needed: question, cards")
    form = "[examples, cards, words on a card]"
    question, cards = (
        _whole(name, tensor, form, 3)
        for name, tensor in zip(("the question", "cards"), batch.inputs, strict=True)
    )
    if question.shape[1] != 1:
        raise _WrongError(
            f"the question has {question.shape[1]} cards, but it must be one card that asks everything: "
            "try `question[:, None, :]`"
        )
    for name, tensor in (("the question", question), ("cards", cards)):
        _need_range(name, tensor, 0, task.n_tokens, f"`tokens` names {task.n_tokens} words, from 0")
    return question, cards


def _whole(name: str, tensor: Any, form: str, dims: int) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise _WrongError(f"{name} is a {type(tensor).__name__}, but a tensor {form} is needed")
    if tensor.dim() != dims:
        raise _WrongError(
            f"{name} has shape {tuple(tensor.shape)}, but {form} is needed"
            + (f": try {name.split()[-1]}[..., None]" if tensor.dim() == dims - 1 else "")
        )
    if tensor.is_floating_point() or tensor.dtype == torch.bool:
        raise _WrongError(f"{name} holds {tensor.dtype}, but whole numbers are needed: try .long()")
    return tensor


def _need_range(name: str, tensor: Tensor, low: int, end: int, because: str) -> None:
    if tensor.numel() and not (low <= int(tensor.min()) and int(tensor.max()) < end):
        outside = int(tensor.max()) if int(tensor.max()) >= end else int(tensor.min())
        raise _WrongError(f"{name} holds the number {outside}, but {because}")


def _need_its_generator(task: Task, batch: Batch) -> None:
    """Check that the same seed gives the same batch, and a different seed a different one."""
    again, other = _sample(task, _FEW, 0), _sample(task, _FEW, 1)
    if not all(map(torch.equal, batch.inputs, again.inputs)):
        raise _WrongError(
            "two batches from the same seed differ, so no run can be repeated: pass `generator` to "
            "everything that draws random numbers, `torch.randint(..., generator=generator)`"
        )
    if all(map(torch.equal, batch.inputs, other.inputs)):
        raise _WrongError(
            "every seed deals the same cards, so a model could learn the cards by heart: draw the cards with "
            "`generator`"
        )


def _deal(task: Task, batch: Batch) -> list[str]:
    """The first example, in words."""
    question, cards = (task.words(tensor[0]) for tensor in batch.inputs)
    answers, looks_at = batch.answers[0].tolist(), batch.looks_at[0].tolist()  # type: ignore[index]
    return [
        f"  cards:    {', '.join(cards)}",
        f"  question: {question[0]}",
        *(
            f"  answer {i + 1}: {_names(task, i, len(answers))[answer]}, on card {cards[card]!r}"
            for i, (answer, card) in enumerate(zip(answers, looks_at, strict=True))
            if answer != NO_ANSWER
        ),
    ]


def _names(task: Task, place: int, n_questions: int) -> Sequence[str]:
    """Return the names of a question's answers. `answers` may hold the names for all questions, one after the
    other."""
    each = task.n_answers // n_questions
    of_all = len(task.answers) == task.n_answers
    return task.answers[place * each :] if of_all else task.answers
