"""Chapter 4, Gradients."""

ORDER = (
    "scaled_dot_product_attention",
    "softmax_backward",
    "attention_backward",
    "projection_gradients",
    "sgd_step",
)
