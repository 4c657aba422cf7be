"""Vectors in the plane that a hand can move."""
