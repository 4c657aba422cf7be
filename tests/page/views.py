"""The table of views: every widget as its lessons use it, for all checks of a picture.

To add a widget, add a line to `LESSONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import torch
from playwright.sync_api import Page

from qkvlib.course.puzzles import puzzle
from qkvlib.masks import causal_mask
from qkvlib.models import MultiHead, Stack
from qkvlib.multi_head import split_heads
from qkvlib.tasks import Induction, Recall, TwoQuestions
from qkvlib.training import Keep, adam, train
from qkvlib.training.recording import Recording
from qkvlib.widgets import (
    AtLeast,
    AttentionLab,
    Goal,
    Heads,
    LearnToLook,
    ReadAloud,
    Replay,
    Shapes,
    Silencing,
    SoftLookup,
    Vectors,
    Way,
    predict,
    replay_predictions,
)
from qkvlib.widgets.kit.widget import Widget
from tests.page.of_lessons import LABS, TRAINED, of_lesson
from tests.recordings import one_head, two_layers

Step = Callable[[Page], object]


def press(name: str) -> Step:
    """Return the step to the view that a button opens, if the button is there: some need a narrow page."""

    def view(page: Page) -> None:
        button = page.get_by_role("button", name=name, exact=True)
        if button.is_visible():
            button.click()
            page.mouse.move(1, 1)  # move away: whatever is pointed at explains itself

    return view


def tick(name: str) -> Step:
    """Return the step to the view that a radio button opens."""
    return lambda page: page.get_by_role("radio", name=name, exact=True).check()


def point(selector: str) -> Step:
    """Return the step to what is shown while an element is pointed at."""
    return lambda page: page.locator(selector).first.hover()


@cache
def layer_of_two_heads(every: int = 200) -> tuple[MultiHead, Recording]:
    task = TwoQuestions()
    model = MultiHead(task.n_tokens, task.n_answers, 16, 2)
    return model, train(model, task, 200, adam(0.02), record=Keep(every=every))


def chapter_9_heads() -> Widget:
    goal = Silencing(
        "09-second-question",
        "Silence the head that answers the second question, and keep the first question.",
        loses=[1],
        keeps=[0],
    )
    return Heads.of(layer_of_two_heads()[0], TwoQuestions(), goal=goal)


def chapter_9_line() -> Widget:
    task = Induction()
    model = Stack(task.n_tokens, task.n_answers, d_model=32, n_layers=2, causal=True, n_places=18, spread=0.5)
    return Heads.of(model, task)


def chapter_9_runs() -> Widget:
    run = layer_of_two_heads(5)[1]
    return Replay(run, run, names=["random start", "copies"], tokens=TwoQuestions.tokens)


HEADS = [press("Lines"), point(".heads-dot"), press("Map"), press("Graph"), point(".heads-dot")]
CROSS = HEADS[:3]
RUNS = [press("Weights"), press("Attention")]
WAYS = [tick(way) for way in ("split, view alone", "merge", "merge, reshape alone")]

# What a lesson shows, and the steps from each of its views to the next.
LESSONS: dict[str, tuple[Callable[[], Widget], Sequence[Step]]] = {
    "heads, 07": (partial(of_lesson, "07", "Heads("), HEADS),
    "heads, 09, a goal": (chapter_9_heads, CROSS),
    "heads, 09, a line of letters": (chapter_9_line, HEADS),
    "heads, 12": (partial(of_lesson, "12", "Heads("), HEADS),
    "heads, 12, all": (partial(of_lesson, "12", "Heads(minilm_maps("), HEADS),
    "replay, one run": (lambda: Replay(one_head(), tokens=Recall.tokens), []),
    "replay, 05": (lambda: Replay(one_head(), one_head(1), tokens=Recall.tokens), RUNS),
    "replay, 09": (chapter_9_runs, RUNS),
    "replay, two layers": (lambda: Replay(two_layers(), tokens=Induction.tokens), []),
    "cache, 15": (
        partial(of_lesson, "15", "Cache("),
        [press("All words"), tick("Q, K and V"), tick("1 (MQA)")],
    ),
    "shapes, 08, a goal": (partial(of_lesson, "08", "Shapes("), WAYS),
    "shapes, 08, a split": (lambda: Shapes(split=split_heads), WAYS),
    "lines, 08": (lambda: puzzle("order_the_heads", "EJBHAIFC"), []),
    "lines, 08, none": (lambda: puzzle("order_the_heads"), []),
    "read aloud, 10": (partial(of_lesson, "10", "ReadAloud("), []),
    "read aloud, the longest word": (lambda: ReadAloud("characterization"), []),
    "vectors, 12": (partial(of_lesson, "12", "Vectors("), []),
    "turning, 14": (partial(of_lesson, "14", "Turning("), []),
    "next token, 16": (partial(of_lesson, "16", "NextToken("), []),
    "predict, 09": (
        lambda: predict(
            "09-one-for-two",
            "The layers with two and with four heads get both colours right nearly every time. And "
            "the layer with one wide head?",
            ["Nearly every time, too", "About half of the time", "About one time in five", "Never"],
        ),
        [],
    ),
    "recap": (lambda: replay_predictions("09"), []),
}


NAMES = ["a long name 14", "another one 14", "spirit", "k", "five"]
KEYS = [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0], [-2.0, -2.0], [0.0, -1.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0], [9.0, 9.0], [-5.0, 1.0]]


def arrows() -> Widget:
    ways = [Way("by turning q", "lengths"), Way("by making q longer", "directions")]
    words = "Move q until it gives the first key at least 0.95 of the weight. There are two ways."
    goal = Goal("narrow-ways", words, [AtLeast(0, 0.95)], touch=["query"], ways=ways)
    return Vectors([2.0, 1.0], KEYS, names=NAMES, limit=6, goal=goal, regions=True)


def lookup() -> Widget:
    goal = Goal("narrow-soft", "Let spirit speak up.", [AtLeast(2, 0.3)], ["temperature", "query"])
    return SoftLookup([2.0, 1.0], KEYS, VALUES, names=NAMES, goal=goal)


def tinted_lab(view: str = "weights") -> AttentionLab:
    """Make a lab with tints of every strength: scores from -4 to 4, weights from 0 to 1, some hidden."""
    ramp = torch.linspace(-2, 2, 8)[:, None]
    x = torch.cat([ramp, ramp.flip(0) ** 3 / 4], dim=1)
    ws = [torch.tensor([[1.0, 0.3], [-0.2, 0.8]]) * size for size in (1.0, 0.9, -0.7)]
    mask = causal_mask(8) if view == "both" else None
    words = "The Law will never be perfect but its"
    return AttentionLab(x, *ws, torch.zeros(8, 2), tokens=words, mask=mask, view=view)


TRAINING = [press(name) for name in ("Both", "Gradients", "Backward", *["Next ▸"] * 9)]
VIEWS: dict[str, tuple[Callable[[], Widget], Sequence[Step]]] = {
    **LESSONS,
    "vectors": (lambda: Vectors([1.0, 2.0], [[2.0, 0.0], [-1.0, -0.5]]), []),
    "vectors, regions": (arrows, []),
    "learn to look": (
        LearnToLook,
        [lambda page: page.get_by_role("button", name="sour").click(), press("Step")],
    ),
    "soft lookup": (lookup, []),
    "soft lookup, 00": (partial(SoftLookup.of, "first"), []),
    **{f"lab, {name}": (make, TRAINING if name in TRAINED else []) for name, make in LABS.items()},
}
