"""Chapter 10, Cross-attention."""

ORDER = ("cross_attention", "read_alignment", "greedy_decode")
