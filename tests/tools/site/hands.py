"""Operate a page's widgets in two ways: with fingers on a phone, and with only a keyboard.

Both offer the same actions, so that the way to a goal is written only once: `test_goals.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import cos, hypot, radians, sin

from playwright.sync_api import Locator, Page, expect

Point = tuple[float, float]

_MOST_KEYS = 200  # presses at most, to reach anything or to set it
_THUMB = 16  # pixels of a slider's thumb: its centre moves from one end to the other
_WHERE = re.compile(r"x (−?[\d.]+), y (−?[\d.]+)")
_IN_FOCUS = "one => one === document.activeElement"
# Scroll to the middle of the screen, and wait until the element stops moving: those above may be waking.
_BRING = """async one => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let before = NaN, y; y !== before; ) {
    before = y;
    one.scrollIntoView({ block: "center", behavior: "instant" });
    await frame();
    await frame();
    y = one.getBoundingClientRect().y;
  }
}"""
# The row and the column of a cell; in `Shapes`, everything is one long row.
_PLACE = """one => {
  const stages = one.closest(".shapes-stages");
  if (stages) return [0, [...stages.querySelectorAll(".shapes-cell")].indexOf(one)];
  return one.dataset.at.split(" ").slice(1).map(Number);
}"""


class Fingers:
    """A finger that is put down, moved and lifted, as a touch screen reports it to the browser."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._screen = page.context.new_cdp_session(page)
        page.evaluate("addEventListener('pointercancel', () => { window.taken = true }, true)")

    def press(self, thing: Locator, times: int = 1) -> None:
        x, y = self._middle(thing)
        for _ in range(times):
            self._page.touchscreen.tap(x, y)  # quickly: a finger that stays would be a long press

    def choose(self, radio: Locator) -> None:
        self.press(radio.locator("xpath=ancestor::label"))
        expect(radio).to_be_checked()

    def mark(self, cell: Locator) -> None:
        self.press(cell)

    def set(self, cell: Locator, value: float) -> None:
        way = value - float(cell.get_attribute("aria-valuenow") or "")
        while round(way, 2):
            step = max(-2.0, min(2.0, way))  # a hundred pixels change it by one, and the screen has 740
            x, y = self._middle(cell)
            self._drag((x, y), (x, y - 100 * step))
            way -= step

    def slide(self, slider: Locator, value: float) -> None:
        low, high = (float(slider.get_attribute(end) or "") for end in ("min", "max"))
        middle, y = self._middle(slider)
        box = slider.bounding_box()
        assert box

        def at(value: float) -> Point:
            return middle + ((value - low) / (high - low) - 0.5) * (box["width"] - _THUMB), y

        self._drag(at(float(slider.input_value())), at(value))

    def turn(self, tip: Locator, degrees: int) -> None:
        origin_x, origin_y = self._middle(tip.locator("xpath=ancestor::*[local-name()='svg']"))
        x, y = _middle_of(tip)
        across, down = x - origin_x, y - origin_y
        ways = [radians(degrees * part / 4) for part in range(1, 5)]
        self._drag(
            (x, y),
            *(
                (
                    origin_x + across * cos(way) + down * sin(way),
                    origin_y - across * sin(way) + down * cos(way),
                )
                for way in ways
            ),
        )

    def move(self, tip: Locator, right: float, up: float) -> None:
        origin_x, origin_y = self._middle(tip.locator("xpath=ancestor::*[local-name()='svg']"))
        x, y = _middle_of(tip)
        found = _WHERE.match(tip.get_attribute("aria-valuetext") or "")
        assert found
        far = hypot(*(float(number.replace("−", "-")) for number in found.groups()))
        unit = hypot(x - origin_x, y - origin_y) / far
        self._drag((x, y), (x + unit * right, y - unit * up))

    def write(self, field: Locator, word: str) -> None:
        self.press(field)
        expect(field).to_be_focused()
        self._page.keyboard.press("ControlOrMeta+a")
        self._page.keyboard.insert_text(word)  # as an on-screen keyboard does
        self.press(field.locator("xpath=ancestor::form").get_by_role("button"))

    def _middle(self, thing: Locator) -> Point:
        thing.evaluate(_BRING)
        return _middle_of(thing)

    def _drag(self, start: Point, *way: Point) -> None:
        """Put the finger down, move it and lift it. If the page scrolls, the drag is cancelled."""
        self._tell("touchStart", start)
        for point in way:
            self._tell("touchMove", point)
        self._tell("touchEnd")
        assert not self._page.evaluate("window.taken"), "the page scrolls in place of a widget"

    def _tell(self, kind: str, *points: Point) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def _middle_of(thing: Locator) -> Point:
    x, y = thing.evaluate("""one => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }""")
    return x, y


class Keys:
    """A keyboard: Tab from the widget's start to the element, and then the element's own keys."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._key = page.keyboard.press

    def press(self, thing: Locator, times: int = 1) -> None:
        self._reach(thing)
        for _ in range(times):
            self._key("Enter")

    def choose(self, radio: Locator) -> None:
        group = radio.locator("xpath=ancestor::*[self::fieldset or @role='radiogroup']")
        self._reach(group.get_by_role("radio", checked=True))
        self._until(radio.is_checked, "ArrowRight")

    def mark(self, cell: Locator) -> None:
        self._go(cell)
        self._key("Space")

    def set(self, cell: Locator, value: float) -> None:
        self._go(cell)
        self._page.keyboard.type(f"{value:g}")
        self._key("Enter")

    def slide(self, slider: Locator, value: float) -> None:
        self._reach(slider)
        up = value > float(slider.input_value())

        def there() -> bool:
            now = float(slider.input_value())
            return now >= value - 1e-9 if up else now <= value + 1e-9

        self._until(there, "ArrowRight" if up else "ArrowLeft")

    def turn(self, tip: Locator, degrees: int) -> None:
        self._reach(tip)
        for step, shift in ((10, "Shift+"), (1, "")):
            for _ in range(abs(degrees) // step):
                self._key(shift + ("[" if degrees > 0 else "]"))
            degrees = degrees % step if degrees > 0 else -(-degrees % step)

    def move(self, tip: Locator, right: float, up: float) -> None:
        self._reach(tip)
        for wish, key in ((right, "ArrowRight"), (up, "ArrowUp")):
            for _ in range(round(wish / 0.05)):
                self._key(key)

    def write(self, field: Locator, word: str) -> None:
        self._reach(field)
        self._key("ControlOrMeta+a")
        self._page.keyboard.type(word)
        self._key("Enter")

    def _reach(self, thing: Locator) -> None:
        """Press Tab from the start of the widget, where a reader's Tab would arrive, to the element."""
        thing.evaluate("""one => {
          const widget = one.closest(".place");
          widget.tabIndex = -1;
          widget.focus();
        }""")
        self._until(lambda: thing.evaluate(_IN_FOCUS), "Tab")

    def _go(self, cell: Locator) -> None:
        """Go to a cell: by Tab into its matrix, and then by the arrow keys."""
        matrix = cell.locator(
            "xpath=ancestor::*[contains(concat(' ', @class, ' '), ' lab-m ')"
            " or contains(@class, 'shapes-stages')]"
        )
        entry = matrix.locator('[tabindex="0"]').first
        row, column = entry.evaluate(_PLACE)
        if not entry.evaluate(_IN_FOCUS):
            self._reach(entry)
        for way, back, on in (
            (cell.evaluate(_PLACE)[0] - row, "PageUp", "PageDown"),
            (cell.evaluate(_PLACE)[1] - column, "ArrowLeft", "ArrowRight"),
        ):
            for _ in range(abs(way)):
                self._key(on if way > 0 else back)
        expect(cell).to_be_focused()

    def _until(self, done: Callable[[], bool], key: str) -> None:
        for _ in range(_MOST_KEYS):
            if done():
                return
            self._key(key)
        raise AssertionError(f"{key} leads nowhere")


Hand = Fingers | Keys
