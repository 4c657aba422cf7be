"""Run one JupyterLab for all tests of a session that need a real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from tests.jupyterlab.jupyterlab import Lab, Server, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("jupyterlab")) as server:
        yield server


@pytest.fixture(scope="session")
def later_server(server: Server) -> Iterator[Server]:
    """Start another server on the same notebooks and the same trust: it knows no kernel of the first."""
    with running_server(server.folder) as later_server:
        yield later_server


@pytest.fixture(scope="session")
def pages() -> Iterator[dict[Server, Lab]]:
    """For each server, keep the page that stays open from one test to the next, once there is one."""
    pages: dict[Server, Lab] = {}
    yield pages
    for page in pages.values():
        page.page.close()


@contextmanager
def shared_page(browser: Browser, server: Server, pages: dict[Server, Lab]) -> Iterator[Lab]:
    """Share a page between tests. Kernels stop after each test; if one fails, the page is closed too."""
    lab = pages.pop(server, None) or Lab(browser, server)
    yield lab
    try:
        lab.leave()
        lab.check()
    except Exception:
        lab.page.close()
        server.stop_kernels()
        raise
    pages[server] = lab


@pytest.fixture
def lab(browser: Browser, server: Server, pages: dict[Server, Lab]) -> Iterator[Lab]:
    """Open JupyterLab in a page."""
    with shared_page(browser, server, pages) as lab:
        yield lab


@pytest.fixture
def later_lab(browser: Browser, later_server: Server, pages: dict[Server, Lab]) -> Iterator[Lab]:
    """Open JupyterLab in a page of the later server: it has seen no widget of the first."""
    with shared_page(browser, later_server, pages) as lab:
        yield lab


@pytest.fixture
def own_lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """Open JupyterLab in a page that no later test gets, so it may be reloaded or lose its kernel."""
    with Lab(browser, server) as lab:
        yield lab
