"""Chapter 11, The transformer block."""

ORDER = (
    "encoder_block",
    "weights_to_torch",
    "weights_from_torch",
    "count_parameters",
    "count_multiply_adds",
)
