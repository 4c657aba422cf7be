"""Chapter 3, Projections."""

ORDER = ("project_qkv", "choose_w_q_w_k", "bilinear_form")
