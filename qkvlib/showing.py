"""What a learner sees of a verdict: the same words as plain text and as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from qkvlib.theme import LIGHT

if TYPE_CHECKING:
    from qkvlib.checking import Evidence, Verdict

# A sign, a heading and the colour of the bar beside it. The heading alone says it all.
_LOOKS = {
    "right": ("✓", "Right", LIGHT.good),
    "wrong": ("✗", "Not yet", LIGHT.plus),
    "raised": ("!", "It stopped with an error", LIGHT.bad),
    "not attempted": ("○", "Not attempted", LIGHT.soft),
}


def display(thing: Any) -> None:
    """Show a text, or an object that knows its own HTML, in a notebook or on a terminal."""
    from IPython.core.getipython import get_ipython
    from IPython.display import display as show

    if get_ipython() is None or isinstance(thing, str):
        print(thing)
    else:
        show(thing)


def verdict_as_text(verdict: Verdict) -> str:
    """The verdict for a terminal, and for nbval, which compares it."""
    sign, heading, _ = _LOOKS[verdict.outcome]
    lines = [f"{sign} {verdict.exercise}: {heading} ({verdict.points} of {_points(verdict)})"]
    lines += _words(verdict)
    if verdict.evidence:
        lines += ["", f"The smallest case that fails: {verdict.evidence.case}"]
        lines += [_aligned(name, text) for name, text in _rows(verdict.evidence)]
    return "\n".join(lines)


def verdict_as_html(verdict: Verdict) -> str:
    """The verdict for JupyterLab: inline styles only, because that is what survives sanitising."""
    sign, heading, colour = _LOOKS[verdict.outcome]
    title = (
        f'<div style="font-weight: 600">'
        f"<span aria-hidden='true'>{sign}</span> {escape(verdict.exercise)}: {heading} "
        f'<span style="font-weight: 400">({verdict.points} of {_points(verdict)})</span></div>'
    )
    words = "".join(
        f'<p style="margin: 4px 0">{_inline_code(line)}</p>' for line in _words(verdict)
    )
    return (
        f'<div style="border-left: 5px solid {colour}; padding: 4px 12px; max-width: 72em; '
        'font-family: var(--jp-content-font-family, sans-serif); line-height: 1.5">'
        f"{title}{words}{_table(verdict.evidence) if verdict.evidence else ''}</div>"
    )


def _words(verdict: Verdict) -> list[str]:
    """The diagnosis first where the mistake is known, then the facts, then who goes on."""
    known = verdict.mistake
    lines = [known.diagnosis, f"Think about it: {known.question}"] if known else []
    if verdict.outcome != "right":
        lines += verdict.message.splitlines()
        lines.append(
            f"The lesson goes on with the course's own `{verdict.exercise}` until yours is right."
        )
    else:
        lines += verdict.message.splitlines()[1:]
        lines.append(f"The lesson goes on with your `{verdict.exercise}`.")
    return lines


def _points(verdict: Verdict) -> str:
    return f"{verdict.possible} point" + ("s" if verdict.possible != 1 else "")


def _rows(evidence: Evidence) -> list[tuple[str, str]]:
    came = [("printed", evidence.printed), ("got", evidence.got), ("expected", evidence.expected)]
    rows = [*evidence.inputs, *came]
    return [(name, text) for name, text in rows if text]


def _aligned(name: str, text: str) -> str:
    head = f"  {name:>8} = "
    return head + text.replace("\n", "\n" + " " * len(head))


def _table(evidence: Evidence) -> str:
    rows = "".join(
        '<tr style="background: none">'
        '<th scope="row" style="text-align: right; vertical-align: top; font-weight: 600">'
        f'{escape(name)}</th><td style="text-align: left">'
        f'<pre style="margin: 0; background: none">{escape(text)}</pre></td></tr>'
        for name, text in _rows(evidence)
    )
    return (
        f'<p style="margin: 8px 0 0">The smallest case that fails: {escape(evidence.case)}</p>'
        f'<table style="margin: 0; border: none">{rows}</table>'
    )


def _inline_code(line: str) -> str:
    """Escape a line of words, with what stands between backticks as code."""
    parts = escape(line).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
