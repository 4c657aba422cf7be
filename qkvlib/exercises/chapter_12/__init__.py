"""Chapter 12, Heads in the wild."""

ORDER = ("real_head_weights",)
