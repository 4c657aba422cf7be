"""Chapter 11: the layer around attention, and torch's own."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from qkvlib.masks import causal_mask
from qkvlib.models import LanguageModel, PatchReader, Stack
from qkvlib.models.base import Draw
from qkvlib.models.blocks import attention_weights_of, encoder_block, feed_forward_weights_of
from qkvlib.tasks import Digits, Rhyme
from qkvlib.training.optimisers import adam
from tests.experiments.claims import claim
from tests.experiments.runs import Run, once, trained


def to_torch(w: dict[str, Tensor], n_heads: int) -> nn.TransformerEncoderLayer:
    """Return torch's layer with the weights of one of our blocks; parts that we do not have are zero."""
    d_model, d_hidden = w["w_1"].shape
    layer = nn.TransformerEncoderLayer(
        d_model, n_heads, d_hidden, dropout=0.0, batch_first=True, norm_first=True, bias=True
    ).double()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.self_attn.in_proj_weight.copy_(torch.cat([w["w_q"], w["w_k"], w["w_v"]], dim=1).T)
        layer.self_attn.out_proj.weight.copy_(w["w_o"].T)
        layer.norm1.weight.copy_(w["norm_gain"])
        layer.norm1.bias.copy_(w["norm_shift"])
        layer.norm2.weight.copy_(w["ff_gain"])
        layer.norm2.bias.copy_(w["ff_shift"])
        layer.linear1.weight.copy_(w["w_1"].T)
        layer.linear1.bias.copy_(w["b_1"])
        layer.linear2.weight.copy_(w["w_2"].T)
    return layer.train()  # in eval mode torch takes a different code path, without our mask


@claim("11", "our block against nn.TransformerEncoderLayer: largest difference", at_most=1e-12)
def same_as_torch(seed: int) -> float:
    draw = Draw(seed)
    w = attention_weights_of(draw, 16) | feed_forward_weights_of(draw, 16, 32)
    w = {name: weight.double() for name, weight in w.items()}
    x = draw(3 * 7, 16, spread=1.0).double().view(3, 7, 16)
    theirs = to_torch(w, 4)(x, src_mask=~causal_mask(7))
    return float((encoder_block(x, w, 4, causal_mask(7))[0] - theirs).detach().abs().max())


@once
def rhyme(seed: int) -> Run:
    task = Rhyme()
    model = LanguageModel(task.n_tokens, seed=seed)
    return trained(model, task, 200, adam(0.005), seed, every=50)


@claim("11", "the house that Jack built, two blocks, 200 steps: next words right", at_least=0.9)
def rhyme_accuracy(seed: int) -> float:
    return rhyme(seed).after.accuracy


@claim("11", "... from each word alone, without attention", at_most=0.75)
def rhyme_without(seed: int) -> float:
    task = Rhyme()
    model = Stack(task.n_tokens, task.n_answers, d_model=32, n_layers=0, seed=seed)
    return trained(model, task, 200, adam(0.02), seed, every=50).after.accuracy


@claim("11", "... loss before training over log(number of words)", at_least=0.9)
def rhyme_before(seed: int) -> float:
    return float(rhyme(seed).recording.losses[0]) / math.log(Rhyme().n_tokens)


@once
def digits(seed: int, attends: bool = True, placed: bool = True) -> float:
    task = Digits(seed)
    model = PatchReader(attends=attends, placed=placed, seed=seed)
    return trained(model, task, 600, adam(0.005), seed, every=100).after.accuracy


@claim("11", "digits in patches, one attention layer: accuracy", at_least=0.85)
def digits_attention(seed: int) -> float:
    return digits(seed)


@claim("11", "... plain averaging instead of attention: as good (a null result)", at_least=0.85)
def digits_averaged(seed: int) -> float:
    return digits(seed, attends=False)


@claim("11", "... attention without places", at_most=0.8)
def digits_without_places(seed: int) -> float:
    return digits(seed, placed=False)
