"""Run the widgets' tests in Chromium, and those marked `every_browser` in Firefox as well.

In `make test` Firefox tests one widget, in `make everything` all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page import host
from tests.page.host import Host, Show

ALWAYS = "test_cache"  # the widget that Firefox tests in every `make test`


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("every_browser"):
        swept = [] if metafunc.module.__name__.endswith(ALWAYS) else [pytest.mark.sweep]
        both = ["chromium", pytest.param("firefox", marks=swept)]
        metafunc.parametrize("browser", both, indirect=True, scope="session")


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    found: Browser = request.getfixturevalue(getattr(request, "param", "chromium"))
    return found


@pytest.fixture
def show(browser: Browser) -> Iterator[Show]:
    """Open pages on widgets, as `tests.page.host.show` does, and leave them to the next test."""
    opened: list[Host] = []

    def shown(*given: Any, **named: Any) -> Host:
        opened.append(host.show(browser, *given, **named))
        return opened[-1]

    yield shown
    for one in opened:
        one.close()
