"""Draw the picture that opens every chapter: a whole language model, and your place in it.

Chapter 0 shows it, and every chapter opens with it and highlights its own part. A chapter's front
matter names its place (`# here: the heads`), and `PLACES` says what is highlighted there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qkvlib.figures import svg
from qkvlib.figures.svg import Box

WIDE, HIGH = 640, 146


@dataclass(frozen=True)
class Part:
    """A part of the model: its position in the picture, its name, and the part that contains it."""

    box: Box
    label: tuple[str, ...] = ()
    inside: str = ""
    sheets: int = 0
    """So many more of its kind are seen behind it."""
    meets: float = 0.5
    """How far along its top the stem of "you are here" meets it."""


@dataclass(frozen=True)
class Place:
    """A chapter's place in the model: the parts that it highlights, and their description."""

    lit: tuple[str, ...]
    about: str
    stacked: bool = False
    """Whether the sheets behind are lit, too."""
    backwards: bool = False
    """Whether the arrows after Q, K and V are lit, and point back."""


PARTS = {
    "words": Part(Box(8, 34, 56, 74)),
    "vectors": Part(Box(82, 34, 58, 74)),
    "places": Part(Box(140, 34, 18, 74)),
    "block": Part(Box(174, 26, 288, 92), sheets=2),
    "attention": Part(Box(184, 35, 172, 72), inside="block", sheets=2),
    "W": Part(Box(194, 52, 17, 42), inside="attention"),
    "Q": Part(Box(212, 42, 26, 19), inside="attention"),
    "K": Part(Box(212, 63, 26, 19), inside="attention"),
    "V": Part(Box(212, 84, 26, 19), inside="attention"),
    "compare": Part(Box(262, 47, 82, 26), ("compare",), inside="attention", meets=0.16),
    "blend": Part(Box(262, 83, 82, 20), ("blend",), inside="attention"),
    "feed-forward": Part(Box(384, 51, 68, 42), ("feed-", "forward"), inside="block"),
    "next word": Part(Box(496, 34, 136, 74)),
}

PLACES = {
    "attention": Place(("attention",), "the part in which words ask other words"),
    "comparing": Place(("compare", "Q", "K"), "a query meets a key, and one number comes out"),
    "comparing and blending": Place(("compare", "blend"), "scores become weights, and weights blend"),
    "where Q, K and V come from": Place(
        ("Q", "K", "V", "W"), "three matrices, W_Q, W_K and W_V, make them from the vectors"
    ),
    "the way back": Place(
        ("Q", "K", "V", "W"),
        "the loss goes back from the next word to W_Q, W_K and W_V",
        backwards=True,
    ),
    "one head": Place(("attention",), "one attention, trained by nothing but right answers"),
    "vectors and context": Place(
        ("vectors", "attention"), "where the vectors come from, and what attention turns them into"
    ),
    "places and masks": Place(("places", "compare"), "who came first, and who may look at whom"),
    "the heads": Place(("attention",), "several attentions side by side in each block", stacked=True),
    "two sequences": Place(("Q", "K", "V"), "Q from one sequence, K and V from another"),
    "one block": Place(("block",), "attention, feed-forward, and what surrounds them"),
    "the blocks of a real model": Place(
        ("block",), "heads that others have trained, and what they look at", stacked=True
    ),
    "nothing to find": Place(("compare", "blend"), "weights sum to one, even where there is nothing to find"),
    "rotation, and length": Place(
        ("Q", "K", "compare"), "queries and keys are rotated, each by its position, and then compared"
    ),
    "a memory of fixed size": Place(
        ("K", "V", "blend", "next word"),
        "keys and values that are added up, and how the next word is sampled",
    ),
    "what is kept": Place(("K", "V"), "keys and values of all words so far stay, and no queries"),
    "all of it": Place(("block", "words", "vectors", "places", "next word"), "questions about every part"),
}

_WORDS = ("The", "cat", "left")
_VECTORS = ((0.9, -0.4, 0.2, -0.8), (-0.6, 0.8, 0.5, 0.3), (0.3, -0.9, -0.5, 0.7))
_NEXT = (("the", 46), ("a", 22), ("his", 12))  # invented scores of three words
_CAPTIONS = {
    "words": "words",
    "vectors": "vectors",
    "block": "a block, several times",
    "next word": "the next word",
}

WHOLE = (
    "A model that writes, from left to right: words become vectors, each with its place; these go "
    "through a block, several times, in which attention makes Q, K and V from them, compares Q with "
    "K and blends V, and a feed-forward part follows; at the end words have scores for being the "
    "next."
)


def words(place: str) -> str:
    """Return the alternative text of a chapter's picture, for readers who have heard `WHOLE` before."""
    return (
        "A model that writes: words, vectors, a block several times, the next word. "
        f"You are here: {place} ({PLACES[place].about})."
    )


def model(place: str, said: str, scale: float = 1) -> str:
    """Draw the model with the parts of the place highlighted; `said` is the alternative text."""
    where = PLACES[place]
    parts = [_part(name, where) for name in PARTS]
    captions = [
        svg.text(PARTS[name].box.middle[0], 140, caption, _colour(name, where))
        for name, caption in _CAPTIONS.items()
    ]
    return svg.drawing(WIDE, HIGH, [*parts, *captions, *_arrows(where), *_flag(place)], said, scale)


def _lit(name: str, where: Place) -> bool:
    return name in where.lit


def _bright(name: str, where: Place) -> bool:
    """Return whether a part, or a part that contains it, is highlighted."""
    return bool(name) and (_lit(name, where) or _bright(PARTS[name].inside, where))


def _colour(name: str, where: Place) -> str:
    return "ink" if _bright(name, where) else "soft"


def _part(name: str, where: Place) -> str:
    part, lit, bright = PARTS[name], _lit(name, where), _bright(name, where)
    if name in svg.ROLES:
        return svg.role(part.box, name, lit)
    if part.label:
        return svg.labelled(part.box, part.label, lit, bright)
    if name == "W":
        return _projections(lit)
    if part.sheets:
        return _sheets(part, lit, bright, where.stacked) + (
            _attention_label(part.box, bright) if name == "attention" else ""
        )
    return (svg.outline(part.box, lit) if lit else "") + _rows(name, where)


def _sheets(part: Part, lit: bool, bright: bool, stacked: bool) -> str:
    """Draw a part, with further sheets behind it."""
    box = part.box
    behind = [
        svg.outline(Box(box.x + 4 * i, box.y + 4 * i, box.wide, box.high), lit and stacked, bright)
        for i in range(part.sheets, 0, -1)
    ]
    return "".join([*behind, svg.outline(box, lit, bright)])


def _attention_label(box: Box, bright: bool) -> str:
    """Draw the name of attention at the top of its box."""
    gap = Box(box.right - 80, box.y - 4, 70, 8)
    name = svg.text(gap.middle[0], box.y + 5, "attention", "ink" if bright else "soft")
    return svg.bare(gap, "paper" if bright else "panel") + name


def _rows(name: str, where: Place) -> str:
    """Draw the contents of a part before or after the block: a row for each word."""
    box, colour = PARTS[name].box, _colour(name, where)
    middle = box.middle[0]
    drawn: dict[str, Callable[[int, float], str]] = {
        "words": lambda i, y: svg.text(middle, y + 5, _WORDS[i], colour),
        "vectors": lambda i, y: svg.vector(box.x + 5, y, _VECTORS[i]),
        "places": lambda i, y: svg.text(middle, y + 5, str(i + 1), colour),
        "next word": lambda i, y: _scored(box.x, y, *_NEXT[i], colour),
    }
    return "".join(drawn[name](i, box.y + 14 + 23 * i) for i in range(3))


def _scored(x: float, y: float, word: str, score: int, colour: str) -> str:
    """Draw a word that may come next, and a bar as long as its score."""
    bar = Box(x + 54, y - 5, score, 10)
    return svg.text(x + 28, y + 5, word, colour) + svg.bare(bar, colour)


def _projections(lit: bool) -> str:
    """Draw three arrows from the vectors to Q, K and V, which are W_Q, W_K and W_V."""
    start = PARTS["W"].box.x
    ends = {role: PARTS[letter].box for letter, role in svg.ROLES.items()}
    heights = [box.middle[1] for box in ends.values()]
    ways = [
        svg.arrow([(start, y), (box.x - 1, y)], role if lit else "soft", heavy=lit)
        for (role, box), y in zip(ends.items(), heights, strict=True)
    ]
    return "".join([svg.line([(start, heights[0]), (start, heights[-1])]), *ways])


def _arrows(where: Place) -> list[str]:
    """Draw the path of the vectors; for the loss, the same path backwards."""
    plain = [[(62.0, 72.5), (80.0, 72.5)], [(160.0, 72.5), (194.0, 72.5)]]
    trained = [
        [(238.0, 54.0), (260.0, 54.0)],
        [(238.0, 67.0), (260.0, 67.0)],
        [(238.0, 93.5), (260.0, 93.5)],
        [(303.0, 73.0), (303.0, 82.0)],
        [(364.0, 72.5), (382.0, 72.5)],
        [(470.0, 72.5), (494.0, 72.5)],
    ]
    ways = [points[::-1] for points in trained] if where.backwards else trained
    colour = "ink" if where.backwards else "soft"
    return [
        svg.arrow(plain[0]),
        svg.line(plain[1]),
        *(svg.arrow(points, colour, heavy=where.backwards) for points in ways),
    ]


def _flag(place: str) -> list[str]:
    """Draw the words "you are here" above the highlighted part, and a line down to it."""
    part = PARTS[PLACES[place].lit[0]]
    here = f"you are here: {place}"
    wide = 8.7 * len(here) + 14
    x = part.box.x + part.meets * part.box.wide
    middle = min(max(x, wide / 2 + 5), WIDE - wide / 2 - 5)
    return [
        svg.arrow([(x, 20), (x, part.box.y - 1)], "ink", heavy=True),
        f'<rect class="ink" x="{middle - wide / 2:g}" y="3" width="{wide:g}" height="18" rx="9"/>',
        svg.text(middle, 17, here, "paper", 'font-weight="bold"'),
    ]
