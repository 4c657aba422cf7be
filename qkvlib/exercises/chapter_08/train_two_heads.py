"""The loop that trains two heads."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Answer, Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal
from qkvlib.training import sgd_step

exercise = ExerciseBuilder(
    points=3,
    builds_on=("multi_head_attention", "sgd_step"),
    returns=("the losses", "the parameters after the loop"),
    changes=("params",),
    hints=(
        "The function is `training_step` of chapter 5 inside a `for` loop: forward, loss, backward, step, "
        "once for each batch.",
        "`output[:, -1]` has all scores of a sentence in one row, first the scores of the first question, "
        "then the scores of the second. `.reshape(targets.numel(), -1)` gives each question its own row, "
        "and `targets.flatten()` has the answers in the same order.",
        "an empty list; for x and targets in batches: attend with 2 heads and the mask; last word; "
        "cross-entropy; backward; sgd_step; append the loss as a number; after the loop return the "
        "list",
    ),
)

Params = list[Tensor]
Batches = list[tuple[Tensor, Tensor]]


@exercise.reference
def train_two_heads(
    params: Params,
    batches: Batches,
    mask: Tensor,
    lr: float,
    heads: Answer = many.multi_head_attention,
) -> list[float]:
    """Train two heads, one step for each batch, and return the loss of each step.

    `params` are w_q, w_k, w_v and w_o. A batch is x [b n d] and targets [b 2]: the last word of
    each sentence asks two questions. The output there is a row of scores, those of all answers to
    the first question, then those of all answers to the second. The loss is the cross-entropy,
    averaged over both questions of all sentences. `heads` computes multi-head attention.
    """
    losses = []
    for x, targets in batches:
        loss = F.cross_entropy(_scores(params, x, targets, mask, heads=heads), targets.flatten())
        loss.backward()
        sgd_step(params, lr)
        losses.append(float(loss.detach()))
    return losses


def _scores(
    params: Params,
    x: Tensor,
    targets: Tensor,
    mask: Tensor | None,
    place: int = -1,
    n_heads: int = 2,
    heads: Answer = many.multi_head_attention,
) -> Tensor:
    """The scores of the answers, one row for each question."""
    output, _ = heads(x, *params, n_heads, mask)
    return cast(Tensor, output[:, place].reshape(targets.numel(), -1))


def _gradient(p: Tensor) -> Tensor:
    assert p.grad is not None, "a parameter gets its gradient from `loss.backward()`"
    return p.grad


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(steps: int, b: int, n: int, d: int, d_k: int, answers: int, lr: float) -> Any:
        shapes = ((d, 2 * d_k), (d, 2 * d_k), (d, 2 * d_k), (2 * d_k, 2 * answers))
        params = [normal(generator, *shape).requires_grad_() for shape in shapes]
        batches = [
            (normal(generator, b, n, d), torch.randint(answers, (b, 2), generator=generator))
            for _ in range(steps)
        ]
        mask = torch.ones(n, n, dtype=torch.bool)
        mask[:, -1] = False
        return params, batches, mask, lr

    return [
        Case("one batch: one sentence of 2 words, 3 answers", case(1, 1, 3, 2, 1, 3, 0.5)),
        Case("2 batches of 3 sentences", case(2, 3, 4, 5, 3, 4, 0.2)),
        Case("as many sentences as words as answers", case(3, 4, 4, 4, 2, 4, 0.1)),
        Case("a tiny learning rate", case(3, 2, 3, 4, 2, 5, 1e-2)),
        Case("6 batches", case(6, 4, 5, 6, 2, 3, 0.3)),
    ]


@exercise.judged_by
def state(value: Any, params: Params, batches: Batches, mask: Tensor, lr: float) -> Any:
    """What counts after the loop: the losses, and where the parameters are."""
    losses = torch.tensor([float(loss) for loss in value]) if isinstance(value, list) else value
    return losses, tuple(p.detach().clone() for p in params)


def _trained(
    params: Params,
    batches: Batches,
    mask: Tensor | None,
    lr: float,
    loss_of: Answer = F.cross_entropy,
    **how: Any,
) -> list[float]:
    losses = []
    for x, targets in batches:
        loss = loss_of(_scores(params, x, targets, mask, **how), targets.flatten())
        loss.backward()
        sgd_step(params, lr)
        losses.append(float(loss.detach()))
    return losses


@exercise.mistake(
    "You never clear the gradients, so from the second step on you also follow old gradients.",
    "What does `backward()` do with an existing gradient: replace it, or add to it?",
)
def gradients_kept(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    losses = []
    for x, targets in batches:
        loss = F.cross_entropy(_scores(params, x, targets, mask), targets.flatten())
        loss.backward()
        for p in params:
            p.data -= lr * _gradient(p)
        losses.append(float(loss.detach()))
    return losses


@exercise.mistake(
    "You take the answers from the first word. But the last word asks the questions.",
    "Which index gives the last word of a sentence of any length?",
)
def first_word_asked(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, mask, lr, place=0)


@exercise.mistake(
    "You walk uphill, so each step makes the loss larger.",
    "If the gradient is positive, should the step make the parameter larger or smaller?",
)
def uphill(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, mask, -lr)


@exercise.mistake(
    "The parameters have not moved. Each loss is computed with the initial weights.",
    "After `loss.backward()` every parameter has its gradient. Which function uses the gradients?",
)
def no_step(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, mask, 0.0)


@exercise.mistake(
    "The losses are right, but the parameters that you were given have not moved: you made new parameters, "
    "which are lost when your function returns.",
    "Which of `p = p - ...` and `p -= ...` changes the tensor p itself, and which makes a new tensor?",
)
def new_parameters(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained([p.detach().clone().requires_grad_() for p in params], batches, mask, lr)


@exercise.mistake(
    "The training is right, but your function returns nothing. The lesson prints the losses, so return the "
    "losses.",
    "What does a function without `return` give back?",
)
def nothing_returned(params: Params, batches: Batches, mask: Tensor, lr: float) -> None:
    _trained(params, batches, mask, lr)


@exercise.mistake(
    "You return inside the loop, so the loop ends after the first batch.",
    "How far is your `return` indented: as far as `for`, or further?",
)
def returned_at_once(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches[:1], mask, lr)


@exercise.mistake(
    "The training is right, but you return only the last loss. Return one loss for each batch.",
    "What happens to the losses of the earlier steps?",
)
def last_loss_only(params: Params, batches: Batches, mask: Tensor, lr: float) -> float:
    return _trained(params, batches, mask, lr)[-1]


@exercise.mistake(
    "Your mask never reaches the scores, so the word that asks looks at itself, too.",
    "In which of your lines does the mask appear?",
)
def mask_lost(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, None, lr)


@exercise.mistake(
    "You train only one wide head. Train two heads.",
    "What do you pass to `multi_head_attention` as `n_heads`?",
)
def one_wide_head(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, mask, lr, n_heads=1)


@exercise.mistake(
    "Your loss uses only the first question, so the heads would not learn to answer the second question.",
    "How many right answers does `targets` have for each sentence, and how many do you use?",
)
def one_question_only(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    def loss_of(scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(scores[::2], targets[::2])

    return _trained(params, batches, mask, lr, loss_of)


@exercise.mistake(
    "You mix the two questions' scores. But in each row of scores, the scores of the first question come "
    "first, and then the scores of the second question.",
    "With 8 answers, at which index is the score of the second answer to the first question: 1 or 2?",
)
def scores_in_turn(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    def loss_of(scores: Tensor, targets: Tensor) -> Tensor:
        b = len(targets) // 2
        return F.cross_entropy(scores.reshape(b, -1, 2), targets.reshape(b, 2))

    return _trained(params, batches, mask, lr, loss_of)


@exercise.mistake(
    "The scores and the targets are in different orders. One of these two tensors has all first questions "
    "before all second questions. The other tensor has the two questions of each sentence together.",
    "What is the order of `targets.flatten()`, and what is the order of the rows of your scores?",
)
def targets_in_another_order(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    def loss_of(scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(scores, targets.reshape(-1, 2).T.flatten())

    return _trained(params, batches, mask, lr, loss_of)


@exercise.mistake(
    "You take softmax before `cross_entropy`, which takes softmax itself. Applied twice, softmax makes all "
    "answers almost equal, so learning is slow.",
    "What does `F.cross_entropy` expect: scores, or weights that sum to one?",
)
def softmax_twice(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    def loss_of(scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(scores.softmax(-1), targets)

    return _trained(params, batches, mask, lr, loss_of)


@exercise.mistake(
    "You sum the losses, so the step would grow with the number of sentences.",
    "If every sentence were in the batch twice, should the loss change?",
)
def losses_summed(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    def loss_of(scores: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(scores, targets, reduction="sum")

    return _trained(params, batches, mask, lr, loss_of)


@exercise.mistake(
    "You never use the learning rate, so your step is the whole gradient.",
    "With lr = 0.01, how far should a gradient of 1 move a parameter?",
)
def no_learning_rate(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    return _trained(params, batches, mask, 1.0)


@exercise.mistake(
    "Only w_v and w_o move, and w_q and w_k stay as they were. Each head would keep looking where it looked "
    "at the start.",
    "Do w_q and w_k have gradients after `loss.backward()`, and does your step reach w_q and w_k?",
)
def only_values_trained(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    start = [p.detach().clone() for p in params[:2]]
    losses = []
    for batch in batches:
        losses += _trained(params, [batch], mask, lr)
        for p, first in zip(params, start, strict=False):
            p.data.copy_(first)
    return losses


@exercise.alternative
def _by_autograd_grad(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    w_q, w_k, w_v, w_o = params
    losses = []
    for x, targets in batches:
        output, _ = many.multi_head_attention(x, w_q, w_k, w_v, w_o, 2, mask)
        first, second = output[:, -1].chunk(2, dim=1)
        chances = torch.stack([first, second], dim=1).log_softmax(-1)
        loss = -chances.gather(-1, targets[..., None]).mean()
        for p, g in zip(params, torch.autograd.grad(loss, params), strict=True):
            p.data.sub_(lr * g)
        losses.append(loss.item())
    return losses


@exercise.alternative
def _by_an_optimiser(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[Tensor]:
    w_q, w_k, w_v, w_o = params
    optimiser = torch.optim.SGD(params, lr=lr)
    losses = []
    for x, targets in batches:
        optimiser.zero_grad()
        output, _ = many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads=2, mask=mask)
        scores = output[:, -1].reshape(len(x), 2, -1)
        loss = F.cross_entropy(scores.mT, targets)
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
    return losses


@exercise.alternative
def _one_question_after_the_other(params: Params, batches: Batches, mask: Tensor, lr: float) -> list[float]:
    w_q, w_k, w_v, w_o = params
    answers = w_o.shape[1] // 2
    losses = []
    for x, targets in batches:
        q, k, v = (many.split_heads(x @ w, 2) for w in (w_q, w_k, w_v))
        found = F.scaled_dot_product_attention(q[:, :, -1:], k, v, mask[-1:])
        scores = (many.merge_heads(found) @ w_o).squeeze(1)
        loss = F.cross_entropy(scores[:, :answers], targets[:, 0]) / 2
        loss = loss + F.cross_entropy(scores[:, answers:], targets[:, 1]) / 2
        loss.backward()
        with torch.no_grad():
            for p in params:
                p.add_(_gradient(p), alpha=-lr)
                _gradient(p).zero_()
        losses.append(float(loss.detach()))
    return losses
