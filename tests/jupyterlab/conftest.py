"""One JupyterLab for all tests of a session that need a real one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.jupyterlab.jupyterlab import Lab, Server, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("jupyterlab")) as server:
        yield server


@pytest.fixture(scope="session")
def later_server(server: Server) -> Iterator[Server]:
    """Another server on the same notebooks and the same trust: it knows no kernel of the first."""
    with running_server(server.folder) as later_server:
        yield later_server


@pytest.fixture(scope="session")
def pages() -> Iterator[list[Lab]]:
    """The page that stays open from one test to the next, once there is one."""
    pages: list[Lab] = []
    yield pages
    for page in pages:
        page.page.close()


@pytest.fixture
def lab(browser: Browser, server: Server, pages: list[Lab]) -> Iterator[Lab]:
    """JupyterLab in a page. Kernels stop after each test; one that fails takes the page along."""
    lab = pages.pop() if pages else Lab(browser, server)
    yield lab
    try:
        lab.leave()
        lab.check()
    except Exception:
        lab.page.close()
        server.stop_kernels()
        raise
    pages.append(lab)


@pytest.fixture
def own_lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """The same in a page that no later test gets: it is reloaded, or loses its kernel."""
    with Lab(browser, server) as lab:
        yield lab
