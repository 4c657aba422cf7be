"""Give every test its own learner, and check the shapes in signatures."""

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

# Set before anything imports the package: from here on every call checks the shapes in the
# mathematics' signatures, so a wrong one cannot stay. Learners' sessions do not pay for it.
PACKAGE = Path(__file__).parent.parent / "qkvlib"
MATHEMATICS = [path.stem for path in PACKAGE.glob("[a-z]*.py")] + ["models", "tasks", "training"]
jaxtyping.install_import_hook([f"qkvlib.{name}" for name in MATHEMATICS], "beartype.beartype")

# Kernels and browsers that a test starts inherit this; no test may touch the maintainer's own data.
os.environ["QKVLIB_HOME"] = tempfile.mkdtemp(prefix="home-")

# The machine may be busy, and then two threads are many times slower than one.
torch.set_num_threads(int(os.environ.get("QKVLIB_THREADS", "1")))  # processors.py sets two

settings.register_profile("course", draws.profile())
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Pass our seed to hypothesis's plugin, which reads its option in this same hook."""
    if draws.SEED and config.getoption("hypothesis_seed") is None:
        config.option.hypothesis_seed = draws.SEED


# The longest first; otherwise a worker would be idle at the end while another runs one of these.
# Solutions come before lessons, which reuse their training runs, and before the site, whose pages
# are built from their runs (kept_runs.py).
LONGEST = (
    *("tests/jupyterlab/test_jupyterlab.py", "solutions", "lessons", "tests/jupyterlab"),
    *("tests/tools/grading", "tests/page", "tests/tools/site", "tests/experiments"),
    *("tests/tools/authoring", "tests/exercises"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first (with `--no-loadscope-reorder` the workers keep this order)."""
    items.sort(
        key=lambda item: next(
            (place for place, name in enumerate(LONGEST) if item.nodeid.startswith(name)), len(LONGEST)
        )
    )


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start Playwright, which drives browsers; each thread can have one."""
    from playwright.sync_api import sync_playwright  # imported here because most tests run without it

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Start one Chromium for all tests of a session."""
    from tests.browser import started_browser

    with started_browser(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """Start one Firefox for all tests of a session."""
    from tests.browser import started_browser

    with started_browser(playwright, "firefox") as browser:
        yield browser


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    """Return the browser for tests that need only one."""
    return chromium


@pytest.fixture
def home(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> object:
    """Make an empty progress folder for one test."""
    monkeypatch.setenv("QKVLIB_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def unchecked_signatures() -> Iterator[None]:
    """Leave signatures unchecked, as in a learner's session, so that the functions' own messages appear."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
