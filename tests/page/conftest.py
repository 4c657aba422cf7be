"""The widgets' tests drive Chromium; those marked `every_browser` drive Firefox as well."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from tests.browser import started_browser


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_browser"):
        both = ["chromium", "firefox"]
        metafunc.parametrize("browser", both, indirect=True, scope="session")


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    found: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return found


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """One Firefox for all tests of a session."""
    with started_browser(playwright, "firefox") as browser:
        yield browser
