"""Make a course folder for nbgrader from the solution notebooks: `source/NN_name/NN_name.ipynb`.

nbgrader takes the last value of a test cell as its points. The lesson's own check cell ends with the function
to go on with, so in this folder it ends with the verdict's points instead.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeAlias

from qkvlib.learner.files import write_atomically

Cell: TypeAlias = dict[str, Any]  # of our own notebooks, as JSON

_CHECKS = re.compile(r"^(\w+) = check\(\1\)$", re.MULTILINE)
_CONFIG = """c = get_config()
c.CourseDirectory.course_id = "qkvlib"
# A lesson shows widgets and trains small models; a minute for each cell is enough.
c.ExecutePreprocessor.timeout = 60
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
"""


def write_course(solutions: Path, course: Path) -> list[Path]:
    """Write the course folder and return the paths of its notebooks."""
    sources = sorted(solutions.glob("[0-9][0-9]_*.ipynb"))
    if not sources:
        raise FileNotFoundError(f"no NN_name.ipynb in {solutions}: run this in the repository")
    config = course / "nbgrader_config.py"
    if not config.exists():
        write_atomically(config, _CONFIG)
    written = []
    for source in sources:
        notebook = json.loads(source.read_text(encoding="utf-8"))
        notebook["cells"] = [cell for cell in notebook["cells"] if not _is_for_instructors(cell)]
        for cell in notebook["cells"]:
            _adapt(cell)
        path = course / "source" / source.stem / source.name
        write_atomically(path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        written.append(path)
    return written


def _is_for_instructors(cell: Cell) -> bool:
    return "solution-only" in cell["metadata"].get("tags", [])


def _adapt(cell: Cell) -> None:
    """Make a check cell's last value its points, and delete the outputs, which give answers away."""
    if cell["cell_type"] != "code":
        return
    cell["outputs"], cell["execution_count"] = [], None
    if not cell["metadata"].get("nbgrader", {}).get("grade"):
        return
    source = "".join(cell["source"])
    found = _CHECKS.search(source)
    if found:
        name = found[1]
        judge = f'{name}_points = verdict("{name}", {name}).points\n'
        cell["source"] = f"from qkvlib.checking import verdict\n\n{judge}{source}\n{name}_points"
