"""Chapter 12, Inside a real model."""

ORDER = ("real_head_weights",)
