"""The command `qkv`. Each part is loaded only when it is needed."""

from __future__ import annotations

import argparse
import io
import re
import sys
import time
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="qkv", description="The Q, K and V course.")
    commands = parser.add_subparsers(metavar="COMMAND")

    doctor = commands.add_parser("doctor", help="check that everything the course needs is here")
    doctor.set_defaults(run=_doctor)

    lab = commands.add_parser("lab", help="open JupyterLab on the first lesson")
    lab.add_argument("lesson", nargs="?", help="the lesson's number, such as 1; else the first")
    lab.epilog = "What follows goes on to JupyterLab, such as --no-browser or --port 8899."
    lab.set_defaults(run=_lab)

    forget = commands.add_parser("forget", help="delete what is kept for reviews")
    forget.add_argument(
        "--all", action="store_true", help="delete all progress, too: what was solved and predicted"
    )
    forget.set_defaults(run=_forget)

    build = commands.add_parser("build", help="make notebooks and pages from solutions/NN_name.py")
    build.add_argument("chapter", nargs="?", help="the chapter's number, such as 03; else all")
    build.add_argument("--check", action="store_true", help="change nothing; say what is stale and why")
    build.set_defaults(run=_build)

    site = commands.add_parser("site", help="make the course as pages that need nothing installed")
    site.add_argument("folder", type=Path, help="where to; a site that is there is made anew")
    site.add_argument("chapters", nargs="*", help="numbers of chapters, such as 00 03; else all")
    site.set_defaults(run=_site)

    inventory = commands.add_parser("inventory", help="write a form of the test on Q, K and V")
    inventory.add_argument("form", choices=("A", "B"))
    inventory.add_argument("folder", type=Path, help="where to; the file is form_a or form_b.ipynb")
    inventory.add_argument(
        "--when",
        choices=("before", "after"),
        help="the course; A is for before it and B for after it, if you do not say",
    )
    inventory.set_defaults(run=_inventory)

    matrix = commands.add_parser("matrix", help="show where the course meets each misconception")
    matrix.set_defaults(run=_matrix)

    from qkvlib.tools.grading.cli import add_commands

    add_commands(commands)

    arguments, passed_on = _split(sys.argv[1:] if arguments is None else arguments)
    chosen = parser.parse_args(arguments, argparse.Namespace(passed_on=passed_on))
    if not hasattr(chosen, "run"):  # just `qkv`, without a command
        parser.print_help()
        return 2
    return _run(chosen)


def _run(chosen: argparse.Namespace) -> int:
    """Run the chosen command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name that the console cannot show must not stop a run
            stream.reconfigure(errors="backslashreplace")
    code: int = chosen.run(chosen)
    return code


def _split(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Separate our own arguments from those of `qkv lab` that JupyterLab understands."""
    if arguments[:1] != ["lab"] or {"-h", "--help"} & set(arguments):
        return arguments, []
    own = 2 if re.fullmatch(r"\d{1,2}", "".join(arguments[1:2])) else 1
    return arguments[:own], arguments[own:]


def _doctor(_: argparse.Namespace) -> int:
    from qkvlib.app.doctor import report

    return int(not report())


def _lab(chosen: argparse.Namespace) -> int:
    from qkvlib.app.lab import open_lab

    return open_lab(Path.cwd(), chosen.lesson, chosen.passed_on)


def _forget(chosen: argparse.Namespace) -> int:
    from qkvlib.learner import memory, progress

    everything = [kind for kind in progress.KINDS if kind != "settings"]
    facts = progress.forget(everything) if chosen.all else memory.forget()
    what = "of your progress" if chosen.all else "for reviews"
    print(f"Facts kept {what} in {progress.folder()}: {facts}. They are deleted.")
    return 0


def _inventory(chosen: argparse.Namespace) -> int:
    from qkvlib.course.inventory.form import USUAL, write

    when = chosen.when or USUAL[chosen.form]
    try:
        print(write(chosen.form, chosen.folder, when))
    except FileExistsError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _matrix(_: argparse.Namespace) -> int:
    from qkvlib.course.inventory.matrix import table

    print(table())
    return 0


def _build(chosen: argparse.Namespace) -> int:
    try:
        from qkvlib.tools.authoring import build as authoring
        from qkvlib.tools.authoring.front_matter import SourceError
    except ModuleNotFoundError as error:
        print(f"Authors need {error.name}, too. `make lessons` installs it.", file=sys.stderr)
        return 1
    try:
        sources = authoring.sources(Path.cwd(), chosen.chapter)
        return _check_built(sources) if chosen.check else _build_all(sources)
    except (SourceError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1


def _site(chosen: argparse.Namespace) -> int:
    try:
        from qkvlib.tools.site.build import build
    except ModuleNotFoundError as error:
        print(f"Authors need {error.name}, too. `make site` installs it.", file=sys.stderr)
        return 1
    started = time.perf_counter()
    try:
        build(Path.cwd(), chosen.folder, chosen.chapters, lambda name: print(name, flush=True))
    except (FileExistsError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{chosen.folder}: {time.perf_counter() - started:.0f} s")
    return 0


def _build_all(sources: list[Path]) -> int:
    from qkvlib.tools.authoring import build as authoring
    from qkvlib.tools.authoring import pages

    root = Path.cwd()
    gathered = pages.write(root)
    for path in gathered:
        print(f"changed: {path.relative_to(root)}")
    if gathered:  # the map in a lesson shows the facts of all chapters, and counts their exercises
        shows_the_map = [one for one in authoring.sources(root) if pages.shows_the_map(one)]
        if also := sorted({*shows_the_map} - {*sources}):
            print(f"Chapters that show the map change, too: {', '.join(one.stem for one in also)}")
        sources = sorted({*sources, *also})
    print(f"Running {', '.join(source.stem[:2] for source in sources)} ...", flush=True)

    def build(source: Path) -> tuple[Path, float, list[Path]]:
        started = time.perf_counter()
        changed = authoring.build(source)
        return source, time.perf_counter() - started, changed

    for source, seconds, changed in authoring.side_by_side(build, sources):
        what = ", ".join(str(path.relative_to(root)) for path in changed) or "nothing"
        print(f"{source.stem}: {seconds:.1f} s, changed: {what}", flush=True)
    return 0


def _check_built(sources: list[Path]) -> int:
    from qkvlib.tools.authoring import build as authoring
    from qkvlib.tools.authoring import pages

    root = Path.cwd()
    notebooks = {path: why for source in sources for path, why in authoring.stale(source).items()}
    gathered = pages.stale(root)
    for path, why in notebooks.items():
        print(f"{path.relative_to(root)} is stale: run `qkv build {path.name[:2]}`\n{why}\n")
    for path, why in gathered.items():
        how = "run `qkv build`, of one chapter or of all"
        print(f"{path.relative_to(root)} is stale: {how}\n{why}\n")
    stale = len(notebooks) + len(gathered)
    print(f"{2 * len(sources)} built notebooks and the pages looked at, {stale} stale.")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
