"""Test that a student's name, results and text appear on a page as text, and completely."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from qkvlib.tools.grading.publish import pages
from qkvlib.tools.grading.publish.inventory import Inventory
from qkvlib.tools.grading.publish.marks import Mark, Marks
from qkvlib.tools.grading.publish.overrides import Override, Overrides
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Row, ShownCase, WrittenAnswer
from tests.tools.grading import classroom

TEMPLATES = sorted(Path(pages.__file__).parent.glob("*.j2"))
HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "a broken tag": '<img src=x onerror="alert(1)"',
    "an end of all": "</pre></td></table></section></body></html><b>",
    "an attribute": "\" onmouseover='alert(1)' x=\"",
    "an end of the style": "</style></title><svg onload=alert(1)>",
    "a comment": "<!-- and nothing after it",
    "an entity": "&lt;script&gt; &amp;amp; &#60;b&#62;",
    "backticks": "`<b>` ` `` <i>`",
    "a template": "{{ 7 * 7 }} {% for x in y %} {# gone #} {{ result.__class__ }}",
    "format strings": "%s {0} {name!r} %(name)s",
}


class Page(HTMLParser):
    """A page as a browser reads it: its tags, their attributes, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.tags.append("<!--")


def written(text: str) -> dict[str, Page]:
    """Return every page of a class, with this text wherever a student's text can appear."""
    row = Row(
        "dot",
        1,
        "wrong",
        0,
        1,
        text,
        "average",
        text,
        text,
        ShownCase(text, ((text, text),), text, text),
        text,
    )
    answer = WrittenAnswer(text, 2, text)
    result = classroom.result(
        text, number=text, problems=(text,), fault=text, exercises=(row,), answers=(answer,), points=0
    )
    decided = Overrides({(text, "dot"): Override(1, text)})
    marks = Marks({(text, text): Mark(1.0, text)}, {text: 2})
    asked = {text: ExerciseFacts(1, 2, text, (text,))}
    graded = GradedClass({"dot": ExerciseFacts(1, 1)}, (result,), (text,), 1, asked)
    return {
        "report": Page(pages.report(result, 1.0, 3.0, marks, decided)),
        "overview": Page(pages.overview(graded, [1.0], 3.0, marks, Inventory({}))),
        "answers": Page(pages.answers(graded, marks)),
    }


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_text(kind: str) -> None:
    """It adds no element except <code>, sets no attribute, and appears on the page as it was sent."""
    harmless, hostile = written("plain"), written(HOSTILE[kind])
    for name, page in hostile.items():
        assert [tag for tag in page.tags if tag != "code"] == [
            tag for tag in harmless[name].tags if tag != "code"
        ], name
        assert page.attributes == harmless[name].attributes
        words = {HOSTILE[kind], HOSTILE[kind].replace("`", "")}  # as text, or with its code marked up
        shown = sum(page.text.count(one) for one in words)
        assert shown == harmless[name].text.count("plain") > 0, name


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_says_that_something_is_safe(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|autoescape|Markup", text)
    assert not re.search(r"=\s*{{", text), "an attribute without quotes"


def test_a_value_that_is_forgotten_is_an_error_and_not_an_empty_place() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        pages._page("answers", "x")


def test_code_is_shown_as_code_and_asterisks_outside_of_it_are_emphasis() -> None:
    shown = str(pages._with_code("the mean of each *column* & row, as in `a *b* <c>`, 2*3*4"))
    assert shown == ("the mean of each <em>column</em> &amp; row, as in <code>a *b* &lt;c&gt;</code>, 2*3*4")
