"""The small models that the lessons train. Each is its weights, by name, and one formula."""

from qkvlib.models.base import Answer, Model, Parameter, ParameterTable
from qkvlib.models.fixed_memory import FixedMemory
from qkvlib.models.language_model import LanguageModel
from qkvlib.models.one_layer import (
    MultiHead,
    OneHead,
    OwnHeads,
    SplitFirst,
    TiedHead,
    UniformHead,
    UnscaledHead,
)
from qkvlib.models.patch_reader import PatchReader
from qkvlib.models.placed_head import PlacedHead
from qkvlib.models.pronouncer import Pronouncer, Reading
from qkvlib.models.quiet_head import QuietHead
from qkvlib.models.sharing_heads import SharingHeads
from qkvlib.models.stack import Stack

__all__ = [
    "Answer",
    "FixedMemory",
    "LanguageModel",
    "Model",
    "MultiHead",
    "OneHead",
    "OwnHeads",
    "Parameter",
    "ParameterTable",
    "PatchReader",
    "PlacedHead",
    "Pronouncer",
    "QuietHead",
    "Reading",
    "SharingHeads",
    "SplitFirst",
    "Stack",
    "TiedHead",
    "UniformHead",
    "UnscaledHead",
]
