"""Layers that keep their parameters."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from .. import autograd
from ..dtypes import default, dtype
from ..errors import NotInThisPage
from ..missing import no_attribute
from ..tensor import Tensor, empty, filled, place
from . import functional as F
from . import init


class Parameter(Tensor):
    """A tensor that needs its gradient, and that a module finds."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        data = Tensor() if data is None else data.detach()
        made = place(cls, data._storage, data.shape, data._strides, data._offset, data.dtype)
        return made.requires_grad_(requires_grad)

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        """Do nothing: `__new__` has done everything."""


_HOMES = ("_parameters", "_modules")


class Module:
    """A layer: its parameters, and the layers inside it, which are found when they are assigned."""

    training: bool

    def __init__(self, *_: Any, **__: Any) -> None:
        for name in _HOMES:
            object.__setattr__(self, name, {})
        self.training = True

    def __setattr__(self, name: str, value: Any) -> None:
        homes = self.__dict__
        if "_parameters" not in homes:
            if isinstance(value, (Parameter, Module)):
                kind = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
            object.__setattr__(self, name, value)
            return
        before = next((home for home in _HOMES if name in homes[home]), None)
        home = before
        if isinstance(value, Parameter):
            home = "_parameters"
        elif isinstance(value, Module):
            home = "_modules"
        elif before == "_parameters" and value is not None:
            raise TypeError(
                f"cannot assign '{type(value).__module__}.{type(value).__name__}' as parameter "
                f"'{name}' (torch.nn.Parameter or None expected)"
            )
        if before not in (None, home):
            del homes[before][name]
        if home is None:
            object.__setattr__(self, name, value)
        else:
            homes.pop(name, None)
            homes[home][name] = value

    def __getattr__(self, name: str) -> Any:
        for home in _HOMES:
            found = self.__dict__.get(home, {})
            if name in found:
                return found[name]
        raise no_attribute(self, name, "torch.nn.Module")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def forward(self, *_: Any) -> Any:
        kind = type(self).__name__
        raise NotImplementedError(f'Module [{kind}] is missing the required "forward" function')

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        self._parameters[name] = param

    # Its contents

    def named_modules(self, memo: set[int] | None = None, prefix: str = "") -> Iterator[tuple[str, Module]]:
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator[Module]:
        return (module for _, module in self.named_modules())

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        seen: set[int] = set()
        for path, module in self.named_modules():
            for name, value in module._parameters.items():
                if value is not None and id(value) not in seen:
                    seen.add(id(value))
                    yield f"{path}.{name}" if path else name, value

    def parameters(self) -> Iterator[Parameter]:
        return (value for _, value in self.named_parameters())

    def state_dict(self) -> OrderedDict[str, Tensor]:
        return OrderedDict((name, value.detach()) for name, value in self.named_parameters())

    # Changes to all of its contents

    def train(self, mode: bool = True) -> Any:
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Any:
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else parameter.grad.detach().zero_()

    def to(self, *args: Any, **kwargs: Any) -> Any:
        kinds = [each for each in (*args, *kwargs.values()) if isinstance(each, dtype)]
        for module in self.modules() if kinds else ():
            for value in module._parameters.values():
                if value is not None and value.dtype.is_floating_point:
                    value.data = value.detach().to(kinds[0])
        return self


class Linear(Module):
    """x W^T + b. W has the shape (out, in)."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty((out_features, in_features), dtype or default()))
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        self.register_parameter("bias", None)
        if bias:
            bound = 1 / math.sqrt(in_features) if in_features else 0
            self.bias = Parameter(empty((out_features,), dtype or default()).uniform_(-bound, bound))

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


class LayerNorm(Module):
    """Scale each vector to mean 0 and variance 1, then multiply by a gain and add a shift."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(shape), eps
        self.elementwise_affine = elementwise_affine
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if elementwise_affine:
            self.weight = Parameter(filled(shape, 1, default()))
            if bias:
                self.bias = Parameter(filled(shape, 0, default()))

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


def _layer_of(name: str, function: Callable[..., Any], **settings: Any) -> Any:
    """Make a layer without parameters from a function and its settings."""

    class Layer(Module):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__()
            given = dict(zip(settings, args, strict=False)) | kwargs
            for setting in given:
                if setting not in settings:
                    raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{setting}'")
            for setting, value in (settings | given).items():
                object.__setattr__(self, setting, value)

        def forward(self, *inputs: Tensor) -> Tensor:
            return function(*inputs, **{each: getattr(self, each) for each in settings})

    Layer.__name__ = Layer.__qualname__ = name
    return Layer


LAYERS = {
    name: _layer_of(name, function, **settings)
    for name, function, settings in (
        ("ReLU", F.relu, {}),
        ("GELU", F.gelu, {"approximate": "none"}),
        ("Softmax", F.softmax, {"dim": None}),
        ("CrossEntropyLoss", F.cross_entropy, {"ignore_index": -100, "reduction": "mean"}),
    )
}


class MultiheadAttention(Module):
    """Attention with several heads, and with the same weights as torch's layer."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        super().__init__()
        if add_bias_kv or add_zero_attn or (kdim or embed_dim, vdim or embed_dim) != (embed_dim, embed_dim):
            raise NotInThisPage("`nn.MultiheadAttention` with bias_k, zero_attn, kdim or vdim")
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.head_dim, self.batch_first = embed_dim // num_heads, batch_first
        kind = dtype or default()
        self.in_proj_weight = Parameter(empty((3 * embed_dim, embed_dim), kind))
        init.xavier_uniform_(self.in_proj_weight)
        self.register_parameter("in_proj_bias", None)
        self.bias_k = self.bias_v = None
        if bias:
            self.in_proj_bias = Parameter(filled((3 * embed_dim,), 0, kind))
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype)
        if bias:
            with autograd.no_grad():
                self.out_proj.bias.fill_(0)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        single = query.ndim == 2
        inputs = [
            x.unsqueeze(0) if single else x if self.batch_first else x.transpose(0, 1)
            for x in (query, key, value)
        ]
        if query.shape[-1] != self.embed_dim:
            raise AssertionError(
                f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}"
            )
        biases: Any = [None] * 3
        if self.in_proj_bias is not None:
            biases = self.in_proj_bias.chunk(3)
        q, k, v = (
            F.linear(x, w, b).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for x, w, b in zip(inputs, self.in_proj_weight.chunk(3), biases, strict=True)
        )
        scores = q / math.sqrt(self.head_dim) @ k.mT
        if attn_mask is not None and attn_mask.ndim > 2:
            attn_mask = attn_mask.reshape(-1, self.num_heads, *attn_mask.shape[1:])
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.reshape(-1, 1, 1, k.shape[-2])
        for mask in (attn_mask, key_padding_mask):
            if mask is not None:  # here True means MAY NOT ATTEND
                forbids = mask.dtype.rank == 0
                scores = scores.masked_fill(mask, -math.inf) if forbids else scores + mask
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        mixed = (weights @ v).transpose(1, 2).flatten(2)
        out = self.out_proj(mixed)
        out = out[0] if single else out if self.batch_first else out.transpose(0, 1)
        if not need_weights:
            return out, None
        told = weights.mean(1) if average_attn_weights else weights
        return out, told[0] if single else told
