"""Test that interactive figures show all their data, to everyone, and the same each time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from qkvlib.figures import curves, journey, landscape, seeds, theme
from qkvlib.figures.plot import LOOKS, MIDDLE, MIME, Plot, ink
from qkvlib.figures.theme import DARK, LIGHT
from qkvlib.training.recording import Recording, Settings

SHARES = {
    "two tables": [1.0, 0.998, 1.0, 1.0, 0.9991234, 1.0, 1.0, 1.0, 0.997, 1.0],
    "one table": [0.41, 0.43, 0.44, 0.39, 0.42, 0.42, 0.41, 0.45, 0.44, 0.4],
}


def recorded(losses: list[float], embedding: Tensor | None = None) -> Recording:
    """Return the recording of a run that kept every tenth step."""
    kept = len(losses)
    table = torch.zeros(kept, 3, 4) if embedding is None else embedding
    return Recording(
        torch.arange(kept) * 10,
        torch.tensor(losses),
        torch.zeros(kept),
        {"embedding": table},
        {},
        {},
        [],
        [],
        Settings("model", "task", "finished"),
    )


def saddle(a: Tensor, b: Tensor) -> Tensor:
    return 10 - a * b + a * a


def moving(seed: int = 0) -> Tensor:
    """Return three words at three steps, each with four numbers."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(3, 3, 4, generator=generator).cumsum(0)


MAKERS = {
    "seeds": lambda: seeds(SHARES, "right answers", chance=1 / 8),
    "seeds of other numbers": lambda: seeds({"royal?": [-0.5, 0.25]}, "cosine", span=(-1, 1)),
    "curves": lambda: curves(
        {"from random": recorded([2.0, 0.1, 0.0]), "from zero": recorded([2.0, 2.0, 2.0])}
    ),
    "landscape": lambda: landscape(
        saddle,
        ("of W_Q", "of W_K"),
        paths={"both zero": [(0, 0), (0, 0)], "W_Q zero": [(0, 1), (0.1, 1), (0.3, 1.1)]},
        gradients_at=[(0, 0), (1.0, -2.0)],
    ),
    "journey": lambda: journey(recorded([2.0, 1.0, 0.5], moving()), ["king", "queen", "dog"]),
}
EVERY_PLOT = pytest.mark.parametrize("name", MAKERS)


def made(name: str) -> Plot:
    return MAKERS[name]()  # type: ignore[no-untyped-call]


def leaves(part: Any) -> Iterator[Any]:
    """Yield all values in a figure's JSON, at any depth."""
    if isinstance(part, dict):
        for below in part.values():
            yield from leaves(below)
    elif isinstance(part, list | tuple):
        for below in part:
            yield from leaves(below)
    else:
        yield part


# --- what every plot promises ----------------------------------------------------------------


@EVERY_PLOT
def test_a_plot_is_plotlys_json_a_picture_and_a_text_small_and_the_same_each_time(name: str) -> None:
    bundle = made(name)._repr_mimebundle_()
    assert bundle == made(name)._repr_mimebundle_()
    assert len(json.dumps(bundle)) < 40_000
    assert set(bundle) == {MIME, "text/html", "text/plain"}
    assert json.loads(json.dumps(bundle[MIME])) == bundle[MIME], "plain JSON, and no tensor in it"
    assert bundle["text/plain"] == repr(made(name))


@EVERY_PLOT
def test_plotly_takes_every_word_of_it(name: str) -> None:
    """plotly refuses a property that it does not know."""
    spec = made(name).spec
    figure = Figure({part: spec[part] for part in ("data", "layout", "frames")})
    assert len(figure.data) == len(made(name).traces)
    assert len(figure.frames) == len(made(name).frames)


@EVERY_PLOT
def test_no_number_has_digits_that_only_one_processor_gives(name: str) -> None:
    data = made(name).spec
    numbers = [x for x in leaves([data["data"], data["frames"]]) if isinstance(x, float)]
    assert numbers
    assert all(float(f"{x:.4f}") == x or float(f"{x:.3g}") == x for x in numbers), numbers


@EVERY_PLOT
def test_the_still_says_in_words_what_it_shows(name: str) -> None:
    plot = made(name)
    html = plot._repr_mimebundle_()["text/html"]
    alt = re.match(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,', html)
    assert alt
    for line in plot.text.splitlines()[1:]:
        assert line.split(":")[0] in alt[1]


@EVERY_PLOT
def test_words_have_the_pages_own_ink(name: str) -> None:
    """In JupyterLab the colour follows the theme; elsewhere it is a middle grey, readable on both papers."""
    layout = made(name).spec["layout"]
    said = [x for x in leaves(layout) if isinstance(x, str) and "<span" in x]
    assert said
    assert all("var(--jp-content-font-color" in words and MIDDLE in words for words in said)
    assert "rgba(0, 0, 0, 0)" in (layout["paper_bgcolor"], layout["plot_bgcolor"])


@EVERY_PLOT
def test_no_letter_is_smaller_than_twelve(name: str) -> None:
    plot = made(name)
    sizes = [int(size) for size in re.findall(r"font-size: (\d+)px", json.dumps(plot.spec))]

    def fonts(part: Any, inside: str = "") -> Iterator[float]:
        if isinstance(part, dict):
            for key, below in part.items():
                yield from fonts(below, key)
            if "font" in inside.lower() and "size" in part:
                yield part["size"]
        elif isinstance(part, list):
            for below in part:
                yield from fonts(below, inside)

    sizes += [*fonts(plot.spec["layout"])]
    assert sizes
    assert min(sizes) >= 12
    assert 'font-size="14"' in plot.still


def test_marks_can_be_seen_on_every_page_and_told_apart_without_colour() -> None:
    for colour, _, _ in LOOKS:
        assert theme.contrast(colour, LIGHT.paper) > 3, colour
        assert theme.contrast(colour, DARK.paper) > 3, colour
    assert theme.contrast(MIDDLE, LIGHT.paper) > 4
    assert theme.contrast(MIDDLE, DARK.paper) > 4
    assert len({symbol for _, symbol, _ in LOOKS}) == len({dash for *_, dash in LOOKS}) == 6


def test_a_name_cannot_bring_markup_along() -> None:
    assert "<b>" not in ink("<b>")
    plots = [
        seeds({"<b>": [0.5]}, "<b>"),
        curves({"<b>": recorded([2.0, 1.0])}),
        landscape(saddle, ("<b>", "<b>"), paths={"<b>": [(0, 0)]}),
        journey(recorded([1.0, 1.0, 1.0], moving()), ["<b>", "b", "c"]),
    ]
    for plot in plots:
        assert "<b>" not in json.dumps(plot.spec)
        assert "<b>" not in plot.still


@pytest.mark.whole
def test_drawing_loads_neither_plotly_nor_what_trains() -> None:
    code = "import sys, qkvlib.figures as f; repr(f.seeds({'a': [1]}, 'b')); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert not {"plotly", "qkvlib.training", "qkvlib.models"} & set(loaded.stdout.split())


# --- seeds -----------------------------------------------------------------------------------


def test_every_seed_is_a_point_and_says_which_it_is() -> None:
    for trace, (name, shares) in zip(made("seeds").traces, SHARES.items(), strict=True):
        assert trace["x"] == [round(share, 4) for share in shares]
        assert trace["text"] == [
            f"{name}<br>seed {seed}: {share:.1%}" for seed, share in enumerate(trace["x"])
        ]


def test_no_seed_hides_another_and_rows_do_not_run_into_each_other() -> None:
    first, second = made("seeds").traces
    assert max(first["y"]) < min(second["y"])
    circles = ElementTree.fromstring(made("seeds").still).iter("{http://www.w3.org/2000/svg}circle")
    drawn = {(circle.get("cx"), circle.get("cy")) for circle in circles}
    assert len(drawn) == 20


def test_seeds_that_nearly_agree_stand_apart_wherever_they_lie() -> None:
    for low in (0.0, 0.2299, 0.23, 0.2301, 0.5):
        (trace,) = seeds({"a": torch.tensor([low + 0.004 * k for k in range(8)])}, "b").traces
        spots = [*zip(trace["x"], trace["y"], strict=True)]
        for (x, y), (other_x, other_y) in combinations(spots, 2):
            assert abs(x - other_x) > 0.02 or abs(y - other_y) >= 5


def test_what_is_counted_is_written_without_decimals() -> None:
    counted = repr(seeds({"directions": [6, 7.0, 10]}, "of 16", span=(0, 16)))
    assert counted.endswith("lowest 6, median 7, highest 10")
    assert "median 6.50" in repr(seeds({"directions": [6, 7]}, "of 16", span=(0, 16)))
    assert "lowest 0.50" in repr(seeds({"cosine": [0.5, 1.0]}, "of one", span=(0, 1)))
    assert "highest 100.0%" in repr(seeds({"share": [0, 1]}, "right answers"))


def test_the_text_gives_lowest_median_and_highest_of_each_row() -> None:
    assert repr(made("seeds")).splitlines() == [
        "right answers",
        "two tables: 10 seeds, lowest 99.7%, median 100.0%, highest 100.0%",
        "one table: 10 seeds, lowest 39.0%, median 42.0%, highest 45.0%",
        "chance: 12.5%",
    ]


def test_numbers_that_are_no_shares_are_written_as_they_are() -> None:
    plot = made("seeds of other numbers")
    assert repr(plot).splitlines()[1] == "royal?: 2 seeds, lowest −0.50, median −0.12, highest 0.25"
    low, high = plot.layout["xaxis"]["range"]
    assert low < -1 < 1 < high


def test_chance_is_a_dotted_line_across_all_rows() -> None:
    plot = made("seeds")
    (line,) = [shape for shape in plot.layout["shapes"] if shape["line"]["dash"] == "dot"]
    assert line["x0"] == line["x1"] == 0.125
    heights = [y for trace in plot.traces for y in trace["y"]]
    assert line["y0"] < min(heights) < max(heights) < line["y1"]
    assert "stroke-dasharray" in plot.still
    assert "stroke-dasharray" not in seeds(SHARES, "right").still


def test_a_row_without_seeds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\['b'\] holds no seed"):
        seeds({"a": [1.0], "b": []}, "right")


# --- curves ----------------------------------------------------------------------------------


def test_a_curve_goes_through_every_kept_step() -> None:
    first, _ = made("curves").traces
    assert first["x"] == [0, 10, 20]
    assert first["y"] == [2.0, 0.1, 1e-8], "a logarithmic axis has no place for zero"
    assert first["text"][1] == "from random<br>step 10: loss 0.1"


def test_round_numbers_hold_all_losses_between_them() -> None:
    plot = curves({"a": recorded([2.3, 0.4, 0.3])})
    assert plot.layout["yaxis"]["tickvals"] == [0.2, 0.5, 1.0, 2.0, 5.0]
    flat = curves({"a": recorded([2.0, 2.0])})
    assert len(flat.layout["yaxis"]["tickvals"]) == 2


# --- landscape -------------------------------------------------------------------------------


def test_the_surface_has_the_loss_at_every_place() -> None:
    surface = made("landscape").traces[0]
    for row, b in enumerate(surface["y"]):
        for column, a in enumerate(surface["x"]):
            assert surface["z"][row][column] == pytest.approx(10 - a * b + a * a, abs=1e-3)


def test_the_arrow_goes_against_the_gradient_and_none_leaves_a_level_place() -> None:
    level, steep = made("landscape").traces[-2:]
    assert level["x"] == level["y"] == [0, 0]
    assert "gradient at (1.00, −2.00): 4.00 and −1.00" in steep["text"][0]
    (a, after_a), (b, after_b), (z, after_z) = (steep[axis] for axis in "xyz")
    assert (a, b, z) == (1, -2, 13)
    assert (after_a - a) == pytest.approx(-4 * (after_b - b), abs=0.01)
    assert after_a < a
    assert after_z < z


def test_a_path_lies_on_the_surface_step_by_step() -> None:
    path = next(trace for trace in made("landscape").traces if trace.get("name") == "W_Q zero")
    assert list(zip(path["x"], path["y"], path["z"], strict=True)) == [
        (0, 1, 10),
        (0.1, 1, 9.91),
        (0.3, 1.1, 9.76),
    ]
    assert path["text"][2] == "W_Q zero<br>step 2: loss 9.8"
    assert "W_Q zero: from (0.00, 1.00) to (0.30, 1.10) in 2 steps" in repr(made("landscape"))


# --- journey ---------------------------------------------------------------------------------


def test_a_frame_for_each_kept_step_and_a_place_for_each_word() -> None:
    plot = made("journey")
    assert [frame["name"] for frame in plot.frames] == ["0", "10", "20"]
    slider = plot.layout["sliders"][0]
    assert [step["args"][0][0] for step in slider["steps"]] == ["0", "10", "20"]
    for place, frame in enumerate(plot.frames):
        (heads,) = frame["data"]
        assert heads["x"] == [trail["x"][place] for trail in plot.traces[:3]]
        assert heads["customdata"][0].startswith(f"king, step {10 * place}<br>(")
        assert frame["traces"] == [3], "the trails stay"


def test_the_shadow_of_a_plane_is_the_plane() -> None:
    """Vectors of two numbers lose nothing: lengths and angles between them do not change."""
    flat = moving()[:, :, :2]
    plot = journey(recorded([1.0, 1.0, 1.0], flat), ["a", "b", "c"])
    assert "the plane holds 100%" in repr(plot)
    drawn = torch.tensor([[trail["x"][-1], trail["y"][-1]] for trail in plot.traces[:3]])
    torch.testing.assert_close(drawn @ drawn.T, flat[-1] @ flat[-1].T, atol=0.02, rtol=0)


@pytest.mark.parametrize("seed", range(4))
def test_the_farthest_words_lie_to_the_right_and_above(seed: int) -> None:
    """A direction and its opposite are equally good, and machines differ in the one they find."""
    plot = journey(recorded([1.0] * 3, moving(seed)), ["a", "b", "c"])
    for axis in "xy":
        assert max((trail[axis][-1] for trail in plot.traces[:3]), key=abs) > 0
