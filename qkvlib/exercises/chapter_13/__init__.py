"""Chapter 13, The quiz at the end."""

ORDER = ("quiz_score", "quiz_divisor", "quiz_stored", "quiz_masked_weight", "quiz_cross_shape")
