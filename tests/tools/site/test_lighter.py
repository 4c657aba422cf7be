"""Test that pages with fewer bytes look the same."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from qkvlib.tools.site import lighter
from qkvlib.tools.site.assets import Assets

CELL = '<td style="padding: 3px 10px; text-align: right">1</td>'
SHADED = CELL.replace("right", "right; background: rgba(1, 2, 3, 0.5)")
PAGE = f"""<style>#main td {{ padding: 0 }} .text td {{ text-align: left }}</style>
<main id="main"><div class="text"><table><tr>{CELL * 2}{SHADED}</tr></table>
<p style="margin: 1px 2px 3px 4px; color: red">once</p></div></main>"""
LOOKS = """() => [...document.querySelectorAll("td, p")].map((one) => {
  const { padding, margin, color, textAlign, backgroundColor } = getComputedStyle(one);
  return [padding, margin, color, textAlign, backgroundColor].join();
})"""


def test_code_is_marked_in_short_elements_line_by_line() -> None:
    source = 'from a import b  # <why>\nx = f"{b} & c" if not b else """\n\nd"""\n'
    assert lighter.code(source) == (
        "<b>from</b> a <b>import</b> b  <i># &lt;why&gt;</i>\n"
        'x = <u>f"{</u>b<u>} &amp; c"</u> <b>if</b> <b>not</b> b <b>else</b> <u>"""</u>\n\n<u>d"""</u>\n'
    )


def test_a_large_drawing_becomes_a_file_of_a_known_size(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="302">' + "<g/>" * 1000 + "</svg>"
    data = base64.b64encode(svg.encode()).decode()
    html = f'<img alt="a &gt; b" src="data:image/svg+xml;base64,{data}">'
    made = lighter.pictures_apart(html, "x", Assets(tmp_path))
    assert made.startswith('<img alt="a &gt; b" loading="lazy" width="640" height="302" src="assets/x-')
    (file,) = (tmp_path / "assets").iterdir()
    assert file.read_text() == svg


@pytest.mark.whole
def test_a_style_that_stands_often_is_written_once_and_looks_the_same(browser: Browser) -> None:
    made = lighter.styles_once(PAGE)
    assert made.count("padding: 3px 10px") == 1
    assert made.count("style=") == 2
    page = browser.new_page()
    page.set_content(PAGE)
    before = page.evaluate(LOOKS)
    page.set_content(made)
    assert page.evaluate(LOOKS) == before
    page.close()
