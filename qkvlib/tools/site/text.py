"""A lesson's text as HTML, with formulas that need no script."""

from __future__ import annotations

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from qkvlib.tools.site import formulas


class Renderer(IPythonRenderer):
    """As in nbconvert, but formulas are MathML."""

    def inline_math(self, body: str) -> str:
        return formulas.mathml(body, block=False)

    def block_math(self, body: str) -> str:
        return formulas.mathml(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return formulas.mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)


def as_html(source: str, renderer: type[Renderer] = Renderer) -> str:
    """Convert Markdown to HTML."""
    return MarkdownWithMath(renderer=renderer(escape=False)).render(source)
