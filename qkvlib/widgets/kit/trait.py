"""The base of our own traits. Only newer traitlets can be subscripted, and Colab's is older."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    Trait = traitlets.TraitType[Any, Any]
else:
    Trait = traitlets.TraitType
