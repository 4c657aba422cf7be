"""Writing a sequence, one choice at a time."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention, masks
from qkvlib.exercises.kit.comparison import Objection, kind_of
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    builds_on=("cross_attention", "scaled_dot_product_attention", "causal_mask", "project_qkv"),
    hints=(
        "A loop: look up all tokens so far, run two layers of attention, score, append the best token.",
        "`x = x + ...` for each layer. The last row gives the scores of the next token: `x[-1] @ w_out`.",
        "tokens = [start]; repeat: x = table[tokens]; add self-attention; add cross-attention; best = "
        "argmax of the last row times w_out; if it is stop, end; else append; return all tokens except "
        "start",
    ),
)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.reference
def greedy_decode(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    """Write token by token: score what comes next, append the best, and repeat.

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
    tokens: list[int],
    memory: Tensor,
    table: Tensor,
    w_self: Three | None,
    w_cross: Three | None,
    w_out: Tensor,
    adds: tuple[bool, bool] = (True, True),
    causal: bool = True,
    sees_all: bool = True,
) -> Tensor:
    x = table[torch.tensor(tokens)]
    if w_self is not None:
        mask = masks.causal_mask(len(tokens)) if causal else None
        q, k, v = attention.project_qkv(x, *w_self)
        x = adds[0] * x + attention.scaled_dot_product_attention(q, k, v, mask)[0]
    if w_cross is not None:
        seen = torch.ones(len(x), len(memory), dtype=torch.bool)
        q, k, v = x @ w_cross[0], memory @ w_cross[1], memory @ w_cross[2]
        seen = seen if sees_all else seen.tril()
        x = adds[1] * x + attention.scaled_dot_product_attention(q, k, v, seen)[0]
    return x @ w_out


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
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

    def nearly_even() -> Any:
        """Scores that are close together: sampling seldom takes the best one."""
        memory, table, w_self, w_cross, w_out, *ends = case(4, 6, 12, 10, None)
        return memory, table, w_self, w_cross, 0.1 * w_out, *ends

    def where_it_counts(m: int, of_self: bool) -> Any:
        """A decoder whose output changes without the root of d_k, and with a causal mask over the
        memory. Not every decoder's does."""
        decode: Any = greedy_decode
        while True:
            memory, table, *both, w_out, start, stop, longest = case(m, 8, 20, 10, None)
            sharp = [(8**0.5 * w_q, w_k, w_v) for w_q, w_k, w_v in both]
            mixed = [sharp[0], both[1]] if of_self else [both[0], sharp[1]]
            ends = w_out, start, stop, longest
            written = decode(memory, table, *both, *ends)
            if any(decode(memory, table, *w, *ends) == written for w in (sharp, mixed)):
                continue
            if causal_over_the_memory.program(memory, table, *both, *ends) != written:
                return memory, table, *both, *ends

    return [
        Case("2 tokens at most", case(3, 4, 5, 2, None)),
        Case("6 tokens at most, and nothing stops it", case(4, 6, 12, 6, None)),
        Case("it stops at once", case(3, 5, 8, 6, 0)),
        Case("it may stop after a token", case(5, 6, 15, 8, 1)),
        Case("it may stop after three", case(4, 8, 20, 8, 3)),
        Case("10 tokens at most", where_it_counts(6, True)),
        Case("10 tokens at most, another decoder", where_it_counts(5, False)),
        Case("10 tokens at most, and the scores lie close together", nearly_even()),
    ]


@exercise.judged_by
def as_tokens(value: Any, *_: Any) -> Any:
    """A list of numbers, a list of tensors or a tensor: all three are the same answer."""
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


@exercise.mistake(
    "You return the start token, too. But the decoder did not write this token, because it is given.",
    "How many tokens did the decoder choose itself?",
)
def start_returned(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return [start, *_write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out)]


@exercise.mistake(
    "You never check for `stop`, so every word becomes as long as possible.",
    "What should happen when the best token is `stop`?",
)
def never_stops(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(-1, start, -1, longest, memory, table, w_self, w_cross, w_out)


@exercise.mistake(
    "You append `stop`, too. But `stop` only marks the end of the word, and is not a sound of the word.",
    "Which comes first in your loop: the test for `stop`, or the append?",
)
def stop_returned(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    tokens = _write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out)
    return tokens + [stop] * (len(tokens) < longest)


@exercise.mistake(
    "You read the scores of the first row, so you write the same token again and again.",
    "Which row may attend to all tokens so far?",
)
def first_row_read(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(0, start, stop, longest, memory, table, w_self, w_cross, w_out)


@exercise.mistake(
    "You read the scores of the first row, which belongs to the start token.",
    "Which row belongs to the token that was written last?",
)
def first_row_read_unmasked(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    parts = memory, table, w_self, w_cross, w_out
    return _write(0, start, stop, longest, *parts, causal=False)


@exercise.mistake(
    "You feed the decoder only the last token. But the decoder has to see all tokens so far.",
    "What does self-attention look at when there is only one token?",
)
def last_token_only(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    tokens = [start]
    while len(tokens) <= longest:
        scores = _next(tokens[-1:], memory, table, w_self, w_cross, w_out)[-1]
        if int(scores.argmax()) == stop:
            break
        tokens.append(int(scores.argmax()))
    return tokens[1:]


@exercise.mistake(
    "You leave out self-attention.",
    "If an earlier token changes, can the last row of your x change?",
)
def no_self_attention(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(-1, start, stop, longest, memory, table, None, w_cross, w_out)


@exercise.mistake(
    "You leave out cross-attention.",
    "If the memory changes, can the tokens that you write change?",
)
def no_cross_attention(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(-1, start, stop, longest, memory, table, w_self, None, w_out)


@exercise.mistake(
    "The result of each layer replaces x. Add it to x instead.",
    "What is left of the token itself after your first layer?",
)
def nothing_added(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    parts = memory, table, w_self, w_cross, w_out
    return _write(-1, start, stop, longest, *parts, adds=(False, False))


@exercise.mistake(
    "The result of self-attention replaces x. Add it to x, as you do after cross-attention.",
    "After your first layer, does the last row still say which token it stands for?",
)
def first_not_added(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    parts = memory, table, w_self, w_cross, w_out
    return _write(-1, start, stop, longest, *parts, adds=(False, True))


@exercise.mistake(
    "The result of cross-attention replaces x. Add it to x, as you do after self-attention.",
    "After your second layer, what is left of the tokens that are already written?",
)
def second_not_added(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    parts = memory, table, w_self, w_cross, w_out
    return _write(-1, start, stop, longest, *parts, adds=(True, False))


@exercise.mistake(
    "You use a causal mask for the memory, too, so the first token sees only the memory's first row. But the "
    "whole memory exists before the first token is written.",
    "Which of the two sequences grows while you write: the tokens or the memory?",
)
def causal_over_the_memory(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    parts = memory, table, w_self, w_cross, w_out
    return _write(-1, start, stop, longest, *parts, sees_all=False)


@exercise.mistake(
    "You stop one token too early.",
    "When `longest` is 2, how many tokens may be written?",
)
def one_too_few(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(-1, start, stop, longest - 1, memory, table, w_self, w_cross, w_out)


@exercise.mistake(
    "You take the token with the smallest score.",
    "Which function chooses the next token in your program?",
)
def smallest_score(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    return _write(-1, start, stop, longest, memory, table, w_self, w_cross, -w_out)


@exercise.alternative
def _without_mask(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> list[int]:
    """In one layer the last row sees all earlier rows anyway, so here the mask changes nothing."""
    return _write(-1, start, stop, longest, memory, table, w_self, w_cross, w_out, causal=False)


@exercise.alternative
def _last_row_only(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> Any:
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


@exercise.alternative
def _by_torch(
    memory: Tensor,
    table: Tensor,
    w_self: Three,
    w_cross: Three,
    w_out: Tensor,
    start: int,
    stop: int,
    longest: int,
) -> Any:
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
