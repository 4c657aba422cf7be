"""For every test: a learner of its own, and shapes in signatures that are checked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import jaxtyping
import pytest
import torch
from hypothesis import settings

from tests import draws

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

# Before anything imports it: from here on the shapes in the mathematics' signatures are checked at
# every call, so that a wrong one cannot stay. Learners' sessions do not pay for it.
PACKAGE = Path(__file__).parent.parent / "qkvlib"
MATHEMATICS = [path.stem for path in PACKAGE.glob("[a-z]*.py")] + ["models", "tasks", "training"]
jaxtyping.install_import_hook([f"qkvlib.{name}" for name in MATHEMATICS], "beartype.beartype")

# Kernels and browsers that a test starts inherit this; no test may touch the maintainer's own.
os.environ["QKVLIB_HOME"] = tempfile.mkdtemp(prefix="home-")

# The machine may be busy, and two threads on a busy machine are many times slower than one.
torch.set_num_threads(int(os.environ.get("QKVLIB_THREADS", "1")))  # processors.py asks for two

settings.register_profile("course", draws.profile())
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hand our seed to hypothesis's plugin, which reads its option in this same hook."""
    if draws.SEED and config.getoption("hypothesis_seed") is None:
        config.option.hypothesis_seed = draws.SEED


# The longest first, or one of the workers would end with nothing to do while another has one of these.
# Solutions come before lessons, which find what those have trained, and before the site, whose pages
# are made of their runs (kept_runs.py).
LONGEST = (
    *("tests/jupyterlab/test_jupyterlab.py", "solutions", "lessons", "tests/jupyterlab"),
    *("tests/tools/grading", "tests/page", "tests/tools/site", "tests/experiments"),
    *("tests/tools/authoring", "tests/exercises"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest first (`--no-loadscope-reorder` lets the workers keep to it)."""
    items.sort(
        key=lambda item: next(
            (place for place, name in enumerate(LONGEST) if item.nodeid.startswith(name)), len(LONGEST)
        )
    )


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers; a thread can have one."""
    from playwright.sync_api import sync_playwright  # here: most tests run without it

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests of a session."""
    from tests.browser import started_browser

    with started_browser(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """One Firefox for all tests of a session."""
    from tests.browser import started_browser

    with started_browser(playwright, "firefox") as browser:
        yield browser


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    """What a test that needs a browser asks for."""
    return chromium


@pytest.fixture
def home(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> object:
    """A fresh progress folder for one test."""
    monkeypatch.setenv("QKVLIB_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def unchecked_signatures() -> Iterator[None]:
    """Calls as in a learner's session, where the functions' own messages come through."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
