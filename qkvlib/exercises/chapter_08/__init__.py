"""Chapter 8, Many heads."""

ORDER = (
    "split_heads",
    "merge_heads",
    "order_the_heads",
    "multi_head_attention",
    "head_contributions",
    "predict_head_weights",
    "train_two_heads",
)
