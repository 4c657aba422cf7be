"""Chapter 2, Soft lookup."""

ORDER = ("softmax", "soft_lookup", "predict_variance", "attention_weights")
