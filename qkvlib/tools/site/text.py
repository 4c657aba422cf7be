"""A lesson's text as HTML, with formulas that need no script."""

from __future__ import annotations

import re
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from qkvlib.tools.site import formulas

_LONG = 24  # characters; a phone's line has about forty


class _Renderer(IPythonRenderer):
    """Formulas are MathML, headings have the same anchors as in JupyterLab, and what is too wide can be
    scrolled."""

    def inline_math(self, body: str) -> str:
        formula = formulas.mathml(body, block=False)
        seen = re.sub(r"&#?\w+;", "x", without_tags(formula))
        return f'<span class="long scroll">{formula}</span>' if len(seen) > _LONG else formula

    def block_math(self, body: str) -> str:
        return f'<span class="formula scroll">{formulas.mathml(body, block=True)}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def block_code(self, code: str, info: str | None = None) -> str:
        made = super().block_code(code, info)
        return made.replace("<pre>", '<pre class="code scroll">', 1)

    def heading(self, text: str, level: int, **_: Any) -> str:
        return f'<h{level} id="{without_tags(text).replace(" ", "-")}">{text}</h{level}>\n'


def as_html(source: str) -> str:
    """Convert Markdown to HTML."""
    return MarkdownWithMath(renderer=_Renderer(escape=False)).render(source)


def without_tags(html: str) -> str:
    """Return the text between the tags of some HTML."""
    return re.sub(r"<[^>]+>", "", html)
