"""Chapter 16, Without softmax, and how to go on."""

ORDER = ("linear_attention", "top_p")
