"""The base of our own traits. Only newer versions of traitlets let you subscript it, and Colab has an older
one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

if TYPE_CHECKING:
    Trait = traitlets.TraitType[Any, Any]
else:
    Trait = traitlets.TraitType
