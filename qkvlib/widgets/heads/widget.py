"""Show who looks at whom, head by head, as lines, maps or a graph, and what happens without a head."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import chain
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.figures import still
from qkvlib.models.base import Answer, Model
from qkvlib.tasks.base import Batch, Task
from qkvlib.training import head_jobs
from qkvlib.widgets.heads import sheet
from qkvlib.widgets.kit.goals import Aim
from qkvlib.widgets.kit.widget import Widget, tidy

_MOST_WORDS = 64
_MOST_WEIGHTS = 60_000  # for one example, one byte each: they are saved with the notebook
_BINS = 200  # from 0 to 1; the middle of a bin, which the page prints, rounds as the weight does
_TESTED = 500
_FILM_BYTES = 24_000  # saved with the notebook, for pages without a kernel
_MOST_MOMENTS = 16  # four heads, each of them silent or not

Maps = Mapping[str, Float[Tensor, "h n m"]]
Silent = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Silencing(Aim):
    """A goal for `Heads`: silence heads until some questions are lost and the others kept.

        Silencing("09-first-question", "Silence the head that answers the first question alone.",
                  loses=[0], keeps=[1])

    A question is lost when at most `lost` of its answers are right, kept when at least `kept` are.
    """

    loses: Sequence[int]
    keeps: Sequence[int] = ()
    lost: float = 0.3
    kept: float = 0.95

    def holds(self, accuracy: Sequence[float]) -> bool:
        """Tell whether every question is lost or kept as it should be."""
        lost = all(accuracy[question] <= self.lost for question in self.loses)
        return lost and all(accuracy[question] >= self.kept for question in self.keeps)


class Heads(Widget):
    """Attention between two rows of words: one head at a time, with small maps of all the others.

        Heads(weights, rows, columns)      maps that you have: [n m], [h n m], or a dict of layers
        Heads(layers, words, count_from=0) a whole model's, by layer and head: a map for each
        Heads.of(model, task)              a model at its task: its heads' jobs, and each head can
                                           be silenced by a click, to see which answers are lost

    Without `columns` the words look at themselves. An edge is missing where the weight is exactly
    zero, as it is behind a mask. `count_from` is the number of a layer's first head.
    """

    front_end = "heads"

    def __init__(
        self,
        attention: Float[Tensor, "*h n m"] | Mapping[str, Float[Tensor, "*h n m"]],
        rows: Sequence[str],
        columns: Sequence[str] | None = None,
        *,
        count_from: int = 1,
    ) -> None:
        super().__init__()
        self._count_from = count_from
        maps = _checked(attention, rows, rows if columns is None else columns)
        self._examples = [(list(rows), list(rows if columns is None else columns))]
        self._shown: list[Maps] = [maps]
        self._heads = [(layer, head) for layer, each in maps.items() for head in range(len(each))]
        self._of_itself = columns is None or list(columns) == list(rows)
        self._at_task: _ModelAtTask | None = None
        self._goal: Silencing | None = None
        self._example, self._met, self._tried = 0, False, False
        self._silenced: set[int] = set()  # their numbers in the order of `_heads`, as in the page
        self._before: list[float] = []
        self._now: list[float] = []
        self._jobs = [
            head_jobs.job(weights[None], None, self._of_itself) for each in maps.values() for weights in each
        ]

    @classmethod
    def of(cls, model: Model, task: Task, *, goal: Silencing | None = None) -> Heads:
        """Show a model at its task: looking at examples of the task, and measured on its test set."""
        at_task = _ModelAtTask(model, task)
        look = at_task.look(())
        widget = cls(look.maps[0], *at_task.names[0])
        for maps, (rows, columns) in zip(look.maps, at_task.names, strict=True):
            _checked(maps, rows, columns)
        widget._at_task, widget._goal, widget._examples = at_task, goal, at_task.names
        widget._of_itself = at_task.of_itself
        widget._before = look.accuracy
        if goal and max([*goal.loses, *goal.keeps]) >= len(widget._before):
            raise ValueError(
                f"the goal names question {max([*goal.loses, *goal.keeps]) + 1}, but the task asks "
                f"{len(widget._before)}"
            )
        widget._measure()
        return widget

    @property
    def silenced(self) -> list[tuple[str, int]]:
        """The silent heads, as layer and head counted from 0."""
        return [self._heads[i] for i in sorted(self._silenced)]

    @property
    def accuracy(self) -> list[float]:
        """The accuracy on each question, with the heads that are not silent."""
        return list(self._now)

    def setup(self) -> dict[str, Any]:
        goal = self._goal
        return {
            "layers": [
                {"name": layer.replace("_", " "), "heads": names}
                for layer, names in zip(self._shown[0], self._names(), strict=True)
            ],
            "count_from": self._count_from,
            "examples": self._examples,
            "of_itself": self._of_itself,
            "can_silence": self._at_task is not None and self._at_task.can_silence,
            "goal": goal and goal.for_page(),
            "film": self._film(),
        }

    def pack(self) -> dict[str, Any]:
        state: dict[str, Any] = {
            "example": self._example,
            "maps": _packed(self._shown[self._example]),
            "jobs": self._job_words() if self._may_tell else None,
            "silenced": sorted(self._silenced),
            "before": tidy(self._before),
            "now": tidy(self._now),
        }
        if self._goal:
            state["goal"] = {"met": self._met}
        return state

    def receive(self, rest: dict[str, Any]) -> bool:
        self._example = rest.get("example", self._example)
        silenced = {*rest.get("silenced", ())}
        if "silenced" in rest and silenced != self._silenced:
            self._silenced = silenced
            self._measure()
        self._tried |= bool(silenced) or rest.get("tried", False)
        if rest.get("met"):
            self._meet()
        return False

    def static_html(self) -> str:
        rows, columns = self._examples[self._example]
        names, words = self._names(), self._job_words()
        layers = self._shown[self._example].values()
        few = len(self._heads) <= sheet.FEW
        picture = sheet.of_few if few else sheet.of_many
        html = picture(names, [list(maps) for maps in layers], rows, columns)
        if not any(words) or not few:
            return html
        return html + still.table(["head", "job"], list(zip(chain(*names), words, strict=True)))

    def __repr__(self) -> str:
        if len(self._heads) > sheet.FEW:
            return f"Heads({len(self._heads)} heads in {len(self._shown[0])} layers)"
        each = zip(chain(*self._names()), self._job_words(), strict=True)
        return f"Heads({'; '.join(': '.join(filter(None, words)) for words in each)})"

    def _names(self) -> list[list[str]]:
        """Return the names of the heads, layer by layer."""
        names = []
        for layer, maps in self._shown[0].items():
            above = layer.replace("_", " ") if len(self._shown[0]) > 1 else ""
            prefix = f"{above}, " if above else ""
            each = [f"{prefix}head {head + self._count_from}" for head in range(len(maps))]
            names.append(each if len(each) > 1 else [above or "the head"])
        return names

    @property
    def _may_tell(self) -> bool:
        """Tell whether the jobs may be shown: not before the first try, if a goal asks for them."""
        return self._tried or self._goal is None or self._goal.met_before

    def _job_words(self) -> list[str]:
        """Return each head's job; '' if none was measured or it may not be shown."""
        return [str(job or "") if self._may_tell else "" for job in self._jobs]

    def _measure(self) -> None:
        """Run the model again, with the heads that are not silent."""
        assert self._at_task is not None
        look = self._at_task.look(self.silenced)
        self._shown, self._now, self._jobs = look.maps, look.accuracy, look.jobs
        if self._goal and self._goal.holds(self._now):
            self._meet()

    def _meet(self) -> None:
        if self._goal and not self._met:
            self._met = True
            self._goal.record()

    def _film(self) -> dict[str, Any] | None:
        """Record a film for a page without Python: every example, with every combination of silent heads, if
        that is small enough.

        The binary digits of a moment's number say which heads are silent. If there are too many moments, only
        the one without silent heads is recorded.
        """
        at_task = self._at_task
        if at_task is None:
            return None
        one = sum(len(_packed(maps)) for maps in self._shown)
        count = 2 ** len(self._heads) if at_task.can_silence else 1
        if count > _MOST_MOMENTS or count * one > _FILM_BYTES:
            count = 1
        if one > _FILM_BYTES:
            return None
        silent = [[head for i, head in enumerate(self._heads) if n >> i & 1] for n in range(count)]
        looks = [at_task.look(each) for each in silent]
        return {
            "maps": b"".join(_packed(maps) for look in looks for maps in look.maps),
            "moments": [
                {"jobs": [str(job or "") for job in look.jobs], "now": tidy(look.accuracy)} for look in looks
            ],
        }


@dataclass(frozen=True)
class _Look:
    """The weights and the accuracy of a model while some of its heads are silent."""

    maps: list[Maps]  # for each example
    accuracy: list[float]  # on each question
    jobs: list[head_jobs.Job | None]  # of each head


class _ModelAtTask:
    """A model, a few examples to look at, and many to measure it on."""

    def __init__(self, model: Model, task: Task) -> None:
        self._model: Any = model
        self._test, self._probe = task.test(_TESTED), task.probe()
        if not self._run(self._probe, ()).attention:
            raise ValueError(f"{model!r} has no attention: there is no head to look at")
        names = task.names(self._probe)
        # A column without a name is padding, which the model cannot see.
        self._seen = [[j for j, word in enumerate(columns) if word] for _, columns in names]
        self.names = [(rows, [word for word in columns if word]) for rows, columns in names]
        self.of_itself = len(self._probe.inputs) == 1
        self.can_silence = "ablate" in signature(type(model).__call__).parameters

    def look(self, silent: Silent) -> _Look:
        """Run the examples and the test set with these heads silent."""
        examples, tested = self._run(self._probe, silent), self._run(self._test, silent)
        return _Look(
            maps=[
                {name: maps[i][..., seen] for name, maps in examples.attention.items()}
                for i, seen in enumerate(self._seen)
            ],
            accuracy=head_jobs.right_answers(tested.logits, self._test.answers),
            jobs=[
                head_jobs.job(maps[:, head], self._test.looks_at, self.of_itself)
                for maps in tested.attention.values()
                for head in range(maps.shape[1])
            ],
        )

    @torch.no_grad()
    def _run(self, batch: Batch, silent: Silent) -> Answer:
        if not silent:
            return self._model(*batch.inputs)
        # The heads of a single layer are named by a number; in a model with more layers, by (layer, head).
        ablate = [(int(n.rsplit("_", 1)[1]), h) if "_" in n else h for n, h in silent]
        return self._model(*batch.inputs, ablate=ablate)


def _packed(layers: Maps) -> bytes:
    """Pack the maps of all layers: one byte for each weight, and zero for a zero."""
    return b"".join(map(_in_bins, layers.values()))


def _in_bins(maps: Float[Tensor, "h n m"]) -> bytes:
    bins = (maps.double() * _BINS).floor() + 1
    packed: bytes = (bins * (maps > 0)).to(torch.uint8).numpy().tobytes()
    return packed


def _checked(attention: Tensor | Mapping[str, Tensor], rows: Sequence[str], columns: Sequence[str]) -> Maps:
    """Return each layer's maps as [h, n, m], after checking that they can be drawn."""
    given = attention if isinstance(attention, Mapping) else {"attention": attention}
    if max(len(rows), len(columns)) > _MOST_WORDS:
        raise ValueError(
            f"there are {len(rows)} rows and {len(columns)} columns, but this widget draws at most "
            f"{_MOST_WORDS} words: choose a shorter example"
        )
    maps = {}
    for name, weights in given.items():
        weights = torch.as_tensor(weights).detach().float()
        weights = weights[None] if weights.ndim == 2 else weights
        if weights.ndim != 3 or weights.shape[1:] != (len(rows), len(columns)):
            raise ValueError(
                f"{name} has shape {tuple(weights.shape)}, but with {len(rows)} rows and "
                f"{len(columns)} columns it needs the shape (heads, {len(rows)}, {len(columns)})"
            )
        if not bool(((weights >= 0) & (weights <= 1.0001)).all()):
            worst = weights[~((weights >= 0) & (weights <= 1.0001))][0].item()
            raise ValueError(
                f"{name} holds {worst}, but attention weights lie between 0 and 1: "
                "hand over the weights, after softmax, not the scores"
            )
        maps[name] = weights.clamp_max(1)
    count = sum(weights.numel() for weights in maps.values())
    if count > _MOST_WEIGHTS:
        side = math.isqrt(_MOST_WEIGHTS // sum(len(weights) for weights in maps.values()))
        raise ValueError(
            f"there are {count:,} weights, but this widget shows at most {_MOST_WEIGHTS:,}: "
            f"choose fewer heads, or at most {side} words"
        )
    return maps
