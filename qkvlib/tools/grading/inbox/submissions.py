"""Find who handed in what, in a folder or a zip, as the common systems arrange it.

    Canvas       doejane_LATE_1234_5678_02_lookup-1.ipynb, anon_aB3xY_5678_02_lookup.ipynb,
                 doejane_1234_text.html
    Moodle       Jane Doe_1234_assignsubmission_file_/02_lookup.ipynb   (or without the folder)
    Blackboard   Lookup_jdoe_attempt_2026-11-20-23-10-05_02_lookup.ipynb
    Gradescope   assignment_7_export/submission_1234/02_lookup.ipynb, with submission_metadata.yml
    nbgrader     submitted/jdoe/02_lookup/02_lookup.ipynb, with timestamp.txt beside it
    else         jdoe/anything/02_lookup.ipynb, jdoe__02_lookup.ipynb or jdoe.ipynb

Trusted code, untrusted names. A platform writes the beginning of a name, or the folder around it;
what comes after that, or lies deeper, is the student's and says nothing of whose it is or when it
came. Nothing is unpacked to disk, so no name can point elsewhere. A time is believed where a
platform wrote it (Blackboard's names, nbgrader's stamp, Gradescope's table) or git did. The dates of
files are those of a download, a copy or a student's computer.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import IO

from qkvlib.tools.grading.inbox import gradescope
from qkvlib.tools.grading.inbox.commit_times import committed, is_out_of_time, ordinary
from qkvlib.tools.grading.inbox.notebook_file import LARGEST_FILE, NotANotebookError
from qkvlib.tools.grading.results import ANONYMOUS
from qkvlib.tools.grading.sandbox.child.text import clean

# Each pattern reads a name from the left, and only the part that the platform wrote. The student's own part
# is the last group.
_MOMENT = r"\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d"
_CANVAS = re.compile(
    rf"(?P<late2>LATE_)?(?P<who2>{ANONYMOUS.pattern})_\d+_(.+)"
    r"|(?P<who>(?:(?!__).)+?)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<name>.+)",
    re.DOTALL,  # a name may contain a line break
)
# What was typed into Canvas's own page, or a link that was put there.
_CANVAS_TEXT = re.compile(
    rf"(?:(?P<late2>LATE_)?(?P<who2>{ANONYMOUS.pattern})"
    r"|(?P<who>(?:(?!__).)+?)(?P<late>_LATE)?_(?P<id>\d+))_(?P<name>text|link)",
    re.DOTALL,
)
_MOODLE_MARK = r"(?P<who>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?"
_MOODLE = re.compile(rf"{_MOODLE_MARK}(?P<name>.*)", re.DOTALL)
_BLACKBOARD = re.compile(rf"(?P<head>.+?_(?P<who>[^_]+))_attempt_(?P<when>{_MOMENT})_(?P<name>.+)", re.DOTALL)
_ANYBODY = re.compile(r"(?P<who>.+?)__(?P<name>.+)", re.DOTALL)
_FILES = (_MOODLE, _BLACKBOARD, _CANVAS)
_MOODLE_FOLDER = re.compile(_MOODLE_MARK)
_GRADESCOPE = re.compile(r"(?P<who>submission_(?P<id>\d+))")
_EXPORT = re.compile(r"assignment_\d+_export")
_AROUND_THE_CLASS = re.compile(rf"submitted|{_EXPORT.pattern}")
# For names without a number from the platform: what looks like a formula, or like one of our own marks.
_ODD = re.compile(r"""^\W|[;|"~]""")
_COPY = re.compile(r"(?:-(\d{1,3})|-Copy(\d{1,3})| ?\((\d{1,3})\)| copy ?(\d{0,3}))$")
_MOST_FILES = 200
_MOST_FOLDERS = 40  # nested folders; more than any platform makes, and fewer than a path can hold
_MOST_SHARED = 1_000  # a group's files that count for each of its members
_MOST_LINES = 5  # about one student's files
_NOTEBOOK = re.compile(r"\.ipynb(?:\.json|\.txt)?$", re.IGNORECASE)  # some browsers append an ending


@dataclass(frozen=True)
class Student:
    """Who handed in the work: `key` is unique in the class, `number` is the platform's own, if known."""

    key: str
    name: str
    number: str = ""


@dataclass(frozen=True)
class File:
    """One submitted file; `member` is its name inside the zip `path`.

    `when` is the time that a platform recorded. `dated` is the file's own date: it decides which of two
    versions is the later one, and makes nobody late.
    """

    student: Student
    name: str
    path: Path
    member: str | None
    when: float | None
    dated: float = 0.0
    late: bool = False
    copy: int = 0

    def read(self) -> bytes:
        """Return its bytes, or raise NotANotebookError if it is larger than we read."""
        try:
            with _opened(self.path, self.member) as file:
                # `read` reserves what it is asked for.
                size = LARGEST_FILE if self.member else os.fstat(file.fileno()).st_size
                return file.read(min(size, LARGEST_FILE) + 1)
        except Exception as error:  # a damaged zip can raise anything
            raise NotANotebookError(f"it cannot be read: {_line(str(error), 200)}") from None


@dataclass(frozen=True)
class Submission:
    """A student's files that count, the earlier ones, and those that are not read."""

    student: Student
    files: tuple[File, ...]
    earlier: tuple[File, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Entry:
    """A file in the class's folder or zip: its name there, and where to read it.

    A folder counts as its owner's, even if it is empty. The name says who the `owner` is, unless the platform
    says it elsewhere.
    """

    name: str
    path: Path
    member: str | None
    dated: float = 0.0
    when: float | None = None
    is_folder: bool = False
    owner: Student | None = None

    @property
    def parts(self) -> list[str]:
        """Return the folders and the file, without the folder that the platform puts around the class."""
        parts = [part for part in self.name.split("/") if part not in ("", "..", ".")]
        around = _AROUND_THE_CLASS if len(parts) > 2 else _EXPORT
        return parts[1:] if len(parts) > 1 and around.fullmatch(parts[0]) else parts

    @property
    def stem(self) -> str:
        """Return the file's name without its extension."""
        name = PurePosixPath(self.name).name
        return _NOTEBOOK.sub("", name) if self.is_notebook else PurePosixPath(name).stem

    @property
    def is_notebook(self) -> bool:
        """Tell from its name whether it is a notebook."""
        return bool(_NOTEBOOK.search(self.name)) and not self.is_folder


def find_submissions(place: Path) -> tuple[list[Submission], list[str]]:
    """Return everyone who handed in anything, from a folder or a zip, and a line for each odd file."""
    problems: list[str] = []
    entries = list(_in_zip(place) if place.is_file() else _in_folder(place, problems))
    entries = _with_gradescopes_owners(entries, problems)
    notebooks = [entry for entry in entries if entry.is_notebook]
    flat = [entry.stem for entry in notebooks if len(entry.parts) == 1]
    form = next((form for form in _FILES if flat and all(map(form.fullmatch, flat))), None)
    users = _blackboard_users(flat)
    files = [_placed(entry, form, users) for entry in notebooks]
    problems += [
        f"{name}: the end of this name is that of others, too, so all of it is the student's"
        for name in sorted(set(users.values()))
        if "_" in name
    ]
    odd = {
        file.student.name: _line(entry.name, 200)
        for entry, file in zip(reversed(notebooks), reversed(files), strict=True)
        if _speaks_of_another(entry)
    }
    problems += [
        f"{name}: counts as {student}'s, though it holds a name as platforms write it. Is the "
        "class's folder further down? Then grade that"
        for student, name in odd.items()
    ]
    rest = [entry for entry in entries if not entry.is_notebook]
    if form is _CANVAS or (form is None and (not flat or any(map(_CANVAS.fullmatch, flat)))):
        rest = [_with_canvas_author(entry) for entry in rest]
    others = _others(rest, form, users, problems)
    found_all = _by_student(files, others)
    problems += _only_alike([one.student for one in found_all])
    problems += [
        f"{one.student.name}: of {len(one.files)} notebooks the first {_MOST_FILES} are read"
        for one in found_all
        if len(one.files) > _MOST_FILES
    ]
    return [replace(one, files=one.files[:_MOST_FILES]) for one in found_all], problems


def _with_canvas_author(entry: _Entry) -> _Entry:
    """Return the entry with its owner, if it is a text or a link that was typed into Canvas's page."""
    is_page = len(entry.parts) == 1 and not entry.is_folder and entry.name.endswith(".html")
    found = _CANVAS_TEXT.fullmatch(entry.stem) if is_page else None
    if found is None or _CANVAS.fullmatch(entry.stem):
        return entry
    said = found.groupdict("")
    student = _student(said["who"] or said["who2"], said["id"])
    return replace(entry, name=f"{said['name']}.html", owner=student)


def _with_gradescopes_owners(entries: list[_Entry], problems: list[str]) -> list[_Entry]:
    """Return the entries with what Gradescope's table says: a group's work comes once for each member."""
    table = next((one for one in entries if one.parts == [gradescope.NAME] and not one.is_folder), None)
    if table is None:
        return entries
    entries = [entry for entry in entries if entry is not table]
    try:
        with _opened(table.path, table.member) as file:
            listed = gradescope.read_metadata(file)
    except Exception as error:  # a damaged zip can raise anything
        problems.append(f"{gradescope.NAME}: it cannot be read: {clean(str(error), 200)}")
        return entries
    owners = _submitters(listed, problems)
    found, shared = list[_Entry](), Counter[str]()
    for entry in entries:
        folder = entry.parts[0] if entry.parts else ""
        if folder in owners and (entry.is_folder or len(entry.parts) > 1):
            when = listed[folder].when
            shared[folder] += 1
            students = owners[folder] if shared[folder] <= _MOST_SHARED else owners[folder][:1]
            found += [replace(entry, owner=one, when=when) for one in students]
        else:
            found.append(entry)
    if not any(entry.owner for entry in found):
        problems.append(f"{gradescope.NAME}: it names no submission of this class, so nobody has a name")
    return found


def _submitters(
    listed: Mapping[str, gradescope.Listed], problems: list[str]
) -> dict[str, tuple[Student, ...]]:
    """Return the students behind each submission's folder; nobody is in two of them."""
    owners: dict[str, tuple[Student, ...]] = {}
    taken: set[str] = set()
    for folder, one in listed.items():
        students: dict[str, Student] = {}
        for said in one.submitters:
            number = _line(said.get("sid") or said.get("email") or "", 60).strip()
            name = said.get("name") or number
            student = _student(name, number) if name else None
            if student and (student.key in taken or student.name.startswith("submission_")):
                problems.append(f"{student.key}: {folder} is under this name as well. Look whose it is")
                student = _student(name, folder.removeprefix("submission_"))
            if student and student.key not in taken:
                students[student.key] = student
        taken |= students.keys()
        if students:
            owners[folder] = tuple(students.values())
    return owners


def _others(
    entries: Sequence[_Entry],
    form: re.Pattern[str] | None,
    users: Mapping[str, str],
    problems: list[str],
) -> dict[Student, list[str]]:
    """Group the files that are not notebooks by their owner; a file without an owner gets a line at once."""
    found: dict[Student, list[str]] = {}
    for entry in entries:
        if len(entry.parts) == 1 and not entry.is_folder and entry.owner is None:
            if entry.name == "timestamp.txt":
                continue
            if not (form.fullmatch(entry.stem) if form else any(one.fullmatch(entry.stem) for one in _FILES)):
                problems.append(f"{_line(entry.name, 200)}: nobody's, and no notebook: not graded")
                continue
        own = found.setdefault(_placed(entry, form, users).student, [])
        name = PurePosixPath(entry.name).name
        if not entry.is_folder and name != "timestamp.txt":
            own.append(f"{_line(name, 100)} is no notebook, and is not read")
    return found


def _in_folder(place: Path, problems: list[str]) -> Iterator[_Entry]:
    if not place.is_dir():
        raise FileNotFoundError(f"{place} is neither a folder nor a zip file")
    folders = [place]
    while folders:  # a loop instead of recursion: folders may be nested deeper than calls can be
        folder = folders.pop()
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            problems.append(f"{_shown(folder, place)}: it cannot be read: {error.strerror}")
            continue
        depth = len(folder.relative_to(place).parts)
        if depth == 1 and "results.jsonl" in names and not _holds_a_notebook(folder):
            problems.append(f"{_shown(folder, place)}: results of `qkv grade`, passed over")
            continue
        if (whose := _folder_of_a_student(folder.relative_to(place).parts)) is not None:
            yield _Entry(whose, folder, None, is_folder=True)
        inner = []
        for path in (folder / name for name in names):
            if not _is_seen(path.name):
                continue
            within, found = path.relative_to(place).as_posix(), path.lstat()
            if stat.S_ISDIR(found.st_mode):
                inner.append(path)
                if path.suffix == ".ipynb":
                    problems.append(f"{_shown(path, place)}: it is a folder, and no notebook")
            elif stat.S_ISREG(found.st_mode):
                yield _Entry(within, path, None, found.st_mtime, _time_written(place, within, problems))
            elif path.name != "timestamp.txt":
                problems.append(f"{_shown(path, place)}: no ordinary file, so it is not graded")
        if depth < _MOST_FOLDERS:
            folders += reversed(inner)
        elif inner:
            problems.append(f"{_shown(folder, place)}: what lies deeper is not looked at")


def _holds_a_notebook(folder: Path) -> bool:
    """Tell whether there is a notebook at any depth, which there is not among our results."""
    return any(_NOTEBOOK.search(name) for _, _, names in os.walk(folder) for name in names)


def _line(text: str, longest: int) -> str:
    """Return a name from a student as one line: a second one might look like one of ours."""
    return clean(text, longest).replace("\n", " ")


def _folder_of_a_student(parts: Sequence[str]) -> str | None:
    """Return the name of a folder directly below the class's, which is a student's, whatever is in it."""
    if len(parts) == 1 and not _AROUND_THE_CLASS.fullmatch(parts[0]) and _is_seen(parts[0]):
        return parts[0]
    if len(parts) == 2 and _AROUND_THE_CLASS.fullmatch(parts[0]) and _is_seen(parts[1]):
        return parts[1]
    return None


def _is_seen(name: str) -> bool:
    """Tell whether a file or folder is not a hidden one of some system."""
    return not name.startswith((".", "__MACOSX"))


def _shown(path: Path, place: Path) -> str:
    return _line(path.relative_to(place).as_posix(), 200)


def _in_zip(place: Path) -> Iterator[_Entry]:
    try:
        with zipfile.ZipFile(place) as archive:
            members = archive.infolist()
    except Exception as error:  # as above: a damaged zip can raise anything
        raise FileNotFoundError(f"{place} cannot be read as a zip file: {error}") from None
    folders: set[str] = set()
    for member in sorted(members, key=lambda member: member.filename):
        name = member.filename.replace("\\", "/")
        parts = [part for part in name.split("/") if part.strip(".")]
        outer = parts if member.is_dir() else parts[:-1]
        for depth in (1, 2):
            whose = _folder_of_a_student(outer[:depth])
            if whose is not None and whose not in folders:
                folders.add(whose)
                yield _Entry(whose, place, None, is_folder=True)
        if member.is_dir() or not all(map(_is_seen, parts)):
            continue
        dated = 0.0
        with suppress(ValueError, OverflowError):
            dated = datetime.datetime(*member.date_time).timestamp()
        yield _Entry(name, place, member.filename, dated)


def _opened(path: Path, member: str | None) -> IO[bytes]:
    """Open a file, or a member of a zip, for reading."""
    return open(path, "rb", opener=ordinary) if member is None else _archive(path).open(member)


@lru_cache(maxsize=1)  # else the zip's list of names would be read for each file
def _archive(path: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(path)


def _time_written(place: Path, within: str, problems: list[str]) -> float | None:
    """Return when a file was handed in or committed, if that is recorded next to it."""
    if (stamp := _nbgrader_time(place, within)) is not None:
        return stamp
    student, _, rest = within.partition("/")
    if rest and (place / student / ".git").is_dir() and _NOTEBOOK.search(rest):
        found = committed(place / student, rest)
        line = f"{_line(student, 100)}: its history is too long to look for the time of every commit"
        if found is None and is_out_of_time(place / student) and line not in problems:
            problems.append(line)
        return found
    return None


def _nbgrader_time(place: Path, within: str) -> float | None:
    """Return the time in submitted/STUDENT/ASSIGNMENT/timestamp.txt, which nbgrader writes, and no other."""
    parts = within.split("/")
    if place.resolve().name == "submitted":
        stamp = place.joinpath(*parts[:2], "timestamp.txt")
    elif parts[0] == "submitted" and len(parts) > 3:
        stamp = place.joinpath(*parts[:3], "timestamp.txt")
    else:
        return None
    try:
        with open(stamp, "rb", opener=ordinary) as file:
            words = file.read(40).decode("ascii").strip().removesuffix(" UTC")
        found = datetime.datetime.fromisoformat(words)
    except (OSError, ValueError):
        return None
    return found.replace(tzinfo=found.tzinfo or datetime.timezone.utc).timestamp()


def _placed(entry: _Entry, form: re.Pattern[str] | None, users: Mapping[str, str]) -> File:
    """Find the owner of this file. `form` is the naming scheme that all files in no folder share, if any."""
    parts, stem = entry.parts, entry.stem
    when, dated, late, file = entry.when, entry.dated, False, stem
    if entry.owner is not None:
        student = entry.owner
    elif len(parts) > 1 or entry.is_folder:
        found = _MOODLE_FOLDER.fullmatch(parts[0]) or _GRADESCOPE.fullmatch(parts[0])
        student = _student(found["who"], found["id"]) if found else _student(parts[0])
    elif found := form.fullmatch(stem) if form else _first_said(stem):
        said = found.groupdict("")
        who = users.get(said.get("head", ""), said["who"])
        student = _student(who or said["who2"], said.get("id", ""))
        file = found[found.lastindex or 0] or "notebook"
        late = bool(said.get("late") or said.get("late2"))
        if found.re is _CANVAS:
            dated = 0.0  # that is the time of the download
        with suppress(ValueError, OverflowError):
            when = datetime.datetime.strptime(said.get("when", ""), "%Y-%m-%d-%H-%M-%S").timestamp()
    else:
        student, file = _student(stem), "notebook"
    file, copy = _without_copy_mark(file)
    return File(student, _line(file, 120), entry.path, entry.member, when, dated, late, copy)


def _first_said(stem: str) -> re.Match[str] | None:
    """Among several naming schemes, return the one that names its student first, from the left."""
    found = [said for form in (*_FILES, _ANYBODY) if (said := form.fullmatch(stem))]
    return min(found, key=lambda said: said.start(said.lastindex or 0), default=None)


def _blackboard_users(stems: Iterable[str]) -> dict[str, str]:
    """Return the assignment and the user that Blackboard writes before `_attempt_`.

    Either may contain a `_`. The user is what follows the last one, unless that would make two users the
    same: then it is everything in which their names differ.
    """
    found = {said["head"]: said["who"] for said in map(_BLACKBOARD.fullmatch, stems) if said}
    times = Counter(found.values())
    shared = os.path.commonprefix(list(found))  # noqa: RUF071 (letters, not folders)
    start = shared.rfind("_") + 1
    return {head: who if times[who] == 1 else head[start:] for head, who in found.items()}


def _speaks_of_another(entry: _Entry) -> bool:
    """Tell whether the student's own part of a name would, one folder higher, name a student."""
    *folders, _ = entry.parts[1:] or [""]
    if any(_MOODLE_FOLDER.fullmatch(x) or _GRADESCOPE.fullmatch(x) for x in folders):
        return True
    return len(entry.parts) > 1 and any(form.fullmatch(entry.stem) for form in _FILES)


def _student(who: str, number: str = "") -> Student:
    name = " ".join(clean(who, 100).split()) or "nobody"  # a page shows many spaces as one
    if number:
        return Student(f"{name}_{number}", name, number)
    if name == who and not _ODD.search(name):
        return Student(name, name)
    # Two names can look alike, here or in a table, and belong to different people.
    mark = hashlib.sha256(who.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return Student(f"{name}~{mark}", name)


def _only_alike(students: Sequence[Student]) -> list[str]:
    """Return a line for each student whose name looks like another's."""
    shown = [unicodedata.normalize("NFC", one.name) for one in students]
    names = Counter(shown)
    return [
        f"{one.key}: this name only looks like another's. Has somebody handed in twice?"
        for one, name in zip(students, shown, strict=True)
        if names[name] > 1 and (one.key.removeprefix(one.name).startswith("~") or name != one.name)
    ]


def _without_copy_mark(name: str) -> tuple[str, int]:
    """Drop the mark of a copy: 'lookup-2' is the second resubmission of 'lookup', 'lookup (1)' a download."""
    found = _COPY.search(name)
    if not found or found.start() == 0:
        return name, 0
    digits = next((group for group in found.groups() if group), "1")
    return name[: found.start()], int(digits)


def _by_student(files: Sequence[File], others: Mapping[Student, list[str]]) -> list[Submission]:
    """Group the notebooks by student's key. The latest of each counts; all are kept, the earliest first."""
    notebooks_of = defaultdict[str, dict[str, list[File]]](dict)
    lines_of = defaultdict[str, list[str]](list)
    owners: dict[str, Student] = {}
    for file in files:
        notebooks_of[file.student.key].setdefault(file.name, []).append(file)
    for student, lines in others.items():
        lines_of[student.key] += lines
    for student in (*others, *(file.student for file in files)):
        if student.number or student.key not in owners:
            owners[student.key] = student
    found = []
    for key, student in sorted(owners.items()):
        latest, earlier = list[File](), list[File]()
        for versions in notebooks_of[key].values():
            versions.sort(key=lambda file: (file.when or 0.0, file.dated, file.copy))
            latest.append(versions[-1])
            earlier += versions[:-1]
        latest.sort(key=lambda file: (file.when or 0.0, file.dated))
        said = lines_of[key]
        lines = said[:_MOST_LINES]
        if len(said) > _MOST_LINES:
            lines.append(f"and {len(said) - _MOST_LINES} more files are no notebooks")
        if not latest:
            lines.insert(0, "No notebook was handed in: its name has to end in .ipynb")
        found.append(Submission(student, tuple(latest), tuple(earlier), tuple(lines)))
    return found
