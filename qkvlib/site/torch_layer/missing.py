"""What torch has and the page has not: to be able to say so by name."""

from __future__ import annotations

# Methods of torch's tensors. Another name is nobody's, and Python's own words say that.
METHODS = frozenset(
    {
        "addbmm", "align_as", "align_to", "allclose", "apply_", "arcsin_", "baddbmm_",
        "bernoulli", "cauchy_", "ccol_indices", "cholesky", "cholesky_inverse", "cholesky_solve",
        "coalesce", "col_indices", "corrcoef", "cov", "crow_indices",
        "data_ptr", "dense_dim", "dequantize", "det", "dsplit", "eig", "erfinv_", "fft",
        "fill_diagonal_", "float_power", "frexp", "gcd", "geometric_", "geqrf", "histogram",
        "hsplit", "i0", "igamma", "index_reduce", "inverse", "is_coalesced", "is_pinned",
        "is_set_to", "is_shared", "istft", "lcm", "ldexp", "log_normal_", "logdet", "lstsq", "lu",
        "lu_solve", "map_", "mode", "multinomial", "mvlgamma", "names", "nanmedian", "nanquantile",
        "nextafter", "numpy", "orgqr", "ormqr", "pinverse", "polygamma", "put", "put_", "qr",
        "qscheme", "register_post_accumulate_grad_hook", "rename", "renorm", "resize_",
        "resize_as_", "row_indices", "scatter_reduce", "scatter_reduce_", "set_", "sinc",
        "slogdet", "smm", "solve", "sparse_dim", "sparse_mask", "sparse_resize_", "sspaddmm",
        "stft", "storage", "svd", "symeig", "to_mkldnn", "to_padded_tensor",
        "to_sparse", "triangular_solve", "values", "vander", "vsplit", "xlogy_",
    }
)  # fmt: skip
