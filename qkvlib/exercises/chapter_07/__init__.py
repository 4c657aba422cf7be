"""Chapter 7, Order and masks."""

ORDER = ("positional_encoding", "causal_mask", "padding_mask", "masked_attention")
