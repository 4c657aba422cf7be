"""Draw the inside of a block, and of an encoder with its decoder."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from qkvlib.figures import svg
from qkvlib.figures.svg import Box

BLOCK_WORDS = (
    "A block. The vectors x run through it on one line. Attention reads a norm of them, and what "
    "it found is added to the line, which is then called x prime. Feed-forward reads a norm of "
    "that, and what it found is added, too. What comes out is the x of the next block."
)
ENCODER_DECODER_WORDS = (
    "An encoder above, a decoder below. The encoder's letters ask each other, without a mask, and "
    "become the memory. The decoder's sounds ask themselves and the sounds before them, with the "
    "causal mask; then they ask the memory, without a mask: Q comes from the sounds, K and V from "
    "the letters. At the end comes the next sound."
)


def block() -> str:
    """Draw a block: two parts that read from a residual connection and add to it."""
    height = 54
    norms = Box(48, 108, 54, 40), Box(346, 108, 54, 40)
    attention, feed_forward = Box(122, 84, 132, 88), Box(420, 84, 124, 88)
    parts = [
        svg.text(320, 24, "what is there stays, and each part adds to it", "soft"),
        svg.text(22, height + 5, "x", style=_MATHS),
        svg.arrow([(34, height), (602, height)], "ink", heavy=True),
        svg.text(318, height - 9, "x′", style=_MATHS),
        svg.text(619, height + 5, "out", style=_MATHS),
    ]
    for norm, box in zip(norms, (attention, feed_forward), strict=True):
        begins, middle = norm.middle
        ends = box.right + 28
        parts += [
            svg.arrow([(begins, height), (begins, norm.y - 1)]),
            svg.labelled(norm, ("norm",)),
            svg.arrow([(norm.right, middle), (box.x - 1, middle)]),
            svg.outline(box, lit=False),
            svg.arrow([(box.right, middle), (ends, middle), (ends, height + 11)]),
            _plus(ends, height),
        ]
    parts += [
        svg.text(attention.middle[0], attention.y + 22, "attention", style=_BOLD),
        *_roles(attention.middle[0], attention.y + 34),
        svg.text(attention.middle[0], attention.y + 75, "words ask words", "soft"),
        svg.text(feed_forward.middle[0], feed_forward.y + 22, "feed-forward", style=_BOLD),
        svg.text(feed_forward.middle[0], feed_forward.y + 50, "W₁, relu, W₂"),
        svg.text(feed_forward.middle[0], feed_forward.y + 75, "each word alone", "soft"),
        svg.text(164, 204, "x′ = x + attention(norm(x))", style=_MATHS),
        svg.text(474, 204, "out = x′ + feed forward(norm(x′))", style=_MATHS),
    ]
    return svg.drawing(640, 222, parts, BLOCK_WORDS)


def encoder_decoder() -> str:
    """Draw letters that become a memory, and sounds that attend to themselves, then to the memory."""
    above, below = 80, 226
    parts = [
        *_frame(Box(82, above - 56, 236, 112), "encoder: reads"),
        *_frame(Box(82, below - 56, 440, 112), "decoder: writes"),
        *_tokens(42, above, ("i", "c", "e"), "letters"),
        *_tokens(42, below, ("start", "AY"), "sounds"),
    ]
    for y in (above, below):
        parts += [
            svg.arrow([(70, y), (93, y)]),
            *_self_attention(Box(94, y - 42, 132, 84), y == below),
        ]
    parts += [
        *_step(226, Box(242, above - 24, 68, 48), ("feed-", "forward")),
        svg.arrow([(310, above), (339, above)]),
        *_memory(Box(340, above - 36, 60, 72)),
        *_cross_attention(Box(282, below - 42, 144, 84), above + 36),
        *_step(426, Box(442, below - 24, 68, 48), ("feed-", "forward")),
        *_step(510, Box(556, below - 18, 44, 36), ("S",)),
        svg.text(578, below + 44, "next sound", "soft"),
        svg.text(320, 302, "norms and additions stand around each part, and are not drawn", "soft"),
    ]
    return svg.drawing(640, 316, parts, ENCODER_DECODER_WORDS)


_BOLD = 'font-weight="bold"'
_MATHS = 'font-family="serif" font-style="italic" font-size="17"'


def _plus(x: float, y: float) -> str:
    """Draw a plus sign on a line."""
    return (
        f'<circle class="paper ink-line" cx="{x:g}" cy="{y:g}" r="10" stroke-width="2"/>'
        f'<path class="ink-line" d="M{x - 5:g} {y:g}h10M{x:g} {y - 5:g}v10" stroke-width="2"/>'
    )


def _roles(middle: float, y: float) -> list[str]:
    """Draw Q, K and V in a row."""
    return [
        svg.role(Box(middle - 13 + 34 * i, y, 26, 22), letter)
        for i, letter in zip((-1, 0, 1), svg.ROLES, strict=True)
    ]


def _frame(box: Box, name: str) -> list[str]:
    """Draw a frame around a group, with its name at the top."""
    gap = Box(box.x + 10, box.y - 5, 8.6 * len(name) + 4, 10)
    return [
        svg.outline(box, lit=False, bright=False),
        svg.bare(gap, "panel"),
        svg.text(gap.middle[0], box.y + 5, name, style=_BOLD),
    ]


def _tokens(x: float, y: float, tokens: Sequence[str], what: str) -> list[str]:
    """Draw the tokens of a sequence in a column, with a label that says what they are."""
    first = y + 5 - 11 * (len(tokens) - 1)
    named = [svg.text(x, first + 22 * i, token) for i, token in enumerate(tokens)]
    return [*named, svg.text(x, y + 53, what, "soft")]


def _step(start: float, box: Box, name: tuple[str, ...]) -> list[str]:
    """Draw an arrow to a box with a name."""
    y = box.middle[1]
    return [svg.arrow([(start, y), (box.x - 1, y)]), svg.labelled(box, name)]


def _self_attention(box: Box, causal: bool) -> list[str]:
    """Draw self-attention: Q, K and V from one sequence."""
    size = 2 if causal else 3
    hidden = [(0, 1)] if causal else []
    return [
        svg.outline(box, lit=False),
        svg.text(box.middle[0], box.y + 18, "self-attention"),
        *_roles(box.middle[0], box.y + 26),
        *_mask(box, size, size, hidden, "causal mask" if causal else "no mask"),
    ]


def _cross_attention(box: Box, memory: float) -> list[str]:
    """Draw cross-attention: Q from the sequence on the left, K and V from the memory above."""
    y = box.middle[1]
    parts = [
        svg.outline(box, lit=False),
        svg.text(box.middle[0], box.y + 18, "cross-attention"),
        svg.text(box.middle[0], box.y + 42, "sounds ask letters", "soft"),
        *_mask(box, 2, 3, [], "no mask"),
        svg.arrow([(226, y), (box.x - 1, y)], "query"),
        svg.role(Box(238, y - 11, 26, 22), "Q"),
    ]
    for letter, x in (("K", 353), ("V", 387)):
        parts += [
            svg.arrow([(x, memory), (x, box.y - 1)], svg.ROLES[letter]),
            svg.role(Box(x - 13, memory + 12, 26, 22), letter),
        ]
    return parts


def _mask(box: Box, rows: int, columns: int, hidden: Sequence[tuple[int, int]], name: str) -> list[str]:
    """Draw an attention mask: a row for each query, a column for each key."""
    step = 9
    left, top = box.x + 12, box.bottom - 17 - step * rows / 2
    grid = []
    for row, column in product(range(rows), range(columns)):
        cell = Box(left + step * column, top + step * row, step - 2, step - 2)
        colours = "paper soft-line" if (row, column) in hidden else "soft soft-line"
        grid.append(svg.bare(cell, colours))
    return [*grid, svg.text(box.middle[0] + 16, box.bottom - 13, name, "soft")]


def _memory(box: Box) -> list[str]:
    """Draw the memory: a vector for each letter, which contains information about the others."""
    numbers = ((0.7, -0.3, 0.9, -0.5), (-0.8, 0.6, 0.2, 0.4), (0.4, 0.8, -0.6, -0.9))
    cells = [svg.vector(box.x + 6, box.y + 14 + 22 * i, row) for i, row in enumerate(numbers)]
    return [
        svg.outline(box, lit=False),
        *cells,
        svg.text(494, box.middle[1] - 4, "memory", style=_BOLD),
        svg.text(494, box.middle[1] + 16, "a vector for each letter", "soft"),
    ]
