"""The class at a glance: how points are spread, what went wrong where, what to teach tomorrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from qkvlib.grading.marks import Marks
from qkvlib.grading.page import count, page, text, with_code
from qkvlib.grading.run import Graded

_OUTCOMES = ("right", "wrong", "raised", "not attempted")
_COLOURS = {"right": "--right", "wrong": "--wrong", "raised": "--raised", "not attempted": "--none"}


def overview(graded: Graded, totals: Sequence[float], best: float, marks: Marks) -> str:
    """The page for the instructor."""
    rows = [row for result in graded.results for row in result.get("exercises", [])]
    parts = [f"<p>{len(graded.results)} students, {count(best)} at most."]
    if totals:
        ordered = sorted(totals)
        parts.append(
            f" Median {ordered[len(ordered) // 2]:g}, from {ordered[0]:g} to {ordered[-1]:g}."
        )
    waiting = sum(marks.waiting(result) > 0 for result in graded.results)
    if waiting:
        parts.append(
            f" The words of {waiting} are not marked yet, and can bring {count(marks.possible)}."
        )
    parts += ["</p>", _to_teach(graded, rows), "<h2>Points</h2>", _histogram(totals, best)]
    parts += ["<h2>Exercises</h2>", _bars(graded, rows)]
    parts += ["<h2>Mistakes</h2>", _mistakes(graded, rows)]
    if graded.problems:
        lines = "".join(f"<li>{text(line)}</li>" for line in graded.problems)
        parts.append(f"<h2>To be looked at by hand</h2><ul>{lines}</ul>")
    return page("The class at a glance", "\n".join(parts))


def _to_teach(graded: Graded, rows: Sequence[dict[str, Any]]) -> str:
    """The one mistake that most people share, with the question that leads out of it."""
    known = Counter(
        (row["exercise"], row["diagnosis"], row["question"]) for row in rows if row["mistake"]
    )
    if not known:
        return ""
    (exercise, diagnosis, question), many = known.most_common(1)[0]
    return (
        f'<section class="wrong"><h3>What to teach tomorrow</h3><p>{many} of {len(graded.results)} '
        f"students share one mistake in <code>{text(exercise)}</code>: {with_code(diagnosis)}</p>"
        f'<p class="question">{with_code(question)}</p></section>'
    )


def _histogram(totals: Sequence[float], best: float) -> str:
    """How many students have how many points: a bar a point, or ten bars when there are many."""
    if not totals or best <= 0:
        return ""
    width = 1 if best <= 12 else best / 10
    names = [
        f"{i * width:.3g}" + ("" if width == 1 else " +") for i in range(int(best / width) + 1)
    ]
    counts = Counter(min(len(names) - 1, int(total / width + 1e-9)) for total in totals)
    most, parts = max(counts.values()), []
    for i, name in enumerate(names):
        height, left = 120 * counts[i] / most, 10 + i * 56
        parts.append(
            f'<rect x="{left}" y="{145 - height:.1f}" width="48" height="{height:.1f}" '
            f'style="fill: var(--right)"><title>{name} points: {counts[i]} students</title></rect>'
            f'<text x="{left + 24}" y="{140 - height:.1f}" text-anchor="middle">{counts[i] or ""}'
            f'</text><text x="{left + 24}" y="162" text-anchor="middle">{name}</text>'
        )
    label = "How many students have how many points"
    drawing = _svg(10 + len(names) * 56, 170, label, "".join(parts))
    return f'{drawing}<p class="soft">Below each bar the whole points, above it the students.</p>'


def _bars(graded: Graded, rows: Sequence[dict[str, Any]]) -> str:
    """One bar an exercise, cut into its four outcomes."""
    counts = Counter((row["exercise"], row["outcome"]) for row in rows)
    everybody, parts = max(1, len(graded.results)), []
    for i, name in enumerate(graded.exercises):
        left, top = 240.0, 10 + 24 * i
        parts.append(f'<text x="232" y="{top + 13}" text-anchor="end">{text(name)}</text>')
        for outcome in _OUTCOMES:
            many = counts[name, outcome]
            width = 400 * many / everybody
            if many:
                parts.append(
                    f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="17" '
                    f'style="fill: var({_COLOURS[outcome]})">'
                    f"<title>{text(name)}, {outcome}: {many}</title></rect>"
                    f'<text x="{left + width / 2:.1f}" y="{top + 13}" text-anchor="middle" '
                    f'style="fill: var(--page)">{many if width > 20 else ""}</text>'
                )
            left += width
        parts.append(f'<text x="650" y="{top + 13}">{counts[name, "right"]} right</text>')
    legend = " · ".join(
        f'<span style="color: var({_COLOURS[outcome]})">■</span> {outcome}' for outcome in _OUTCOMES
    )
    drawing = _svg(
        730, 20 + 24 * len(graded.exercises), "Outcomes of each exercise", "".join(parts)
    )
    return f"<p>{legend}</p>{drawing}"


def _mistakes(graded: Graded, rows: Sequence[dict[str, Any]]) -> str:
    """Which mistakes are common where; wrong answers that no mistake explains are counted too."""
    wrong = [row for row in rows if row["outcome"] in ("wrong", "raised")]
    unknown = {"wrong": "(not a known mistake)", "raised": "(stopped with an error)"}
    counts = Counter(
        (row["exercise"], row["diagnosis"] or unknown[row["outcome"]]) for row in wrong
    )
    if not counts:
        return "<p>None.</p>"
    order = list(graded.exercises)
    lines = "".join(
        f'<tr><td>{text(exercise)}</td><td class="n">{many}</td><td>{with_code(words)}</td></tr>'
        for (exercise, words), many in sorted(
            counts.items(),
            key=lambda item: (order.index(item[0][0]), item[0][1][0] == "(", -item[1]),
        )
    )
    return (
        '<table><tr><th scope="col">Exercise</th><th scope="col" class="n">Students</th>'
        f'<th scope="col">What they did</th></tr>{lines}</table>'
    )


def _svg(width: float, height: float, label: str, inside: str) -> str:
    return (
        f'<svg role="img" aria-label="{text(label)}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">{inside}</svg>'
    )
