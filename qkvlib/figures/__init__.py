"""Figures: tables of numbers with their names, interactive charts, still pictures, colours, words."""

from qkvlib.figures.curves import curves
from qkvlib.figures.journey import journey
from qkvlib.figures.landscape import landscape
from qkvlib.figures.seeds import seeds
from qkvlib.figures.tables import Figure, chip, matrix, side_by_side, table, written

__all__ = [
    "Figure",
    "chip",
    "curves",
    "journey",
    "landscape",
    "matrix",
    "seeds",
    "side_by_side",
    "table",
    "written",
]
