"""Chapter 1, Similarity."""

ORDER = ("dot", "centre", "cosine_similarity", "nearest")
