"""Chapter 13, Attention sinks."""

ORDER = ("softmax_with_a_sink", "gated_attention")
