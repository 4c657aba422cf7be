"""Chapter 1, Similarity."""

ORDER = ("dot", "cosine_similarity", "nearest")
