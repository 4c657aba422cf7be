"""Each row turned by its place, pair of columns by pair of columns."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import positions as course
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    builds_on=("positional_encoding",),
    needed_later=("float64",),
    hints=(
        "Each pair of columns is an arrow. What are the two numbers of an arrow [a, b] after a "
        "turn by an angle? `by_hand`, above, has them for a row of four numbers.",
        "The angles are a table with a row for each place and a column for each pair, as in "
        "chapter 7. `x[..., 0::2]` are all the a, `x[..., 1::2]` all the b.",
        "angles = places, as a column, divided by 10000 to the power 2i / d; in the even columns "
        "a cos - b sin, in the odd ones a sin + b cos",
    ),
)

exercise.reference(course.rotate_by_position)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, d: int, *b: int, start: int = 0) -> tuple[Tensor, Tensor]:
        return normal(generator, *b, n, d), torch.arange(start, start + n)

    quarter = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    return [
        Case(
            "an arrow of two numbers; a place of pi / 2 is a quarter of a turn",
            (quarter, torch.tensor([0.0, math.pi / 2, math.pi / 2])),
        ),
        Case("two pairs of columns at place 1", (torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([1]))),
        Case("2 rows, 4 columns: as many places as pairs", case(2, 4)),
        Case("3 rows, 4 columns", case(3, 4)),
        Case("as many rows as columns", case(4, 4)),
        Case("5 rows, 8 columns", case(5, 8)),
        Case("places that begin at 100", case(4, 6, start=100)),
        Case("places in any order", (normal(generator, 4, 6), torch.tensor([7, 0, 31, 2]))),
        Case("places below zero", (normal(generator, 3, 4), torch.tensor([-2, -1, 0]))),
        Case("a batch of 2, with 3 heads each", case(4, 6, 2, 3)),
        Case("a single pair of columns", case(6, 2)),
        # far enough for 9999 in place of 10000 to show
        Case("places around 300, 18 columns", case(3, 18, start=299)),
    ]


def _angles(x: Tensor, places: Tensor) -> Tensor:
    d = x.shape[-1]
    return places.to(x.dtype)[:, None] / 10000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)


def _turned(x: Tensor, angles: Tensor) -> Tensor:
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "You turn the other way round: the sign stands at the wrong sine.",
    "Where does the arrow [1, 0] point after a quarter of a turn to the left?",
)
def the_other_way(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, -_angles(x, positions))


@exercise.mistake(
    "Both sines have the same sign. Then it is no turn: the arrow changes its length.",
    "How long is [1, 1] before, and after an eighth of a turn in your program?",
)
def no_minus(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos + b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "The minus stands in the second line. The arrow keeps its length, but it is mirrored besides: "
    "at place 0, where nothing should turn, your second number changes its sign.",
    "What are cos 0 and sin 0, and what becomes of [a, b] at place 0?",
)
def mirrored(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos + b * sin, a * sin - b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "Sine and cosine have changed places: at place 0, where nothing should turn, your arrows have "
    "turned by a quarter.",
    "What are cos 0 and sin 0, and what becomes of [a, b] at place 0?",
)
def sine_for_cosine(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, math.pi / 2 - _angles(x, positions))


@exercise.mistake(
    "`positions` is a row of numbers, and so are the powers of 10000: divided, they meet number by "
    "number. Each place has to meet each pair, so the places have to be a column: "
    "`positions[:, None]`.",
    "With 3 places and 2 pairs, how many angles are there, and in which shape?",
)
def places_not_a_column(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    angles = positions / 10000 ** (torch.arange(0, d, 2) / d)
    a, b, turned = x[..., 0::2], x[..., 1::2], torch.zeros_like(x)
    turned[..., 0::2] = a * angles.cos() - b * angles.sin()
    turned[..., 1::2] = a * angles.sin() + b * angles.cos()
    return turned


@exercise.mistake(
    "You pair each column of the first half with one of the second. Some libraries do that, and a "
    "model is trained with one way or the other. Here a pair is two columns side by side.",
    "Which column is the partner of column 0?",
)
def paired_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    cos, sin = _angles(x, positions).cos(), _angles(x, positions).sin()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.mistake(
    "The pairs are right, and so are their turns. But all first numbers stand before all second "
    "ones in your result: each pair belongs side by side, where it was.",
    "In which two columns stands the first arrow after the turn?",
)
def put_back_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.mistake(
    "You turn the second number with the new first one: `a` has been overwritten before `b` is made from it.",
    "Which `a` belongs into a sin + b cos, the one before the turn or the one after?",
)
def first_number_overwritten(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    a = a * cos - b * sin
    return torch.stack([a, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "All pairs turn equally fast, by one radian for each place. The hands of this clock get slower "
    "from pair to pair.",
    "What stands below the place in the formula of the angle, and for which pair is it 1?",
)
def one_speed(x: Tensor, positions: Tensor) -> Tensor:
    angles = positions.to(x.dtype)[:, None].expand(-1, x.shape[-1] // 2)
    return _turned(x, angles)


@exercise.mistake(
    "The exponent is too small by half: pair i has the exponent 2i / d, and you use i / d.",
    "Columns 2 and 3 are pair 1. With d = 4, what is their exponent?",
)
def exponent_i_over_d(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (torch.arange(d // 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "The exponent is doubled: the numbers 0, 2, 4 of `torch.arange(0, d, 2)` are the 2i already.",
    "With d = 4, what is the exponent of the second pair, and what is it in your program?",
)
def exponent_doubled(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (2 * torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "You multiply by the power of 10000. The arrows should turn slower from pair to pair, and "
    "yours turn faster.",
    "Which hand of a clock is the slowest, and which pair of columns?",
)
def multiplied(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] * speeds)


@exercise.mistake(
    "You add the encoding of chapter 7 to the rows. Here nothing is added: the rows are turned.",
    "How long is a row before, and how long after?",
)
def added(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@exercise.mistake(
    "You never look at `positions`: you count the rows from 0. But the first row need not stand at place 0.",
    "Which place has the first row, when `positions` is 100, 101, 102?",
)
def counted_anew(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, _angles(x, torch.arange(len(positions))))


@exercise.mistake(
    "You count the places from 1: each row is turned by one place too much.",
    "By which angle is the row at place 0 turned?",
)
def counted_from_one(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, _angles(x, positions + 1))


@exercise.mistake(
    "Your base is 1000; the formula has 10000.",
    "How many zeros has ten thousand?",
)
def another_base(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 1000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "You multiply by the cosine and by the sine, each column for itself: what a turn mixes, the "
    "two numbers of a pair, is never mixed.",
    "After a quarter of a turn, of which old number is the new first one made?",
)
def not_mixed(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos, b * sin], dim=-1).flatten(-2)


@exercise.mistake(
    "Both numbers of a pair have a minus. The second is a *sum*: a sin + b cos.",
    "At place 0 nothing turns. What becomes of b there?",
)
def minus_twice(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin - b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "The two numbers of each pair have changed places in your result.",
    "At place 0 nothing turns. Which number stands first there?",
)
def numbers_of_a_pair_changed(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * sin + b * cos, a * cos - b * sin], dim=-1).flatten(-2)


@exercise.mistake(
    "The numbers are right, but each pair has a dimension of its own in your result: [..., n, d/2, "
    "2]. The rows have to be as long as before.",
    "Which dimensions does `.flatten(-2)` join?",
)
def pairs_not_joined(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.alternative
def _by_complex_numbers(x: Tensor, positions: Tensor) -> Tensor:
    """A turn is a product with a number on the circle."""
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    angles = _angles(x, positions)
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


@exercise.alternative
def _by_columns(x: Tensor, positions: Tensor) -> Tensor:
    turned = torch.empty_like(x)
    d = x.shape[-1]
    for column in range(0, d, 2):
        angle = positions / 10000 ** (column / d)
        a, b = x[..., column], x[..., column + 1]
        turned[..., column] = a * angle.cos() - b * angle.sin()
        turned[..., column + 1] = b * angle.cos() + a * angle.sin()
    return turned


@exercise.alternative
def _by_slices(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    angles = positions[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    turned = torch.zeros_like(x)
    turned[..., 0::2] = x[..., 0::2] * angles.cos() - x[..., 1::2] * angles.sin()
    turned[..., 1::2] = x[..., 0::2] * angles.sin() + x[..., 1::2] * angles.cos()
    return turned


@exercise.alternative
def _by_matrices(x: Tensor, positions: Tensor) -> Tensor:
    """A matrix of rotation for each place and each pair."""
    angles = _angles(x, positions)
    cos, sin = angles.cos(), angles.sin()
    matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    pairs = x.unflatten(-1, (-1, 2))
    return (matrices @ pairs[..., None])[..., 0].flatten(-2)


@exercise.alternative
def _by_a_quarter_turn(x: Tensor, positions: Tensor) -> Tensor:
    """The row times the cosines, and the row turned by a quarter times the sines."""
    angles = _angles(x, positions).repeat_interleave(2, dim=-1)
    quarter = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos() + quarter * angles.sin()
