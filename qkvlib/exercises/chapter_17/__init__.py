"""Chapter 17, The quiz at the end."""

ORDER = ("quiz_divisor", "quiz_score", "quiz_masked_weight", "quiz_stored", "quiz_cross_shape")
