"""Chapter 8: a W for each head, one big W cut up afterwards, or x cut up first."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.functional import scaled_dot_product_attention as torchs

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises import EXERCISES
from qkvlib.models import Model, MultiHead, OwnHeads, SplitFirst
from qkvlib.models.base import Answer, Draw
from qkvlib.multi_head import head_contributions, merge_heads, multi_head_attention, split_heads
from qkvlib.tasks import Halves, Recall, TwoQuestions
from qkvlib.training import Keep, Watched, sgd_step
from qkvlib.training.measures import mass_on, measure
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import once, trained

N_HEADS, D = 3, 12
D_K = D // N_HEADS

Case = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]


def _case(seed: int) -> Case:
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(2, 5, D, generator=generator, dtype=torch.float64)
    drawn = torch.randn(4, D, D, generator=generator, dtype=torch.float64) / math.sqrt(D)
    return (x, *drawn)  # type: ignore[return-value]


def _head_by_head(case: Case, split_first: bool = False) -> Tensor:
    """Run each head with its own columns of the big matrices, or with its piece of x and its block."""
    x, w_q, w_k, w_v, w_o = case
    outputs = []
    for head in range(N_HEADS):
        own = slice(head * D_K, (head + 1) * D_K)
        rows = own if split_first else slice(None)
        q, k, v = (x[..., rows] @ w[rows, own] for w in (w_q, w_k, w_v))
        outputs.append(scaled_dot_product_attention(q, k, v)[0])
    return torch.cat(outputs, dim=-1) @ w_o


def _distance(one: Tensor, other: Tensor) -> float:
    return float((one - other).norm() / other.norm())


@claim("08", "a W for each head against one big W: relative difference", at_most=1e-14)
def each_head_or_one_matrix(seed: int) -> float:
    case = _case(seed)
    return _distance(_head_by_head(case), multi_head_attention(*case, N_HEADS)[0])


@claim("08", "... torch's scaled_dot_product_attention: relative difference", at_most=1e-14)
def torch_agrees(seed: int) -> float:
    x, w_q, w_k, w_v, w_o = case = _case(seed)
    q, k, v = (split_heads(x @ w, N_HEADS) for w in (w_q, w_k, w_v))
    theirs = merge_heads(torchs(q, k, v)) @ w_o
    return _distance(theirs, multi_head_attention(*case, N_HEADS)[0])


@claim("08", "x cut into pieces first: relative difference (another function)", at_least=0.5)
def split_first(seed: int) -> float:
    case = _case(seed)
    return _distance(_head_by_head(case, split_first=True), multi_head_attention(*case, N_HEADS)[0])


@claim("08", "... equals one big W that is block-diagonal: relative difference", at_most=1e-14)
def split_first_is_block_diagonal(seed: int) -> float:
    x, *w, w_o = case = _case(seed)
    blocks = torch.block_diag(*[torch.ones(D_K, D_K, dtype=torch.float64)] * N_HEADS)
    big = multi_head_attention(x, *(each * blocks for each in w), w_o, N_HEADS)[0]
    return _distance(_head_by_head(case, split_first=True), big)


@claim("08", "sum of the heads' contributions against merging, then W_O", at_most=1e-14)
def contributions(seed: int) -> float:
    x, w_q, w_k, w_v, w_o = case = _case(seed)
    q, k, v = (split_heads(x @ w, N_HEADS) for w in (w_q, w_k, w_v))
    output, _ = scaled_dot_product_attention(q, k, v)
    summed = head_contributions(output, w_o).sum(dim=-3)
    return _distance(summed, multi_head_attention(*case, N_HEADS)[0])


def _shuffled(case: Case, viewed: bool) -> float:
    """Return the permutation error of multi-head attention, right or with `view` instead of split_heads."""
    x, *weights = case
    order = torch.tensor([3, 1, 4, 0, 2])

    def heads(x: Tensor) -> Tensor:
        if not viewed:
            return multi_head_attention(x, *weights, N_HEADS)[0]
        b, n, d = x.shape
        q, k, v = ((x @ w).view(b, N_HEADS, n, D_K) for w in weights[:3])
        return scaled_dot_product_attention(q, k, v)[0].reshape(b, n, d) @ weights[3]

    return float((heads(x[:, order]) - heads(x)[:, order]).abs().max())


@claim("08", "shuffled tokens, split_heads: largest difference", at_most=1e-12)
def permutation_right(seed: int) -> float:
    return _shuffled(_case(seed), viewed=False)


@claim("08", "shuffled tokens, view without transpose: the same test catches it", at_least=0.1)
def permutation_wrong(seed: int) -> float:
    return _shuffled(_case(seed), viewed=True)


def _every_third(case: Case) -> Callable[[Tensor], Tensor]:
    """Return a layer whose heads take every third number of a word: no word is mixed with another."""
    _, *weights = case

    def layer(x: Tensor) -> Tensor:
        b, n, d = x.shape
        q, k, v = ((x @ w).view(b, n, D_K, N_HEADS).permute(0, 3, 1, 2) for w in weights[:3])
        merged = scaled_dot_product_attention(q, k, v)[0].transpose(1, 2).reshape(b, n, d)
        return merged @ weights[3]

    return layer


@claim("08", "shuffled tokens, heads of every third number: the test misses it", at_most=1e-12)
def permutation_blind(seed: int) -> float:
    case = _case(seed)
    order, layer = torch.tensor([3, 1, 4, 0, 2]), _every_third(case)
    return float((layer(case[0][:, order]) - layer(case[0])[:, order]).abs().max())


@claim("08", "... but its output is another: relative difference", at_least=0.1)
def loop_is_not_blind(seed: int) -> float:
    case = _case(seed)
    return _distance(_every_third(case)(case[0]), multi_head_attention(*case, N_HEADS)[0])


@once
def halves(seed: int, n_heads: int, cut: bool) -> float:
    task = Halves(seed=seed)
    model: Model = (
        SplitFirst(task.n_answers, task.d_model, n_heads, seed)
        if cut
        else MultiHead(None, task.n_answers, task.d_model, n_heads, seed=seed)
    )
    return trained(model, task, 600, adam(0.01), seed).after.accuracy


@claim("08", "key and payload in two halves of x, full W, 2 heads: accuracy", at_least=0.99)
def halves_full(seed: int) -> float:
    return halves(seed, 2, cut=False)


@claim("08", "key and payload in two halves of x, x cut first, 2 heads: accuracy", at_most=0.45)
def halves_cut(seed: int) -> float:
    return halves(seed, 2, cut=True)


class TurnedThenCut(SplitFirst):
    """Rotate x before it is cut, so that each piece has something of all of x."""

    TURN = torch.linalg.qr(torch.randn(16, 16, generator=torch.Generator().manual_seed(0)))[0]

    def __call__(self, x: Tensor, memory: Tensor) -> Answer:
        return super().__call__(x @ self.TURN, memory @ self.TURN)


@claim("08", "... the same x rotated first, then cut: accuracy", at_least=0.85)
def halves_turned(seed: int) -> float:
    task = Halves(seed=seed)
    model = TurnedThenCut(task.n_answers, task.d_model, 2, seed)
    return trained(model, task, 250, adam(0.01), seed).after.accuracy


@dataclass(eq=False)
class LearnedThenCut(SplitFirst):
    """Learn the vectors; the embedding starts with persons in one half of x and colours in the other."""

    def first_weights(self) -> dict[str, Tensor]:
        draw = Draw(self.seed)
        embedding = torch.block_diag(draw(8, 8, spread=1.0), draw(8, 8, spread=1.0))
        return super().first_weights() | {"embedding": embedding}

    def __call__(self, question: Tensor, cards: Tensor) -> Answer:
        return super().__call__(self.embedding[question].sum(-2), self.embedding[cards].sum(-2))


def _recall_cut(seed: int, *freeze: str) -> float:
    run = trained(LearnedThenCut(8, 16, 2, seed), Recall(), 250, adam(0.01), seed, freeze=freeze)
    return run.after.accuracy


@claim("08", "... recall, x cut first, the vectors start in two halves and learn: accuracy", at_least=0.95)
def learned_cut(seed: int) -> float:
    return _recall_cut(seed)


@claim("08", "... the same, the vectors frozen in two halves: accuracy", at_most=0.45)
def frozen_cut(seed: int) -> float:
    return _recall_cut(seed, "embedding")


@once
def by_hand(seed: int) -> OwnHeads:
    """Train two heads as the lesson does: plain steps, with the loop that a learner writes."""
    task = TwoQuestions()
    mask = torch.ones(7, 7, dtype=torch.bool)
    mask[:, -1] = False
    layer = OwnHeads(multi_head_attention, mask, task.n_tokens, task.n_answers, seed=seed)
    batches = Watched(layer, task, 200, record=Keep(every=200), seed=seed)
    loop = EXERCISES["train_two_heads"].reference
    loop([layer.w_q, layer.w_k, layer.w_v, layer.w_o], batches, mask, 1.0)
    batches.recording()
    return layer


@torch.no_grad()
def _looks(layer: OwnHeads) -> Tensor:
    """Return the weight of each of two heads on the card of each question: [head, question]."""
    batch = TwoQuestions().test()
    maps = layer(*batch.inputs).attention["heads"]
    places = [batch.looks_at[:, [question]] for question in (0, 1)]
    return torch.tensor([[mass_on(maps[:, h], at) for at in places] for h in (0, 1)])


@claim("08", "two heads, two questions, a loop by hand, 200 plain steps: both right", at_least=0.99)
def by_hand_both_right(seed: int) -> float:
    return measure(by_hand(seed), TwoQuestions().test()).all_right


@claim("08", "... each head has a question of its own: weight on its card", at_least=0.9)
def by_hand_own_question(seed: int) -> float:
    looks = _looks(by_hand(seed))
    return max(float(looks.diag().min()), float(looks.flip(1).diag().min()))


@claim("08", "... weight of a head on the card of the other question", at_most=0.05)
def by_hand_other_question(seed: int) -> float:
    looks = _looks(by_hand(seed))
    return float(looks.amin(1).max())


@once
def first_question_only(seed: int) -> OwnHeads:
    """Train the same heads with the same steps, but without the second question in the loss."""
    task, mask = TwoQuestions(), torch.ones(7, 7, dtype=torch.bool)
    mask[:, -1] = False
    layer = OwnHeads(multi_head_attention, mask, task.n_tokens, task.n_answers, seed=seed)
    weights = [layer.weights[name].requires_grad_() for name in ("w_q", "w_k", "w_v", "w_o")]
    generator = torch.Generator().manual_seed(1000 + seed)
    for _ in range(200):
        batch = task.batch(64, generator)
        first = layer(*batch.inputs).logits.reshape(64, 2, -1)[:, 0]
        (cross_entropy(first, batch.answers[:, 0]) / 2).backward()  # half of the loss, as in the lesson
        sgd_step(weights, 1.0)
    for weight in weights:
        weight.requires_grad_(False)
    return layer


@claim("08", "... only the first question asked: the least weight of a head on its card", at_least=0.2)
def both_heads_at_one_card(seed: int) -> float:
    return float(_looks(first_question_only(seed))[:, 0].min())


@claim("08", "... only the first question asked: the most weight on the other card", at_most=0.2)
def no_head_at_the_other_card(seed: int) -> float:
    return float(_looks(first_question_only(seed))[:, 1].max())
