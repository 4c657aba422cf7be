"""Chapter 6, Embeddings and context."""

ORDER = ("embed", "contextual_similarity")
