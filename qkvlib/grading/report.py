"""One student's report: each verdict, the mistake by name, and the question that helps."""

from __future__ import annotations

from typing import Any

from qkvlib.grading.marks import Marks
from qkvlib.grading.page import count, page, points, text, with_code

_WORDS = {
    "right": ("✓", "Right"),
    "wrong": ("✗", "Not yet"),
    "raised": ("!", "It stopped with an error"),
    "not attempted": ("○", "Not attempted"),
}


def report(result: dict[str, Any], total: float, possible: float, marks: Marks) -> str:
    """The page of one student."""
    rows = result.get("exercises", [])
    when = text(result["handed_in"][:16].replace("T", " "))
    parts = [f"<p><strong>{points(total, possible)}</strong>, handed in {when}."]
    if result["late_days"]:
        days = "1 day" if result["late_days"] == 1 else f"{result['late_days']} days"
        parts.append(f" {days} late: {100 * result['late_factor']:g}% of the points count.")
    waiting = marks.waiting(result)
    if waiting:
        parts.append(f" {count(waiting)} for your own words may still be added.")
    parts.append("</p>")
    parts += [f"<p>{text(line)}</p>" for line in result.get("problems", [])]
    if result.get("fault"):
        parts.append("<p>This work could not be graded completely. Your instructor knows.</p>")
    for chapter in sorted({row["chapter"] for row in rows}):
        parts.append(f"<h2>Chapter {chapter}</h2>")
        parts += [_exercise(row) for row in rows if row["chapter"] == chapter]
    parts += _by_hand(result, marks)
    return page(f"qkvlib: {result['name']}", "\n".join(parts))


def _exercise(row: dict[str, Any]) -> str:
    sign, heading = _WORDS[row["outcome"]]
    title = (
        f'<h3><span aria-hidden="true">{sign}</span> {text(row["exercise"])}: {heading} '
        f'<span class="soft">({points(row["points"], row["possible"])})</span></h3>'
    )
    lines = []
    if row["diagnosis"]:
        lines.append(f"<p>{with_code(row['diagnosis'])}</p>")
        lines.append(f'<p class="question">Think about it: {with_code(row["question"])}</p>')
    if row["outcome"] != "right":
        lines += [f"<p>{with_code(line)}</p>" for line in row["message"].splitlines() if line]
    if row["evidence"]:
        lines.append(_evidence(row["evidence"]))
    if row.get("hints"):
        lines.append(f'<p class="soft">Hints asked for: {row["hints"]} of 3.</p>')
    return f'<section class="{text(row["outcome"]).split()[0]}">{title}{"".join(lines)}</section>'


def _evidence(evidence: dict[str, Any]) -> str:
    rows = [*evidence["inputs"], ["got", evidence["got"]], ["expected", evidence["expected"]]]
    cells = "".join(
        f'<tr><th scope="row">{text(name)}</th><td><pre>{text(value)}</pre></td></tr>'
        for name, value in rows
        if value
    )
    return f"<p>The smallest case that fails: {text(evidence['case'])}</p><table>{cells}</table>"


def _by_hand(result: dict[str, Any], marks: Marks) -> list[str]:
    found = []
    for answer in result.get("answers", []):
        given, comment = marks.rows.get((result["student"], answer["name"]), (None, ""))
        mark = "not marked yet" if given is None else points(given, answer["points"])
        found.append(
            f"<section><h3>{text(answer['name'])} "
            f'<span class="soft">({mark})</span></h3><pre>{text(answer["text"])}</pre>'
            + (f"<p>{text(comment)}</p>" if comment else "")
            + "</section>"
        )
    return ["<h2>In your own words</h2>", *found] if found else []


def answers_page(results: list[dict[str, Any]], marks: Marks) -> str:
    """Everybody's answers in words on one page, question by question, for marking by hand."""
    names = sorted(marks.answers)
    parts = [
        "<p>Write the points into <code>marks.csv</code>, beside this page, and run the same "
        "<code>qkv grade</code> again. Nothing is judged twice.</p>"
    ]
    for name in names:
        parts.append(f"<h2>{text(name)} ({count(marks.answers[name])})</h2>")
        for result in results:
            for answer in result.get("answers", []):
                if answer["name"] == name:
                    words = text(answer["text"]) or '<span class="soft">(empty)</span>'
                    parts.append(
                        f"<section><h3>{text(result['name'])}</h3><pre>{words}</pre></section>"
                    )
    return page("Answers in words", "\n".join(parts))
