"""Stands in a page for safetensors: no weights are kept there."""
