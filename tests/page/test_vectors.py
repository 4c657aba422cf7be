"""Test the vectors widget in a browser without Jupyter; its own Python answers."""

from __future__ import annotations

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from qkvlib.widgets import AtLeast, Goal, Prefers, Vectors, Way
from tests.page.host import Host, Show, drag_tip

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
NAMES = ["law", "old", "spirit"]
LENGTH = 5**0.5


def third_key() -> Goal:
    words = "Make q prefer spirit; its length stays."
    return Goal("host-third-key", words, [Prefers(2)], touch=["query"], keep_lengths=True)


def two_ways() -> Goal:
    words = "Move q until law has at least 0.95 of the weight. There are two quite different ways."
    ways = [Way("by turning q", "lengths"), Way("by making q longer", "directions")]
    return Goal("host-two-ways", words, [AtLeast("law", 0.95)], touch=["query"], ways=ways)


@pytest.fixture
def vectors() -> Vectors:
    return Vectors(QUERY, KEYS, names=NAMES)


@pytest.fixture
def host(show: Show, vectors: Vectors) -> Host:
    return show(vectors)


def tip(page: Page, name: str = "query q") -> Locator:
    return page.get_by_role("slider", name=name)


def row(host: Host, name: str) -> list[str]:
    cells = host.page.locator(".vec-table tr", has_text=name).locator("td")
    return [text.replace("−", "-").replace("°", "") for text in cells.all_inner_texts()]


@pytest.mark.every_browser
def test_a_drag_moves_every_number_to_torchs(host: Host, vectors: Vectors) -> None:
    drag_tip(host, ".vec-plane", "query q", -1.0, 1.5)
    query, keys = vectors.query, torch.tensor(KEYS)
    assert query.tolist() == pytest.approx([-1.0, 1.5], abs=0.02)
    cosines = torch.nn.functional.cosine_similarity(query[None], keys)
    columns = [
        keys.norm(dim=1),
        torch.rad2deg(torch.arccos(cosines)),
        cosines,
        keys @ query,
        torch.softmax(keys @ query, 0),
    ]
    for i, name in enumerate(NAMES):
        shown = [float(text) for text in row(host, name)[1:]]
        assert shown == pytest.approx([column[i].item() for column in columns], abs=0.51)
        assert shown[2:] == pytest.approx([column[i].item() for column in columns[2:]], abs=0.006)


@pytest.mark.parametrize("held", [{"ctrlKey": True, "altKey": True}, {"altKey": True}])
def test_brackets_are_typed_with_altgr_or_option(host: Host, vectors: Vectors, held: dict[str, bool]) -> None:
    host.page.evaluate("window.out = []; document.addEventListener('keydown', (e) => out.push(e))")
    before = vectors.query.clone()
    tip(host.page).dispatch_event("keydown", {"key": "[", "bubbles": True, **held})
    host.settle()
    assert not torch.allclose(vectors.query, before)
    assert host.page.evaluate("out.length") == 0, "the notebook hears no typed letter"


@pytest.mark.parametrize("keys", ["Alt+ArrowLeft", "Control+ArrowLeft", "Control+["])
def test_commands_to_the_page_move_no_tip(host: Host, vectors: Vectors, keys: str) -> None:
    before = vectors.query.clone()
    tip(host.page).focus()
    host.page.keyboard.press(keys)
    host.settle()
    assert torch.equal(vectors.query, before)


def test_the_edge_is_seen_and_says_so(show: Show) -> None:
    vectors = Vectors(QUERY, KEYS, names=NAMES, limit=5)
    host = show(vectors)
    edge = host.page.locator(".plane-edge")
    assert edge.get_attribute("data-touched") is None
    drag_tip(host, ".vec-plane", "query q", 8.0, 4.0, limit=5.0)
    assert vectors.query.norm().item() == pytest.approx(5.0, abs=0.01)
    assert edge.get_attribute("data-touched") is not None
    assert host.page.locator(".vec-edge-text").text_content() == (
        "No longer than 5.00: the edge of this plane"
    )
    assert "at the edge" in (tip(host.page).get_attribute("aria-valuetext") or "")


def test_a_hand_takes_the_tip_that_it_can_move(show: Show) -> None:
    """The pointer does not take the pinned tip that is drawn over it."""
    vectors = Vectors(QUERY, [[2.05, 0.9], *KEYS[1:]], names=NAMES, goal=two_ways())
    host = show(vectors)
    drag_tip(host, ".vec-plane", "query q", -1.0, 0.5)
    assert vectors.query.tolist() == pytest.approx([-1.0, 0.5], abs=0.03)


@pytest.mark.usefixtures("home")
def test_two_ways_are_counted_and_reset_shows_where_one_stands(show: Show) -> None:
    vectors = Vectors(QUERY, KEYS, names=NAMES, limit=6, goal=two_ways())
    host = show(vectors)
    strip = host.page.locator(".qkv-goal")
    before = strip.bounding_box()
    expect(strip).to_contain_text("0 of 2 ways found")
    drag_tip(host, ".vec-plane", "query q", 5.0, 2.5, limit=6.0)
    expect(strip).to_contain_text("1 of 2 ways found: by making q longer")
    expect(strip).to_contain_text("Found: by making q longer. Reset, and find another way.")
    host.page.get_by_role("button", name="Reset").click()
    host.settle()
    expect(strip).to_contain_text("The query gives “law” 0.81; you need at least 0.95.")
    drag_tip(host, ".vec-plane", "query q", 2.2, 0.1, limit=6.0)
    expect(strip).to_contain_text("✓ Goal met")
    assert "Goal met. Now move" in (strip.get_by_role("status").text_content() or "")
    host.page.get_by_role("button", name="Reset").click()
    host.settle()
    expect(strip).to_contain_text("Goal (met before)")
    expect(strip).to_contain_text("2 of 2 ways found")
    expect(strip).to_contain_text("you need at least 0.95.")
    assert strip.bounding_box() == before, "nothing jumps under the hand"


def test_the_plane_shows_which_key_wins_where(show: Show) -> None:
    host = show(Vectors(QUERY, [[2.9, 0.0], [-0.5, 0.87], [-0.5, -0.87]], regions=True))
    assert host.page.locator(".plane-winner").count() == 3


def test_the_arithmetic_of_the_key_in_hand_is_shown(host: Host) -> None:
    hand = host.page.locator(".vec-hand")
    assert "q · law = 2.00 × 2.00 + 1.00 × 0.50 = 4.50" in hand.inner_text()
    tip(host.page, "key old").focus()
    assert "q · old = 2.00 × −1.00 + 1.00 × 2.00 = 0.00" in hand.inner_text()
    assert "casts no shadow" in hand.inner_text()
    host.page.locator(".vec-table tr", has_text="spirit").click()
    assert "The shadow of “spirit” on q is 1.34 long; times q’s length 2.24, that is 3.00." in (
        hand.inner_text()
    )


def test_the_shadow_ends_where_the_projection_does(host: Host) -> None:
    path = host.page.locator(".vec-shadow").get_attribute("d") or ""
    x, y = (float(number) for number in path.split("L")[1].split())
    query, key = torch.tensor(QUERY), torch.tensor(KEYS[0])
    foot_x, foot_y = (query * (query @ key) / (query @ query)).tolist()
    view = host.page.locator(".vec-plane").get_attribute("viewBox") or ""
    middle = float(view.split()[-1]) / 2
    there = [middle * (1 + foot_x / 3), middle * (1 - foot_y / 3)]
    assert [x, y] == pytest.approx(there, abs=0.05)


def test_a_screen_reader_hears_names_and_numbers(host: Host) -> None:
    spoken = [tip.get_attribute("aria-valuetext") for tip in host.page.get_by_role("slider").all()]
    assert spoken[0] == "x 2.00, y 1.00, length 2.24"
    assert spoken[1] == ("x 2.00, y 0.50, length 2.06, score 4.50, angle 13 degrees, weight 0.81")
    names = [tip.get_attribute("aria-label") for tip in host.page.get_by_role("slider").all()]
    assert names == ["query q", "key law", "key old", "key spirit"]
    tip(host.page).focus()
    host.page.keyboard.press("ArrowUp")
    expect(host.page.locator("[aria-live=polite]")).to_have_text("q: x 2.00, y 1.05, length 2.26")


def test_the_goal_pins_what_it_does_not_name_and_is_met_by_turning(show: Show) -> None:
    vectors = Vectors(QUERY, KEYS, names=NAMES, goal=third_key())
    host = show(vectors)
    drag_tip(host, ".vec-plane", "key spirit", 2.5, 1.0)
    assert vectors.keys.tolist() == KEYS
    expect(host.page.get_by_text("Goal met")).to_have_count(0)
    tip(host.page).focus()
    for _ in range(2):
        host.page.keyboard.press("Shift+ArrowLeft")
        host.settle()
    expect(host.page.locator(".qkv-goal")).to_contain_text("Goal met")
    expect(host.page.locator(".qkv-goal")).to_contain_text("Now move whatever you like.")
    assert vectors.query.norm().item() == pytest.approx(LENGTH, rel=1e-4)
    drag_tip(host, ".vec-plane", "key spirit", 2.5, 1.0)  # the goal is met: everything is free
    assert vectors.keys[2, 0] > 1


def test_the_plane_keeps_its_size_under_the_hand(show: Show) -> None:
    host = show(Vectors([-1.0, 1.0], [[10.0, -10.0], [-10.0, 0.0]]), 840)
    plane = host.page.locator(".vec-plane")
    before = plane.bounding_box()
    drag_tip(host, ".vec-plane", "query q", -10.0, -10.0, limit=20.0)
    assert plane.bounding_box() == before


# The pairs of labels that overlap, and the labels that leave the plane. Letters are measured without
# the halo around them, which Firefox counts in the bounding client rectangle.
_COLLISIONS = """() => {
  const side = document.querySelector(".vec-plane").viewBox.baseVal.width;
  const labels = [...document.querySelectorAll(".plane-label")];
  const boxes = labels.map((label) => {
    const { x, y, width, height } = label.getBBox();
    return [label.textContent, { left: x, right: x + width, top: y, bottom: y + height }];
  });
  const inset = 3; // a box has room above and below its letters
  const lie = (a, b) => a.left < b.right && b.left < a.right &&
    a.top + inset < b.bottom - inset && b.top + inset < a.bottom - inset;
  const out = boxes.filter(([, box]) => box.left < 0 || box.right > side ||
    box.top < 0 || box.bottom > side).map(([text]) => text + " is cut");
  const pairs = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => lie(a, b)).map(([other]) => one + " on " + other));
  return [...out, ...pairs];
}"""


@pytest.mark.every_browser
def test_no_label_lies_on_another_wherever_the_arrows_are(show: Show) -> None:
    names = ["law", "spirit", "application", "old", "just"]
    vectors = Vectors(QUERY, [[1.0, 1.0]] * 5, names=names)
    host = show(vectors)
    draw = torch.Generator().manual_seed(0)
    places = [torch.empty(6, 2).uniform_(-3.0, 3.0, generator=draw) for _ in range(30)]
    places += [torch.tensor([[2.9, 0.0]] * 6), torch.tensor([[1.34, 1.8], *[[0.5, 2.0]] * 5])]
    for place in places:
        vectors.receive({"query": place[0].tolist(), "keys": place[1:].tolist()})
        vectors.push()
        host.push_from_python()
        host.wire.sent.clear()
        assert host.page.evaluate(_COLLISIONS) == [], place


def test_a_label_stays_beside_its_own_tip(host: Host) -> None:
    apart = host.page.locator(".plane-arrow").evaluate_all("""(arrows) => arrows.map((arrow) => {
      const [label, grip] = [".plane-label", ".plane-grip"].map((part) =>
        arrow.querySelector(part).getBoundingClientRect());
      return Math.hypot(label.x + label.width / 2 - grip.x - grip.width / 2,
        label.y + label.height / 2 - grip.y - grip.height / 2);
    })""")
    assert max(apart) < 60


def test_the_ring_around_a_tip_leaves_its_letter_alone(host: Host) -> None:
    tip(host.page).focus()
    host.page.keyboard.press("[")
    apart = host.page.locator(".plane-arrow.qkv-query").evaluate("""(arrow) => {
      const label = arrow.querySelector(".plane-label").getBoundingClientRect();
      const ring = document.querySelector(".plane-ring").getBoundingClientRect();
      const [x, y] = [ring.x + ring.width / 2, ring.y + ring.height / 2];
      const near = [Math.min(Math.max(x, label.left), label.right),
        Math.min(Math.max(y, label.top + 4), label.bottom - 4)];
      return Math.hypot(x - near[0], y - near[1]) - ring.width / 2;
    }""")
    assert apart > 0
