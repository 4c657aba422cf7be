"""The course's widgets in a notebook that was saved with their states."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode

VIEW = "application/vnd.jupyter.widget-view+json"
_STATE = "application/vnd.jupyter.widget-state+json"
_TRAITS = ("setup", "state", "shown")

Model = dict[str, Any]


def models(notebook: NotebookNode) -> dict[str, Model]:
    """Return each of our widgets by the id in the outputs; other widgets are not started."""
    saved = notebook.metadata.get("widgets", {}).get(_STATE, {}).get("state", {})
    return {name: model for name, model in saved.items() if kind(model).startswith("qkvlib.")}


def kind(model: Model) -> str:
    """Return what anywidget calls the widget: its module and the name of its bridge."""
    return str(model.get("state", {}).get("_anywidget_id", ""))


def final_state(model: Model) -> dict[str, Any]:
    """Return the widget's final state, from which a page starts it: its dictionaries, and their bytes."""
    return {
        "traits": {trait: model["state"].get(trait, {}) for trait in _TRAITS},
        "buffers": model.get("buffers", []),
    }
