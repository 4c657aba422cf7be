"""How much of its attention each head puts where it should."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import attending

exercise = ExerciseBuilder(
    points=2,
    hints=(
        "For each word, read one number of the word's row: the number at the word's target.",
        "`targets >= 0` tells which words have a target. `weights[:, rows, columns]` reads, in each head, "
        "the numbers at [rows[i], columns[i]].",
        "for each head: the weights at [word, target] of all words that have a target; then the mean of "
        "these weights",
    ),
)


@exercise.reference
def head_scores(weights: Tensor, targets: Tensor) -> Tensor:
    """How much of its attention each head puts where `targets` points, on average over the words.

    weights [h n m], targets [n]: the position that each word should look at, -1 where there is none;
    those words are left out. One number per head, between 0 and 1.
    """
    asked = targets >= 0
    there = weights[:, asked, :].gather(-1, targets[asked].expand(len(weights), -1)[..., None])
    return there[..., 0].mean(-1)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(h: int, n: int, m: int, missing: int) -> tuple[Tensor, Tensor]:
        targets = torch.randint(m, (n,), generator=generator)
        targets[torch.randperm(n, generator=generator)[:missing]] = -1
        return attending(generator, h, n, m), targets

    weights = torch.tensor([[[1.0, 0.0], [0.5, 0.5]], [[0.25, 0.75], [0.0, 1.0]]])
    previous = torch.tensor([-1, 0, 1, 2])
    return [
        Case("2 heads, 2 words", (weights, torch.tensor([0, 1]))),
        Case(
            "each word should look at the one before; the first has none",
            (attending(generator, 3, 4, 4), previous),
        ),
        Case("3 heads, 5 words, each with a target", case(3, 5, 4, 0)),
        Case("4 heads, 4 words, one without a target", case(4, 4, 4, 1)),
        Case("6 words, three without a target", case(2, 6, 5, 3)),
        Case("a single head", case(1, 3, 5, 1)),
        Case("8 heads", case(8, 7, 7, 2)),
    ]


def _there(weights: Tensor, targets: Tensor) -> Tensor:
    return weights[:, torch.arange(len(targets)), targets]


@exercise.mistake(
    "You include the words that have no target. But -1 is not a position here, so leave these words out.",
    "What does `row[-1]` give in Python?",
)
def minus_one_is_last(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets).mean(-1)


@exercise.mistake(
    "You count a word without a target as a miss, but such a word should not count at all.",
    "Over how many words do you average, and how many words have a target?",
)
def counted_as_misses(weights: Tensor, targets: Tensor) -> Tensor:
    return (_there(weights, targets) * (targets >= 0)).mean(-1)


@exercise.mistake(
    "You add up the weights. Return their average, a number between 0 and 1.",
    "If a head is right for all 5 words, what should its score be?",
)
def summed(weights: Tensor, targets: Tensor) -> Tensor:
    return (_there(weights, targets) * (targets >= 0)).sum(-1)


@exercise.mistake(
    "You only count how often the target gets the largest weight. But the score should also show how large "
    "the weight of the target is.",
    "If a head always gives 0.4 to the target and 0.6 to another word, what should its score be?",
)
def hits_counted(weights: Tensor, targets: Tensor) -> Tensor:
    asked = targets >= 0
    return (weights.argmax(-1)[:, asked] == targets[asked]).float().mean(-1)


@exercise.mistake(
    "You average over the heads, but each head should get its own score.",
    "In a tensor [heads, words], which `dim` counts the words?",
)
def heads_averaged(weights: Tensor, targets: Tensor) -> Tensor:
    return head_scores(weights, targets).mean()


@exercise.mistake(
    "You take the largest weight of each word, wherever it is. But only the weight at the target counts.",
    "Where do you use `targets` to choose a column?",
)
def largest_weight(weights: Tensor, targets: Tensor) -> Tensor:
    return weights[:, targets >= 0].amax(-1).mean(-1)


@exercise.mistake(
    "You average over the heads and keep the words. Average over the words and keep the heads.",
    "In a tensor [heads, words], which `dim` counts the words?",
)
def words_kept(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets)[:, targets >= 0].mean(0)


@exercise.mistake(
    "You found the right weights, but you return all of them. Return one number per head, the average of its "
    "weights.",
    "Your result is [heads, words]. Which of these two dimensions do you still have to average over?",
)
def not_averaged(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets)[:, targets >= 0]


@exercise.mistake(
    "You also leave out rows whose target is 0, the first position. Only -1 means that there is no target.",
    "Which of the targets -1, 0 and 1 does your program keep?",
)
def first_place_left_out(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets)[:, targets > 0].mean(-1)


@exercise.mistake(
    "You read every row at the targets of all rows. But each row has its own target.",
    "For a head with 5 rows, how many weights should you average: 5, 10 or 25?",
)
def every_row_with_every_target(weights: Tensor, targets: Tensor) -> Tensor:
    return weights[:, :, targets[targets >= 0]].mean((1, 2))


@exercise.mistake(
    "You turn -1 into 0, so you count the first weight of a row that has no target. Leave these rows out.",
    "Over how many rows do you average, and how many rows have a target?",
)
def minus_one_is_first(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets.clamp(min=0)).mean(-1)


@exercise.mistake(
    "Once rows are left out, your targets no longer match their rows: you use the first target in row 0, "
    "the second target in row 1, and so on.",
    "If row 0 has no target, which row does the first target belong to?",
)
def rows_moved_up(weights: Tensor, targets: Tensor) -> Tensor:
    asked = targets[targets >= 0]
    return weights[:, torch.arange(len(asked)), asked].mean(-1)


@exercise.alternative
def _scores_by_loops(weights: Tensor, targets: Tensor) -> Tensor:
    scores = []
    for head in weights:
        found = [float(head[i, t]) for i, t in enumerate(targets.tolist()) if t >= 0]
        scores.append(sum(found) / len(found))
    return torch.tensor(scores)


@exercise.alternative
def _scores_by_one_hot(weights: Tensor, targets: Tensor) -> Tensor:
    wanted = (targets[:, None] == torch.arange(weights.shape[-1])).float()
    return torch.einsum("hnm,nm->h", weights, wanted) / wanted.sum()


@exercise.alternative
def _scores_by_index(weights: Tensor, targets: Tensor) -> Tensor:
    rows = (targets >= 0).nonzero()[:, 0]
    return weights[:, rows, targets[rows]].sum(dim=1) / len(rows)
