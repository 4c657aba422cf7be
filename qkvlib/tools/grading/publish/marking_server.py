"""`qkv mark`: hands out the page of answers on this computer, and saves each mark that is given.

Trusted code. It speaks to this computer only, and to nobody but the page that it opened: a request
has to know the token, has to be meant for this address, and may not come from another page.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from qkvlib.tools.grading.publish.marks import MarksError, save, saved

_LARGEST = 20_000  # bytes of one mark with its comment
_LONGEST = 2_000  # characters of a comment


class MarkingServer(ThreadingHTTPServer):
    """Serves the page of the results in a folder. `address` is what a browser is to open."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.page, self.marks = folder / "answers.html", folder / "marks.csv"
        for path in (self.page, self.marks):
            if not path.exists():
                raise FileNotFoundError(
                    f"{path} is not there: run `qkv grade` first. Where no answer in words was "
                    "handed in there is nothing to mark"
                )
        self.token = secrets.token_urlsafe(24)
        super().__init__(("127.0.0.1", 0), _Handler)
        self.host = f"127.0.0.1:{self.server_address[1]}"
        self.address = f"http://{self.host}/?token={self.token}"


class _Handler(BaseHTTPRequestHandler):
    server: MarkingServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        """The page, or the marks as they stand now."""
        where = urlsplit(self.path)
        if where.path == "/":
            given = parse_qs(where.query).get("token", [""])[0]
            self._if_allowed(given, lambda: (self.server.page.read_bytes(), "text/html"))
        elif where.path == "/marks":
            given = self.headers.get("X-Token", "")
            self._if_allowed(given, lambda: (_as_json(self.server.marks), "application/json"))
        else:
            self._reply(HTTPStatus.NOT_FOUND, b"There is nothing here.")

    def do_POST(self) -> None:
        """A mark."""
        sent = self.headers.get("Content-Length", "")
        size = int(sent) if sent.isdecimal() else _LARGEST + 1
        if size > _LARGEST:
            self.close_connection = True  # what it would have said is not read
            self._reply(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"This is too long.")
            return
        data = self.rfile.read(size)
        kind = self.headers.get("Content-Type", "")
        if self.path != "/mark" or kind != "application/json":
            self._reply(HTTPStatus.NOT_FOUND, b"Marks are taken at /mark, as JSON.")
            return
        self._if_allowed(self.headers.get("X-Token", ""), lambda: self._mark(data))

    def _mark(self, data: bytes) -> tuple[bytes, str]:
        try:
            sent = json.loads(data)
            student, answer, points, comment = (
                sent[name] for name in ("student", "answer", "points", "comment")
            )
        except (ValueError, TypeError, KeyError):
            raise MarksError("this is no mark") from None
        if not all(isinstance(text, str) for text in (student, answer, points, comment)):
            raise MarksError("this is no mark")
        save(self.server.marks, student, answer, points, comment[:_LONGEST])
        return b"Saved.", "text/plain"

    def _if_allowed(self, token: str, make: Callable[[], tuple[bytes, str]]) -> None:
        own = f"http://{self.server.host}"
        if (
            not hmac.compare_digest(token.encode(), self.server.token.encode())
            or self.headers.get("Host") != self.server.host
            or self.headers.get("Origin", own) != own
        ):
            words = b"This is not the address that `qkv mark` printed."
            self._reply(HTTPStatus.FORBIDDEN, words)
            return
        try:
            content, kind = make()
        except (MarksError, ValueError) as error:
            self._reply(HTTPStatus.CONFLICT, str(error).encode())
        except OSError as error:
            why = f"{self.server.marks.name} cannot be written: {error.strerror}"
            self._reply(HTTPStatus.INTERNAL_SERVER_ERROR, why.encode())
        else:
            self._reply(HTTPStatus.OK, content, kind)

    def _reply(self, status: HTTPStatus, content: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", "frame-ancestors 'none'"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing: each key press would be a line, with the token in it."""


def _as_json(path: Path) -> bytes:
    return json.dumps([row._asdict() for row in saved(path)]).encode()
