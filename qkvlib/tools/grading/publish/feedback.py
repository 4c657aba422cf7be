"""Pack every student's report into one zip, with the file names that Canvas or Moodle expects.

Both platforms find a file's owner by the name that they gave it when the class's work was downloaded.
Gradescope takes no such zip: there an autograder's results.json is the report.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.publish.tables import file_name

# Canvas reads the first two numbers between underscores: the student's and the file's.
_CANVAS = re.compile(r".+?(?:_LATE)?_\d+_\d+_.+|(?:LATE_)?anon_[A-Za-z0-9]+_\d+_.+", re.DOTALL)
_MOODLE = re.compile(r"(.+?_\d+_assignsubmission_file)_?(.*)", re.DOTALL)
_MAIN = re.compile(r"<main>(.*)</main>", re.DOTALL)


def write_feedback(out: Path, handed_in: Iterable[tuple[str, str]]) -> tuple[list[Path], list[str]]:
    """Pack the reports in `out`; each gets the name of a file that its student handed in.

    Return the zips' paths, and a line for each student who is in none.
    """
    packed: dict[str, dict[str, str]] = {"canvas": {}, "moodle": {}}
    problems, nameless = [], 0
    for student, name in handed_in:
        report = out / "reports" / f"{file_name(student)}.html"
        if not report.exists():
            problems.append(f"{student}: no report. Run `qkv grade` on the same submissions first")
            continue
        html = report.read_text(encoding="utf-8")
        if not _can_be_in_a_zip(name):
            problems.append(f"{student}: {name[:100]!r} is not Unicode, and can be in no zip")
        elif moodle := _moodle_folder(name):
            packed["moodle"][f"{moodle}/feedback.html"] = html
        elif "/" not in name and _CANVAS.fullmatch(name):
            packed["canvas"][name] = _notebook(html)
        else:
            nameless += 1
    if nameless:
        problems.append(
            f"{nameless} handed in under names that neither Canvas nor Moodle gives, so that no platform "
            f"would know whose a report is: theirs are in {out / 'reports'}"
        )
    written = []
    for platform, files in packed.items():
        if files:
            written.append(out / f"feedback-{platform}.zip")
            write_atomically(written[-1], zipped(files))
    return written, problems


def _can_be_in_a_zip(name: str) -> bool:
    """Tell whether Unicode can write a name: on some disks a name is bytes in any encoding."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _moodle_folder(name: str) -> str | None:
    """Return the folder in which Moodle looks for a student's feedback, whether or not it made folders.

    Only the first part of a name is Moodle's; the rest is the student's.
    """
    match = _MOODLE.fullmatch(name.partition("/")[0])
    return f"{match[1]}_" if match else None


def _notebook(html: str) -> str:
    """Return a report as a notebook: Canvas returns a file under the name it was handed in with."""
    found = _MAIN.search(html)
    assert found is not None, "a report has a main part"
    shown = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/html": found[1].strip(), "text/plain": "This needs Jupyter in a browser."},
    }
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "feedback",
        "metadata": {},
        "execution_count": None,
        "source": "# What was found in your work. There is nothing to run.",
        "outputs": [shown],
    }
    python = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": python, "cells": [cell]}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def zipped(files: Mapping[str, str | bytes], programs: Collection[str] = ()) -> bytes:
    """Return a zip of these files by their names; the same files give the same bytes."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, content in sorted(files.items()):
            member = zipfile.ZipInfo(name)
            member.create_system = 3  # Unix, so that the permissions count
            member.external_attr = (0o100755 if name in programs else 0o100644) << 16
            archive.writestr(member, content, zipfile.ZIP_DEFLATED)
    return found.getvalue()
