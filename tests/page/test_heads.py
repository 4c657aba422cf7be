"""Test the heads and the shapes widgets in a browser without Jupyter; their own Python answers."""

from __future__ import annotations

import pytest
import torch
from playwright.sync_api import expect

from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.training import adam, train
from qkvlib.widgets import Heads, Shapes, Silencing, Strays
from tests.page.host import Host, Show

WORDS = ["the", "law", "and", "its", "spirit"]
CAUSAL = torch.tril(torch.ones(5, 5, dtype=torch.bool))


@pytest.fixture(scope="module")
def model() -> MultiHead:
    task = TwoQuestions()
    model = MultiHead(task.n_tokens, task.n_answers, n_heads=2)
    train(model, task, 500, adam(0.01))
    return model


def masked() -> torch.Tensor:
    scores = torch.randn(2, 5, 5, generator=torch.Generator().manual_seed(3))
    return torch.softmax(scores.masked_fill(~CAUSAL, -torch.inf), -1)


@pytest.fixture
def host(show: Show) -> Host:
    return show(Heads(masked(), WORDS))


def test_maps_keep_their_colours_where_the_system_forces_its_own(host: Host) -> None:
    host.page.emulate_media(forced_colors="active")
    host.page.evaluate("document.body.dataset.jpThemeLight = 'false'")  # colours are read again
    host.page.get_by_role("button", name="Map").click()
    cells = host.page.locator(".heads-map .map-cell")
    colours = cells.evaluate_all("(all) => all.map((cell) => getComputedStyle(cell).background)")
    assert len(set(colours)) > 10
    pressed = host.page.get_by_role("button", name="Map")
    other = host.page.get_by_role("button", name="Lines")
    shown = [button.evaluate("(b) => getComputedStyle(b).background") for button in (pressed, other)]
    assert shown[0] != shown[1]


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("longest", ["its", "jurisdiction", "incomprehensibilities" * 2])
def test_a_graph_leaves_room_for_its_words(show: Show, longest: str) -> None:
    weights = torch.full((5, 5), 0.2)
    host = show(Heads(weights, [*WORDS[:2], longest, longest, longest]), 836)
    host.page.get_by_role("button", name="Graph").click()
    for picked in range(5):
        host.page.locator(".heads-dot").nth(picked).hover()
        expect(host.page.locator(".heads-share")).to_have_count(5)
        cut = host.page.evaluate("""() => {
          const frame = document.querySelector(".heads-edges").viewBox.baseVal;
          return [...document.querySelectorAll(".heads-word")]
            .filter((text) => text.getBBox().x < 0 || text.getBBox().y < 0 ||
              text.getBBox().x + text.getBBox().width > frame.width)
            .map((text) => text.textContent);
        }""")
        assert cut == []


@pytest.mark.parametrize("kind", ["Lines", "Graph"])
def test_a_mask_is_a_missing_edge_and_each_other_has_its_weight(host: Host, kind: str) -> None:
    host.page.get_by_role("button", name=kind).click()
    assert host.page.locator(".heads-edge").count() == int(CAUSAL.sum())
    host.page.locator(".heads-dot").nth(3).hover()
    shown = host.page.locator(".heads-share").all_text_contents()
    seen = masked()[0, 3, :4].tolist()  # the fifth is hidden, and has no number
    assert [float(text) for text in shown] == pytest.approx(seen, abs=0.0051)
    expect(host.page.locator(".heads-words")).to_contain_text("“its” looks at ")
    expect(host.page.locator(".heads-words")).to_contain_text("1 word is hidden from it.")


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("width", [984, 700, 568, 390])
@pytest.mark.parametrize("kind", ["Lines", "Graph"])
def test_the_weights_of_eighteen_letters_stay_apart(show: Show, kind: str, width: int) -> None:
    host = show(Heads(torch.full((18, 18), 1 / 18), [*"gamlehjpkigakiehhj"]), width)
    host.page.get_by_role("button", name=kind).click()
    host.page.locator(".heads-dot").nth(9).hover()
    expect(host.page.locator(".heads-share")).to_have_count(18)
    overlaps = host.page.evaluate("""() => {
      const frame = document.querySelector(".heads-frame").getBoundingClientRect();
      const boxes = [...document.querySelectorAll(".heads-share")]
        .map((one) => one.getBoundingClientRect());
      const cut = boxes.filter((box) => box.left < frame.left || box.right > frame.right);
      return cut.length + boxes.filter((box, i) => boxes.some((other, j) => j < i &&
        box.left < other.right && other.left < box.right &&
        box.top + 2 < other.bottom && other.top + 2 < box.bottom)).length;
    }""")
    assert overlaps == 0


def test_all_heads_of_a_model_are_one_grid_for_hand_and_keyboard(show: Show) -> None:
    maps = torch.softmax(torch.randn(3, 5, 5, 5, generator=torch.manual_seed(0)), -1)
    layers = {f"layer {number}": each for number, each in enumerate(maps)}
    host = show(Heads(layers, WORDS, count_from=0), 984)
    grid = host.page.get_by_role("radiogroup", name="Heads")
    assert grid.get_by_role("radio").count() == 3 * 5
    title = host.page.locator(".heads-title strong")
    grid.get_by_role("radio").first.focus()
    for key, name in [
        ("ArrowDown", "layer 1, head 0"),
        ("ArrowRight", "layer 1, head 1"),
        ("ArrowUp", "layer 0, head 1"),
    ]:
        host.page.keyboard.press(key)
        expect(title).to_have_text(name)
        expect(host.page.locator(":focus")).to_have_attribute("aria-checked", "true")
    grid.get_by_role("radio", name="layer 2, head 4").click()
    host.page.get_by_role("button", name="Map", exact=True).click()
    shown = host.page.locator(".heads-map .map-cell").all_inner_texts()
    assert [float(text) for text in shown] == pytest.approx(maps[2, 4].flatten().tolist(), abs=0.0051)


def test_each_head_can_be_chosen(host: Host) -> None:
    host.page.get_by_role("button", name="Map", exact=True).click()
    hidden = host.page.locator(".heads-map .map-cell[data-hidden]")
    expect(hidden).to_have_count(int((~CAUSAL).sum()))
    for name, expected in [("head 2", masked()[1]), ("head 1", masked()[0])]:
        host.page.get_by_role("button", name=name).click()
        shown = host.page.locator(".heads-map .map-cell").all_inner_texts()
        assert [float(text) for text in shown] == pytest.approx(expected.flatten().tolist(), abs=0.0051)


def test_words_are_reached_with_the_keyboard(host: Host) -> None:
    picture = host.page.locator(".heads-edges")
    picture.focus()
    for _ in range(2):
        picture.press("ArrowRight")
    expect(host.page.locator(".heads-words")).to_contain_text("“law” looks at")
    expect(host.page.locator(".qkv-spoken")).to_contain_text("“law” looks at")
    picture.press("ArrowLeft")
    picture.press("ArrowLeft")
    expect(host.page.locator(".heads-words")).to_contain_text("“spirit” is looked at by")


@pytest.mark.every_browser
@pytest.mark.parametrize("alone", [False, True])
def test_a_head_is_silenced_and_heard_again(show: Show, home: object, model: MultiHead, alone: bool) -> None:
    goal = Silencing("host-silence", "Lose one question.", loses=[0], keeps=[1])
    widget = Heads.of(model, TwoQuestions(), goal=goal)
    first = next(i for i, job in enumerate(widget._jobs) if "question 1" in str(job))
    host = show(widget, width=1200, alone=alone)
    host.page.get_by_label("Example").select_option(index=1)
    host.settle()
    rows, columns = widget.setup()["examples"][1]
    assert host.page.locator(".heads-word").all_text_contents() == [*rows, *columns]
    answers = host.page.locator(".heads-answers")
    expect(answers).to_have_text("Right answers: question 1: 1.00 · question 2: 1.00")
    expect(host.page.locator(".qkv-goal")).not_to_contain_text("Goal met")
    expect(host.page.locator(".heads-job").first).to_have_text("You see its job when you silence a head.")
    host.page.get_by_role("button", name=f"Silence head {first + 1}").click()
    host.settle()
    if alone:
        expect(answers).to_contain_text("question 1: 1.00 → 0.")
    else:
        now = widget.accuracy
        expect(answers).to_contain_text(f"question 1: 1.00 → {now[0]:.2f}")
        assert now[0] < 0.3
    expect(host.page.locator(".heads-job").first).to_contain_text("of its weight")
    expect(host.page.locator(".qkv-goal")).to_contain_text("Goal met")
    host.page.get_by_role("button", name="Hear all heads").click()
    host.settle()
    expect(answers).to_have_text("Right answers: question 1: 1.00 · question 2: 1.00")
    expect(host.page.locator(".qkv-notice:visible, .qkv-patience:visible")).to_have_count(0)


def test_too_many_heads_are_not_silenced_without_python(show: Show) -> None:
    task = TwoQuestions()
    host = show(Heads.of(MultiHead(task.n_tokens, task.n_answers, n_heads=8), task), alone=True)
    before = host.page.locator(".heads-answers").inner_text()
    host.page.get_by_role("button", name="Silence").click()
    words = "There is no Python on this page. To try this, open the notebook in JupyterLab."
    expect(host.page.locator(".qkv-patience")).to_have_text(words)
    expect(host.page.locator(".heads-answers")).to_have_text(before)
    host.page.get_by_label("Example").select_option(index=1)  # the page can do this without Python
    expect(host.page.locator(".qkv-patience")).to_be_hidden()


def test_a_number_is_followed_through_every_stage(show: Show) -> None:
    host = show(Shapes(), width=1100)
    host.page.locator('[data-place="9"]').first.hover()
    expect(host.page.locator(".shapes-words")).to_have_text(
        "“law”, feature 3: x [1, 3] → x.view(n, h, d_k) [1, 1, 0] → .transpose(0, 1) [1, 1, 0]"
    )
    assert host.page.locator(".shapes-cell[data-picked]").count() == 3


@pytest.mark.every_browser
def test_right_and_wrong_are_told_in_words(show: Show) -> None:
    host = show(Shapes())
    expect(host.page.locator(".shapes-verdict")).to_contain_text("✓ Right.")
    host.page.get_by_label("split, view alone").check()
    expect(host.page.locator(".shapes-verdict")).to_contain_text("✗ Wrong, with the right shape.")
    held = host.page.locator(".shapes-stage").nth(1).locator(".shapes-block").first
    marks = "".join(held.locator(".shapes-cell b").all_inner_texts())
    assert marks == "●" * 6 + "■" * 6


@pytest.mark.every_browser
def test_strays_are_marked_by_hand_and_by_keyboard_until_the_goal_is_met(show: Show) -> None:
    host = show(Shapes(goal=Strays("host-strays", "Mark what does not belong here.")))
    cells = host.page.locator(".shapes-stage").nth(1).locator(".shapes-block").first
    host.page.locator(".shapes-cell").first.click()
    assert host.page.get_by_role("checkbox").count() == 0, "the right way has nothing to mark"
    host.page.get_by_label("split, view alone", exact=True).check()
    for at in (0, 3, 4, 5):
        cells.locator(".shapes-cell").nth(at).click()
    expect(host.page.locator(".qkv-goal")).to_contain_text("3 of them marked, and 1 that should not be.")
    cells.locator(".shapes-cell").nth(9).focus()
    for key in ("Enter", "ArrowRight", " ", "ArrowRight", "Enter"):
        host.page.keyboard.press(key)
    expect(host.page.locator(".qkv-goal")).not_to_contain_text("Goal met")
    for _ in range(2):
        cells.locator(".shapes-cell").first.click()
        expect(host.page.locator(".qkv-goal")).to_contain_text("✓ Goal met")  # and it stays met
