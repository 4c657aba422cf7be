"""Test the replay widget in a browser without Jupyter; its own Python answers."""

from __future__ import annotations

import math
import re
import statistics
from dataclasses import replace

import pytest
import torch
from playwright.sync_api import Locator, expect

from qkvlib.tasks import Recall, TwoQuestions
from qkvlib.training.recording import Recording
from qkvlib.widgets import Replay
from qkvlib.widgets.replay import frames
from tests.page.host import Host, Show
from tests.recordings import drawn, one_head, two_heads, two_layers


def opened(show: Show, replay: Replay, width: int = 1000) -> Host:
    host = show(replay, width)
    host.page.wait_for_selector("[data-loaded]")
    return host


@pytest.fixture
def recording() -> Recording:
    return one_head(steps=120)


@pytest.fixture
def host(show: Show, recording: Recording) -> Host:
    return opened(show, Replay(recording, tokens=Recall.tokens))


def scrubber(host: Host) -> Locator:
    return host.page.get_by_role("slider", name="step")


def words(host: Host) -> str:
    return host.page.locator(".rep-words").inner_text().replace("−", "-")


def point_at(host: Host, name: str, row: int, column: int, shape: tuple[int, int]) -> str:
    box = host.page.get_by_role("img", name=name, exact=False).first.bounding_box()
    assert box
    host.page.mouse.move(
        box["x"] + box["width"] * (column + 0.5) / shape[1], box["y"] + box["height"] * (row + 0.5) / shape[0]
    )
    return words(host)


def along(step: float, last: int) -> float:
    """Return how far along the curve a step is: the early steps get more space."""
    bend = max(last / 30, 1)
    return math.log1p(step / bend) / math.log1p(last / bend)


def at_step(host: Host, step: int) -> None:
    scrubber(host).press("Home")
    for _ in range(step // 10):
        scrubber(host).press("PageUp")
    for _ in range(step % 10):
        scrubber(host).press("ArrowRight")
    expect(host.page.get_by_text(f"step {step} of", exact=False).first).to_be_visible()


def test_the_last_gradients_are_no_blank_boxes(host: Host) -> None:
    scrubber(host).press("End")
    colours = host.page.get_by_role("img", name="gradient of W_Q").evaluate("""(map) =>
      new Set(new Uint32Array(map.querySelector("canvas").getContext("2d")
        .getImageData(0, 0, 12, 12).data.buffer)).size""")
    assert colours > 20


def test_a_step_with_more_digits_moves_nothing(host: Host) -> None:
    places = set()
    for step in (0, 9, 10, 120):
        at_step(host, step)
        places.add(host.page.get_by_label("Example").bounding_box()["x"])  # type: ignore[index]
    assert len(places) == 1


def test_each_part_of_a_matrix_says_whose_it_is(show: Show) -> None:
    host = opened(show, Replay(two_heads(), tokens=TwoQuestions.tokens))
    assert host.page.locator(".rep-heads").first.locator("span").all_inner_texts() == ["head 1", "head 2"]
    below = host.page.locator(".rep-heads[data-down] span")
    halves = [below.nth(half).bounding_box() for half in range(2)]
    assert halves[0]
    assert halves[1]
    assert halves[1]["y"] == pytest.approx(halves[0]["y"] + halves[0]["height"], abs=1)
    assert halves[0]["height"] > 20, "beside its half of W_O"
    _, columns = two_heads().weights["w_q"].shape[1:]
    said = point_at(host, "W_Q", 0, columns - 1, (columns, columns))
    assert f"W_Q[0, {columns - 1}], of head 2, is" in said


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("step", [0, 37, 120])
def test_the_numbers_of_a_step_are_the_recordings(host: Host, recording: Recording, step: int) -> None:
    at_step(host, step)
    weight, slope = (group["w_k"][step, 3, 7].item() for group in (recording.weights, recording.gradients))
    said = point_at(host, "W_K, 12 by 12", 3, 7, (12, 12))
    assert said == f"W_K[3, 7] is {weight:.2f}, its gradient {slope:.4f}.".replace("-0.0000", "0.0000")
    looks = recording.attention["head"][step, 0, 0, 0]
    shown = host.page.locator(".rep-looks").first.locator(".map-cell").all_inner_texts()
    assert [float(text) for text in shown] == pytest.approx(looks.tolist(), abs=0.0051)


def test_it_plays_to_the_end_and_the_kernel_hears_nothing(host: Host) -> None:
    before = host.page.evaluate("window.sent.length")
    host.page.get_by_role("slider", name="step").fill("0.8")
    play = host.page.locator(".rep-play")
    play.click()
    expect(play).to_have_text("❚❚ Pause")
    expect(host.page.locator(".rep-where")).to_have_text("step 120 of 120")
    expect(play).to_have_text("▶ Play")
    assert host.page.evaluate("window.sent.length") == before


def test_the_scrubber_says_where_it_is_and_space_plays_and_pauses(host: Host) -> None:
    scrubber(host).press("Home")
    expect(scrubber(host)).to_have_attribute("aria-valuetext", "step 0 of 120")
    expect(host.page.locator(".qkv-spoken")).to_contain_text("step 0 of 120.  loss 2.")
    scrubber(host).press("Space")
    expect(host.page.locator(".rep-play")).to_have_text("❚❚ Pause")
    scrubber(host).press("Space")
    expect(host.page.locator(".rep-play")).to_have_text("▶ Play")


def test_cells_are_reached_with_the_keyboard(host: Host, recording: Recording) -> None:
    weights = host.page.get_by_role("img", name="W_Q, 12 by 12").first
    weights.press("ArrowRight")
    weights.press("ArrowDown")
    assert words(host).startswith(f"W_Q[1, 1] is {recording.weights['w_q'][0, 1, 1]:.2f}")


@pytest.mark.every_browser
def test_two_runs_move_on_one_scrubber(show: Show) -> None:
    runs = one_head(0, steps=120), one_head(0, ("w_q", "w_k", "embedding"), steps=120)
    host = opened(show, Replay(*runs))
    at_step(host, 60)
    heads = host.page.locator(".rep-head").all_inner_texts()
    for text, name, run in zip(heads, ["first run", "second run"], runs, strict=True):
        assert " ".join(text.split()) == (
            f"{name} loss {run.losses[60]:.3f} · accuracy {run.accuracy[60]:.2f}"
        )
    expect(host.page.locator(".rep-run").nth(1).get_by_text("frozen", exact=True)).to_have_count(3)
    said = point_at(host, "W_V, 12 by 12", 0, 0, (12, 12))
    assert said.count("W_V[0, 0] is") == 2


def test_each_head_has_its_row_of_attention(show: Show) -> None:
    recording = two_heads()
    host = opened(show, Replay(recording))
    shown = host.page.locator(".rep-looks").first.locator(".map-cell").all_inner_texts()
    looks = recording.attention["heads"][0, 0, :, 0].flatten()
    assert [float(text) for text in shown] == pytest.approx(looks.tolist(), abs=0.0051)
    host.page.get_by_label("Example").select_option(index=2)
    shown = host.page.locator(".rep-looks").first.locator(".map-cell").all_inner_texts()
    looks = recording.attention["heads"][0, 2, :, 0].flatten()
    assert [float(text) for text in shown] == pytest.approx(looks.tolist(), abs=0.0051)


def test_a_film_without_matrices_shows_none(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FILM_BYTES", 600)
    host = show(Replay(one_head(steps=120)), lost=True)
    said = "moments of it are saved here, of its attention alone. To play all"
    expect(host.page.get_by_text(said)).to_be_visible()
    expect(host.page.locator(".rep-looks")).to_be_visible()
    expect(host.page.locator(".rep-columns, .rep-parts").and_(host.page.locator(":visible"))).to_have_count(0)


def test_without_a_kernel_a_film_is_played_and_says_what_it_is(show: Show) -> None:
    recording = one_head(steps=120)
    host = show(Replay(recording), lost=True)
    page = host.page
    expect(page.get_by_text("moments of it are saved here. To play all")).to_be_visible()
    expect(page.get_by_text("No kernel answers")).to_be_hidden()
    where = page.locator(".rep-where")
    expect(where).to_have_text("step 0 of 120")
    scrubber = page.get_by_role("slider", name="step")
    scrubber.fill("0.8")
    page.locator(".rep-play").click()
    expect(where).to_have_text("step 120 of 120")
    scrubber.press("Home")
    scrubber.press("ArrowRight")
    assert 0 < int(where.inner_text().split()[1]) < 12  # most is learned early
    scrubber.press("End")
    shown = page.locator(".rep-looks").first.locator(".map-cell").all_inner_texts()
    looks = recording.attention["head"][-1, 0, 0, 0].tolist()
    assert [float(text) for text in shown] == pytest.approx(looks, abs=0.011)
    said = point_at(host, "W_K, 12 by 12", 3, 7, (12, 12))
    assert said.startswith("W_K[3, 7] is ")
    value = float(said.split(" is ")[1].split(",")[0])
    assert value == pytest.approx(recording.weights["w_k"][-1, 3, 7].item(), abs=0.02)


# Milliseconds from a move to the redrawn screen: the worst case while scrubbing, and the time after release.
_LAGS = """() => {
  const slider = document.querySelector(".rep-track input");
  window.lags = { pointermove: [], pointerup: [] };
  for (const name of Object.keys(window.lags))
    slider.addEventListener(name, ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => {
        window.lags[name].push(performance.now() - timeStamp);
      })));
}"""


@pytest.mark.sweep
def test_scrubbing_a_long_run_of_eight_heads_does_not_lag(show: Show) -> None:
    host = opened(show, Replay(drawn(1000, 64, n_heads=8, tokens=32)), 1400)
    box = scrubber(host).bounding_box()
    assert box
    host.page.evaluate(_LAGS)
    y, left, room = box["y"] + box["height"] / 2, box["x"] + 8, box["width"] - 16  # a thumb has 16 pixels
    host.page.mouse.move(left, y)
    host.page.mouse.down()
    for move in range(120):
        share = abs(move % 40 - 20) / 20
        host.page.mouse.move(left + share * room / 2, y)
    host.page.mouse.move(left + room * along(500, 999), y)
    host.page.mouse.up()
    expect(host.page.locator(".rep-where")).to_have_text(re.compile("step (49|50)[0-9] of 999"))
    host.page.wait_for_function("window.lags.pointerup.length > 0")
    lags = host.page.evaluate("window.lags")
    # One frame may stall on a busy machine; a backlog would delay half of the frames, and the last one.
    assert statistics.median(lags["pointermove"]) <= 250, lags
    assert lags["pointerup"][0] <= 500, lags


def test_the_dark_theme_repaints(host: Host) -> None:
    pixel = """() => [...document.querySelector("canvas").getContext("2d")
      .getImageData(0, 0, 12, 12).data].join()"""
    light = host.page.evaluate(pixel)
    host.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    host.page.wait_for_selector('.qkv[data-theme="dark"]')
    host.page.wait_for_function(f"(light) => ({pixel})() !== light", arg=light)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("width", [620, 960, 1400])
def test_the_matrices_of_a_run_stand_in_one_row(show: Show, width: int) -> None:
    host = opened(show, Replay(one_head(0), one_head(1)), width)
    tops = "(columns) => new Set(columns.map((one) => one.getBoundingClientRect().top)).size"
    for run in host.page.locator(".rep-columns").all():
        assert run.locator(".rep-column").count() == 5
        assert run.locator(".rep-column").evaluate_all(tops) == 1


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("width", [620, 1400])
def test_gradients_begin_at_one_height_right_below(show: Show, width: int) -> None:
    host = opened(show, Replay(two_layers()), width)
    column = host.page.locator(".rep-column")
    place = "(all, end) => all.map((one) => one.getBoundingClientRect()[end])"
    titles = column.locator(".rep-name:nth-child(3)").evaluate_all(place, "top")
    assert len(titles) == 5
    assert len(set(titles)) == 1
    above = column.locator(".rep-parted .map").evaluate_all(place, "bottom")
    assert 0 < titles[0] - max(above) < 16


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("width", [620, 844, 1000])
def test_the_words_over_attention_are_not_written_on_each_other(show: Show, width: int) -> None:
    """With four heads of sixteen words, the columns are narrower than a line is high."""
    words = [f"word {i}" for i in range(16)]
    looks = torch.softmax(torch.randn(2, 1, 4, 16, 16), -1)
    recording = replace(drawn(2, n_heads=4), attention={"heads": looks}, rows=[words], columns=[words])
    host = opened(show, Replay(recording, tokens=words), width)
    names, on, wide = host.page.evaluate(
        """() => {
          const looks = document.querySelector(".rep-looks");
          const names = [...looks.querySelectorAll(":is(.map-columns, .map-rows) span")]
            .map((name) => name.getBoundingClientRect()).filter(({ width }) => width);
          const on = names.filter((a, i) => names.some((b, k) => k > i &&
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4));
          const maps = [...looks.querySelectorAll(".map-body")];
          return [names.length, on.length, maps.map((map) => Math.round(map.offsetWidth))];
        }"""
    )
    assert names >= 16
    assert on == 0
    assert max(wide) - min(wide) <= 2, "the heads' maps are equally wide"
    assert wide[0] > 48
