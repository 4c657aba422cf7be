"""Test that messages between grader and sandbox arrive unchanged, and that nothing else arrives."""

from __future__ import annotations

import json
import socket
import struct
import time
from contextlib import suppress
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.child.protocol import LEARNER_LIMITS, Limits, ProtocolError
from qkvlib.tools.grading.sandbox.child.tensors import DTYPES, UnsentValue, pack, unpack
from qkvlib.tools.grading.sandbox.child.text import clean

PLAIN = (type(None), bool, int, float, str, list, tuple, dict, Tensor, UnsentValue)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, Tensor):
        return type(b) is Tensor and a.dtype == b.dtype and a.shape == b.shape and bool(torch.equal(a, b))
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)


shapes = st.lists(st.integers(0, 4), max_size=4)
tensors = st.builds(
    lambda dtype, shape, seed: torch.randint(0, 2, shape, generator=torch.Generator().manual_seed(seed)).to(
        dtype
    ),
    st.sampled_from(list(DTYPES.values())),
    shapes,
    st.integers(0, 99),
)
scalars = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.text(max_size=20)
ordinary = st.recursive(
    scalars | st.floats(allow_nan=False) | tensors,
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["t", "u", "l", "d", "o", "dtype", "shape", "wants_grad", "grad", "stride", "x"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(ordinary)
def test_a_value_arrives_as_it_was_sent(value: Any) -> None:
    packed = pack(value)
    tree = json.loads(json.dumps(packed.tree))
    assert same(value, unpack(tree, packed.payload))


@given(shapes, st.permutations(range(4)))
def test_strides_survive_on_the_way_to_the_sandbox(shape: list[int], order: list[int]) -> None:
    tensor = torch.arange(256.0).reshape(4, 4, 4, 4).permute(order)[::2, :, 1:, ::3]
    packed = pack((tensor,), keep_strides=True)
    (arrived,) = unpack(packed.tree, packed.payload, strided=True)
    assert arrived.stride() == tensor.stride()
    assert torch.equal(arrived, tensor)


def test_what_lies_between_strided_numbers_stays_at_home() -> None:
    memory = torch.full((100,), 7.0)
    packed = pack(memory[::10], keep_strides=True)
    assert torch.frombuffer(bytearray(packed.payload), dtype=torch.float32).count_nonzero() == 10


def test_a_parameter_takes_its_gradient_along() -> None:
    parameter = torch.nn.Parameter(torch.ones(2))
    parameter.grad = torch.tensor([3.0, 4.0])
    packed = pack([parameter])
    (arrived,) = unpack(packed.tree, packed.payload)
    assert arrived.requires_grad
    assert arrived.grad.tolist() == [3.0, 4.0]


class _Sub(Tensor):
    pass


@pytest.mark.parametrize(
    "thing", [object(), lambda: 1, torch.zeros(2).as_subclass(_Sub), {1: 2}, b"x", 1 << 80]
)
def test_of_anything_else_only_the_type_arrives(thing: Any) -> None:
    packed = pack(thing)
    arrived = unpack(packed.tree, packed.payload)
    assert type(arrived) is UnsentValue
    assert arrived.type_name == type(thing).__name__


@given(JSON, st.binary(max_size=64))
def test_no_tree_makes_the_reader_do_anything_but_refuse_or_read(tree: Any, data: bytes) -> None:
    try:
        value = unpack(tree, data)
    except ProtocolError:
        return
    assert isinstance(value, PLAIN)


@given(st.data())
def test_no_change_to_a_real_message_gets_past_the_reader(data: st.DataObject) -> None:
    """A good message with one change is read as plain values or refused."""
    packed = pack((torch.arange(6.0).reshape(2, 3), [torch.ones(2, dtype=torch.bool)], 5))
    tree = json.loads(json.dumps(packed.tree))
    boxes = _boxes(tree)
    box = data.draw(st.sampled_from(boxes))
    key = data.draw(st.sampled_from(list(box) if isinstance(box, dict) else list(range(len(box)))))
    box[key] = data.draw(JSON | st.integers(-(2**70), 2**70))
    try:
        value = unpack(tree, packed.payload)
    except ProtocolError:
        return
    assert isinstance(value, PLAIN)


def _boxes(tree: Any) -> list[Any]:
    if not isinstance(tree, (dict, list)) or not tree:
        return []
    inner = tree.values() if isinstance(tree, dict) else tree
    return [tree, *(box for x in inner for box in _boxes(x))]


@given(st.binary(max_size=200))
def test_no_bytes_make_a_header_but_good_ones(data: bytes) -> None:
    with suppress(ProtocolError):
        assert type(protocol.decode_header(data, LEARNER_LIMITS)) is dict


def talk(data: bytes, limits: Limits = LEARNER_LIMITS, hang_up: bool = True) -> Any:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        if hang_up:
            theirs.close()
        return protocol.receive(ours, limits, time.monotonic() + 0.2)


def test_a_message_arrives_whole() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        protocol.send(theirs, {"kind": "é"}, b"123")
        assert protocol.receive(ours, LEARNER_LIMITS) == ({"kind": "é"}, b"123")


@pytest.mark.parametrize("sizes", [(2**32 - 1, 0), (2, 2**32 - 1), (1 << 21, 0)])
def test_a_message_that_is_announced_too_large_is_not_waited_for(sizes: tuple[int, int]) -> None:
    with pytest.raises(ProtocolError, match="too large"):
        talk(struct.pack("<4sII", b"qkv1", *sizes), hang_up=False)


def test_a_header_is_measured_before_it_is_used() -> None:
    for text in (b'{"a":' * 50 + b"1" + b"}" * 50, json.dumps({"a": [0] * 30_000}).encode()):
        with pytest.raises(ProtocolError, match=r"nested|items"):
            protocol.decode_header(text, LEARNER_LIMITS)


def test_half_a_message_ends_at_the_deadline_or_with_the_line() -> None:
    half = struct.pack("<4sII", b"qkv1", 90, 0) + b"{"
    with pytest.raises(protocol.DisconnectedError):
        talk(half)
    with pytest.raises(protocol.DeadlineError):
        talk(half, hang_up=False)


def test_a_learners_text_cannot_steer_a_terminal() -> None:
    assert clean("\x1b[31mred\u202e\u0000\ud800 ok\n") == "[31mred ok\n"
    assert clean("as it is: [1, 2]") == "as it is: [1, 2]"
    assert clean("x" * 1_001) == "x" * 996 + " ..."
    assert len(clean("x" * 10**6)) <= 1000
    assert clean("e\u0301" + "a" + "\u0336" * 50) == "e\u0301a" + "\u0336" * 3  # marks can hide lines
