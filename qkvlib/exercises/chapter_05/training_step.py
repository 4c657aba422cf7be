"""One step of training one head."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    builds_on=("project_qkv", "scaled_dot_product_attention", "sgd_step"),
    returns=("the loss", "the parameters after the step", "the gradients after the step"),
    changes=("params",),
    hints=(
        "Four lines: forward, loss, backward, step. You already have functions for the first line and for "
        "the last line.",
        "`output[:, -1] @ w_o` gives the scores of the answers; `F.cross_entropy(scores, targets)` is the "
        "loss, already averaged over the sentences.",
        "project and attend; take the last word's output times w_o; cross-entropy; backward; "
        "sgd_step; return the loss as a number",
    ),
)

Params = list[Tensor]


@exercise.reference
def training_step(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    """One step of training one head: forward, loss, backward, downhill. Returns the loss.

    `params` are w_q, w_k, w_v and w_o. x is [b n d]: b sentences of n words. The last word of each
    is asked: the output there, times w_o, scores the answers, and `targets` [b] says which answer
    is right. The loss is the cross-entropy, averaged over the sentences.
    """
    loss = F.cross_entropy(_scores(params, x), targets)
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= lr * _gradient(p)
            p.grad = None
    return float(loss.detach())


def _gradient(p: Tensor) -> Tensor:
    assert p.grad is not None, "a parameter gets its gradient from `loss.backward()`"
    return p.grad


def _scores(params: Params, x: Tensor, place: Any = -1) -> Tensor:
    w_q, w_k, w_v, w_o = params
    output, _ = attention.scaled_dot_product_attention(*attention.project_qkv(x, w_q, w_k, w_v))
    return output[:, place] @ w_o


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, n: int, d: int, d_k: int, answers: int, lr: float) -> tuple[Any, ...]:
        shapes = ((d, d_k), (d, d_k), (d, d), (d, answers))
        params = [normal(generator, *shape).requires_grad_() for shape in shapes]
        targets = torch.randint(answers, (b,), generator=generator)
        return params, normal(generator, b, n, d), targets, lr

    return [
        Case("one sentence of 2 words, two answers", case(1, 2, 2, 2, 2, 0.5)),
        Case("3 sentences of 4 words", case(3, 4, 5, 3, 4, 0.1)),
        Case("as many sentences as words as answers", case(3, 3, 3, 3, 3, 0.2)),
        Case("a tiny learning rate", case(2, 3, 4, 2, 5, 1e-2)),
        Case("a large batch", case(16, 3, 4, 4, 3, 1.0)),
    ]


@exercise.judged_by
def state(value: Any, params: Params, x: Tensor, targets: Tensor, lr: float) -> Any:
    """What counts after a step: the loss, the numbers, and that no gradient is left."""
    numbers = tuple(p.detach().clone() for p in params)
    left = tuple(torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in params)
    return value, numbers, left


def _step(params: Params, loss: Tensor, lr: float, moved: slice = slice(None)) -> float:
    loss.backward()
    with torch.no_grad():
        for p in params[moved]:
            p -= lr * _gradient(p)
        for p in params:
            p.grad = None
    return float(loss.detach())


@exercise.mistake(
    "The loss is right, but no parameter has moved.",
    "Which line of your function computes the gradients, and which line uses the gradients?",
)
def no_step(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return float(F.cross_entropy(_scores(params, x), targets).detach())


@exercise.mistake(
    "The parameters have no gradients yet: `p.grad` is None until you call `loss.backward()`.",
    "After which line of your function should the gradients exist?",
)
def never_backwards(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    loss = F.cross_entropy(_scores(params, x), targets)
    with torch.no_grad():
        for p in params:
            p -= lr * cast(Tensor, p.grad)
    return float(loss.detach())


@exercise.mistake(
    "You walk uphill, so the step makes the loss larger.",
    "If the gradient is positive, should the step make the parameter larger or smaller?",
)
def uphill(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x), targets), -lr)


@exercise.mistake(
    "You take softmax before `cross_entropy`, which takes softmax itself. Applied twice, softmax makes all "
    "answers almost equal, so learning is slow.",
    "What does `F.cross_entropy` expect: scores, or weights that sum to one?",
)
def softmax_twice(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x).softmax(-1), targets), lr)


@exercise.mistake(
    "You sum the losses of the sentences, so the step would grow with the size of the batch.",
    "If every sentence were in the batch twice, should the loss change?",
)
def losses_summed(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x), targets, reduction="sum"), lr)


@exercise.mistake(
    "You take the answer from the first word. But the last word asks the question.",
    "What is the index of the last word, for any length of the sentence?",
)
def first_word_asked(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x, 0), targets), lr)


@exercise.mistake(
    "You average the outputs of all words. But only the last word asks the question.",
    "Which row of the output belongs to the word that asks?",
)
def all_words_averaged(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    scores = _scores(params, x, slice(None)).mean(1)
    return _step(params, F.cross_entropy(scores, targets), lr)


@exercise.mistake(
    "Only w_v and w_o move. But if w_q and w_k never move, attention never learns where to look.",
    "Do w_q and w_k have gradients after `loss.backward()`, and does your step reach w_q and w_k?",
)
def only_values_trained(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x), targets), lr, slice(2, None))


@exercise.mistake(
    "The step is right, but you do not clear the gradients. The next backward pass would add to these old "
    "gradients.",
    "What does `backward()` do with an existing gradient: replace it, or add to it?",
)
def gradients_kept(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    loss = F.cross_entropy(_scores(params, x), targets)
    loss.backward()
    for p in params:
        p.data -= lr * _gradient(p)
    return float(loss.detach())


@exercise.mistake(
    "The step is right, but you return the loss after the step. Return the loss before the step.",
    "Where in your function is the returned loss computed: before or after the parameters move?",
)
def loss_after_the_step(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    _step(params, F.cross_entropy(_scores(params, x), targets), lr)
    return float(F.cross_entropy(_scores(params, x), targets).detach())


@exercise.mistake(
    "The step is right, but your function returns nothing. The lesson needs each loss for its plot.",
    "What does a function without `return` give back?",
)
def nothing_returned(params: Params, x: Tensor, targets: Tensor, lr: float) -> None:
    _step(params, F.cross_entropy(_scores(params, x), targets), lr)


@exercise.mistake(
    "You never use the learning rate, so your step is the whole gradient.",
    "With lr = 0.01, how far should a gradient of 1 move a parameter?",
)
def no_learning_rate(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    return _step(params, F.cross_entropy(_scores(params, x), targets), 1.0)


@exercise.alternative
def _training_by_autograd_grad(params: Params, x: Tensor, targets: Tensor, lr: float) -> float:
    chances = _scores(params, x).log_softmax(-1)
    loss = -chances[torch.arange(len(targets)), targets].mean()
    gradients = torch.autograd.grad(loss, params)
    for p, g in zip(params, gradients, strict=True):
        p.data.sub_(lr * g)
    return loss.item()


@exercise.alternative
def _training_by_optimiser(params: Params, x: Tensor, targets: Tensor, lr: float) -> Tensor:
    optimiser = torch.optim.SGD(params, lr=lr)
    optimiser.zero_grad()
    loss = F.cross_entropy(_scores(params, x), targets)
    loss.backward()
    optimiser.step()
    optimiser.zero_grad()
    return loss.detach()


@exercise.alternative
def _training_by_sdpa(params: Params, x: Tensor, targets: Tensor, lr: float) -> Tensor:
    w_q, w_k, w_v, w_o = params
    output = F.scaled_dot_product_attention(x[:, -1:] @ w_q, x @ w_k, x @ w_v)
    loss = F.nll_loss(F.log_softmax(output.squeeze(1) @ w_o, dim=-1), targets)
    loss.backward()
    with torch.no_grad():
        for p in params:
            p.add_(_gradient(p), alpha=-lr)
            _gradient(p).zero_()
    return loss
