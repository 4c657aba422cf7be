"""Chapter 2, Soft lookup."""

ORDER = ("softmax", "soft_lookup", "attention_weights", "predict_variance")
