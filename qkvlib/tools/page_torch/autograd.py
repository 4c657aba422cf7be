"""The history of a tensor, and the backward pass: from a loss to a gradient for each parameter.

A recorded operation leaves a Node: its inputs, and a function that turns the gradient of its result into the
gradients of its inputs. These functions use the same operations, so the backward pass can itself be recorded.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from .errors import NotInThisPage
from .missing import who_has

_count = itertools.count()
_watching = [True]


class Node:
    """One step of the backward pass: `back(gradient, *saved)` gives a gradient for each of the inputs."""

    __slots__ = ("back", "called", "edges", "keepers", "number", "released", "saved")

    def __init__(
        self, called: str, inputs: Sequence[Any], back: Callable[..., Any], saved: Sequence[Any]
    ) -> None:
        self.called = called
        self.number = next(_count)
        self.back = back
        self.edges = tuple(edge_of(tensor) for tensor in inputs)
        self.saved = tuple((each, 0 if each is None else each._version, False) for each in saved)
        self.released = False
        self.keepers: set[Any] = set()  # tensors that keep the gradient that reaches this node

    def name(self) -> str:
        return self.called

    def __repr__(self) -> str:
        return f"<{self.called} object at {id(self):#x}>"

    def save_result(self, out: Any) -> None:
        """Save the result without a reference cycle, because the result keeps its own node."""
        self.saved += ((out.detach(), out._version, True),)

    def keep_as_it_was(self, tensor: Any) -> None:
        """Return a copy of a saved tensor that the step itself will overwrite."""
        if any(kept is tensor for kept, _, _ in self.saved):
            copy = tensor.detach().clone()
            copy._grad_fn, copy._requires_grad = tensor.grad_fn, tensor._requires_grad
            self.saved = tuple(
                (copy, copy._version, False) if kept[0] is tensor else kept for kept in self.saved
            )

    def apply(self, gradient: Any) -> Sequence[Any]:
        if self.released:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved "
                "tensors after they have already been freed). Saved intermediate values of the "
                "graph are freed when you call .backward() or autograd.grad(). Specify "
                "retain_graph=True if you need to backward through the graph a second time or if "
                "you need to access saved tensors after calling backward."
            )
        return self.back(gradient, *[self._unpacked(*kept) for kept in self.saved])

    def _unpacked(self, tensor: Any, version: int, is_result: bool) -> Any:
        if tensor is not None and tensor._version != version:
            made = tensor._grad_fn if not is_result else self
            origin = f", which is output 0 of {made.called}," if made else ""
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an "
                f"inplace operation: [torch.{tensor.dtype.word}Tensor "
                f"[{', '.join(map(str, tensor.shape))}]]{origin} is at version {tensor._version}; "
                f"expected version {version} instead. Hint: enable anomaly detection to find the "
                "operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True)."
            )
        if is_result and _watching[0]:
            tensor = tensor.detach()
            tensor._grad_fn, tensor._requires_grad = self, True
        return tensor

    def release(self) -> None:
        if any(tensor is not None for tensor, _, _ in self.saved):
            self.saved, self.released = (), True


def edge_of(tensor: Any) -> Any:
    """Return where a tensor's gradient is passed on to: a Node, the tensor itself (a leaf), or None."""
    return tensor.grad_fn or (tensor if tensor._requires_grad else None)


def record(
    out: Any,
    called: str,
    inputs: Sequence[Any],
    back: Callable[..., Any],
    saved: Sequence[Any] = (),
    result: bool = False,
) -> Any:
    """Attach a Node to `out`, if recording is on and an input needs a gradient.

    `back` is called with the gradient, with what is `saved`, and last with the `result` if it asks for it.
    Saved tensors must not have changed by then; None stands for one that is not needed.
    """
    if _watching[0] and any(
        tensor._requires_grad or (tensor._base is not None and tensor.grad_fn) for tensor in inputs
    ):
        node = Node(called, inputs, back, saved)
        if result:
            node.save_result(out)
        out._grad_fn, out._requires_grad = node, True
    return out


def called(out: Any, name: str) -> Any:
    """Do the same under torch's name for the step, if several of our operations are one of torch's."""
    if out._grad_fn is not None:
        out._grad_fn.called = name
    return out


def keeping(out: Any, tensor: Any) -> Any:
    """Do the same for a tensor that torch's step saves, although nothing here is computed from it.

    So changing it in place is refused in the backward pass, as in torch.
    """
    node = out._grad_fn
    if node is not None:
        back = node.back
        node.back = lambda gradient, *saved: back(gradient, *saved[:-1])
        node.saved += ((tensor, tensor._version, False),)
    return out


def is_grad_enabled() -> bool:
    return _watching[0]


class _Switch(contextlib.ContextDecorator):
    """Turn recording on or off, inside a `with` or a decorated function."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.before: list[bool] = []

    def __enter__(self) -> Any:
        self.before.append(_watching[0])
        _watching[0] = self.on
        return None

    def __exit__(self, *_: Any) -> None:
        _watching[0] = self.before.pop()


class no_grad(_Switch):
    """Turn recording off."""

    def __init__(self) -> None:
        super().__init__(False)

    def __new__(cls, function: Any = None) -> Any:
        return super().__new__(cls) if function is None else no_grad()(function)


def enable_grad() -> _Switch:
    """Turn recording on, even within `no_grad`."""
    return _Switch(True)


def inference_mode(mode: Any = True) -> Any:
    """Do the same as `no_grad`."""
    return no_grad()(mode) if callable(mode) else _Switch(not mode)


class set_grad_enabled(_Switch):
    """Set recording at once, and with `with` until its end."""

    def __init__(self, mode: bool) -> None:
        super().__init__(bool(mode))
        self.was = _watching[0]
        _watching[0] = self.on

    def __enter__(self) -> None:
        _watching[0] = self.on
        self.before.append(self.was)


def _sum(one: Any, other: Any) -> Any:
    return other if one is None else one + other


def _run_back(
    outputs: Any,
    grad_outputs: Any,
    retain_graph: bool | None,
    create_graph: bool,
    wanted: Sequence[Any] | None = None,
) -> dict[int, Any]:
    """Send gradients back from the outputs.

    Without `wanted` they are added up in the leaves' `grad`. With it, they are returned, by the id of where
    the gradient of each wanted tensor is passed on to.
    """
    roots = _listed(outputs)
    gradients = _start(roots, [None] * len(roots) if grad_outputs is None else _listed(grad_outputs))
    if not all(tensor._requires_grad for tensor in wanted or ()):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    keep = create_graph if retain_graph is None else retain_graph
    waiting: dict[int, Any] = {}  # a gradient for each node or leaf that is still to be visited
    heap: list[tuple[int, int, Any]] = []
    found: dict[int, Any] = {}
    asked = {id(edge_of(tensor)) for tensor in wanted or ()}

    def send(end: Any, gradient: Any) -> None:
        if end is None or gradient is None:
            return
        if isinstance(end, Node) and id(end) not in waiting:
            heapq.heappush(heap, (-end.number, id(end), end))
        waiting[id(end)] = _sum(waiting.get(id(end)), gradient)
        if not isinstance(end, Node):
            leaves[id(end)] = end

    leaves: dict[int, Any] = {}
    with set_grad_enabled(create_graph):
        for root, gradient in zip(roots, gradients, strict=True):
            send(edge_of(root), gradient)
        while heap:
            _, key, node = heapq.heappop(heap)
            gradient = waiting.pop(key)
            if key in asked:
                found[key] = gradient
            for tensor in node.keepers:
                tensor.grad = _sum(tensor.grad, gradient)
            made = node.apply(gradient)
            for end, part in zip(node.edges, made, strict=True):
                send(end, part)
            if not keep:
                node.release()
        for key, leaf in leaves.items():
            gradient = waiting[key]
            if wanted is not None:
                found[key] = gradient
            elif create_graph:
                leaf.grad = _sum(leaf.grad, gradient)
            elif leaf.grad is None:
                leaf.grad = gradient.detach().clone()
            else:
                leaf.grad.add_(gradient)
    return found


def _start(outputs: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
    """Return the gradient with which each output starts: 1 for a single number."""
    made = []
    for output, gradient in zip(outputs, gradients, strict=True):
        if not output._requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if gradient is None:
            if output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            gradient = output.detach().new_ones(output.shape)
        elif gradient.shape != output.shape:
            # To say which one, torch searches for the gradient among the earlier ones. If these have several
            # numbers, the search fails with an error of a different kind.
            at = list(gradients).index(gradient)
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{at}] has a shape of {gradient.shape} and "
                f"output[{at}] has a shape of {output.shape}."
            )
        made.append(gradient)
    return made


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    if inputs is not None:
        raise NotInThisPage("`backward` with inputs")
    _run_back(tensors, grad_tensors, retain_graph, create_graph)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
) -> tuple[Any, ...]:
    """Return the gradients of the outputs' sum with respect to the inputs; no `grad` is changed."""
    wanted = _listed(inputs)
    found = _run_back(outputs, grad_outputs, retain_graph, create_graph, wanted)
    made = tuple(found.get(id(edge_of(tensor))) for tensor in wanted)
    unused = [i for i, gradient in enumerate(made) if gradient is None]
    if unused and not allow_unused:
        raise RuntimeError(
            f"The differentiated Tensor at index {unused[0]} appears to not have been used in the "
            "graph. Set allow_unused=True if this is the desired behavior."
        )
    return made


__getattr__ = who_has(__name__)
