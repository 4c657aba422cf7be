"""Chapter 10, Cross-attention: one asks, the other answers; writing letter by letter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention, masks
from qkvlib.comparison import Objection, kind_of
from qkvlib.exercises.drawing import attending, normal, scattered
from qkvlib.exercises.exercise import Case, Exercise, mistake

Two = tuple[Tensor, Tensor]
Three = tuple[Tensor, Tensor, Tensor]

# --- cross_attention ------------------------------------------------------------------------


def _cross_cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, d: int, d_memory: int, d_k: int, d_v: int, *b: int) -> Any:
        weights = (normal(generator, size, width)
                   for size, width in ((d, d_k), (d_memory, d_k), (d_memory, d_v)))  # fmt: skip
        return normal(generator, *b, n, d), normal(generator, *b, m, d_memory), *weights

    easy = (torch.tensor([[2.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]),
            2 * torch.eye(2), torch.eye(2), torch.tensor([[1.0, 0.0], [0.0, 10.0]]))  # fmt: skip
    return [
        Case("one word asks, three answer", easy),
        Case("2 words ask 4, all of 3 numbers", case(2, 4, 3, 3, 2, 5)),
        Case("all sizes equal", case(4, 4, 4, 4, 4, 4)),
        Case("memory is wider than x", case(3, 5, 4, 6, 3, 2)),
        Case("more words ask than answer", case(6, 2, 3, 3, 3, 4)),
        Case("a batch of 2", case(3, 4, 4, 4, 2, 3, 2)),
        Case("tensors that are not stored row by row", (*map(scattered, case(3, 4, 5, 5, 2, 3)),)),
    ]


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Two:
    return attention.scaled_dot_product_attention(q, k, v)


@mistake(
    "The memory asks and x answers. It is x that asks: the decoder has the question, the encoder "
    "the answers.",
    "How many rows should the output have: as many as x, or as many as the memory?",
)
def roles_swapped(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(memory @ w_q, x @ w_k, x @ w_v)


@mistake(
    "The values come from x. Each word would get back a blend of what it knows already; what is "
    "handed out has to come from the memory.",
    "If you change the memory's words but not how they are found, should the output change?",
)
def values_from_x(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory @ w_k, x @ w_v)


@mistake(
    "The keys come from x, so x searches itself, and takes the values of others.",
    "Which sequence is searched: the one that asks or the one that answers?",
)
def keys_from_x(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, x @ w_k, memory @ w_v)


@mistake(
    "The memory is never read: this is self-attention of x.",
    "Which of your inputs does no line use?",
)
def self_attention(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, x @ w_k, x @ w_v)


@mistake(
    "x is never read: this is self-attention of the memory.",
    "Who asks in your function?",
)
def memory_with_itself(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(memory @ w_q, memory @ w_k, memory @ w_v)


@mistake(
    "You hide later places of the memory. The whole word is known before the first sound is made; "
    "a causal mask belongs to self-attention in the decoder.",
    "May the first sound look at the last letter?",
)
def causal_on_memory(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    n, m = x.shape[-2], memory.shape[-2]
    mask = torch.ones(n, m).tril().bool()
    return attention.scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v, mask)


@mistake(
    "You join x and the memory and search both. In cross-attention only the memory answers.",
    "How many columns should the weights have?",
)
def sequences_joined(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    both = torch.cat([x, memory], dim=-2)
    return _attend(x @ w_q, both @ w_k, both @ w_v)


@mistake(
    "The memory is used as it is, as keys and as values. w_k and w_v are never read.",
    "Where do the two other weights come in?",
)
def memory_not_projected(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory, memory)


@mistake(
    "You do not divide the scores by sqrt(d_k).",
    "What is the width of a query, and where does it come into the scores?",
)
def no_scale(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q * w_q.shape[1] ** 0.5, memory @ w_k, memory @ w_v)


@mistake(
    "w_k and w_v have changed places.",
    "Which of the two makes what is handed out?",
)
def weights_swapped(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory @ w_v, memory @ w_k)


def _cross_by_loops(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    if x.ndim == 3:
        parts = [_cross_by_loops(a, b, w_q, w_k, w_v) for a, b in zip(x, memory, strict=True)]
        return torch.stack([p[0] for p in parts]), torch.stack([p[1] for p in parts])
    keys, values = memory @ w_k, memory @ w_v
    rows = [torch.softmax(keys @ (word @ w_q) / w_q.shape[1] ** 0.5, 0) for word in x]
    weights = torch.stack(rows)
    return weights @ values, weights


def _cross_by_torch(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    ones = torch.eye(k.shape[-2]).expand(*k.shape[:-1], -1)
    dot = F.scaled_dot_product_attention
    return dot(q, k, v), dot(q, k, ones)


def _cross_by_the_form(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    scores = torch.einsum("...nd,de,...me->...nm", x, w_q @ w_k.T, memory)
    weights = (scores / w_k.shape[1] ** 0.5).softmax(-1)
    return weights @ memory @ w_v, weights


CROSS_ATTENTION = Exercise(
    chapter=10,
    points=2,
    reference=attention.cross_attention,
    cases=_cross_cases,
    mistakes=(
        roles_swapped,
        values_from_x,
        keys_from_x,
        self_attention,
        memory_with_itself,
        causal_on_memory,
        sequences_joined,
        memory_not_projected,
        no_scale,
        weights_swapped,
    ),
    alternatives=(_cross_by_loops, _cross_by_torch, _cross_by_the_form),
    hints=(
        "It is the attention you know. Only where q, k and v come from is new.",
        "x asks. Who is searched, and who hands something out?",
        "q from x; k and v from memory; then scaled dot-product attention",
    ),
    returns=("output", "weights"),
    builds_on=("scaled_dot_product_attention",),
)

# --- read_alignment -------------------------------------------------------------------------


def read_alignment(weights: Tensor) -> Tensor:
    """For each sound the place of the letter it looks at most. weights [sounds letters]."""
    return weights.argmax(-1)


def _alignment_cases(generator: torch.Generator) -> list[Case]:
    sure = torch.tensor([[0.1, 0.8, 0.1], [0.7, 0.2, 0.1]])
    return [
        Case("2 sounds, 3 letters", (sure,)),
        Case("4 sounds, 6 letters", (attending(generator, 4, 6),)),
        Case("as many sounds as letters", (attending(generator, 5, 5),)),
        Case("more sounds than letters", (attending(generator, 7, 3),)),
        Case("8 sounds, 9 letters", (attending(generator, 8, 9),)),
    ]


@mistake(
    "You look for the best sound of each letter. Each sound should look for its letter.",
    "With 4 sounds and 6 letters, how many answers should there be?",
)
def best_sound_of_each_letter(weights: Tensor) -> Tensor:
    return weights.argmax(0)


@mistake(
    "You return the largest weights. The exercise wants where they are.",
    "What is the difference between `max` and `argmax`?",
)
def weights_for_places(weights: Tensor) -> Tensor:
    return weights.amax(-1)


@mistake(
    "You take the letter with the smallest weight.",
    "Does a sound look at a letter when its weight is large or small?",
)
def smallest(weights: Tensor) -> Tensor:
    return weights.argmin(-1)


@mistake(
    "Your places are one too high. Python counts from 0.",
    "What is the place of the first letter?",
)
def counted_from_one(weights: Tensor) -> Tensor:
    return weights.argmax(-1) + 1


@mistake(
    "You return one place for the whole table. Each sound has its own letter.",
    "What does `argmax()` do when nobody tells it a dimension?",
)
def one_place_for_all(weights: Tensor) -> Tensor:
    return weights.argmax()


@mistake(
    "You round the average place. A sound that looks at the first and the last letter would be "
    "read as looking at the middle.",
    "Which letter has the largest weight, whatever its neighbours have?",
)
def average_place(weights: Tensor) -> Tensor:
    return (weights @ torch.arange(weights.shape[1]).to(weights.dtype)).round().long()


READ_ALIGNMENT = Exercise(
    chapter=10,
    points=1,
    reference=read_alignment,
    cases=_alignment_cases,
    mistakes=(
        best_sound_of_each_letter,
        weights_for_places,
        smallest,
        counted_from_one,
        one_place_for_all,
        average_place,
    ),
    alternatives=(
        lambda weights: weights.max(dim=1).indices,
        lambda weights: torch.tensor([row.tolist().index(max(row.tolist())) for row in weights]),
        lambda weights: weights.argsort(dim=1, descending=True)[:, 0],
    ),
    hints=(
        "Each row belongs to a sound.",
        "`argmax` with a dimension gives the place of the largest number along it.",
        "for each row: the column of its largest weight",
    ),
    builds_on=("cross_attention",),
)

# --- greedy_decode --------------------------------------------------------------------------


def greedy_decode(
    memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
    start: int, stop: int, longest: int,
) -> list[int]:  # fmt: skip
    """Write token by token: ask the decoder what comes next, append it, ask again.

    The decoder has two layers of attention, each added to what was there:

        x = table[tokens so far]
        x = x + self-attention of x, with a causal mask and w_self = (w_q, w_k, w_v)
        x = x + cross-attention of x to memory, with w_cross = (w_q, w_k, w_v)

    The last row of x, times w_out, scores what comes next; the largest score wins. Begin with
    `start`, end before `stop` or after `longest` tokens. Returns the tokens without both.
    """
    tokens = [start]
    while len(tokens) <= longest:
        best = int(_next(tokens, memory, table, w_self, w_cross, w_out)[-1].argmax())
        if best == stop:
            break
        tokens.append(best)
    return tokens[1:]


def _next(
    tokens: list[int], memory: Tensor, table: Tensor, w_self: Three | None,
    w_cross: Three | None, w_out: Tensor, residual: float = 1.0, causal: bool = True,
) -> Tensor:  # fmt: skip
    x = table[torch.tensor(tokens)]
    if w_self is not None:
        mask = masks.causal_mask(len(tokens)) if causal else None
        q, k, v = attention.project_qkv(x, *w_self)
        x = residual * x + attention.scaled_dot_product_attention(q, k, v, mask)[0]
    if w_cross is not None:
        x = residual * x + attention.cross_attention(x, memory, *w_cross)[0]
    return x @ w_out


def _decode_cases(generator: torch.Generator) -> list[Case]:
    def three(d: int) -> Three:
        return normal(generator, d, d), normal(generator, d, d), normal(generator, d, d)

    def case(m: int, d: int, n_tokens: int, longest: int, stops_after: int | None) -> Any:
        memory, table = normal(generator, m, d), normal(generator, n_tokens, d)
        w_self, w_cross = three(d), three(d)
        w_out = normal(generator, d, n_tokens)
        start, stop = 0, -1
        if stops_after is not None:
            written = greedy_decode(memory, table, w_self, w_cross, w_out, start, -1, longest)
            stop = written[stops_after]
        return memory, table, w_self, w_cross, w_out, start, stop, longest

    return [
        Case("2 tokens at most", case(3, 4, 5, 2, None)),
        Case("6 tokens at most, and nothing stops it", case(4, 6, 12, 6, None)),
        Case("it stops at once", case(3, 5, 8, 6, 0)),
        Case("it may stop after a token", case(5, 6, 15, 8, 1)),
        Case("it may stop after three", case(4, 8, 20, 8, 3)),
        Case("10 tokens at most", case(6, 8, 20, 10, None)),
        Case("10 tokens at most, another decoder", case(5, 8, 20, 10, None)),
    ]


def _as_tokens(value: Any, *_: Any) -> Any:
    """A list of numbers, a list of tensors or a tensor: they say the same."""
    if isinstance(value, (list, tuple)):
        whole = [v for v in value if type(v) is int or (isinstance(v, Tensor) and v.numel() == 1)]
        if len(whole) == len(value):
            return torch.tensor([int(v) for v in whole], dtype=torch.int64)
    if isinstance(value, Tensor) and value.ndim == 1 and not value.dtype.is_floating_point:
        return value.long()
    return Objection(f"Your function returned {kind_of(value)}. Return a list of whole numbers.")


def _write(row: int, start: int, stop: int, longest: int, *parts: Any, **how: Any) -> list[int]:
    tokens = [start]
    while len(tokens) <= longest:
        best = int(_next(tokens, *parts, **how)[row].argmax())
        if best == stop:
            break
        tokens.append(best)
    return tokens[1:]


@mistake(
    "You return the start token, too. It was never written, it is where writing begins.",
    "How many tokens did the decoder choose itself?",
)
def start_returned(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                   start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return [start, *_write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out)]


@mistake(
    "You never look for `stop`: every word becomes as long as it may.",
    "What should happen when the best token is `stop`?",
)
def never_stops(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, -1, longest, memory, table, w_self, w_cross, w_out)


@mistake(
    "You append `stop` before you end. It is a sign that the word is over, not a sound of it.",
    "Which comes first in your loop: the test for `stop`, or the append?",
)
def stop_returned(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                  start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    tokens = _write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out)
    return tokens + [stop] * (len(tokens) < longest)


@mistake(
    "You read the scores of the first row, and so write the same token for ever. "
    "What comes next stands in the last row.",
    "Which row has seen all tokens so far?",
)
def first_row_read(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                   start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(0, start, stop, longest, memory, table, w_self, w_cross, w_out)


@mistake(
    "You feed the decoder its last token only. It has to see all that it has written.",
    "What does self-attention look at, when there is a single token?",
)
def last_token_only(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                    start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    tokens = [start]
    while len(tokens) <= longest:
        scores = _next(tokens[-1:], memory, table, w_self, w_cross, w_out)[-1]
        if int(scores.argmax()) == stop:
            break
        tokens.append(int(scores.argmax()))
    return tokens[1:]


@mistake(
    "You leave out self-attention. The decoder knows its last token, but not what came before.",
    "Where do you use w_self?",
)
def no_self_attention(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                      start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, stop, longest, memory, table, None, w_cross, w_out)


@mistake(
    "You leave out cross-attention. The decoder writes without ever looking at the memory.",
    "Where do you use `memory`?",
)
def no_cross_attention(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                       start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, stop, longest, memory, table, w_self, None, w_out)


@mistake(
    "Each layer replaces x. It should be added to what was there.",
    "What is left of the token itself after your first layer?",
)
def nothing_added(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                  start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out, residual=0.0)


@mistake(
    "You stop one token too early.",
    "When `longest` is 2, how many tokens may be written?",
)
def one_too_few(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, stop, longest - 1, memory, table, w_self, w_cross, w_out)


@mistake(
    "You take the smallest score.",
    "Which token is the best: the one with the largest or the smallest score?",
)
def smallest_score(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                   start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    return _write(-1, start, stop, longest, memory, table, w_self, w_cross, -w_out)


def _without_mask(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                  start: int, stop: int, longest: int) -> list[int]:  # fmt: skip
    """In one layer the last row sees all before it anyway, so here the mask changes nothing."""
    return _write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out, causal=False)


def _last_row_only(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
                   start: int, stop: int, longest: int) -> Any:  # fmt: skip
    tokens = torch.tensor([start])
    for _ in range(longest):
        x = table[tokens]
        last = x[-1:]
        last = last + attention.cross_attention(last, x, *w_self)[0]
        last = last + attention.cross_attention(last, memory, *w_cross)[0]
        best = (last @ w_out).log_softmax(-1).argmax(-1)
        if best.item() == stop:
            break
        tokens = torch.cat([tokens, best])
    return tokens[1:]


def _by_torch(memory: Tensor, table: Tensor, w_self: Three, w_cross: Three, w_out: Tensor,
              start: int, stop: int, longest: int) -> Any:  # fmt: skip
    def look(x: Tensor, y: Tensor, w: Three, causal: bool) -> Tensor:
        return F.scaled_dot_product_attention(x @ w[0], y @ w[1], y @ w[2], is_causal=causal)

    written: list[Tensor] = []
    while len(written) < longest:
        x = F.embedding(torch.tensor([start, *written]), table)
        x = x + look(x, x, w_self, True)
        x = x + look(x, memory, w_cross, False)
        best = (x[-1] @ w_out).argmax()
        if best == stop:
            return written
        written.append(best)
    return written


GREEDY_DECODE = Exercise(
    chapter=10,
    points=3,
    reference=greedy_decode,
    cases=_decode_cases,
    mistakes=(
        start_returned,
        never_stops,
        stop_returned,
        first_row_read,
        last_token_only,
        no_self_attention,
        no_cross_attention,
        nothing_added,
        one_too_few,
        smallest_score,
    ),
    alternatives=(_without_mask, _last_row_only, _by_torch),
    hints=(
        "A loop: look up all tokens so far, two layers of attention, score, append the best.",
        "`x = x + ...` for each layer. The last row says what comes next, `x[-1] @ w_out`.",
        "tokens = [start]; repeat: x = table[tokens]; add self-attention; add cross-attention; "
        "best = argmax of the last row times w_out; if it is stop, end; else append; "
        "return all but start",
    ),
    builds_on=("cross_attention", "scaled_dot_product_attention", "causal_mask", "project_qkv"),
    judged_by=_as_tokens,
)

EXERCISES = (CROSS_ATTENTION, READ_ALIGNMENT, GREEDY_DECODE)
