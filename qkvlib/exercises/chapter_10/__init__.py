"""Chapter 10, Cross-attention."""

ORDER = ("cross_attention", "greedy_decode", "read_alignment")
