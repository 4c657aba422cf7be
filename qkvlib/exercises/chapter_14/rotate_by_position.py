"""Each row rotated by its position, pair of columns by pair of columns."""

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
        "Each pair of columns is an arrow. What are the two numbers of an arrow [a, b] after a rotation by "
        "an angle? The lesson's `by_hand` computes them for a row of four numbers.",
        "The angles are a matrix with a row for each position and a column for each pair, as in chapter 7. "
        "`x[..., 0::2]` contains every a, and `x[..., 1::2]` contains every b.",
        "angles = positions, as a column, divided by 10000 to the power 2i / d; in the even columns a cos - "
        "b sin, in the odd columns a sin + b cos",
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
            "an arrow of two numbers; position pi / 2 is a quarter turn",
            (quarter, torch.tensor([0.0, math.pi / 2, math.pi / 2])),
        ),
        Case("two pairs of columns at position 1", (torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([1]))),
        Case("2 rows, 4 columns: as many positions as pairs", case(2, 4)),
        Case("3 rows, 4 columns", case(3, 4)),
        Case("as many rows as columns", case(4, 4)),
        Case("5 rows, 8 columns", case(5, 8)),
        Case("positions that begin at 100", case(4, 6, start=100)),
        Case("positions in any order", (normal(generator, 4, 6), torch.tensor([7, 0, 31, 2]))),
        Case("positions below zero", (normal(generator, 3, 4), torch.tensor([-2, -1, 0]))),
        Case("a batch of 2, with 3 heads each", case(4, 6, 2, 3)),
        Case("a single pair of columns", case(6, 2)),
        # far enough for 9999 in place of 10000 to show
        Case("positions around 300, 18 columns", case(3, 18, start=299)),
    ]


def _angles(x: Tensor, places: Tensor) -> Tensor:
    d = x.shape[-1]
    return places.to(x.dtype)[:, None] / 10000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)


def _turned(x: Tensor, angles: Tensor) -> Tensor:
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "You rotate in the wrong direction, because the minus sign is at the wrong sine.",
    "Where should the arrow [1, 0] point after a quarter turn to the left, and where does it point in your "
    "program?",
)
def the_other_way(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, -_angles(x, positions))


@exercise.mistake(
    "Both sines have the same sign, so the length of the arrow changes. But a rotation keeps the length.",
    "How long is the arrow [1, 1] before an eighth of a turn, and how long is it afterwards in your program?",
)
def no_minus(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos + b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "Your minus sign is in the second number of the pair, but it belongs in the first number.",
    "What are cos 0 and sin 0, and what does your program make of [a, b] at position 0?",
)
def mirrored(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos + b * sin, a * sin - b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "You swapped sine and cosine.",
    "What are cos 0 and sin 0, and what does your program make of [a, b] at position 0?",
)
def sine_for_cosine(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, math.pi / 2 - _angles(x, positions))


@exercise.mistake(
    "`positions` and the powers of 10000 are both rows, so your angles are a single row, or torch raises an "
    "error. But each position needs an angle for each pair, so the positions have to be a column.",
    "With 3 positions and 2 pairs, how many angles do you need, and in which shape?",
)
def places_not_a_column(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    angles = positions / 10000 ** (torch.arange(0, d, 2) / d)
    a, b, turned = x[..., 0::2], x[..., 1::2], torch.zeros_like(x)
    turned[..., 0::2] = a * angles.cos() - b * angles.sin()
    turned[..., 1::2] = a * angles.sin() + b * angles.cos()
    return turned


@exercise.mistake(
    "You pair each column of the first half with a column of the second half, as some libraries do. But here "
    "a pair is two neighbouring columns.",
    "With d = 6, which two columns are pair 1?",
)
def paired_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    cos, sin = _angles(x, positions).cos(), _angles(x, positions).sin()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.mistake(
    "The pairs are right, and so are their angles. But in your result all first numbers come before all "
    "second numbers. Put each pair back into the two columns where it was.",
    "With d = 4, which two columns of your result contain the first arrow?",
)
def put_back_in_halves(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.mistake(
    "You overwrite the first number of each pair before you compute the second number. But both new numbers "
    "come from the old pair.",
    "In a sin + b cos, a is the old first number. Where does your program keep this number?",
)
def first_number_overwritten(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    a = a * cos - b * sin
    return torch.stack([a, a * sin + b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "All pairs rotate at the same speed, by one radian per position. But each pair should rotate more slowly "
    "than the pair before it.",
    "What does the formula for the angle divide the position by, and for which pair is this divisor 1?",
)
def one_speed(x: Tensor, positions: Tensor) -> Tensor:
    angles = positions.to(x.dtype)[:, None].expand(-1, x.shape[-1] // 2)
    return _turned(x, angles)


@exercise.mistake(
    "The exponent is half of what it should be: pair i has the exponent 2i / d, and you use i / d.",
    "Columns 2 and 3 are pair 1. With d = 4, what is the exponent of this pair?",
)
def exponent_i_over_d(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (torch.arange(d // 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "The exponent is doubled, because the numbers 0, 2, 4 of `torch.arange(0, d, 2)` are already 2i.",
    "With d = 4, what is the exponent of the second pair, and what is it in your program?",
)
def exponent_doubled(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (2 * torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "You multiply the position by the power of 10000, so each pair rotates faster than the pair before it. "
    "But each pair should rotate more slowly.",
    "With d = 4, what should the angle of pair 1 be at position 1, and what is it in your program?",
)
def multiplied(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 10000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] * speeds)


@exercise.mistake(
    "You add the encoding of chapter 7 to the rows. But here you should rotate the rows, and add nothing.",
    "How long should a row be after a rotation, and how long is it in your program?",
)
def added(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@exercise.mistake(
    "You count the rows from 0, and never use `positions`. But the first row is not always at position 0.",
    "When `positions` is 100, 101, 102, by which angle does your program rotate the first pair of the first "
    "row?",
)
def counted_anew(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, _angles(x, torch.arange(len(positions))))


@exercise.mistake(
    "You count the positions from 1, so you rotate each row by one position too many.",
    "By which angle should the row at position 0 be rotated?",
)
def counted_from_one(x: Tensor, positions: Tensor) -> Tensor:
    return _turned(x, _angles(x, positions + 1))


@exercise.mistake(
    "Your base is 1000, but the formula has 10000.",
    "Does a larger base make the last pair rotate faster or more slowly?",
)
def another_base(x: Tensor, positions: Tensor) -> Tensor:
    d = x.shape[-1]
    speeds = 1000 ** (torch.arange(0, d, 2, dtype=x.dtype) / d)
    return _turned(x, positions.to(x.dtype)[:, None] / speeds)


@exercise.mistake(
    "You multiply each column separately, by a cosine or by a sine. But a rotation mixes the two numbers of "
    "a pair.",
    "After a quarter turn, which old number becomes the new first number, apart from its sign?",
)
def not_mixed(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos, b * sin], dim=-1).flatten(-2)


@exercise.mistake(
    "In your program both numbers of a pair are differences. But the second number is a *sum*.",
    "At position 0 nothing should rotate. What does your program make of b there?",
)
def minus_twice(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin - b * cos], dim=-1).flatten(-2)


@exercise.mistake(
    "The two numbers of each pair are swapped in your result.",
    "At position 0 nothing should rotate. What does your program make of [a, b] there?",
)
def numbers_of_a_pair_changed(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * sin + b * cos, a * cos - b * sin], dim=-1).flatten(-2)


@exercise.mistake(
    "The numbers are right, but in your result each pair is a separate row: [..., n, d/2, 2]. Join the "
    "pairs, so that the rows are as long as before.",
    "Which dimensions does `.flatten(-2)` join?",
)
def pairs_not_joined(x: Tensor, positions: Tensor) -> Tensor:
    angles = _angles(x, positions)
    a, b, cos, sin = x[..., 0::2], x[..., 1::2], angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)


@exercise.alternative
def _by_complex_numbers(x: Tensor, positions: Tensor) -> Tensor:
    """A rotation is a product with a number on the circle."""
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
    """A rotation matrix for each position and each pair."""
    angles = _angles(x, positions)
    cos, sin = angles.cos(), angles.sin()
    matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    pairs = x.unflatten(-1, (-1, 2))
    return (matrices @ pairs[..., None])[..., 0].flatten(-2)


@exercise.alternative
def _by_a_quarter_turn(x: Tensor, positions: Tensor) -> Tensor:
    """The row times the cosines, plus the row rotated by a quarter turn times the sines."""
    angles = _angles(x, positions).repeat_interleave(2, dim=-1)
    quarter = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos() + quarter * angles.sin()
