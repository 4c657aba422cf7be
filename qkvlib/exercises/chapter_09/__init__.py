"""Chapter 9, Why heads differ."""

ORDER = ("head_scores", "ablate_head", "break_symmetry")
