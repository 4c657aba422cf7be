"""Compare the output of a cell with the saved one, for nbval, with a tolerance for numbers.

Until a notebook trains, its outputs are the same on every processor, to the last byte of a picture.
After that, a number also depends on the luck of one seed and the rounding of one processor. Words
and counts must still be the same. Other numbers have a tolerance:

- The lowest, median and highest of several seeds: twice the distance from the saved lowest to the
  saved highest, plus `FLOOR`. Another processor is like another draw of the seeds.
- Any other number: one in its last digit.

A picture shows the numbers of the text next to it, and only the text is compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

FLOOR = 0.02  # two percentage points, for when all seeds give the same

# A number is never part of a word or a colour: those must be the same.
_NUMBER = re.compile(r"(?<![\w#])[-−+]?\d+(?:\.(?P<decimals>\d+))?(?:e(?P<power>[-+]?\d+))?%?")
_SEEDS = re.compile(r"lowest (\S+), median (\S+), highest ([^\s,;<]+\d%?)")
_PICTURE = re.compile(r'src="data:image/[^"]*"')
_TRAINS = re.compile(r"\btrain(?:_together)?\(")


def has_trained(cells: Sequence[str]) -> bool:
    """Return whether any of these sources calls a training loop."""
    return any(map(_TRAINS.search, cells))


class Trained(str):
    """A text that equals another if the words are the same and the numbers are within tolerance."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, shown: object) -> bool:
        return isinstance(shown, str) and agree(self, shown)

    def __ne__(self, shown: object) -> bool:
        return not self == shown


def agree(saved: str, shown: str) -> bool:
    """Return whether all words are the same and each number is within its tolerance."""
    saved, shown = (_PICTURE.sub("src", text) for text in (saved, shown))
    if _NUMBER.sub("0", saved) != _NUMBER.sub("0", shown):
        return False
    spreads = {}
    for seeds in _SEEDS.finditer(saved):
        lowest, highest = _value(seeds[1]), _value(seeds[3])
        spreads |= {seeds.start(which): 2 * (highest - lowest) + FLOOR for which in (1, 2, 3)}
    pairs = zip(_NUMBER.finditer(saved), _NUMBER.finditer(shown), strict=True)
    return all(
        abs(_value(one[0]) - _value(other[0]))
        <= spreads.get(one.start(), min(_last_digit(one), _last_digit(other))) + 1e-9
        for one, other in pairs
    )


def _value(number: str) -> float:
    """Return the number as Python reads it; a percentage becomes a share."""
    value = float(number.rstrip("%").replace("−", "-"))
    return value / 100 if number.endswith("%") else value


def _last_digit(number: re.Match[str]) -> float:
    """Return the value of one unit in the last digit; 0 for a count."""
    if not (number["decimals"] or number["power"] or number[0].endswith("%")):
        return 0.0
    unit = 10.0 ** (int(number["power"] or 0) - len(number["decimals"] or ""))
    return unit / 100 if number[0].endswith("%") else unit
