"""Chapter 9: why heads differ, and how two heads work in a chain."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.models import MultiHead, Stack
from qkvlib.tasks import Induction, TwoQuestions
from qkvlib.training.measures import mass_on, measure
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


@once
def two_questions(seed: int, n_heads: int, d_model: int = 16, steps: int = 500) -> Run:
    task = TwoQuestions()
    model = MultiHead(task.n_tokens, task.n_answers, d_model, n_heads, seed=seed)
    return trained(model, task, steps, adam(0.01), seed)


@claim("09", "two questions at once, 1 head: both right", at_most=0.35)
def one_head(seed: int) -> float:
    return two_questions(seed, 1).after.all_right


@claim("09", "two questions, 1 head, twice the width, three times the steps", at_most=0.35, most_seeds=10)
def one_wide_head(seed: int) -> float:
    return two_questions(seed, 1, 32, 1500).after.all_right


@claim("09", "two questions at once, 2 heads: both right", at_least=0.99)
def two_heads(seed: int) -> float:
    return two_questions(seed, 2).after.all_right


@claim("09", "two questions at once, 4 heads: both right", at_least=0.99)
def four_heads(seed: int) -> float:
    return two_questions(seed, 4).after.all_right


@torch.no_grad()
def _jobs(seed: int) -> Tensor:
    """Return the weight of each of two heads on the card of each question: [head, question]."""
    run = two_questions(seed, 2)
    batch = run.task.test()
    maps = run.model(*batch.inputs).attention["heads"].expand(-1, -1, 2, -1)
    places = [batch.looks_at[:, [question]] for question in (0, 1)]
    return torch.tensor([[mass_on(maps[:, h, :1], at) for at in places] for h in (0, 1)])


@claim("09", "each of two heads has a question of its own: weight on it", at_least=0.85)
def specialised(seed: int) -> float:
    jobs = _jobs(seed)
    straight, crossed = jobs.diagonal(), jobs.flip(1).diagonal()
    return float(max(straight.mean(), crossed.mean()))


@torch.no_grad()
def _ablated(seed: int, own: bool) -> float:
    """Return the accuracy without head 0, on its own question or on the other one."""
    run = two_questions(seed, 2)
    batch = run.task.test()
    logits = run.model(*batch.inputs, ablate=[0]).logits.reshape(*batch.answers.shape, -1)
    right = (logits.argmax(-1) == batch.answers).float().mean(0)
    question = int(_jobs(seed)[0].argmax())
    return float(right[question if own else 1 - question])


@claim("09", "one head ablated: its own question (chance 0.125)", at_most=0.3)
def ablated_own(seed: int) -> float:
    return _ablated(seed, own=True)


@claim("09", "one head ablated: the other head's question", at_least=0.98)
def ablated_other(seed: int) -> float:
    return _ablated(seed, own=False)


@once
def equal_start(seed: int, noise: float, steps: int, random_w_o: bool = False) -> Run:
    """Train two heads that start as copies, except for some noise or for the rows of W_O."""
    task = TwoQuestions()
    model = MultiHead(task.n_tokens, task.n_answers, n_heads=2, seed=seed)
    w_o = model.w_o
    model.start_equal()
    if random_w_o:
        model.w_o = w_o
    generator = torch.Generator().manual_seed(seed)
    for name in ("w_q", "w_k", "w_v", "w_o"):
        weight = model.weights[name]
        weight += noise * torch.randn(weight.shape, generator=generator)
    return trained(model, task, steps, adam(0.01), seed)


@claim("09", "heads that start as copies: difference of W_Q, W_K, W_V, W_O at the end", at_most=0.0)
def copies_stay(seed: int) -> float:
    weights = equal_start(seed, 0.0, 500).model.weights
    columns = [(weights[name][:, :8], weights[name][:, 8:]) for name in ("w_q", "w_k", "w_v")]
    pairs = [*columns, (weights["w_o"][:8], weights["w_o"][8:])]
    return max(float((one - other).abs().max()) for one, other in pairs)


@claim("09", "heads that start as copies: both right, no better than one head", at_most=0.35)
def copies_fail(seed: int) -> float:
    return equal_start(seed, 0.0, 500).after.all_right


@claim("09", "copies with noise of 0.001, 800 steps: both right", at_least=0.99)
def noise_parts_them(seed: int) -> float:
    return equal_start(seed, 1e-3, 800).after.all_right


@claim("09", "copies of W_Q, W_K, W_V with a random W_O part by themselves", at_least=0.99)
def random_w_o_parts_them(seed: int) -> float:
    return equal_start(seed, 0.0, 800, random_w_o=True).after.all_right


@once
def induction(seed: int, n_layers: int) -> Run:
    task = Induction()
    model = Stack(
        task.n_tokens,
        task.n_answers,
        d_model=32,
        n_layers=n_layers,
        causal=True,
        positions="learned",
        n_places=18,
        spread=0.5,
        seed=seed,
    )
    return trained(model, task, 400, adam(0.005), seed)


@claim("09", "induction, two layers of one head: accuracy", at_least=0.97)
def induction_accuracy(seed: int) -> float:
    return induction(seed, 2).after.accuracy


@claim("09", "induction, one layer: accuracy", at_most=0.25)
def induction_one_layer(seed: int) -> float:
    return induction(seed, 1).after.accuracy


@claim("09", "induction, layer 1: weight on the previous token", at_least=0.9)
@torch.no_grad()
def induction_previous(seed: int) -> float:
    run = induction(seed, 2)
    maps = run.model(*run.task.test(500).inputs).attention["layer_1"][:, 0]
    return float(maps.diagonal(offset=-1, dim1=-2, dim2=-1)[:, : Induction.n_words - 1].mean())


@claim("09", "induction, layer 2: weight on what followed the last time", at_least=0.9)
def induction_followed(seed: int) -> float:
    run = induction(seed, 2)
    return measure(run.model, run.task.test(500)).mass


@torch.no_grad()
def _without_layer(seed: int, layer: int) -> float:
    run = induction(seed, 2)
    (line,), answers, _ = run.task.test(500)
    asked = answers >= 0
    guesses = run.model(line, ablate=[(layer, 0)]).logits.argmax(-1)
    return float((guesses == answers)[asked].float().mean())


@claim("09", "induction, layer 1 ablated: accuracy", at_most=0.25)
def induction_without_1(seed: int) -> float:
    return _without_layer(seed, 1)


@claim("09", "induction, layer 2 ablated: accuracy", at_most=0.25)
def induction_without_2(seed: int) -> float:
    return _without_layer(seed, 2)
