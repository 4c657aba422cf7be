"""A slip of the hand in a right answer is caught, or it changes nothing, and then we say why."""

from __future__ import annotations

import re
import warnings

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.mutants import Mutant, mutants_of, survives

# Where many answers are right, a change that still reaches the goal is one of them.
GOALS = {"choose_w_q_w_k", "choose_recall_weights", "break_symmetry"}

# A pattern of `origin | before => after | the expression around it`, and why nothing changes.
HARMLESS = {
    r"strict=True": "the lengths agree, so `strict` never speaks",
    r"\| \w+ => \w+ \| (\w+\.(shape|ndim|size\(-1\)|norm\(\))|len\(\w+\)|\w+\[0\])$":
        "only a size, or a common factor, is read, and the two agree in it",
    r"0\.0 => -0\.0": "minus zero is zero",
    r"(\S+) @ (\S+) => \2 @ \1": "the dot product of two vectors has no order",
    r"(dot|cosine_similarity|min|combine_masks|Linear|zeros)\((.+), (.+)\) => .*\(\3, \2":
        "the function is symmetric in these two, or reads sizes that agree",
    r"einsum\('(\S+),\1->": "the sum is symmetric in its two factors",
    r"transpose\((\S+), (\S+)\) => .*transpose\(\2, \1\)": "a swap of two axes has no order",
    r"\| (0 => -1|-1 => 1|-2 => 2) \|": "the same axis or entry, counted from the other end",
    r"shape\[\d\]$": "the matrix is square in every case, or only used for a shape replaced later",
    r", (dim=)?-?\d\) => \S+\(.*\)": "the default is the same axis",
    r"\.(tolist|item|detach|clone|float|contiguous|log_softmax|expand)\(.*\) => ":
        "the numbers stay the same, or keep their order",
    r"1e[-+]?\d+|1000000000\.0|1e-0\d": "it only has to be large, or small, enough",
    r"^softmax \|": "matters in a row of nothing but minus infinities, which is not asked here",
    r"s - max\(scores\)": "Python's floats do not overflow below exp(709)",
    r"context => |\('w_[qkv]', w_[qkv]\)": "there is no context here; the loop only checks shapes",
    r"b_k( =>|\]?$)|b_k => |[-+] b_k": "a bias of the keys adds the same to a whole row of scores",
    r"optimiser": "no gradient is left from before, so there is nothing to clear",
    r"causal|look\(x, x, w_self, True\)": "the last row sees all that is there in any case",
    r"^_nearest_by_loop \| (-?\d|cosine >)": "any start below -1 is overtaken; ties do not happen",
    r"query\.norm\(\) \* key\.norm\(\) => key": "the query's length is the same for all keys",
    r"nan_in_empty_rows\.program": "only the weights of that call are used",
    r"^_by_torch \| (mask|-?1 =>)": "the empty rows are multiplied with the mask once more",
    r"^_step_by_index \| params => lr": "what a step returns is not judged, only what it does",
    r"\(d_q, d_k, d_v\)": "only the sizes are read, and those of q and k agree",
    r"^contextual_similarity \| 1 => 2": "a longer slice, of which only the first row is used",
    r"bias=False": "a new layer's bias is zero",
    r"flatten\(end_dim=-2\) => ": "this exercise has no batch, so there is nothing to flatten",
}  # fmt: skip


def arguments_for(mutant: Mutant) -> list[str]:
    """Why this change changes nothing, if that is known."""
    words = f"{mutant.origin} | {mutant.change} | {mutant.within}"
    return [why for pattern, why in HARMLESS.items() if re.search(pattern, words)]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_every_mutant_is_caught_or_equal_by_an_argument(exercise: Exercise) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alive = [
            mutant
            for mutant in mutants_of(exercise)
            if all(survives(exercise, mutant.program, seed) for seed in (0, 1))
        ]
    unexplained = [m for m in alive if exercise.name not in GOALS and not arguments_for(m)]
    assert not unexplained, "\n".join(f"{m.origin} | {m.change} | {m.within}" for m in unexplained)
