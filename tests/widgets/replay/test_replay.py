"""Test how a recording is sent to the browser: numbers, bytes, names and errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from ipywidgets import Widget

from qkvlib.tasks import Recall
from qkvlib.training.recording import Recording
from qkvlib.widgets import Replay
from tests.recordings import drawn, one_head, two_heads, two_layers
from tests.wire import Wire, saved

KINDS = [np.int32, np.float32, np.float32, np.int32, np.int16, np.int16]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close all widgets: ipywidgets keeps open ones alive, and some runs here have hundreds of megabytes."""
    yield
    Widget.close_all()


def frames(replay: Replay) -> tuple[dict[str, Any], list[np.ndarray[Any, Any]]]:
    """Return the widget's setup, and the frames that the front end gets on request."""
    wire = Wire(replay)
    setup: dict[str, Any] = wire.opening()["setup"]
    (message,) = wire.receive({"view": "test", "seq": 1, "do": "frames"})
    arrays = [np.frombuffer(buffer, KINDS[i % len(KINDS)]) for i, buffer in enumerate(message["buffers"])]
    return setup, arrays


def shown(replay: Replay, name: str, of: str, run: int = 0) -> np.ndarray[Any, Any]:
    """Return a matrix or its gradient as the front end will show it: [frames, rows * columns]."""
    setup, arrays = frames(replay)
    arrays = arrays[6 * run :]
    layout = setup["runs"][run]
    matrix = next(m for m in layout["layers"][0]["matrices"] if m["name"] == name)
    numbers = arrays[4].reshape(-1, layout["widths"][0]).astype(float)
    shares = numbers / np.iinfo(arrays[4].dtype).max
    size = matrix["rows"] * matrix["columns"]
    start = matrix["at"] if of == "weight" else matrix["slope"]
    part = shares[:, start : start + size]
    weight, gradient = setup["largest"]
    return part * weight if of == "weight" else part * np.abs(part) * gradient


@pytest.mark.parametrize("name", ["embedding", "w_q", "w_k", "w_v", "w_o"])
def test_a_small_run_arrives_to_four_digits(name: str) -> None:
    recording = one_head()
    replay = Replay(recording)
    weight, gradient = (group[name].flatten(1).numpy() for group in (recording.weights, recording.gradients))
    assert shown(replay, name, "weight") == pytest.approx(weight, abs=1e-4)
    assert shown(replay, name, "gradient") == pytest.approx(gradient, rel=0.01, abs=1e-7)


def test_attention_and_the_curves_arrive() -> None:
    recording = two_heads()
    setup, arrays = frames(Replay(recording))
    looks = recording.attention["heads"].flatten(1).numpy()
    got = arrays[5].reshape(looks.shape) / 32767 / 2 + 0.5
    assert got == pytest.approx(looks, abs=1e-4)
    assert arrays[0].tolist() == recording.steps.tolist() == arrays[3].tolist()
    assert arrays[1].tolist() == recording.losses.tolist()
    assert arrays[2].tolist() == recording.accuracy.tolist()
    assert setup["runs"][0]["layers"][0]["heads"] == 2


def test_a_frozen_weight_has_no_gradient() -> None:
    setup, _ = frames(Replay(one_head(freeze=("w_q",))))
    slopes = {matrix["name"]: matrix["slope"] for matrix in setup["runs"][0]["layers"][0]["matrices"]}
    assert [name for name, slope in slopes.items() if slope is None] == ["w_q"]


def test_each_layer_has_its_matrices_and_its_attention() -> None:
    setup, _ = frames(Replay(two_layers()))
    first, second = setup["runs"][0]["layers"]
    assert [matrix["name"] for matrix in second["matrices"]] == ["w_q", "w_k", "w_v", "w_o"]
    assert first["matrices"][0]["name"] == "embedding"
    assert (first["looks"], second["looks"]) == (0, 4 * 18 * 18)


def test_two_runs_share_the_ends_of_their_colours() -> None:
    runs = one_head(0), one_head(1)
    replay = Replay(*runs)
    for run, recording in enumerate(runs):
        weight = recording.weights["w_k"].flatten(1).numpy()
        assert shown(replay, "w_k", "weight", run) == pytest.approx(weight, abs=1e-4)


def test_the_frames_do_not_move_what_the_page_shows() -> None:
    assert "state" not in Wire(Replay(one_head())).ask(do="frames")


def weight_in_bytes(replay: Replay) -> int:
    wire = Wire(replay)
    (message,) = wire.receive({"view": "test", "seq": 1, "do": "frames"})
    return sum(map(len, message["buffers"]))


def test_five_hundred_steps_of_a_small_head_are_small() -> None:
    assert weight_in_bytes(Replay(drawn(500, d_model=4, tokens=4))) < 362_000


@pytest.mark.parametrize("d_model", [16, 128])  # all of its steps fit, and not all
@pytest.mark.whole
def test_a_thousand_steps_of_eight_heads_stay_below_four_megabytes(d_model: int) -> None:
    run = drawn(1000, d_model, n_heads=8)
    assert weight_in_bytes(Replay(run)) < 4_000_000
    assert weight_in_bytes(Replay(run, run)) < 4_000_000
    _, arrays = frames(Replay(run))
    assert len(arrays[0]) == 1000
    assert arrays[3][-1] == 999
    assert len(arrays[3]) >= 10


@pytest.mark.whole
def test_a_thinned_run_is_still_right_to_a_percent() -> None:
    run = drawn(1000, 64, n_heads=8)
    replay = Replay(run)
    _, arrays = frames(replay)
    assert len(arrays[3]) < 1000
    weight = run.weights["w_q"][torch.from_numpy(arrays[3].copy()).long()].flatten(1).numpy()
    assert shown(replay, "w_q", "weight") == pytest.approx(weight, abs=0.01 * float(np.abs(weight).max()))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Replay(one_head(), tokens=Recall.tokens),
        lambda: Replay(one_head(0), one_head(1), tokens=Recall.tokens),
        lambda: Replay(two_layers()),
        lambda: Replay(drawn(1000, 64, n_heads=8), drawn(1000, 64, n_heads=8)),
    ],
)
def test_what_a_notebook_saves_is_below_eighty_kilobytes(make: Any) -> None:
    replay = make()
    output, _ = replay._repr_mimebundle_()
    size = len(saved(Wire(replay).opening())) + len(json.dumps(output))
    assert size < 80_000


def film(replay: Replay, run: int = 0) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Return the steps of a saved film, its numbers and its attention, one row for each step."""
    kept = replay.pack()["films"][run]
    numbers, looks = (np.frombuffer(kept[part], np.int8) for part in ("numbers", "looks"))
    count = len(kept["frames"])
    return kept["frames"], numbers.reshape(count, -1), looks.reshape(count, -1)


def test_a_saved_film_goes_from_the_start_to_the_end_and_lingers_at_the_start() -> None:
    recording = one_head()
    steps, numbers, looks = film(Replay(recording))
    assert (steps[0], steps[-1]) == (0, int(recording.steps[-1]))
    assert len(steps) >= 12
    assert steps[len(steps) // 2] < 0.4 * steps[-1]
    setup, arrays = frames(Replay(recording))
    top = 127 / 32767
    at = [list(arrays[3]).index(step) for step in steps]
    assert numbers == pytest.approx(arrays[4].reshape(len(arrays[3]), -1)[at] * top, abs=0.6)
    assert looks == pytest.approx(arrays[5].reshape(len(arrays[3]), -1)[at] * top, abs=0.6)
    assert numbers.shape[1] == setup["runs"][0]["widths"][0]


def test_of_a_large_model_the_film_has_the_attention_alone() -> None:
    run = drawn(1000, 64, n_heads=8)
    steps, numbers, looks = film(Replay(run))
    assert numbers.size == 0
    assert len(steps) > 1
    assert looks.size


def test_a_run_of_one_step_is_a_film_of_one_frame() -> None:
    assert film(Replay(drawn(1)))[0] == [0]


def test_a_number_that_is_none_is_told_apart() -> None:
    run = drawn(5)
    run.weights["w_q"][4, 0, 0] = float("nan")
    run.losses[4] = float("nan")
    setup, arrays = frames(Replay(run))
    at = setup["runs"][0]["layers"][0]["matrices"][1]["at"]
    numbers = arrays[4].reshape(5, -1)
    assert numbers[4, at] == -32768
    assert (numbers[:4] > -32768).all()
    assert setup["runs"][0]["curve"][-1] == [4, None]


def without(recording: Recording, *names: str) -> Recording:
    weights = {n: w for n, w in recording.weights.items() if n not in names}
    return Recording(**{**vars(recording), "weights": weights})


def of_a_thousand_words() -> Recording:
    run = drawn(3)
    run.attention["heads"] = torch.zeros(3, 4, 1, 1, 1000)
    return run


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Replay({"w_q": 1}), TypeError, "was given a dict"),  # type: ignore[arg-type]
        (lambda: Replay(one_head(), names=["a", "b"]), ValueError, "2 names for 1 recordings"),
        (lambda: Replay(one_head(), names=[""]), ValueError, "1 to 40 letters"),
        (lambda: Replay(one_head(), tokens=["a"]), ValueError, "1 names in tokens, but .* 16 rows"),
        (lambda: Replay(without(one_head(), "w_q")), ValueError, "there is no w_q"),
        (lambda: Replay(drawn(50, d_model=512)), ValueError, "only 0 such steps fit"),
        (lambda: Replay(of_a_thousand_words()), ValueError, "1 by 1000, but .* at most 128 places"),
    ],
)
def test_bad_input_is_refused_with_words(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()
