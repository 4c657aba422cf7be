"""The widgets' tests drive Chromium; those marked `every_browser` drive Firefox as well."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_browser"):
        both = ["chromium", "firefox"]
        metafunc.parametrize("browser", both, indirect=True, scope="session")


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    found: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return found
