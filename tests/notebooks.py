"""A plugin: every notebook is tried by a learner of its own, who has done nothing yet."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from unittest import mock

import pytest


@lru_cache
def home_of(notebook: str) -> str:
    """The folder for the progress made in this notebook."""
    return tempfile.mkdtemp(prefix="qkvlib-notebook-")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A notebook's kernel starts with its first cell, and inherits the folder."""
    if item.path.suffix != ".ipynb":  # a fixture's own changes must outlive the set-up
        return (yield)
    with mock.patch.dict(os.environ, {"QKVLIB_HOME": home_of(str(item.path))}):
        return (yield)
