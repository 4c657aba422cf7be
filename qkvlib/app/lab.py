"""Open JupyterLab on a lesson, with the table of contents beside it.

The second time it opens as the learner left it. The lessons are trusted, or a page that is
loaded again would show the pictures of their widgets and not the widgets. A course that came by
pip has its lessons among its own files, and copies them to where the learner works. A JupyterHub
whose spawner's command is `qkv lab` starts all this for each learner.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
from jupyterlab.labapp import LabApp
from jupyterlab_server.workspaces_handler import WorkspacesManager
from nbformat.sign import NotebookNotary

from qkvlib.learner import progress

WORKSPACE = "qkvlib"

# What `qkv lab` adds to JupyterLab, and to no other JupyterLab of this computer.
EXTENSIONS = Path(__file__).parent / "labextensions"

# One setting of JupyterLab, by its name and by its alias.
_ROOT = ("--ServerApp.root_dir", "--notebook-dir")

# Where an installed course keeps its lessons; a checkout has them beside the package.
SHIPPED = Path(__file__).parents[1] / "lessons"
COPIED = "qkvlib-course"


def open_lab(folder: Path, lesson: str | None, options: Sequence[str] = ()) -> int:
    """Start JupyterLab in `folder`, which holds `lessons/`, and wait until it is closed.

    The `options` are JupyterLab's own. Where `folder` has no lessons, they are copied there, into a
    folder of their own.
    """
    try:
        folder = _with_lessons(folder)
        every = sorted((folder / "lessons").glob("[0-9]*.ipynb"))
        if not every:
            print(f"{folder} has no lessons. Go to the folder of the course, which holds `lessons`.")
            return 1
        lessons = [path for path in every if path.name.startswith((lesson or "").zfill(2))]
        lessons = lessons if lesson else every
        if not lessons:
            names = ", ".join(path.stem for path in every)
            print(f"There is no lesson {lesson}. There is: {names}.")
            return 1
        trust(every)
        root = _root(options)
        page = _below(root, lessons[0]) if root else _page(folder, lessons[0], lesson is not None)
    except OSError as error:
        print(f"{error.filename or folder} cannot be written: {error.strerror}.\n{_ELSEWHERE}")
        return 1
    print(f"Opening {lessons[0].name} in JupyterLab. Press Ctrl+C here, twice, to close it.")
    # In this process, so that a signal to `qkv` reaches JupyterLab on every platform.
    _application().launch_instance([*_ours(root or folder, page, options), *options])
    return 0


def _root(options: Sequence[str]) -> Path | None:
    """The folder that JupyterLab's options name as its root, if they name one."""
    parser = argparse.ArgumentParser(prog="qkv lab", add_help=False, allow_abbrev=False)
    parser.add_argument(*_ROOT, dest="root", type=Path)
    root: Path | None = parser.parse_known_args(options)[0].root
    return root.expanduser().resolve() if root else None


def _below(root: Path, lesson: Path) -> str:
    """The lesson's page under a root of the learner's choice, or JupyterLab's own first page."""
    inside = lesson.resolve().is_relative_to(root)
    path = quote(lesson.resolve().relative_to(root).as_posix()) if inside else ""
    return f"/lab/tree/{path}" if inside else "/lab"


def _application() -> Any:
    """JupyterLab; where a hub has started us, with the hub's own way to know who asks."""
    if "JUPYTERHUB_SERVICE_URL" not in os.environ:
        return LabApp
    from jupyterhub.singleuser.extension import JupyterHubSingleUser

    return JupyterHubSingleUser


_ELSEWHERE = (
    "Start in a folder of your own. Should it be the folder for your progress, set the environment "
    "variable QKVLIB_HOME to one that you can write; for Jupyter's own, JUPYTER_DATA_DIR."
)


def _with_lessons(folder: Path) -> Path:
    """`folder` itself where it holds lessons, else the folder in it that gets a copy of them.

    A lesson that is there already is the learner's own, and stays.
    """
    if (folder / "lessons").is_dir() or not SHIPPED.is_dir():
        return folder
    own = folder if folder.name == COPIED else folder / COPIED
    for path in sorted(SHIPPED.rglob("*")):
        copy = own / "lessons" / path.relative_to(SHIPPED)
        if path.is_file() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())  # and not the mode: the original may be read-only
    print(f"The lessons are in {own / 'lessons'}. What you write there stays there.")
    return own


def trust(notebooks: Sequence[Path]) -> None:
    """Tell Jupyter that the code in these notebooks may run, as `jupyter trust` does."""
    notary = NotebookNotary()
    for notebook in notebooks:
        notary.sign(nbformat.read(notebook, as_version=4))


def _page(folder: Path, lesson: Path, afresh: bool) -> str:
    """The window as the learner left it, or, the first time or `afresh`, with the lesson alone."""
    manager = WorkspacesManager(str(progress.folder() / "workspaces"))
    known = {workspace["metadata"]["id"] for workspace in manager.list_workspaces()}
    if afresh or WORKSPACE not in known:
        manager.save(WORKSPACE, json.dumps(_layout(lesson.relative_to(folder).as_posix())))
    return f"/lab/workspaces/{WORKSPACE}"


def _ours(root: Path, page: str, options: Sequence[str]) -> list[str]:
    """The course's settings, but for those that the options set: JupyterLab takes each once."""
    ours = {
        "--ServerApp.root_dir": root,
        "--ServerApp.default_url": page,  # a hub asks here
        "--LabApp.default_url": page,
        "--LabApp.workspaces_dir": progress.folder() / "workspaces",
        "--LabApp.extra_labextensions_path": EXTENSIONS,
    }
    given = {option.partition("=")[0] for option in options}
    given |= {_ROOT[0]} if given & set(_ROOT) else set()
    return [f"{name}={value}" for name, value in ours.items() if name not in given]


def _layout(lesson: str) -> dict[str, Any]:
    """The window as it should look: the lesson alone, the table of contents on its left."""
    notebook = f"notebook:{lesson}"
    layout = {
        "main": {
            "dock": {"type": "tab-area", "currentIndex": 0, "widgets": [notebook]},
            "current": notebook,
        },
        "left": {
            "collapsed": False,
            "visible": True,
            "current": "@jupyterlab/toc:plugin",
            "widgets": ["filebrowser", "running-sessions", "@jupyterlab/toc:plugin"],
        },
        "relativeSizes": [0.2, 0.8, 0],
    }
    return {
        "data": {
            "layout-restorer:data": layout,
            notebook: {"data": {"path": lesson, "factory": "Notebook"}},
        },
        "metadata": {"id": WORKSPACE},
    }
