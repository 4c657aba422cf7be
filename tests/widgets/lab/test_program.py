"""Test that after every request to the page's lab Python gets its numbers, and torch computes the same.

Python computes in double precision here, as the page does, so that hundreds of steps do not drift
apart by rounding.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.widgets import AtLeast, AtMost, AttentionLab, Goal, LossBelow, Prefers
from qkvlib.widgets.kit.goals import Condition
from tests.node import Node

DRIVER = Path(__file__).parent / "program.mjs"
ROOT = Path(__file__).parents[3]
WIDGETS = ROOT / "qkvlib" / "widgets"
WEIGHTS = ("w_q", "w_k", "w_v")
VIEWS = ("weights", "both", "gradients", "backward")
RATES = (0.01, 0.3, 1.0, 30.0, 1 / 3, 1e-5, 1000.0)
MOST_REQUESTS = 100


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(DRIVER, str(WIDGETS)) as node:
        yield node


@pytest.fixture(autouse=True)
def in_doubles(home: object, unchecked_signatures: None) -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def a_lab(chance: Random) -> AttentionLab:
    """Make a lab of a random size that it can draw; float32 holds its numbers, since they travel so."""
    n, d, d_k, d_v = chance.randint(2, 8), *(chance.randint(1, 8) for _ in range(3))
    heads = chance.choice([1, 1, 2, 3, 4])
    generator = torch.Generator().manual_seed(chance.getrandbits(40))
    spread = chance.choice([0.0, 0.3, 1.0, 4.0])

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float32).double()

    x = normal(n, d)
    weights = [(spread * normal(d, heads * width)).float().double() for width in (d_k, d_k, d_v)]
    target = normal(n, heads * d_v) if chance.random() < 0.8 else None
    mask = torch.rand(n, n, generator=generator) < 0.7 if chance.random() < 0.5 else None
    if mask is not None and chance.random() < 0.3:
        mask[chance.randrange(n)] = False
    return AttentionLab(
        *(x, *weights, target),
        mask=mask,
        tokens=[f"word{i}" if i % 2 else f"w{i}" for i in range(n)],
        n_heads=heads,
        learning_rate=chance.choice(RATES),
        frozen=[name for name in WEIGHTS if chance.random() < 0.15],
        goal=a_goal(chance, n, heads) if chance.random() < 0.7 else None,
    )


def a_goal(chance: Random, n: int, heads: int) -> Goal:
    def a_condition() -> Condition:
        row, head = chance.choice([f"w{2 * chance.randrange((n + 1) // 2)}", 1]), chance.randrange(heads)
        column, weight = chance.randrange(n), chance.choice([0.1, 0.125, 0.4, 0.75])
        return chance.choice(
            [
                Prefers(column, row, head),
                AtLeast(column, weight, row, head),
                AtMost(column, weight, row, head),
                LossBelow(chance.choice([0.05, 1.0, 1 / 3, 1e-5, 123456.7])),
            ]
        )

    conditions = [a_condition() for _ in range(chance.randint(1, 3))]
    touch = [name for name in (*WEIGHTS, "mask") if chance.random() < 0.7]
    return Goal("local", "Do it.", conditions, touch)


def a_script(chance: Random, lab: AttentionLab) -> list[dict[str, Any]]:
    """Return random requests of a learner in random order; now and then several belong to one gesture."""
    gesture, requests = 0, []
    for _ in range(chance.randint(1, chance.choice([20, 20, MOST_REQUESTS]))):
        gesture += chance.random() < 0.4
        requests.append(a_request(chance, lab, gesture))
    return requests


def a_request(chance: Random, lab: AttentionLab, gesture: int) -> dict[str, Any]:
    steps = ["step"] * 5 if lab.target is not None else []  # without a target there is no button for it
    kind = chance.choice(["edit"] * 8 + steps + ["undo"] * 3 + ["mask"] * 2 + ["reset", "rate", "view"])
    if kind == "edit":
        return {"edit": an_edit(chance, lab), "gesture": gesture}
    if kind == "step":
        return {"do": "step", "gesture": gesture, "times": chance.choice([1, 1, 1, 2, 7])}
    choice = {
        "mask": [chance.randrange(len(lab.x)) for _ in range(2)],
        "rate": chance.choice(RATES),
        "view": chance.choice(VIEWS),
    }.get(kind)
    return {"do": kind, "choice": choice}


def an_edit(chance: Random, lab: AttentionLab) -> dict[str, float]:
    edit = {}
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        name = chance.choice(WEIGHTS)
        rows, columns = getattr(lab, name).shape
        places = lab.n_heads, rows, columns // lab.n_heads
        at = (chance.randrange(count) for count in places)
        value = chance.choice([0.0, 100.0, -100.0, *(chance.uniform(-3, 3) for _ in range(7))])
        edit[" ".join(map(str, (name, *at)))] = round(value, 4)
    return edit


def hold(page: Node, seed: int) -> None:
    """Run one script on one lab: from what it receives, Python must compute the page's numbers."""
    chance = Random(seed)
    lab = a_lab(chance)
    requests = a_script(chance, lab)
    theirs = page.ask({"setup": lab.setup(), "state": lab.pack(), "requests": requests})
    before: list[tuple[Any, ...]] = []
    gesture = None
    met = True if lab.goal is None else None
    for k, (request, told) in enumerate(zip(requests, theirs, strict=True)):
        when = f"lab {seed}, after request {k + 1}, {request}"
        undo_was = len(before)
        here = tuple(getattr(lab, name).clone() for name in WEIGHTS), lab.mask.clone()
        wanted = stepped(lab, request, met) if not told["note"] else None
        met_before, met = met, lab.goal is None or told["goal"]["met"]
        assert met or not met_before or request.get("do") == "reset", f"met stays met: {when}"
        assert lab.receive(told["rest"]) is False, when
        assert lab.goal is None or lab.met == met, when
        for name, found in told["numbers"].items():
            assert near(torch.tensor(found, dtype=torch.float64).flatten(), torch_s(lab, name)), (
                f"{name}: {when}"
            )
        if lab.loss is not None and told["loss"] is not None:
            assert told["loss"] == pytest.approx(lab.loss, rel=2e-5, abs=1e-9), when
            assert lab.losses[-1] == pytest.approx(told["loss"], rel=2e-5, abs=1e-9), when
        if wanted:
            assert all(near(getattr(lab, name), w) for name, w in wanted.items()), when
        if told["note"] and request["times"] == 1:
            assert all(map(torch.equal, here[0], (getattr(lab, name) for name in WEIGHTS))), when
        if request.get("do") == "undo" and before:
            was = before.pop()
            assert all(map(torch.equal, was[0], (getattr(lab, name) for name in WEIGHTS))), when
            assert torch.equal(was[1], lab.mask), when
        elif request.get("do") not in ("rate", "view", "undo"):
            before += [here] if request.get("gesture") is None or request["gesture"] != gesture else []
            gesture = request.get("gesture")
        gesture = None if request.get("do") == "undo" and undo_was else gesture
        assert told["undo"] == len(before), when


def stepped(lab: AttentionLab, request: dict[str, Any], met: bool | None) -> dict[str, Tensor] | None:
    """Return the weights that may move, after one gradient step."""
    if request.get("do") != "step" or request["times"] > 1 or lab.gradients is None:
        return None
    if met is None or lab.learning_rate > 1:
        return None  # large numbers nearly cancel, and only rounding is left
    held = {*lab.frozen}
    if lab.goal and not met:
        held |= {*WEIGHTS} - {*lab.goal.touch}
    return {
        name: getattr(lab, name)
        - (name not in held) * lab.learning_rate * getattr(lab.gradients, f"d_{name}")
        for name in WEIGHTS
    }


def torch_s(lab: AttentionLab, name: str) -> Tensor:
    """Compute a matrix with torch, as a list of the heads' matrices if the page has one for each."""
    record: Any = lab.gradients if name.startswith("d_") else lab.trace
    found: Tensor = lab.target if name == "target" else getattr(record, name)
    return found.flatten()


def holds(page: Node, seed: int) -> bool:
    try:
        hold(page, seed)
    except (AssertionError, ValueError):  # no page may send what Python refuses
        return False
    return True


def near(one: Tensor, other: Tensor) -> bool:
    if one.shape != other.shape:
        return False
    return torch.allclose(one, other, rtol=1e-5, atol=1e-6 * max(one.abs().max().item(), 1e-6))


@pytest.mark.parametrize("seed", range(30))
def test_after_every_request_the_pages_numbers_are_torchs(page: Node, seed: int) -> None:
    hold(page, seed)


def test_a_weight_that_was_brought_back_has_not_changed_in_single_precision(page: Node) -> None:
    w = torch.full((2, 1), 0.3, dtype=torch.float32)
    goal = Goal("80-back", "Look at t0.", [AtLeast(0, 0.9)], touch=["w_q"])
    lab = AttentionLab(torch.eye(2, dtype=torch.float32), w, w, w, goal=goal)
    requests = [{"edit": {"w_k 0 0 0": value}, "gesture": value} for value in (0.5, 0.3)]
    theirs = page.ask({"setup": lab.setup(), "state": lab.pack(), "requests": requests})
    changed = ["w_k has changed" in told["goal"]["words"] for told in theirs]
    assert changed == [True, False]


# QKVLIB_HUNDREDS=30 runs three thousand scripts: worth the minutes after changing the lab's rules.
@pytest.mark.sweep
@pytest.mark.whole
@pytest.mark.parametrize("hundred", range(int(os.environ.get("QKVLIB_HUNDREDS", "3"))))
def test_and_so_it_is_in_hundreds_of_scripts(page: Node, hundred: int) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        hold(page, 1000 + seed)


@pytest.mark.whole
@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize(
    ("file", "rule", "broken"),
    [
        ("kit/history.js", "of !== null && of === gesture", "false"),
        ("lab/program.js", "!state.goal?.met && !goal.touch", "!goal.touch"),
        ("lab/program.js", "Math.abs(w) <= setup.limit", "true"),
        ("lab/program.js", "(loss, k) => loss !== known.losses[k]", "() => false"),
        ("engine/gradients.js", "weight * (d[j] - average)", "weight * d[j]"),
    ],
)
def test_a_rule_that_is_broken_is_noticed(tmp_path: Path, file: str, rule: str, broken: str) -> None:
    for folder in ("engine", "kit", "lab"):
        shutil.copytree(WIDGETS / folder, tmp_path / folder)
    shutil.copy(ROOT / "package.json", tmp_path)
    source = (tmp_path / file).read_text(encoding="utf-8")
    assert rule in source
    (tmp_path / file).write_text(source.replace(rule, broken), encoding="utf-8")
    with Node(DRIVER, str(tmp_path)) as page:
        assert not all(holds(page, seed) for seed in range(100))
