"""Test that the site can build a page from what nbval sees of a notebook."""

from __future__ import annotations

from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.kept_runs import Run


def _message(kind: str, **content: Any) -> dict[str, Any]:
    return {"msg_type": kind, "header": {"msg_type": kind}, "parent_header": {}, "content": content}


def test_outputs_and_widgets_are_gathered_cell_by_cell() -> None:
    cells = [new_code_cell("1"), new_markdown_cell("Text."), new_code_cell("2")]
    notebook = new_notebook(cells=cells)
    run = Run(notebook)
    run.now = 1
    state = {"_model_name": "AnyModel", "_model_module": "anywidget", "_model_module_version": "1"}
    run.hear(_message("comm_open", comm_id="w", target_name="jupyter.widget", data={"state": state}))
    run.hear(_message("comm_msg", comm_id="w", data={"method": "update", "state": {"angle": 3}}))
    run.hear(_message("stream", name="stdout", text="two"))
    run.hear(_message("status", execution_state="idle"))
    run.client.set_widgets_metadata()
    kept = run.client.nb
    assert [len(cell.get("outputs", [])) for cell in kept.cells] == [0, 0, 1]
    widgets = kept.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    assert widgets["w"]["state"]["angle"] == 3
    assert not cells[2].outputs
