"""The bank is judged as in a learner's session."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def as_in_a_session(unchecked_signatures: None) -> None:
    """No shape in the mathematics' signatures is checked: a wrong answer must fail by its cases."""
