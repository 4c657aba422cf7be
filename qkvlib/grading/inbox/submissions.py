"""Find who handed in what, in a folder or a zip, as the common systems arrange it.

    Canvas       doejane_LATE_1234_5678_02_lookup-1.ipynb
    Moodle       Jane Doe_1234_assignsubmission_file_/02_lookup.ipynb   (or without the folder)
    Blackboard   Lookup_jdoe_attempt_2026-11-20-23-10-05_02_lookup.ipynb
    Gradescope   submission_1234/02_lookup.ipynb
    nbgrader     submitted/jdoe/02_lookup/02_lookup.ipynb, with timestamp.txt beside it
    else         jdoe/anything/02_lookup.ipynb, jdoe__02_lookup.ipynb or jdoe.ipynb

Trusted code, untrusted names. Nothing is unpacked to disk, so no name can point elsewhere.
"""

from __future__ import annotations

import datetime
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from qkvlib.grading.inbox.notebook_file import LARGEST_FILE, NotANotebookError
from qkvlib.grading.sandbox.child.text import clean

_CANVAS = re.compile(r"(?P<who>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<name>.+)")
_MOODLE = re.compile(r"(?P<who>[^/]+)_(?P<id>\d+)_assignsubmission_file_?/?(?P<name>.*)")
_BLACKBOARD = re.compile(
    r".+_(?P<who>[^_]+)_attempt_(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)_(?P<name>.+)"
)
_GRADESCOPE = re.compile(r"(?P<who>submission_(?P<id>\d+))/(?P<name>.+)")
_COPY = re.compile(r"(?:-(\d{1,3})|-Copy(\d{1,3})| ?\((\d{1,3})\)| copy ?(\d{0,3}))$")
_NO_NOTEBOOK = {".pdf", ".py", ".docx", ".zip", ".html", ".txt", ".md", ".rar", ".7z", ".odt"}


@dataclass(frozen=True)
class Student:
    """Who handed in: `key` is unique in the class, `number` the platform's own, if known."""

    key: str
    name: str
    number: str = ""


@dataclass(frozen=True)
class File:
    """One file that was handed in; `member` is its name inside the zip `path`."""

    student: Student
    name: str
    path: Path
    member: str | None
    when: float
    late: bool = False
    copy: int = 0

    def read(self) -> bytes:
        """Its bytes, up to the largest size that is read at all; or NotANotebookError."""
        try:
            if self.member is None:
                with self.path.open("rb") as file:
                    return file.read(LARGEST_FILE + 1)
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as file:
                return file.read(LARGEST_FILE + 1)
        except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
            raise NotANotebookError(f"it cannot be read: {error}") from None


@dataclass(frozen=True)
class Submission:
    """What counts of one student's files, and what was handed in before them."""

    student: Student
    files: tuple[File, ...]
    earlier: tuple[File, ...]


def find_submissions(place: Path) -> tuple[list[Submission], list[str]]:
    """Every student's submission under a folder or in a zip, and a line for each odd file."""
    entries = list(_in_zip(place) if place.is_file() else _in_folder(place))
    files, problems = [], []
    for name, path, member, when in entries:
        suffix = PurePosixPath(name).suffix.lower()
        if suffix == ".ipynb":
            files.append(_placed(name, path, member, when))
        elif suffix in _NO_NOTEBOOK and PurePosixPath(name).name != "timestamp.txt":
            problems.append(f"{clean(name, 200)}: not a notebook, so it is not graded")
    return _by_student(files), problems


def _in_folder(place: Path) -> Iterator[tuple[str, Path, None, float]]:
    if not place.is_dir():
        raise FileNotFoundError(f"{place} is neither a folder nor a zip file")
    for folder, inner, names in os.walk(place):
        inner[:] = sorted(x for x in inner if not x.startswith((".", "__MACOSX")))
        stamp = _nbgrader_time(Path(folder) / "timestamp.txt")
        for name in sorted(names):
            path = Path(folder) / name
            if name.startswith(".") or path.is_symlink():
                continue
            when = stamp if stamp is not None else path.stat().st_mtime
            yield path.relative_to(place).as_posix(), path, None, when


def _in_zip(place: Path) -> Iterator[tuple[str, Path, str, float]]:
    try:
        with zipfile.ZipFile(place) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise FileNotFoundError(f"{place} cannot be read as a zip file: {error}") from None
    for member in sorted(members, key=lambda member: member.filename):
        name = member.filename.replace("\\", "/")
        parts = [part for part in name.split("/") if part.strip(".")]
        hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
        if not member.is_dir() and not hidden:
            try:
                when = datetime.datetime(*member.date_time).timestamp()
            except (ValueError, OverflowError):
                when = 0.0
            yield name, place, member.filename, when


def _nbgrader_time(path: Path) -> float | None:
    try:
        words = path.read_text(encoding="utf-8")[:40].strip().removesuffix(" UTC")
        found = datetime.datetime.fromisoformat(words)
    except (OSError, ValueError):
        return None
    return found.replace(tzinfo=found.tzinfo or datetime.timezone.utc).timestamp()


def _placed(name: str, path: Path, member: str | None, when: float) -> File:
    """Whose file this is, by the first pattern that fits."""
    parts = [part for part in name.split("/") if part not in ("", "..", ".")]
    if "submitted" in parts[:-2]:
        parts = parts[parts.index("submitted") + 1 :]
    stem = parts[-1][: -len(".ipynb")]
    late, file = False, stem
    tail = "/".join([*parts[-2:-1], stem])
    if (found := _MOODLE.fullmatch(tail)) or (found := _GRADESCOPE.fullmatch(tail)):
        student, file = _student(found["who"], found["id"]), found["name"] or stem
    elif found := _MOODLE.fullmatch(stem):
        student, file = _student(found["who"], found["id"]), found["name"] or "notebook"
    elif found := _BLACKBOARD.fullmatch(stem):
        student, file = _student(found["who"]), found["name"]
        moment = datetime.datetime.strptime(found["when"], "%Y-%m-%d-%H-%M-%S")
        when = moment.timestamp()
    elif found := _CANVAS.fullmatch(stem):
        student, file = _student(found["who"], found["id"]), found["name"]
        late = bool(found["late"])
    elif len(parts) > 1:
        student = _student(parts[0])
    else:
        who, _, rest = stem.partition("__")
        student, file = _student(who), rest or "notebook"
    file, copy = _without_copy_mark(file.rsplit("/", 1)[-1])
    return File(student, clean(file, 120), path, member, when, late, copy)


def _student(who: str, number: str = "") -> Student:
    name = clean(who, 100).replace("\n", " ").strip() or "nobody"
    return Student(f"{name}_{number}" if number else name, name, number)


def _without_copy_mark(name: str) -> tuple[str, int]:
    """'lookup-2' is the second resubmission of 'lookup'; 'lookup (1)' a browser's copy."""
    found = _COPY.search(name)
    if not found or found.start() == 0:
        return name, 0
    digits = next((group for group in found.groups() if group), "1")
    return name[: found.start()], int(digits)


def _by_student(files: Iterable[File]) -> list[Submission]:
    """The latest of each student's notebooks counts; all are kept."""
    students: dict[str, dict[str, list[File]]] = {}
    for file in files:
        students.setdefault(file.student.key, {}).setdefault(file.name, []).append(file)
    found = []
    for _, notebooks in sorted(students.items()):
        latest, earlier = [], []
        for versions in notebooks.values():
            versions.sort(key=lambda file: (file.when, file.copy))
            latest.append(versions[-1])
            earlier += versions[:-1]
        found.append(Submission(latest[0].student, tuple(latest), tuple(earlier)))
    return found
