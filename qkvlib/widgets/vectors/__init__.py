"""Vectors in the plane that a learner can move."""
