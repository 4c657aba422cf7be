"""Chapter 3, Projections."""

ORDER = ("project_qkv", "bilinear_form", "choose_w_q_w_k")
