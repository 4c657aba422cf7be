"""Chapter 7, Order and masks."""

ORDER = ("causal_mask", "padding_mask", "positional_encoding", "masked_attention")
