"""The vectors widget in a browser without Jupyter; its own Python answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from playwright.sync_api import Browser, Locator, Page, expect

from qkvlib.widgets import Goal, Prefers, Vectors
from tests.page.host import Host, show

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
NAMES = ["law", "old", "spirit"]
LENGTH = 5**0.5


def third_key() -> Goal:
    words = "Make q prefer spirit; its length stays."
    return Goal("host-third-key", words, [Prefers(2)], touch=["query"], keep_lengths=True)


@pytest.fixture
def vectors() -> Vectors:
    return Vectors(QUERY, KEYS, names=NAMES)


@pytest.fixture
def host(browser: Browser, vectors: Vectors) -> Iterator[Host]:
    host = show(browser, vectors)
    yield host
    host.close()


def tip(page: Page, name: str = "query q") -> Locator:
    return page.get_by_role("slider", name=name)


def drag(host: Host, name: str, x: float, y: float, limit: float = 3.0) -> None:
    """Drag a tip with the mouse to a point of the plane."""
    box, plane = tip(host.page, name).bounding_box(), host.page.locator(".vec-plane").bounding_box()
    assert box
    assert plane
    host.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    host.page.mouse.down()
    host.page.mouse.move(
        plane["x"] + plane["width"] * (1 + x / limit) / 2,
        plane["y"] + plane["height"] * (1 - y / limit) / 2,
        steps=5,
    )
    host.page.mouse.up()
    host.settle()


def row(host: Host, name: str) -> list[str]:
    cells = host.page.locator(".vec-table tr", has_text=name).locator("td")
    return [text.replace("−", "-").replace("°", "") for text in cells.all_inner_texts()]


def test_a_drag_moves_every_number_to_torchs(host: Host, vectors: Vectors) -> None:
    drag(host, "query q", -1.0, 1.5)
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


def test_a_tip_stays_inside_the_plane(host: Host, vectors: Vectors) -> None:
    drag(host, "query q", 8.0, 0.0)
    assert vectors.query.norm() <= 3.001


@pytest.mark.parametrize(
    ("key", "x", "y"),
    [
        ("ArrowRight", 2.05, 1.0),
        ("ArrowLeft", 1.95, 1.0),
        ("ArrowUp", 2.0, 1.05),
        ("ArrowDown", 2.0, 0.95),
        ("Shift+ArrowLeft", 1.5, 1.0),
    ],
)
def test_arrow_keys_move_the_tip(
    host: Host, vectors: Vectors, key: str, x: float, y: float
) -> None:
    tip(host.page).focus()
    host.page.keyboard.press(key)
    host.settle()
    assert vectors.query.tolist() == pytest.approx([x, y], abs=1e-4)


def test_brackets_turn_the_tip(host: Host, vectors: Vectors) -> None:
    tip(host.page, "key law").focus()
    before = torch.atan2(vectors.keys[0, 1], vectors.keys[0, 0])
    host.page.keyboard.press("{")
    host.settle()
    turned = torch.rad2deg(torch.atan2(vectors.keys[0, 1], vectors.keys[0, 0]) - before)
    assert turned.item() == pytest.approx(10, abs=0.3)
    assert vectors.keys[0].norm().item() == pytest.approx(4.25**0.5, abs=0.01)


@pytest.mark.parametrize("held", [{"ctrlKey": True, "altKey": True}, {"altKey": True}])
def test_brackets_are_typed_with_altgr_or_option(
    host: Host, vectors: Vectors, held: dict[str, bool]
) -> None:
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


def test_held_lengths_only_turn(host: Host, vectors: Vectors) -> None:
    host.page.get_by_label("Hold lengths, only turn").check()
    drag(host, "query q", -1.0, 1.0)
    assert vectors.query.norm().item() == pytest.approx(LENGTH, rel=1e-4)
    assert (vectors.query[0] + vectors.query[1]).item() == pytest.approx(0, abs=0.05)
    tip(host.page).focus()
    host.page.keyboard.press("Shift+ArrowRight")
    host.settle()
    assert vectors.query.norm().item() == pytest.approx(LENGTH, rel=1e-4)


def test_undo_and_reset_have_buttons(host: Host, vectors: Vectors) -> None:
    undo = host.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    drag(host, "key old", 1.0, -1.0)
    drag(host, "query q", 0.0, 1.0)
    undo.click()
    host.settle()
    assert vectors.query.tolist() == QUERY
    host.page.get_by_role("button", name="Reset").click()
    host.settle()
    assert vectors.keys.tolist() == KEYS


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


def test_the_goal_pins_what_it_does_not_name_and_is_met_by_turning(browser: Browser) -> None:
    vectors = Vectors(QUERY, KEYS, names=NAMES, goal=third_key())
    host = show(browser, vectors)
    drag(host, "key spirit", 2.5, 1.0)
    assert vectors.keys.tolist() == KEYS
    expect(host.page.get_by_label("Hold lengths, only turn")).to_be_disabled()
    expect(host.page.get_by_text("Goal met")).to_have_count(0)
    tip(host.page).focus()
    for _ in range(4):  # the second press meets it, the others move on
        host.page.keyboard.press("Shift+ArrowLeft")
        host.settle()
    expect(host.page.locator(".qkv-goal")).to_contain_text("Goal met")
    expect(host.page.locator(".qkv-goal")).to_contain_text("Now move whatever you like.")
    assert vectors.query.norm().item() == pytest.approx(LENGTH, rel=1e-4)
    drag(host, "key spirit", 2.5, 1.0)  # met: everything is free
    assert vectors.keys[2, 0] > 1
    host.close()


def test_python_moves_the_picture(host: Host, vectors: Vectors) -> None:
    vectors.query = [0.0, 2.0]
    host.push_from_python()
    assert row(host, "spirit")[-2:] == ["4.00", "0.49"]


def test_an_error_of_the_learners_is_shown_in_words(browser: Browser) -> None:
    def mine(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * b

    host = show(browser, Vectors(QUERY, KEYS, similarity=mine))
    words = "mine(q, k₁) returned shape (2,), but one number was expected"
    expect(host.page.locator(".vec-words")).to_have_text(words)
    drag(host, "query q", 1.0, 1.0)
    expect(host.page.locator(".vec-words")).to_have_text(words)
    host.close()


def test_the_plane_keeps_its_size_under_the_hand(browser: Browser) -> None:
    host = show(browser, Vectors([-1.0, 1.0], [[10.0, -10.0], [-10.0, 0.0]]), 840)
    plane = host.page.locator(".vec-plane")
    before = plane.bounding_box()
    drag(host, "query q", -10.0, -10.0, limit=20.0)
    assert plane.bounding_box() == before
    host.close()


# The pairs of labels that lie on each other, and the labels that leave the plane.
_COLLISIONS = """() => {
  const plane = document.querySelector(".vec-plane").getBoundingClientRect();
  const labels = [...document.querySelectorAll(".plane-label")];
  const boxes = labels.map((label) => [label.textContent, label.getBoundingClientRect()]);
  const inset = 3; // a box has room above and below its letters
  const lie = (a, b) => a.left < b.right && b.left < a.right &&
    a.top + inset < b.bottom - inset && b.top + inset < a.bottom - inset;
  const out = boxes.filter(([, box]) => box.left < plane.left || box.right > plane.right ||
    box.top < plane.top || box.bottom > plane.bottom).map(([text]) => text + " is cut");
  const pairs = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => lie(a, b)).map(([other]) => one + " on " + other));
  return [...out, ...pairs];
}"""


def test_no_label_lies_on_another_wherever_the_arrows_are(browser: Browser) -> None:
    names = ["law", "spirit", "application", "old", "just"]
    vectors = Vectors(QUERY, [[1.0, 1.0]] * 5, names=names)
    host = show(browser, vectors)
    draw = torch.Generator().manual_seed(0)
    places = [torch.empty(6, 2).uniform_(-3.0, 3.0, generator=draw) for _ in range(30)]
    places += [torch.tensor([[2.9, 0.0]] * 6), torch.tensor([[1.34, 1.8], *[[0.5, 2.0]] * 5])]
    for place in places:
        vectors.query, vectors.keys = place[0], place[1:]
        host.push_from_python()
        host.wire.sent.clear()
        assert host.page.evaluate(_COLLISIONS) == [], place
    host.close()


def test_a_label_stays_beside_its_own_tip(host: Host) -> None:
    apart = host.page.locator(".plane-arrow").evaluate_all("""(arrows) => arrows.map((arrow) => {
      const [label, grip] = [".plane-label", ".plane-grip"].map((part) =>
        arrow.querySelector(part).getBoundingClientRect());
      return Math.hypot(label.x + label.width / 2 - grip.x - grip.width / 2,
        label.y + label.height / 2 - grip.y - grip.height / 2);
    })""")
    assert max(apart) < 60


@pytest.mark.parametrize("width", [600, 760, 900, 1400])
def test_it_fits_its_width(browser: Browser, width: int) -> None:
    names = ["a long name 14", "another one 14", "spirit", "k", "five"]
    vectors = Vectors([-20.0, -20.0], [[-20.0, -20.0]] * 5, names=names, goal=third_key())
    host = show(browser, vectors, width)
    overflow = """() => [...document.querySelectorAll('.qkv *')]
      .filter((e) => e.getBoundingClientRect().right > window.innerWidth && !e.closest('svg'))
      .map((e) => e.outerHTML.slice(0, 80))"""
    assert host.page.evaluate(overflow) == []
    host.close()
