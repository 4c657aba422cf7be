"""Test that the fingerprint covers everything a verdict depends on, so that changes regrade all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import qkvlib
from qkvlib.tools.grading.queue.grade_class import JUDGES_NOTHING, fingerprint
from tests.test_architecture import MODULES, imported

PACKAGE = Path(qkvlib.__file__).resolve().parent


def judging() -> list[str]:
    """Return every file of the package that is loaded for judging, including the grader's own."""
    code = (
        "import sys\nimport qkvlib.tools.grading.queue.worker\n"
        "import qkvlib.tools.grading.judge.grade_submission\n"
        "for name, module in sys.modules.items():\n"
        "    if name.split('.')[0] == 'qkvlib': print(module.__file__)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return sorted(str(Path(file).relative_to(PACKAGE)) for file in ran.stdout.splitlines())


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy") / "qkvlib"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def before(package: Path) -> str:
    return fingerprint(["dot"], package)


def with_one_more(path: Path, package: Path) -> str:
    """Return the fingerprint when this file has one more character."""
    text = path.read_bytes() if path.exists() else None
    path.write_bytes((text or b"") + b"#")
    try:
        return fingerprint(["dot"], package)
    finally:
        path.unlink() if text is None else path.write_bytes(text)


def test_whatever_is_loaded_to_judge_counts(package: Path, before: str, swept_too: bool) -> None:
    files = judging()
    assert "tools/grading/judge/judging.py" in files
    files = files if swept_too else files[::8]
    assert not [file for file in files if with_one_more(package / file, package) == before]


def test_nothing_that_judges_imports_what_the_fingerprint_leaves_out() -> None:
    """This includes imports in functions that no test calls."""
    grading = "qkvlib.tools.grading"
    judges = ("qkvlib.exercises", "qkvlib.checking", f"{grading}.queue.worker")
    judges += tuple(f"{grading}.{at}" for at in ("judge", "sandbox", "inbox"))
    left = [name for name in MODULES if name.startswith(judges)]
    seen = set[str]()
    while left:
        seen.add(name := left.pop())
        left += imported(name) - seen
    reached = {MODULES[name].relative_to(PACKAGE).as_posix() for name in seen}
    assert "calling/call.py" in reached
    assert not [place for place in reached if place.startswith(JUDGES_NOTHING)]


@pytest.mark.parametrize("place", JUDGES_NOTHING)
def test_what_judges_nothing_is_not_graded_again(place: str, package: Path, before: str) -> None:
    path = package / place
    assert path.exists()
    file = path if path.is_file() else path / "one_more.py"
    assert with_one_more(file, package) == before


def test_a_file_that_moves_counts(package: Path, before: str) -> None:
    old, new = package / "attention.py", package / "exercises" / "moved_here.py"
    old.rename(new)
    try:
        assert fingerprint(["dot"], package) != before
    finally:
        new.rename(old)
    assert fingerprint(["dot"], package) == before


@pytest.mark.parametrize("file", ["tools/grading/README.md", "widgets/style.css", "data/table.csv"])
def test_words_and_styles_change_no_verdict(file: str, package: Path, before: str) -> None:
    assert with_one_more(package / file, package) == before


def test_other_exercises_are_another_class(package: Path, before: str) -> None:
    assert fingerprint(["dot", "nearest"], package) != before
