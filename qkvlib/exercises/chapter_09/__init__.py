"""Chapter 9, Why heads differ."""

ORDER = ("ablate_head", "head_scores", "break_symmetry")
