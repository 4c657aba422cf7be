"""Predictions: a choice to commit to before the outcome is shown, and a table of all of them."""
