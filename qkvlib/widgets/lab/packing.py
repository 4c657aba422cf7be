"""Pack the lab's numbers for a page: doubles, one matrix after the other."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def sizes(start: Mapping[str, Tensor], n_heads: int) -> dict[str, list[int]]:
    """Return the rows and columns of each matrix in one head; a gradient has the size of its matrix."""
    n, d_model = start["x"].shape
    d_k, d_v = start["w_q"].shape[1] // n_heads, start["w_v"].shape[1] // n_heads
    found = {
        **{"x": [n, d_model], "w_q": [d_model, d_k], "w_k": [d_model, d_k], "w_v": [d_model, d_v]},
        **{"q": [n, d_k], "k": [n, d_k], "v": [n, d_v]},
        **{"scores": [n, n], "weights": [n, n], "output": [n, d_v]},
    }
    if "target" not in start:
        return found
    return {**found, "target": [n, d_v], **{f"d_{name}": size for name, size in found.items()}}


def pack(moved: Mapping[str, Tensor]) -> dict[str, bytes | str]:
    """Pack everything that can be moved: the matrices, with the heads side by side, and the mask."""
    parts = [value.reshape(-1) for name, value in moved.items() if name != "mask"]
    numbers: bytes = torch.cat(parts).double().numpy().astype("<f8").tobytes()
    return {"matrices": numbers, "mask": pack_mask(moved["mask"])}


def pack_mask(mask: Tensor) -> str:
    """Pack the mask: "1" where a token may attend."""
    return "".join("01"[allowed] for allowed in mask.flatten().tolist())


def unpack_mask(signs: str, n: int) -> Tensor:
    return torch.tensor([sign == "1" for sign in signs]).view(n, n)
