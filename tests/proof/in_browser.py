"""Open a page with only the checker of the site, with its real worker and its real files."""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.in_page.files import place
from tests.browser import started_browser
from tests.proof.programs import Program
from tests.proof.under_torch import ROOT

_PAGE = """<!doctype html><meta charset="utf-8"><title>Checks</title><script type="module">
import {{ open }} from "./owner.js";
globalThis.told = [];
globalThis.checker = open({addresses}, (done) => told.push(done));
</script>"""
_CHECK = "([name, text]) => checker.check(name, [[name, text]]).catch(e => ({broken: String(e)}))"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def site() -> Iterator[str]:
    """Serve the page that checks from this computer, and yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        addresses = place(Assets(Path(folder)), ROOT / "lessons")
        shutil.copy(ROOT / "qkvlib/tools/site/script/check/owner.js", folder)
        text = _PAGE.format(addresses=json.dumps(addresses))
        Path(folder, "index.html").write_text(text, encoding="utf-8")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def opened(kind: str) -> Iterator[Page]:
    """Open that page in a browser of this kind."""
    with site() as address, sync_playwright() as playwright, started_browser(playwright, kind) as it:
        page = it.new_page()
        page.goto(address)
        page.wait_for_function("globalThis.checker")
        yield page


def ask(page: Page, name: str, text: str) -> dict[str, Any]:
    """Return the record of one answer."""
    return page.evaluate(_CHECK, [name, text])


def in_browser(kind: str, programs: Iterable[Program]) -> Iterator[dict[str, Any]]:
    """Yield the records, all from one page."""
    with opened(kind) as page:
        for one in programs:
            yield ask(page, one.exercise, one.text)
