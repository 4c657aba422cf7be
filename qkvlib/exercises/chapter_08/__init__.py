"""Chapter 8, Many heads."""

ORDER = (
    "split_heads",
    "merge_heads",
    "head_contributions",
    "multi_head_attention",
    "order_the_heads",
    "predict_head_weights",
)
