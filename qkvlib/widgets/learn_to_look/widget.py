"""A sentence that learns how to end: the page computes everything, and Python provides the set-up."""

from __future__ import annotations

from typing import Any

from qkvlib.widgets.kit.widget import Widget
from qkvlib.widgets.learn_to_look import still

SETUP: dict[str, Any] = {
    "sentence": "The cat left the milk in the bowl, because it was",
    "words": ["cat", "milk", "bowl"],
    "asker": "it",
    "endings": ["full", "sour", "cracked"],
    # Made-up numbers: at first "it" attends to "cat". The last row of each matrix belongs to "it". Each word
    # is one feature, so the rows of W_Q and W_K are themselves queries and keys.
    "start": {
        "w_q": [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.5, 1.9]],
        "w_k": [[0.4, 1.4], [-1.3, -0.4], [1.4, -0.3], [0.0, 0.0]],
        "w_v": [[4.0, 0.0], [0.0, 4.0], [0.0, 0.0], [0.0, 0.0]],
    },
    # This turns a blend of values (alive, drinkable) into a score for each ending. It is not trained.
    "read_out": [[1.5, 0.0, 0.0], [0.0, 1.5, 0.0]],
    "bias": [0.0, 0.0, 3.3],
    "rate": 0.08,
    "bounds": {"w_q": 3.0, "w_k": 3.0, "w_v": 5.0},
    "enough": 0.86,
    "most": 120,
}


class LearnToLook(Widget):
    """A sentence whose ending you choose; gradient descent then finds where “it” has to look.

    W_Q, W_K and W_V are made of knobs, and an arrow at each is the pull of the loss: minus its
    gradient. Everything is computed in the page (`compute.js`); Python keeps what the page was left
    with, for a page that reloads.
    """

    front_end = "learn_to_look"

    def setup(self) -> dict[str, Any]:
        return SETUP

    def pack(self) -> dict[str, Any]:
        """Return nothing, because only the page moves."""
        return {}

    def static_html(self) -> str:
        return still.picture(SETUP)

    def __repr__(self) -> str:
        return f"LearnToLook({SETUP['sentence']!r}, endings={', '.join(SETUP['endings'])})"
