"""Ready-made soft lookups, by name, so that a lesson's cell need only give the name."""

from __future__ import annotations

from typing import Any

# The first widget in the course with an attention lookup. A word asks, three words can answer, and the output
# says which of them it means. The numbers are made up.
PRESETS: dict[str, dict[str, Any]] = {
    "first": {
        "query": [1.1, 0.9],
        "keys": [[2.0, 0.7], [-0.5, 2.0], [-1.3, -1.5]],
        "values": [[8.0, 1.0], [1.0, 8.0], [1.0, 1.0]],
        "names": ["cat", "milk", "bowl"],
        "query_name": "it",
        "touch": ["query"],
        "axes": ("alive", "drinkable"),
        "sentence": "The cat left the milk in the bowl, because it was",
        "endings": ["full", "sour", "cracked"],
        "invitation": "Drag the blue arrow. “it” asks the other words: whom do I mean?",
    },
}
