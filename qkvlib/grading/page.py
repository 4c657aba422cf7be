"""The frame of every HTML page the grader writes: complete in itself, and unable to run a script.

Trusted code around untrusted text: every text goes through `text`, and the page forbids scripts and
connections altogether, should one ever slip through.
"""

from __future__ import annotations

from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2126; --soft: #5b6570; --line: #d5dae0; --page: #fff;
  --card: #f6f7f9; --right: #1b7f4b; --wrong: #b35900; --raised: #b3261e; --none: #7a828c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a5adb6; --line: #3a4149;
  --page: #15181c; --card: #1e2329; --right: #57c78b; --wrong: #f0a35a; --raised: #f28b82;
  --none: #98a1ab; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .25rem .8rem .25rem 0;
  vertical-align: top; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .85rem/1.4 ui-monospace, monospace; }
section { border-left: 4px solid var(--none); background: var(--card); padding: .6rem 1rem;
  margin: 1rem 0; }
section h3 { margin: 0; font-size: 1.05rem; }
.right { border-color: var(--right); } .wrong { border-color: var(--wrong); }
.raised { border-color: var(--raised); } .soft { color: var(--soft); }
.question { font-style: italic; } svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
"""


def page(title: str, body: str) -> str:
    """A whole page; `body` is HTML, `title` is text."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        f"<h1>{text(title)}</h1>\n{body}\n</body></html>\n"
    )


def text(value: object) -> str:
    """Text as text: nothing in it is taken for HTML."""
    return escape(str(value), quote=True)


def with_code(line: str) -> str:
    """A line of text with what stands between backticks as code."""
    parts = text(line).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def count(most: float) -> str:
    """'5 points'."""
    return f"{most:g} point" + ("" if most == 1 else "s")


def points(given: float, most: float) -> str:
    """'3 of 5 points'."""
    return f"{given:g} of {count(most)}"
