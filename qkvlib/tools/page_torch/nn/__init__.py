# ruff: noqa: F401 (whatever is imported here is part of `torch.nn`)
"""Layers: as modules that keep their parameters, and as functions."""

from __future__ import annotations

from ..missing import who_has
from . import functional, init, modules
from .modules import LAYERS, LayerNorm, Linear, Module, MultiheadAttention, Parameter

globals().update(LAYERS)

__getattr__ = who_has(__name__)
