"""Figures that only show: tables of numbers with their names, still pictures, colours, words."""

from qkvlib.figures.tables import Figure, chip, matrix, side_by_side, table, written

__all__ = ["Figure", "chip", "matrix", "side_by_side", "table", "written"]
