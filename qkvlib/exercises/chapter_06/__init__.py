"""Chapter 6, Embeddings and context."""

ORDER = ("embed", "predict_the_task", "contextual_similarity")
