"""Chapter 8, Many heads."""

ORDER = (
    "split_heads",
    "merge_heads",
    "order_the_heads",
    "multi_head_attention",
    "train_two_heads",
    "head_contributions",
    "predict_head_weights",
)
