"""Test the lab in a browser without Jupyter; its own Python answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
import torch
from playwright.sync_api import Locator, Page, expect
from torch import Tensor

from qkvlib.figures.theme import contrast
from qkvlib.widgets import AtMost, AttentionLab, Goal
from tests.page.host import Host, Show

TOKENS = "the cat sat down"


def numbers(heads: int = 1) -> list[Tensor]:
    torch.manual_seed(3)
    d_k = 3 * heads
    return [torch.randn(4, 4), *(0.6 * torch.randn(4, d_k) for _ in range(3)), 0.8 * torch.randn(4, d_k)]


@pytest.fixture
def lab() -> AttentionLab:
    return AttentionLab(*numbers(), tokens=TOKENS)


@pytest.fixture
def host(show: Show, lab: AttentionLab) -> Host:
    return show(lab, width=1000)


def cell(page: Page, name: str, i: int, j: int) -> Locator:
    return page.locator(f'[data-at="{name} {i} {j}"]')


def shown(page: Page, name: str) -> list[float]:
    """Return the numbers on the screen, row by row."""
    texts = page.locator(f'[data-at^="{name} "] b').all_inner_texts()
    return [float(text.replace("−", "-")) for text in texts]


def agree(page: Page, name: str, tensor: Tensor, places: float = 0.0051) -> bool:
    return shown(page, name) == pytest.approx(tensor.flatten().tolist(), abs=places)


def press(host: Host, key: str) -> None:
    host.page.keyboard.press(key)
    host.settle()


def drag(host: Host, where: Locator, right: int, down: int) -> None:
    """Drag a weight: its view heeds one of the two directions, and the other changes nothing."""
    box = where.bounding_box()
    assert box
    host.page.mouse.move(box["x"] + 10, box["y"] + 10)
    host.page.mouse.down()
    host.page.mouse.move(box["x"] + 10 + right, box["y"] + 10 + down, steps=4)
    host.page.mouse.up()
    host.settle()


def words(host: Host) -> str:
    return host.page.locator(".lab-words").inner_text()


@pytest.mark.every_browser
def test_every_matrix_shows_torchs_numbers(host: Host, lab: AttentionLab) -> None:
    for name in ("x", "w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "output"):
        assert agree(host.page, name, getattr(lab.trace, name)), name
    assert agree(host.page, "target", lab.target)
    assert host.page.locator(".lab-loss-number").inner_text() == f"{lab.loss:.4f}"


@pytest.mark.parametrize(
    ("key", "change"),
    [("ArrowUp", 0.05), ("ArrowDown", -0.05), ("Shift+ArrowUp", 0.5), ("Shift+ArrowDown", -0.5)],
)
def test_arrow_keys_move_a_weight(host: Host, lab: AttentionLab, key: str, change: float) -> None:
    before = lab.w_q[0, 0].item()
    cell(host.page, "w_q", 0, 0).focus()
    press(host, key)
    assert lab.w_q[0, 0].item() == pytest.approx(before + change, abs=1e-3)


@pytest.mark.every_browser
def test_a_weight_can_be_typed_and_zeroed(host: Host, lab: AttentionLab) -> None:
    cell(host.page, "w_q", 2, 1).focus()
    host.page.keyboard.type("-1.25")
    press(host, "Enter")
    assert lab.w_q[2, 1].item() == -1.25
    expect(cell(host.page, "w_q", 2, 1)).to_be_focused()
    press(host, "0")
    assert lab.w_q[2, 1].item() == 0
    host.page.keyboard.type("7")
    press(host, "Escape")
    assert lab.w_q[2, 1].item() == 0


def test_each_matrix_is_one_tab_stop_and_arrows_move_within(host: Host) -> None:
    assert host.page.locator('.lab-m [data-at][tabindex="0"]').count() == 11
    cell(host.page, "w_q", 0, 0).focus()
    press(host, "ArrowRight")
    press(host, "PageDown")
    expect(cell(host.page, "w_q", 1, 1)).to_be_focused()
    press(host, "End")
    expect(cell(host.page, "w_q", 1, 2)).to_be_focused()
    assert host.page.locator('.lab-m-w_q [tabindex="0"]').get_attribute("data-at") == "w_q 1 2"


def test_weights_are_spinbuttons_with_names_and_values(host: Host, lab: AttentionLab) -> None:
    weight = host.page.get_by_role("spinbutton", name="W Q, row 3, column 2")
    assert float(weight.get_attribute("aria-valuenow") or "") == pytest.approx(lab.w_q[2, 1].item(), abs=1e-4)
    weight.focus()
    assert "dloss" in (weight.get_attribute("aria-valuetext") or "")
    expect(host.page.get_by_role("checkbox", name="scores, “cat” looks at “down”")).to_be_checked()
    expect(host.page.get_by_role("grid", name="attention, 4 by 4")).to_be_visible()
    expect(host.page.locator(".qkv-spoken")).to_contain_text("It multiplies feature 3")


def test_hover_lights_what_a_cell_comes_from_and_feeds(host: Host, lab: AttentionLab) -> None:
    cell(host.page, "q", 1, 2).hover()
    lights = {
        light: {
            str(at)
            for at in host.page.locator(f'[data-at][data-light="{light}"]').evaluate_all(
                "(cells) => cells.map((cell) => cell.dataset.at)"
            )
        }
        for light in ("from", "to", "far")
    }
    assert lights["from"] == {f"x 1 {t}" for t in range(4)} | {f"w_q {t} 2" for t in range(4)}
    assert lights["to"] == {f"scores 1 {t}" for t in range(4)}
    assert {f"weights 1 {t}" for t in range(4)} | {f"output 1 {t}" for t in range(3)} <= lights["far"]
    assert not any(at.startswith(("k", "v")) for at in lights["far"])
    line = words(host)
    x, w = lab.x[1].tolist(), lab.w_q[:, 2].tolist()
    sums = " + ".join(f"{a:.2f} × {b:.2f}" for a, b in zip(x, w, strict=True)).replace("-", "−")
    assert f"Q[cat, 3] = X[cat] · column 3 of WQ = {sums}" in line
    assert f"{lab.trace.q[1, 2]:.2f}".replace("-", "−") in line


def test_the_words_of_a_weight_say_where_the_next_step_goes(host: Host, lab: AttentionLab) -> None:
    cell(host.page, "w_v", 0, 1).hover()
    slope = lab.gradients.d_w_v[0, 1].item()
    line = words(host).replace("−", "-")
    assert f"dloss/dWV = {slope:.3f}" in line
    assert f"to {lab.w_v[0, 1].item() - lab.learning_rate * slope:.3f}." in line


def test_the_words_of_softmax_add_up(host: Host, lab: AttentionLab) -> None:
    cell(host.page, "weights", 1, 3).hover()
    powers = lab.trace.scores[1].exp()
    assert f"= {powers[3]:.2f} / ({' + '.join(f'{p:.2f}' for p in powers)})" in words(host)
    assert f"“cat” gives {100 * lab.weights[1, 3]:.0f}% of its attention to “down”" in words(host)


def test_the_gradient_view_shows_every_gradient(host: Host, lab: AttentionLab) -> None:
    host.page.get_by_role("button", name="Gradients").click()
    host.settle()
    for name in ("x", "w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "output"):
        assert agree(host.page, name, getattr(lab.gradients, f"d_{name}")), name
    cell(host.page, "w_q", 1, 0).hover()
    assert "dWQ[2, 1] = feature 2 of every token · column 1 of dQ" in words(host)


def test_a_gradient_in_hand_lights_the_numbers_that_its_words_name(host: Host, lab: AttentionLab) -> None:
    """What each gradient is computed from, `graph.test.js` asks."""
    host.page.get_by_role("button", name="Gradients").click()
    cell(host.page, "weights", 1, 1).hover()
    lit = host.page.locator('[data-at^="v "][data-light="from"] b').all_inner_texts()
    named = [float(number) for number in re.findall(r"-?\d+\.\d+", words(host).replace("−", "-"))]
    assert lit
    for number in lit:
        value = float(number.replace("−", "-"))
        assert any(value == pytest.approx(one, abs=0.0051) for one in named), "it is not named"
    assert agree(host.page, "v", lab.trace.v)
    host.page.mouse.move(1, 1)
    assert agree(host.page, "v", lab.gradients.d_v)


def test_a_step_that_is_refused_says_why_until_something_else_is_done(show: Show) -> None:
    far = [40 * matrix for matrix in numbers()]
    host = show(AttentionLab(*far, learning_rate=30))
    host.page.get_by_role("button", name="Step", exact=True).click()
    refused = host.page.get_by_role("alert").filter(has_text="takes W_V beyond 100")
    expect(refused).to_be_visible()
    host.page.wait_for_timeout(1500)  # meanwhile the page asks for what the answer left out
    host.settle()
    expect(refused).to_be_visible()
    host.page.get_by_label("learning rate").select_option("0.01")
    expect(refused).to_be_hidden()


def painted(page: Page, name: str) -> int:
    """Return how strongly a matrix is coloured."""
    return page.locator(f".lab-m-{name} .lab-sheet").evaluate(_COLOURED)


def grey(page: Page, name: str) -> list[int]:
    """Return the total length of the grey arrows in each row of a matrix."""
    lengths: list[int] = page.locator(f".lab-m-{name}").evaluate(_GREY)
    return lengths


def marked(page: Page) -> set[str]:
    """Return the matrices in which numbers are marked as changed."""
    return {at.split()[0] for at in page.evaluate(_MARKED)}


def lengths(page: Page) -> list[float]:
    """Return the lengths of the three gradients, as shown below the matrices."""
    return [float(text.split()[1]) for text in page.locator(".lab-trace span").all_inner_texts()]


def test_both_shows_a_pull_on_each_weight_and_how_long_each_gradient_is(
    host: Host, lab: AttentionLab
) -> None:
    host.page.get_by_role("button", name="Both").click()
    host.settle()

    def agree_in_length() -> None:
        found = [lab.gradients.d_w_q, lab.gradients.d_w_k, lab.gradients.d_w_v]
        assert lengths(host.page) == pytest.approx([g.norm().item() for g in found], abs=0.0051)

    agree_in_length()
    before = lab.w_k[1, 2].item()
    drag(host, cell(host.page, "w_k", 1, 2), 80, 50)
    assert lab.w_k[1, 2].item() == pytest.approx(before + 0.8, abs=0.006)
    agree_in_length()
    marks = host.page.locator(".lab-trace .curve-hand").first
    assert marks.get_attribute("d"), "a hand came in"
    host.page.get_by_role("button", name="Undo").click()
    assert marks.get_attribute("d") == ""
    host.settle()
    agree_in_length()


def test_in_both_grey_is_the_pull_before_the_hands_last_move(host: Host, lab: AttentionLab) -> None:
    """The weights that the hand has not moved have one too; after a step it is gone."""
    host.page.get_by_role("button", name="Both").click()
    host.settle()
    assert grey(host.page, "w_v") == [0, 0, 0, 0]
    before = lab.gradients.d_w_v.abs().sum(-1)
    drag(host, cell(host.page, "w_k", 1, 2), 160, 50)
    after = lab.gradients.d_w_v.abs().sum(-1)
    shares = torch.tensor(grey(host.page, "w_v"), dtype=torch.float64)
    shares /= shares.sum()
    assert (shares - before / before.sum()).abs().max() < 0.1 < (shares - after / after.sum()).abs().max()
    host.page.get_by_role("button", name="Step", exact=True).click()
    assert grey(host.page, "w_v") == [0, 0, 0, 0]


def test_what_a_move_has_changed_is_marked_for_a_moment(host: Host) -> None:
    """Nothing else is marked: another query moves one row of the scores, and no value."""
    page = host.page
    drag(host, cell(page, "w_v", 1, 2), 50, -60)
    assert marked(page) == {"w_v", "v", "output"}
    expect(page.locator(".qkv-lab")).to_have_attribute("data-view", "weights")
    page.wait_for_function(f"() => !({_MARKED})().length")
    page.get_by_role("button", name="Gradients").click()
    assert marked(page) == set(), "other numbers are no change"
    page.get_by_role("button", name="Weights").click()
    page.get_by_role("button", name="Undo").click()
    assert marked(page) == {"w_v", "v", "output"}


def test_where_motion_is_unwelcome_a_mark_does_not_fade(host: Host) -> None:
    page = host.page
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Step", exact=True).click()
    assert "w_q" in marked(page)
    tones = page.evaluate(_TONES)
    assert len(tones) > 5
    assert len(set(tones)) == 1


def test_what_is_out_of_bounds_or_no_number_is_said(host: Host, lab: AttentionLab) -> None:
    weight = cell(host.page, "w_q", 2, 1)
    was = lab.w_q[2, 1].item()
    weight.focus()
    for typed in ("nan", "abc", "1e9", "-101"):
        press(host, "Enter")
        host.page.keyboard.type(typed)
        press(host, "Enter")
        assert words(host) == f"“{typed}” is no number from −100 to 100. The weight is as it was."
        assert lab.w_q[2, 1].item() == pytest.approx(was)
    press(host, "ArrowDown")
    assert "is no number" not in words(host)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("view", "most"), [("Both", 0.8), ("Gradients", 0.4)])  # knobs and rails stay
def test_the_gradients_fade_as_the_loss_does(host: Host, lab: AttentionLab, view: str, most: float) -> None:
    page = host.page
    page.get_by_role("button", name=view).click()
    first, loss = painted(page, "w_v"), lab.loss
    page.get_by_label("learning rate").select_option("0.3")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".lab-curve-text")).to_contain_text(re.compile(r"\d\d\d moves"))
    page.get_by_role("button", name="Pause").click()
    host.settle()
    assert lab.loss < loss / 3
    assert painted(page, "w_v") < most * first
    page.get_by_role("button", name="Reset").click()
    assert painted(page, "w_v") == first, "the scale begins again"


def test_play_trains_until_it_is_paused(host: Host, lab: AttentionLab) -> None:
    host.page.get_by_role("button", name="Play").click()
    expect(host.page.locator(".lab-curve-text")).to_contain_text(re.compile(r"[2-9]\d moves"))
    host.page.get_by_role("button", name="Pause").click()
    host.settle()
    steps = len(lab.losses)
    assert steps >= 20
    assert lab.losses[-1] < lab.losses[0]
    expect(host.page.locator(".lab-curve-text")).to_contain_text(f"{steps - 1} moves")
    host.page.wait_for_timeout(200)
    assert len(lab.losses) == steps
    host.page.get_by_role("button", name="Undo").click()
    host.settle()
    assert len(lab.losses) == 1


@pytest.mark.sweep
def test_play_keeps_its_pace_and_python_receives_it_a_few_times_a_second(
    host: Host, lab: AttentionLab
) -> None:
    host.let_time_stand()
    host.page.get_by_role("button", name="Play").click()
    for _ in range(8):  # the page's clock stops for as long as a kernel takes to answer
        host.page.clock.run_for(250)
        host.page.wait_for_timeout(100)
    host.page.get_by_role("button", name="Pause").click()
    host.page.clock.run_for(500)
    host.page.wait_for_selector('.qkv[data-waiting="0"]', state="attached")
    assert 22 <= len(lab.losses) - 1 <= 26
    assert 4 <= len(host.page.evaluate("window.sent")) <= 8


def computed(page: Page, by: AttentionLab) -> bool:
    """Return whether every number on the page follows from its weights, as another lab computes it."""
    again = AttentionLab(*(given(page, by, name) for name in ("x", "w_q", "w_k", "w_v", "target")))
    names = ("q", "k", "v", "scores", "weights", "output")
    # The page shows its weights with two digits, and sums of products accumulate the rounding.
    return all(agree(page, name, getattr(again.trace, name), 0.06) for name in names)


def given(page: Page, lab: AttentionLab, name: str) -> Tensor:
    return torch.tensor(shown(page, name)).reshape(getattr(lab, name).shape)


@pytest.mark.every_browser
def test_a_drag_paints_every_number_in_its_own_frame_while_the_kernel_is_busy(
    host: Host, lab: AttentionLab
) -> None:
    host.holding = True
    page, start = host.page, lab.w_k
    weight = cell(page, "w_k", 1, 2)
    box = weight.bounding_box()
    assert box
    page.evaluate(_WATCH_FRAMES)
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    seen = []
    for up in range(10, 90, 10):
        page.mouse.move(box["x"] + 10, box["y"] + 10 - up)
        assert shown(page, "w_k")[5] == pytest.approx(start[1, 2].item() + up / 100, abs=0.0101)
        assert computed(page, lab)
        seen.append(shown(page, "output"))
    page.mouse.up()
    assert len({tuple(output) for output in seen}) > 5
    label = cell(page, "output", 0, 0).get_attribute("aria-label") or ""
    assert label.endswith(cell(page, "output", 0, 0).locator("b").inner_text())
    late = page.evaluate("window.late")
    assert set(late) == {0}, "each number was painted before the event's handlers had returned"
    expect(page.locator(".qkv-patience")).to_have_text("Python has not received this yet.")
    assert page.locator(".qkv[data-late], .qkv [aria-busy]").count() == 0
    assert len(host.held) == 1
    assert torch.equal(lab.w_k, start)
    host.let_go()
    assert lab.w_k[1, 2].item() == pytest.approx(start[1, 2].item() + 0.8, abs=0.006)
    assert agree(page, "output", lab.output)
    expect(page.locator(".qkv-patience")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    host.settle()
    assert torch.equal(lab.w_k, start), "it is one move for Python, too"


def test_a_click_on_a_score_masks_it_and_so_does_a_key(host: Host, lab: AttentionLab) -> None:
    cell(host.page, "scores", 0, 2).click()
    host.settle()
    assert lab.weights[0, 2] == 0
    assert agree(host.page, "weights", lab.weights)
    cell(host.page, "scores", 1, 3).focus()
    press(host, " ")
    assert not lab.mask[1, 3]
    expect(cell(host.page, "scores", 1, 3)).not_to_be_checked()
    assert "“cat” may not look at “down”" in words(host)


def test_heads_stand_one_in_front_with_maps_of_all(show: Show) -> None:
    lab = AttentionLab(*numbers(heads=2), tokens=TOKENS, n_heads=2)
    host = show(lab, width=1100)
    assert agree(host.page, "weights", lab.weights[0])
    host.page.get_by_role("button", name="head 2").click()
    assert agree(host.page, "weights", lab.weights[1])
    assert agree(host.page, "w_q", lab.w_q[:, 3:])
    before = lab.w_q
    cell(host.page, "w_q", 0, 0).focus()
    press(host, "ArrowUp")
    assert (lab.w_q != before).nonzero().tolist() == [[0, 3]]


def test_the_walk_backwards_finds_every_gradient_in_turn(host: Host, lab: AttentionLab) -> None:
    host.page.get_by_role("button", name="Backward").click()
    host.settle()
    order = ["output", "v", "weights", "scores", "q", "k", "w_v", "w_q", "w_k", "x"]
    for k, name in enumerate(order):
        expect(host.page.locator(".lab-count")).to_have_text(f"{k + 1} of 10")
        assert agree(host.page, name, getattr(lab.gradients, f"d_{name}")), name
        mini = host.page.locator(".lab-mini-box").last.locator(".lab-mini-cell").all_inner_texts()
        numbers_ = [float(text.replace("−", "-")) for text in mini]
        expected = getattr(lab.gradients, f"d_{name}").flatten().tolist()
        assert numbers_ == pytest.approx(expected, abs=0.0051), name
        if name != "x":
            host.page.get_by_role("button", name="Next").click()
    expect(host.page.get_by_role("button", name="Next")).to_be_disabled()


def test_a_step_backwards_says_its_formula_its_shapes_and_its_numbers(host: Host, lab: AttentionLab) -> None:
    host.page.get_by_role("button", name="Backward").click()
    host.page.get_by_role("button", name="dWQ").click()
    host.settle()
    walk = host.page.locator(".lab-walk")
    expect(host.page.locator(".lab-formula")).to_contain_text("dWQ = XT dQ")
    expect(walk.locator(".lab-shape")).to_contain_text(
        "[features 4 × tokens 4] · [tokens 4 × d_k 3] = [features 4 × d_k 3], the shape of WQ"
    )
    cell(host.page, "w_q", 3, 2).hover()
    value = f"{lab.gradients.d_w_q[3, 2]:.3f}".replace("-", "−")
    expect(host.page.locator(".lab-sum")).to_contain_text("dWQ[4, 3] = feature 4 of every token")
    expect(host.page.locator(".lab-sum strong")).to_have_text(value)
    host.page.locator('[data-pick="0 1"]').hover()
    expect(host.page.locator(".lab-sum")).to_contain_text("dWQ[1, 2]")


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(
    ("touch", "said"),
    [
        (["w_q", "w_k", "w_v"], "Drag a weight up"),
        (["w_q", "w_k", "mask"], "Drag a weight of WQ or WK"),
        ([], "The goal locks all weights"),
    ],
)
def test_the_hint_speaks_of_what_can_be_moved(show: Show, home: object, touch: list[str], said: str) -> None:
    goal = Goal("host-hint", "Look at *law*.", [AtMost("its", 0.1, row="law")], touch=touch)
    w = torch.zeros(3, 2)
    host = show(AttentionLab(torch.eye(3), w, w, w, tokens="law and its", goal=goal))
    assert words(host).startswith(said)
    assert ("Click a score" in words(host)) == ("mask" in touch)


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("width", [700, 1150])
def test_a_long_name_stands_whole_beside_its_row_and_below_its_column(show: Show, width: int) -> None:
    w, long = torch.zeros(4, 2), "enlightenments"
    host = show(AttentionLab(torch.eye(4), w, w, w, tokens=f"{long} and its law"), width)
    names = host.page.locator(".lab-name", has_text=long)
    assert names.count() == 9  # all but the weights and T have row names; S and A have column names
    cut = "(names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).length"
    assert host.page.locator(".lab-row:not(.lab-colnames) .lab-name").evaluate_all(cut) == 0
    # If there is little space, the names below S also serve A.
    for below in host.page.locator(".lab-colnames span:visible", has_text=long).all():
        name = below.bounding_box()
        matrix = below.locator("xpath=ancestor::section").bounding_box()
        assert name
        assert matrix
        assert matrix["x"] - 1 <= name["x"]
        assert name["y"] + name["height"] <= matrix["y"] + matrix["height"] + 1
    shown = "(names) => names.every((name) => getComputedStyle(name).overflow === 'visible')"
    assert host.page.locator(".lab-colnames .lab-name").evaluate_all(shown)


def hexadecimal(channels: Sequence[str | int]) -> str:
    """Return a colour as the theme writes it."""
    return "#" + "".join(f"{int(channel):02x}" for channel in channels[:3])


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_can_be_read_on_their_colours(show: Show, dark: bool) -> None:
    host = show(AttentionLab(*numbers(), tokens=TOKENS), 1000, dark)
    host.page.wait_for_timeout(50)
    cells = host.page.locator(".lab-cell")
    inks = cells.evaluate_all("(cells) => cells.map((cell) => getComputedStyle(cell).color)")
    papers = cells.evaluate_all(f"(cells) => cells.map({_COLOUR})")
    for ink, paper in zip(inks, papers, strict=True):
        assert contrast(hexadecimal(re.findall(r"\d+", ink)), hexadecimal(paper)) >= 4.2


def test_dimmed_numbers_are_not_dark_on_dark(show: Show) -> None:
    host = show(AttentionLab(*numbers(), tokens=TOKENS), 1000, dark=True)
    cell(host.page, "w_q", 0, 0).focus()
    dimmed = host.page.locator(".lab-cell:not([data-light])")
    colours = dimmed.evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
    assert len(set(colours)) == 1


def test_a_picture_that_is_closed_stops_playing(host: Host) -> None:
    host.page.get_by_role("button", name="Play").click()
    host.page.evaluate("window.unmount()")
    assert host.page.evaluate("window.listening()") == 0
    host.page.wait_for_timeout(200)
    asked = host.page.evaluate("window.sent.length")
    host.page.wait_for_timeout(300)
    assert host.page.evaluate("window.sent.length") == asked


# How often a cell of the output was written after the handlers of a pointer's move had returned.
_WATCH_FRAMES = """() => {
  window.late = [];
  const output = document.querySelector(".lab-m-output");
  document.querySelector(".lab-picture").addEventListener("pointermove", () => {
    const at = window.late.push(0) - 1;
    const text = output.textContent;
    requestAnimationFrame(() => { window.late[at] = Number(output.textContent !== text); });
  });
}"""

# The colour of a cell on its matrix's canvas, near its corner.
_COLOUR = """(cell) => {
  const sheet = cell.closest(".lab-grid").querySelector("canvas");
  const [own, home] = [cell, sheet].map((one) => one.getBoundingClientRect());
  const [x, y] = [own.left - home.left + 3, own.top - home.top + 3].map((at) => at * devicePixelRatio);
  return [...sheet.getContext("2d").getImageData(x, y, 1, 1).data];
}"""

# The pixels at the height of the arrows' shafts, below knobs and rails: one number for each row.
_GREY = """(box) => [...box.querySelectorAll(".lab-row:not(.lab-colnames)")].map((row) => {
  const sheet = box.querySelector("canvas");
  const foot = row.querySelector(".lab-cell").getBoundingClientRect().bottom - 1;
  const y = Math.round((foot - 3 - sheet.getBoundingClientRect().top) * devicePixelRatio);
  const { data } = sheet.getContext("2d").getImageData(0, y, sheet.width, 1);
  return data.filter((_, at) => at % 4 === 3).filter((cover) => cover > 40).length;
})"""

# The cells that are marked as changed now.
_MARKED = """() => document.getAnimations()
  .map(({ effect }) => effect.target.dataset.at).filter(Boolean)"""

# The colours of a mark, frame by frame while it is visible.
_TONES = """async () => {
  const [{ effect: { target } }] = document.getAnimations();
  const tones = [];
  while (target.getAnimations().length && tones.length < 30) {
    tones.push(getComputedStyle(target).backgroundColor);
    await new Promise(requestAnimationFrame);
  }
  return tones;
}"""

# How strongly a matrix's canvas is coloured: the sum of the distances from grey.
_COLOURED = """(sheet) => {
  const { data } = sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    const colour = data.slice(i, i + 3);
    sum += (data[i + 3] / 255) * (Math.max(...colour) - Math.min(...colour));
  }
  return Math.round(sum);
}"""
