"""Chapter 16, Linear attention and sampling."""

ORDER = ("linear_attention", "top_p")
