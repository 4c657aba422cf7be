"""Test the lab without a browser against torch's own attention and autograd."""

from __future__ import annotations

import base64
import math
import re
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import mse_loss, scaled_dot_product_attention
from traitlets import TraitError

from qkvlib.masks import causal_mask
from qkvlib.widgets import AttentionLab, Goal, Prefers
from tests.wire import Wire, saved

WEIGHTS = ("w_q", "w_k", "w_v")


def numbers(n: int = 4, d: int = 5, d_k: int = 3, d_v: int = 2, heads: int = 1) -> list[Tensor]:
    """Return X, W_Q, W_K, W_V and a target."""
    torch.manual_seed(n * 100 + d)
    shapes = [(n, d), (d, heads * d_k), (d, heads * d_k), (d, heads * d_v), (n, heads * d_v)]
    return [torch.randn(shape) for shape in shapes]


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("masked", [False, True])
def test_every_number_and_gradient_is_torchs(heads: int, masked: bool) -> None:
    given = numbers(heads=heads)
    mask = causal_mask(4) if masked else None
    lab = AttentionLab(*given, n_heads=heads, mask=mask)
    x, *ws = (value.detach().clone().requires_grad_() for value in given[:4])
    q, k, v = (torch.stack((x @ w).chunk(heads, dim=1)).requires_grad_() for w in ws)
    output = torch.cat(list(scaled_dot_product_attention(q, k, v, attn_mask=mask)), dim=1)
    loss = mse_loss(output, given[4])
    assert lab.loss == pytest.approx(loss.item(), rel=1e-5)
    torch.testing.assert_close(lab.output, output)
    names = ["d_x", "d_w_q", "d_w_k", "d_w_v", "d_q", "d_k", "d_v"]
    for name, expected in zip(names, torch.autograd.grad(loss, [x, *ws, q, k, v]), strict=True):
        found = getattr(lab.gradients, name).reshape(expected.shape)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-6)


def test_a_cell_can_follow_the_hand_and_not_move_it() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    seen: list[float] = []
    lab.observe(lambda change: seen.append(change["new"]), "loss")
    Wire(lab).rest(w_v=(given[3] + 1).flatten().tolist(), losses=[1, 0.5])
    assert seen == [lab.loss]
    with pytest.raises(TraitError, match="read-only"):
        lab.w_q = torch.zeros(5, 3)


def test_the_tensors_given_stay_the_learners_own() -> None:
    given = numbers()
    lab = AttentionLab(*given)
    given[1][0, 0] = 50.0
    assert lab.w_q[0, 0] != 50.0


def test_without_a_target_there_is_no_loss() -> None:
    lab = AttentionLab(*numbers()[:4])
    assert lab.loss is None
    assert lab.gradients is None
    assert "target" not in lab.setup()["sizes"]


BAD = [
    ({"w_q": torch.zeros(3, 3)}, "w_q has shape (3, 3), but x has 5 features: w_q needs 5 rows"),
    ({"w_k": torch.zeros(5, 2)}, "w_k has shape (5, 2), but w_q has 3 columns"),
    ({"target": torch.zeros(4, 3)}, "target has shape (4, 3), but the output has shape (4, 2)"),
    ({"x": torch.zeros(5)}, "x has shape (5,), but the lab draws matrices"),
    ({"w_v": torch.full((5, 2), math.nan)}, "w_v[0, 0] is nan, but every number must be between"),
    ({"x": torch.zeros(1000, 5)}, "x has 1000 tokens, but the lab draws at most 8"),
    ({"mask": torch.ones(4, 4)}, "mask has dtype torch.float32, but a mask is boolean"),
    ({"tokens": "a b"}, "there are 2 tokens for 4 rows of x"),
    ({"n_heads": 2}, "w_q has shape (5, 3), but there are to be 2 heads"),
    ({"frozen": ["w_o"]}, "frozen names 'w_o'"),
    ({"learning_rate": 0}, "learning_rate is 0, but it must be above 0"),
    ({"view": "all"}, "view is 'all', but the lab has weights"),
    ({"target": None, "view": "both"}, "without a target there are none"),
    ({"goal": Goal("g", "…", [Prefers("law")], ["w_q"])}, "there is no 'law' among"),
    ({"goal": Goal("g", "…", [Prefers(0)], ["x"])}, "the goal may touch 'x'"),
]


@pytest.mark.parametrize(("change", "words"), BAD, ids=[words[:30] for _, words in BAD])
def test_bad_input_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    given = dict(zip(("x", *WEIGHTS, "target"), numbers(), strict=True))
    with pytest.raises(ValueError, match=r".*") as error:
        AttentionLab(**{**given, **change})
    assert words in str(error.value)


def test_the_whole_is_small() -> None:
    lab = AttentionLab(*numbers(4, 4, 3, 3))
    assert len(saved(Wire(lab).opening())) < 64_000
    assert len(lab.static_html()) < 18_000


def test_the_still_picture_has_every_head_and_the_gradients() -> None:
    lab = AttentionLab(*numbers(heads=2), n_heads=2)
    html = lab.static_html()
    assert "head 1: t0 gives" in html
    assert "head 2: t0 gives" in html
    picture = base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()
    assert all(f">{title}<" in picture for title in ("A 1", "A 2", "dL / dW K"))
    shown = [float(text) for text in re.findall(r">(-?\d+\.\d\d)<", picture)]
    wanted = lab.gradients.d_w_k.flatten().tolist()
    assert all(round(number, 2) in shown for number in wanted)
    assert ">-0.00<" not in picture
