"""Chapter 14, Rotary positions (RoPE) and long texts."""

ORDER = ("rotate_by_position", "scores_that_know_length")
