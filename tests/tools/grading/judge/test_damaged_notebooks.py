"""Test that honest answers get full marks, whatever state the notebook around them is in."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError, read_notebook
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.child.cells import parsed
from qkvlib.tools.grading.sandbox.child.tensors import pack
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import Sandbox, SandboxHost
from tests.tools.grading.classroom import FULL, HASTY, IMPORTS, MOST, NAMES, RIGHT, notebook

DOT, COSINE, NEAREST = RIGHT.values()
STUBS = [f"def {name}(*inputs):\n    raise NotImplementedError" for name in RIGHT]
HALVES = COSINE.split("    b = ")

CELLS: dict[str, list[str]] = {
    "as it should be": FULL,
    "imports deleted": [DOT, COSINE, NEAREST],
    "check cells deleted": [IMPORTS, *(code[: code.rindex("\n")] for code in RIGHT.values())],
    "check cells changed": [IMPORTS, *(code.replace("check(", "print(") for code in FULL[1:])],
    "check cells broken": [
        part
        for code in RIGHT.values()
        for part in (code[: code.rindex("\n")], "dot = = check((dot)", "dot == check(dot, 1, 2)")
    ],
    "cells in the opposite order": FULL[::-1],
    "cells twice": FULL * 2,
    "the untouched stubs after the answers": [*FULL, *STUBS],
    "the untouched stubs before the answers": [*STUBS, *FULL],
    "an older wrong answer left in": [IMPORTS, "def dot(a, b):\n    return a * b", *FULL],
    "a function split over two cells": [IMPORTS, DOT, HALVES[0], "    b = " + HALVES[1], NEAREST],
    "all in one cell": ["\n".join(FULL)],
    "magics": ["%matplotlib inline\n%load_ext autoreload\n!pip install torch", *FULL, "?dot"],
    "a magic in an exercise's cell": [IMPORTS, "%%time\n" + DOT, "%%capture out\n" + COSINE, NEAREST],
    "a magic that writes a file": [*FULL, "%%writefile x.py\ndef broken(:", "%%bash\nrm -rf /"],
    "a syntax error in another cell": ["def f(:\n  pass", *FULL, "for"],
    "a cell that raises": ["1 / 0", "x = 1 / 0", *FULL, "raise SystemExit"],
    "a module that is not there": ["from google.colab import drive\nimport torch", *FULL],
    "a missing module above the function": ["import seaborn_\n" + DOT, COSINE, NEAREST],
    "warnings": ["import warnings\nwarnings.simplefilter('error')", *FULL],
    "a warning on stderr in a function": [
        DOT.replace("return", "import sys; print('old', file=sys.stderr); return"),
        *FULL[2:],
    ],
    "training left in": [
        *FULL,
        "for step in range(10**9):\n    dot(torch.ones(3), torch.ones(3))",
        "recording = train(model, steps=10**9)",
    ],
    "a cell that never ends": ["x = input('?')\nwhile True:\n    pass", *FULL],
    "the lesson's own calls of what it lends": [
        "from qkvlib import dot, nearest\nx = dot(torch.ones(2), torch.ones(2))",
        *FULL,
        "y = nearest(x, x)",
        "z = dot(x, x)",
        "w = nearest(z, z)",
    ],
    "several cells that never end": [*("x = [0 for _ in iter(int, 1)]",) * 5, *FULL],
    "a helper in a cell of its own": [
        "def length(x):\n    return x.norm(dim=-1, keepdim=True)",
        COSINE.replace("a.norm(dim=-1, keepdim=True)", "length(a)"),
        DOT,
        NEAREST,
    ],
    "a table made by a loop": [
        "table = {}\nfor i in range(3):\n    table[i] = i",
        DOT.replace("return", "assert table[2] == 2\n    return"),
        COSINE,
        NEAREST,
    ],
    "a function defined in a condition": [
        "if True:\n" + "\n".join("    " + line for line in DOT.splitlines()),
        COSINE,
        NEAREST,
    ],
    "a decorator": [
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def g(*a):\n"
        "        return f(*a)\n    return g",
        "@logged\n" + DOT,
        COSINE,
        NEAREST,
    ],
    "type hints and dataclasses": [
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from torch import Tensor\nfrom jaxtyping import Float\n"
        "@dataclass\nclass A:\n    x: Tensor",
        DOT.replace("(a, b)", '(a: Float[Tensor, "d"], b: Tensor) -> Tensor', 1),
        COSINE,
        NEAREST,
    ],
    "widgets and figures": [
        "from qkvlib import Vectors, AttentionLab, predict\nfrom qkvlib.figures import heatmap",
        "lab = AttentionLab(x=1)\nlab.show()\na, b = lab.w_q\nclass Mine(Vectors):\n    pass",
        *FULL,
    ],
}


ETE = "\u00e9t\u00e9"


def _text(change: Callable[[dict], None] | None = None, cells: list[str] = FULL) -> str:  # type: ignore[type-arg]
    made = notebook(cells)
    if change:
        change(made)
    return json.dumps(made)


def _without_metadata(made: dict) -> None:  # type: ignore[type-arg]
    made.pop("metadata")
    for cell in made["cells"]:
        for name in ("metadata", "outputs", "execution_count"):
            cell.pop(name)


def _lines(made: dict) -> None:  # type: ignore[type-arg]
    for cell in made["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)


def _strange_cells(made: dict) -> None:  # type: ignore[type-arg]
    made["cells"] += [None, 5, {}, {"cell_type": "code"}, {"cell_type": "code", "source": 7}]
    made["cells"].append({"cell_type": "code", "source": [1, None, "x = 1"]})


def _much_output(made: dict) -> None:  # type: ignore[type-arg]
    made["cells"][0]["outputs"] = [{"output_type": "stream", "text": "x" * (1 << 20)}] * 20


BYTES: dict[str, bytes] = {
    "metadata stripped": _text(_without_metadata).encode(),
    "lines in lists": _text(_lines).encode(),
    "strange cells": _text(_strange_cells).encode(),
    "20 MB of output": _text(_much_output).encode(),
    "a byte order mark": b"\xef\xbb\xbf" + _text().encode(),
    "UTF-16": _text().encode("utf-16"),
    "Latin-1": _text(cells=["# " + ETE, *FULL]).replace("\\u00e9", ETE[0]).encode("latin-1"),
    "Windows line ends": json.dumps(notebook([c.replace("\n", "\r\n") for c in FULL]), indent=1)
    .replace("\n", "\r\n")
    .encode(),
    "line ends of an old Mac": _text(cells=[c.replace("\n", "\r") for c in FULL]).encode(),
    "rubbish at the end": _text().encode() + b"\0\0\0\n<<<<",
    "real tabs in the text": _text(cells=["x = 'a\tb'", *FULL]).replace("\\t", "\t").encode(),
}


@pytest.fixture(scope="module")
def judge(host: SandboxHost) -> Judge:
    return Judge(host)


@pytest.mark.parametrize("state", CELLS)
def test_right_answers_in_a_bad_notebook_get_full_marks(state: str, judge: Judge) -> None:
    cells = read_notebook(json.dumps(notebook(CELLS[state])).encode()).cells
    verdicts = judge.notebook(cells, NAMES, 1)
    assert sum(verdict.points for verdict in verdicts) == MOST, verdicts


@pytest.mark.parametrize("room", ["\n", "\r\n", "  \n", "\n\t\n"])
def test_a_cell_that_begins_with_room_runs_no_other_once_more(room: str) -> None:
    after = [room + "y = 1", room + "    y = 1"]
    assert [len(found) for _, found in parsed(["x = 1", after[0]])] == [1, 1]
    assert [len(found) for _, found in parsed(["def f():", after[1]])] == [1]


@pytest.mark.parametrize(("line", "looks"), [("dot", 1), ("'a note'", 1), ("dot.shape", 2)])
def test_what_raised_is_looked_at_again_where_a_line_that_may_matter_was_left_out(
    line: str, looks: int, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Sandbox] = []
    take = judge.host._next
    monkeypatch.setattr(judge.host, "_next", lambda *given: opened.append(take(*given)) or opened[-1])
    (verdict,) = judge.notebook(["def dot(a, b):\n    return [][0]", line], ["dot"], 1)
    assert verdict.outcome == "raised"
    assert len(opened) == looks


def test_a_puzzle_that_was_looked_at_and_tried_is_no_hindrance(judge: Judge) -> None:
    answer = (
        "from qkvlib import check, puzzle\n\n"
        "def order_the_heads():\n"
        '    puzzle("order_the_heads", "EJ")\n'
        '    return "EJBHAIFC"\n'
        "order_the_heads = check(order_the_heads)"
    )
    trying = ['puzzle("order_the_heads")', 'puzzle("order_the_heads", "EJB")']
    for cells in ([*trying, answer], [answer, *trying]):
        read = read_notebook(json.dumps(notebook(cells)).encode()).cells
        (verdict,) = judge.notebook(read, ["order_the_heads"], 1)
        assert verdict.points == EXERCISES["order_the_heads"].points


@pytest.mark.parametrize("state", BYTES)
def test_right_answers_in_a_bad_file_get_full_marks(state: str, judge: Judge) -> None:
    verdicts = judge.notebook(read_notebook(BYTES[state]).cells, NAMES, 1)
    assert sum(verdict.points for verdict in verdicts) == MOST, verdicts


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 99, b"%PDF-1.7", b"[]", b"{}", b'{"cells": 5}', b'{"cells": [', b"[" * 99_999]
)
def test_what_is_no_notebook_is_called_so(data: bytes) -> None:
    with pytest.raises(NotANotebookError, match=r"it (is|has)"):
        read_notebook(data)


def test_an_answer_in_words_is_found_by_its_comment() -> None:
    made = notebook([("markdown", "<!-- answer: why-scale, 3 points -->\n\nBecause.")])
    (answer,) = read_notebook(json.dumps(made).encode()).answers
    assert (answer.name, answer.points, answer.text) == ("why-scale", 3, "Because.")


def test_the_first_step_of_an_optimiser_is_in_time() -> None:
    """It loads half of torch, which takes longer than a call may last."""
    step = """def dot(a, b):
    w = torch.nn.Parameter(torch.zeros((), dtype=a.dtype))
    optimiser = torch.optim.SGD([w], lr=1.0)
    (-w * (a * b).sum()).backward()
    optimiser.step()
    return w.detach()"""
    judge = Judge(SandboxHost(WallPlan()), HASTY)
    (verdict,) = judge.notebook([step], ["dot"], 1)
    judge.host.close()
    assert verdict.outcome == "right", verdict


def test_an_exercise_that_builds_on_another_is_judged_though_that_one_is_wrong(judge: Judge) -> None:
    """In the notebook `check` returns the course's own function, so the grader uses it too."""
    wrong = "def cosine_similarity(a, b):\n    raise NotImplementedError"
    by_name = judge.notebook([wrong, NEAREST], NAMES, 1)[NAMES.index("nearest")]
    assert by_name.outcome == "right"
    for start in ("import qkvlib as q", "from qkvlib import attention as q", "import qkvlib.attention as q"):
        imported = NEAREST.replace("cosine_similarity(", "q.cosine_similarity(")
        verdict = judge.notebook([start, imported], NAMES, 1)[NAMES.index("nearest")]
        assert verdict.outcome == "right", start


def test_what_is_lent_can_be_called_by_its_arguments_names(judge: Judge) -> None:
    start = "from qkvlib import attention as q"
    named = NEAREST.replace(
        "cosine_similarity(query[None], keys)", "q.cosine_similarity(query[None], b=keys)"
    )
    assert named != NEAREST
    verdict = judge.notebook([start, named], NAMES, 1)[NAMES.index("nearest")]
    assert verdict.outcome == "right"
    unknown = named.replace("b=keys", "other=keys")
    verdict = judge.notebook([start, unknown], NAMES, 1)[NAMES.index("nearest")]
    assert verdict.outcome == "raised"


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_draws_the_same_cases_twice(name: str) -> None:
    """The grader draws them before the verdict, and both must be the same calls."""
    first, second = (pack(tuple(c.inputs for c in EXERCISES[name].draw(9))) for _ in range(2))
    assert (first.tree, first.payload) == (second.tree, second.payload)
