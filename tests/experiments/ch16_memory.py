"""Chapter 16: what a memory of fixed size forgets, and the cost of sampling the next sound."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
from torch import Generator, Tensor

from qkvlib.models import FixedMemory, Pronouncer
from qkvlib.sampling import temperature, top_k, top_p
from qkvlib.tasks import Cloakroom
from qkvlib.tasks.base import Batch, different, whole
from qkvlib.tasks.cloakroom import N_TICKETS
from qkvlib.tasks.pronunciation import END, SOUNDS, START, dictionary, letters, words_of
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


@once
def room(seed: int, coats: int, softmax: bool = False, d_model: int = 8, steps: int = 300) -> Run:
    task = Cloakroom(coats)
    model = FixedMemory(task.n_tokens, task.n_answers, d_model, softmax, seed)
    return trained(model, task, steps, adam(0.02), seed)


def _claim_of(coats: int, bar: str, value: float) -> None:
    words = f"a cloakroom of {coats} coats, no softmax, 8 by 8: accuracy, {bar.replace('_', ' ')}"

    @claim("16", words, **{bar: value})
    def linear(seed: int) -> float:
        return room(seed, coats).after.accuracy


for _coats, _bar, _value in (
    (4, "at_least", 0.93),
    (8, "at_most", 0.94),
    (16, "at_most", 0.82),
    (32, "at_most", 0.62),
    (32, "at_least", 0.42),
):
    _claim_of(_coats, _bar, _value)


@claim("16", "8 coats, no softmax: better than with 16", at_least=0.08)
def eight_beside_sixteen(seed: int) -> float:
    return room(seed, 8).after.accuracy - room(seed, 16).after.accuracy


class FewTickets(Cloakroom):
    """Use only the first eight tickets: one for each number in a key."""

    def batch(self, size: int, generator: Generator) -> Batch:
        tickets = different(size, self.n_coats, 8, generator)
        colours = whole(size, self.n_coats, len(self.answers), generator)
        asked = whole(size, 1, self.n_coats, generator)
        coats = torch.stack([tickets, N_TICKETS + colours], dim=-1)
        return Batch((tickets.gather(1, asked)[..., None], coats), colours.gather(1, asked), asked)


@claim("16", "8 coats, no softmax, 8 tickets instead of 64: accuracy", at_least=0.96)
def few_tickets(seed: int) -> float:
    task = FewTickets(8)
    model = FixedMemory(task.n_tokens, task.n_answers, seed=seed)
    return trained(model, task, 300, adam(0.02), seed).after.accuracy


@claim("16", "32 coats, no softmax, three times the steps: accuracy", at_most=0.65, most_seeds=10)
def longer(seed: int) -> float:
    return room(seed, 32, steps=900).after.accuracy


@claim("16", "4, 8, 16 or 32 coats, softmax: the lowest accuracy", at_least=0.95)
def with_softmax(seed: int) -> float:
    return min(room(seed, coats, softmax=True).after.accuracy for coats in (4, 8, 16, 32))


@claim("16", "32 coats, no softmax: 16 by 16 better than 8 by 8 by", at_least=0.1)
def wider(seed: int) -> float:
    return room(seed, 32, d_model=16).after.accuracy - room(seed, 32).after.accuracy


@claim("16", "16 coats: how much oftener the first four are right, or the last four", at_most=0.06)
def no_order(seed: int) -> float:
    return _between_first_and_last(room(seed, 16))


@torch.no_grad()
def _between_first_and_last(run: Run) -> float:
    inputs, answers, place = run.task.test(8000)
    ok = (run.model(*inputs).logits[:, 0].argmax(-1) == answers[:, 0]).float()
    return abs(float(ok[place[:, 0] < 4].mean() - ok[place[:, 0] >= 12].mean()))


@claim("16", "a second coat on a ticket: how much oftener the one of them is said", at_most=0.15)
def nothing_is_erased(seed: int) -> float:
    new, old = _twice(room(seed, 8))
    return abs(new - old)


@claim("16", "a second coat on a ticket: one of the two is said", at_least=0.85)
def one_of_the_two(seed: int) -> float:
    return sum(_twice(room(seed, 8)))


@torch.no_grad()
def _twice(run: Run) -> list[float]:
    """Return how often the new coat's colour is the answer, and how often the old one's."""
    (ticket, coats), old, _ = run.task.test()
    new = (old + 1 + torch.randint(7, old.shape, generator=torch.Generator().manual_seed(0))) % 8
    again = torch.stack([ticket[..., 0], 64 + new], dim=-1)
    said = run.model(ticket, torch.cat([coats, again], dim=1)).logits[:, 0].argmax(-1)
    return [float((said == colour[:, 0]).float().mean()) for colour in (new, old)]


Choose = Callable[[Tensor], Tensor]


@torch.no_grad()
def _listed(words: list[str], seed: int, choose: Choose, heat: float = 1.0) -> float:
    """Return the share of words, sampled sound by sound, that match the dictionary."""
    model, generator = Pronouncer.pretrained(), torch.Generator().manual_seed(seed)
    memory, _ = model.encode(letters(words))
    said = torch.full((len(words), 1), START)
    while said.shape[1] < model.LONGEST and not (said == END).any(1).all():
        left = choose(temperature(model.decode(said, memory)[0][:, -1], heat))
        said = torch.cat([said, torch.multinomial(left, 1, generator=generator)], dim=1)
    rows = [row[: row.index(END)] if END in row else row for row in said[:, 1:].tolist()]
    spoken = [tuple(SOUNDS[sound] for sound in row) for row in rows]
    return sum(say in dictionary()[word] for word, say in zip(words, spoken, strict=True)) / len(words)


def _all(row: Tensor) -> Tensor:
    return row


def _likely(row: Tensor) -> Tensor:
    return top_p(row, 0.9)


READ = ["read"] * 200


@claim("16", '"read", drawn: said as nobody says it, at least', at_least=0.03)
def read_at_least(seed: int) -> float:
    return 1 - _listed(READ, seed, _all)


@claim("16", '"read", drawn: said as nobody says it, at most', at_most=0.2)
def read_at_most(seed: int) -> float:
    return 1 - _listed(READ, seed, _all)


@claim("16", '"read", drawn with top-p 0.9: said as nobody says it', at_most=0.0)
def read_with_top_p(seed: int) -> float:
    return 1 - _listed(READ, seed, _likely)


@cache
def unseen() -> list[str]:
    return [word for word in words_of("test") if len(word) == 7][:300]


@claim("16", "unseen words: the best each time better than drawn by", at_least=0.04)
def drawing_costs(seed: int) -> float:
    best = _listed(unseen(), 0, lambda row: top_k(row, 1))
    return best - _listed(unseen(), seed, _all)


@claim("16", "unseen words: the best each time better than drawn with top-p by", at_least=0.02)
def drawing_with_top_p_costs(seed: int) -> float:
    best = _listed(unseen(), 0, lambda row: top_k(row, 1))
    return best - _listed(unseen(), seed, _likely)


@claim("16", "unseen words: drawn better than drawn at temperature 2 by", at_least=0.15)
def heat_costs(seed: int) -> float:
    return _listed(unseen(), seed, _all) - _listed(unseen(), seed, _all, heat=2.0)


@claim("16", "unseen words, mean of ten draws: top-p better than all by", at_least=0.01)
def top_p_helps(seed: int) -> float:
    draws = range(10 * seed, 10 * seed + 10)
    gains = [_listed(unseen(), draw, _likely) - _listed(unseen(), draw, _all) for draw in draws]
    return sum(gains) / len(gains)
