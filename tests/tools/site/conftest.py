"""Build the small site that the site's tests share: chapter 0, two other chapters and the quiz."""

from __future__ import annotations

import functools
import http.server
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page

from qkvlib.tools.site.build import build
from tests.shared_runs import for_kernels

ROOT = Path(__file__).parents[3]
CHAPTERS = ("00", "01", "03", "17")


@dataclass(frozen=True)
class Site:
    """The pages of a site, as files and as addresses."""

    folder: Path
    address: str

    def pages(self) -> list[Path]:
        return sorted(self.folder.glob("*.html"))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # a browser that has left does not wait for the rest
            super().handle()


@contextmanager
def served(folder: Path, how: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve a folder, and yield its address."""
    handler = functools.partial(how, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Site]:
    """Build a small site of four chapters."""
    folder = built(tmp_path_factory.getbasetemp(), worker_id, "course", CHAPTERS)
    with served(folder) as address:
        yield Site(folder, address)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Site]:
    """Build the whole site."""
    folder = built(tmp_path_factory.getbasetemp(), worker_id, "whole", ())
    with served(folder) as address:
        yield Site(folder, address)


def built(room: Path, worker: str, name: str, chapters: Sequence[str]) -> Path:
    """Build a site once for all workers, with the files that another notebook's training left."""
    if worker != "master":
        room = room.parent
    folder = room / name
    with FileLock(room / f"{name}.lock"):
        if not folder.exists():
            with mock.patch.dict(os.environ, for_kernels()):
                build(ROOT, room / f"{name}-unfinished", chapters)
            (room / f"{name}-unfinished").rename(folder)
    return folder


@dataclass
class Visit:
    """A page in its own browser context, with its errors and its requests to other hosts."""

    page: Page
    wrong: list[str]
    asked: list[str]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    seen = Visit(page, [], [])
    page.on("pageerror", lambda error: seen.wrong.append(str(error)))
    page.on("console", lambda said: seen.wrong.append(said.text) if said.type == "error" else None)
    page.on("requestfailed", lambda request: seen.wrong.append(request.url))
    page.on("request", lambda request: seen.asked.append(request.url))
    yield seen
    page.context.close()
    assert not seen.wrong
    ours = ("http://127.0.0.1:", "data:", "blob:")
    assert all(url.startswith(ours) for url in seen.asked)
