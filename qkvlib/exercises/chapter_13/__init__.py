"""Chapter 13, Who must look must look somewhere."""

ORDER = ("softmax_with_a_sink", "gated_attention")
