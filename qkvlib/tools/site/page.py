"""Export a notebook as one HTML file in which the widgets still work: `jupyter nbconvert --to qkv`.

nbconvert's own page loads the scripts for widgets and formulas from other hosts, and shows nothing without a
network. This page contains all of it. There is no Python behind it, so whatever the page can compute works,
and the rest stays as it was saved.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from traitlets import default

from qkvlib.tools.site import formulas, widget_states
from qkvlib.tools.site.text import as_html

# nbconvert's own page, for whichever template was requested, without what it loads from elsewhere.
_PAGE = """{%- extends "index.html.j2" -%}
{%- block html_head_js_requirejs -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
"""


class LivingPage(HTMLExporter):
    """The exporter in JupyterLab's menu File > Save and Export Notebook As."""

    export_from_notebook = "Page with living widgets (qkvlib)"

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, raw_template=_PAGE, **kw)  # type: ignore[no-untyped-call]
        # After --execute, which is a preprocessor, too.
        self.register_preprocessor(_make_places, enabled=True)  # type: ignore[no-untyped-call]

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Return the page, and what nbconvert keeps with it."""
        html, resources = super().from_notebook_node(nb, resources, **kw)
        if "<math" in html:
            html = html.replace("</head>", f"<style>{formulas.style()}</style></head>", 1)
        end = html.rindex("</body>")
        return html[:end] + _living(resources.pop("qkvlib")) + html[end:], resources

    @default("embed_images")
    def _carries_its_pictures(self) -> bool:
        return True

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """As in nbconvert, but formulas need no script."""
        return as_html(
            source,
            attachments=context.get("cell", {}).get("attachments", {}),
            embed_images=self.embed_images,
            path=context.get("resources", {}).get("metadata", {}).get("path", ""),
            anchor_link_text=self.anchor_link_text,
            exclude_anchor_links=self.exclude_anchor_links,
            **self.lexer_options,
        )


def _make_places(nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
    """Replace each of our widgets by its still picture, in an element where the widget can start."""
    from qkvlib.figures.still import ASLEEP  # see _living

    ours = widget_states.models(nb)
    nb.metadata.pop("widgets", None)
    for output in (each for cell in nb.cells for each in cell.get("outputs", [])):
        model = output.get("data", {}).get(widget_states.VIEW, {}).get("model_id")
        if model in ours:
            still = output.data.get("text/html", "").removeprefix(ASLEEP)
            place = f'<div data-qkv-model="{escape(model)}">{still}</div>'
            output.data = NotebookNode({"text/html": place})
    resources["qkvlib"] = ours
    return nb, resources


def _living(models: dict[str, widget_states.Model]) -> str:
    """Return each kind's module once, the final state of each widget, and the script that starts them."""
    # JupyterLab loads this module to list the exporters, so it must not load torch.
    from qkvlib.widgets.kit.envelope import STATIC

    modules = {widget_states.kind(model): model["state"]["_esm"] for model in models.values()}
    widgets = {
        name: {"module": widget_states.kind(model), **widget_states.final_state(model)}
        for name, model in models.items()
    }
    whole = json.dumps({"modules": modules, "widgets": widgets})
    # Within a script a "<" could begin the end tag, or a comment that hides the end tag.
    told = whole.replace("<", "\\u003c")
    script = (STATIC / "standalone.js").read_text(encoding="utf-8")
    return (
        f'<script type="application/json" id="qkv-widgets">{told}</script>\n'
        f'<script type="module">{script}</script>\n'
    )
