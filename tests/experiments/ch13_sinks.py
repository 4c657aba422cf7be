"""Chapter 13: a head that should contribute nothing, and the place where its weight goes."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.models import QuietHead
from qkvlib.models.minilm import minilm_heads, minilm_maps
from qkvlib.tasks import KeepOrFind
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


@once
def note(
    seed: int, empty_card: bool = False, sink: bool = False, gate: bool = False, steps: int = 600
) -> Run:
    task = KeepOrFind(empty_card=empty_card)
    model = QuietHead(task.n_tokens, task.n_answers, sink=sink, gate=gate, seed=seed)
    return trained(model, task, steps, adam(0.01), seed)


@claim("13", "keep or find, plain softmax: accuracy", at_most=0.95)
def plain(seed: int) -> float:
    return note(seed).after.accuracy


@claim("13", "keep or find, plain, three times the steps: accuracy", at_most=0.97, most_seeds=10)
def plain_and_long(seed: int) -> float:
    return note(seed, steps=1800).after.accuracy


@claim("13", "with an empty card: accuracy", at_least=0.96)
def card(seed: int) -> float:
    return note(seed, empty_card=True).after.accuracy


@claim("13", "one more in the denominator, no empty card: accuracy", at_least=0.92)
def one_more(seed: int) -> float:
    return note(seed, sink=True).after.accuracy


@claim("13", "a gate, no empty card: accuracy", at_least=0.96)
def gate(seed: int) -> float:
    return note(seed, gate=True).after.accuracy


@claim("13", "a gate and an empty card: accuracy", at_least=0.96)
def gate_and_card(seed: int) -> float:
    return note(seed, empty_card=True, gate=True).after.accuracy


@torch.no_grad()
def _weights_of_keep(run: Run) -> Tensor:
    """Return the weights from the notes that carry their own answer: [notes, cards]."""
    batch = run.task.test()
    maps = run.model(*batch.inputs).attention["head"][:, 0, 0]
    return maps[batch.looks_at[:, 0] < 0]


@torch.no_grad()
def _lengths(run: Run) -> Tensor:
    """Return the length of each card's value: [notes, cards]."""
    model = run.model
    assert isinstance(model, QuietHead)
    return (model.embed(run.task.test().inputs[1]) @ model.w_v).norm(dim=-1)


@claim("13", "plain, keep: the largest weight, not spread over six cards", at_least=0.4)
def not_spread(seed: int) -> float:
    return float(_weights_of_keep(note(seed)).amax(-1).mean())


@claim("13", "plain: more often at one of the two quietest cards to keep than to find", at_least=0)
def at_a_quiet_card(seed: int) -> float:
    return _quieter_to_keep(note(seed))


@torch.no_grad()
def _quieter_to_keep(run: Run) -> float:
    """Return how much more often notes that say keep look at a quiet card than notes that say find."""
    (notes, cards), _, looks_at = run.task.test()
    chosen = run.model(notes, cards).attention["head"][:, 0, 0].argmax(-1, keepdim=True)
    lengths = _lengths(run)
    quiet = ((lengths < lengths.gather(1, chosen)).sum(-1) < 2).float()
    keep = looks_at[:, 0] < 0
    return float(quiet[keep].mean() - quiet[~keep].mean())


@claim("13", "the empty card's weight where there is nothing to find", at_least=0.75)
def weight_on_the_card(seed: int) -> float:
    return float(_weights_of_keep(note(seed, empty_card=True))[:, 0].mean())


@claim("13", "the same with a gate: the sink stays", at_least=0.4)
def weight_in_spite_of_a_gate(seed: int) -> float:
    return float(_weights_of_keep(note(seed, empty_card=True, gate=True))[:, 0].mean())


@claim("13", "the empty card's value: its length, as a share of the others'", at_most=0.75)
def short_value(seed: int) -> float:
    lengths = _lengths(note(seed, empty_card=True))
    return float(lengths[:, 0].mean() / lengths[:, 1:].mean())


@claim("13", "the empty card taken away in use: right where the note says keep", at_most=0.5)
def card_taken_away(seed: int) -> float:
    return _right_without_it(note(seed, empty_card=True))


@torch.no_grad()
def _right_without_it(run: Run) -> float:
    """Return the accuracy on notes that say keep when the first card is missing."""
    (notes, cards), answers, looks_at = run.task.test()
    right = run.model(notes, cards[:, 1:]).logits[:, 0].argmax(-1) == answers[:, 0]
    return float(right[looks_at[:, 0] < 0].float().mean())


@claim("13", "the gate's opening where there is nothing to find", at_most=0.1)
def gate_is_closed(seed: int) -> float:
    return _opening_to_keep(note(seed, gate=True))


@torch.no_grad()
def _opening_to_keep(run: Run) -> float:
    """Return how far the gate is open for notes that say keep."""
    notes, looks_at = run.task.test().inputs[0], run.task.test().looks_at
    model = run.model
    assert isinstance(model, QuietHead)
    return float(model.open(model.embed(notes))[looks_at[:, 0] < 0].mean())


@claim("13", "MiniLM, layers 1 to 5: heads of 60 that give [CLS] most", at_least=40, most_seeds=1)
def heads_with_a_sink(seed: int) -> float:
    columns = torch.stack([maps.mean(1) for maps in list(minilm_maps().values())[1:]])
    return float((columns.argmax(-1) == 0).sum())


@claim("13", "MiniLM, layer 2 head 1: length of [CLS]'s value, a share", at_most=0.05, most_seeds=1)
def value_of_cls(seed: int) -> float:
    head = minilm_heads()["application"]
    lengths = (head.x @ head.w_v + head.b_v).norm(dim=-1)
    return float(lengths[0] / lengths[1:].mean())


@torch.no_grad()
def _right_with_values(run: Run, factor: float, find: bool) -> float:
    """Return the accuracy on one kind of note when the head's values are multiplied by a factor."""
    (notes, cards), answers, looks_at = run.task.test()
    weights = run.model.weights
    model = run.model.with_weights({**weights, "w_v": factor * weights["w_v"]})
    right = model(notes, cards).logits[:, 0].argmax(-1) == answers[:, 0]
    return float(right[(looks_at[:, 0] >= 0) == find].float().mean())


@claim("13", "plain, values half as long again: accuracy of find", at_least=0.88)
def louder_values_find(seed: int) -> float:
    return _right_with_values(note(seed), 1.5, find=True)


@claim("13", "plain, values half as long again: accuracy of keep", at_most=0.8)
def louder_values_keep(seed: int) -> float:
    return _right_with_values(note(seed), 1.5, find=False)


@claim("13", "plain: wrong answers to find that are the note's own colour", at_least=0.75)
@torch.no_grad()
def own_colour(seed: int) -> float:
    task = KeepOrFind()
    (notes, cards), answers, looks_at = task.test()
    said = note(seed).model(notes, cards).logits[:, 0].argmax(-1)
    own = notes[:, 0, 2] - task.tokens.index(task.answers[0])
    wrong = (looks_at[:, 0] >= 0) & (said != answers[:, 0])
    return float((said == own)[wrong].float().mean())


@torch.no_grad()
def _moved_by_silence(what: str, token: int) -> float:
    """Return how far the outputs of a MiniLM head move when the value of one token is zero."""
    head = minilm_heads()[what]
    v = head.x @ head.w_v + head.b_v
    quiet = v.clone()
    quiet[token] = 0
    before = head.weights @ v
    return float(((head.weights @ quiet - before).norm(dim=-1) / before.norm(dim=-1))[1:-1].mean())


def _cls_against_a_word(what: str) -> float:
    words = range(1, len(minilm_heads()[what].tokens) - 1)
    return _moved_by_silence(what, 0) / (sum(_moved_by_silence(what, word) for word in words) / len(words))


@claim("13", "MiniLM, application: [CLS] silenced, against a word silenced", at_most=0.5, most_seeds=1)
def cls_of_application(seed: int) -> float:
    return _cls_against_a_word("application")


@claim("13", "MiniLM, law: [CLS] silenced, against a word silenced", at_least=0.9, most_seeds=1)
def cls_of_law(seed: int) -> float:
    return _cls_against_a_word("law")
