"""For every test: a learner of its own, and shapes in signatures that are checked."""

from __future__ import annotations

import os
import tempfile

import pytest
import torch

# Kernels and browsers that a test starts inherit this; no test may touch the maintainer's own.
os.environ["QKVLIB_HOME"] = tempfile.mkdtemp(prefix="qkvlib-tests-")

# The machine may be busy, and two threads on a busy machine are many times slower than one.
torch.set_num_threads(1)


@pytest.fixture
def home(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> object:
    """A fresh progress folder for one test."""
    monkeypatch.setenv("QKVLIB_HOME", str(tmp_path))
    return tmp_path
