"""Judge the bank as in a learner's session."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def as_in_a_session(unchecked_signatures: None) -> None:
    """Leave the shapes in the mathematics' signatures unchecked: the cases must catch a wrong answer."""
