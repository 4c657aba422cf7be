"""Is everything here that the course needs? One line each, OK or FAIL, and the cure.

It imports nothing that could be missing before it has looked for it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PIP = f'"{sys.executable}" -m pip install'

# Not by its name: a stranger can register that in a package index, and would run code here.
_REINSTALL_COURSE = "install the course again, from the folder or the wheel that it came from"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor: what was looked at, what was found, and the cure if it is ill."""

    what: str
    found: str
    cure: str | None = None

    def __str__(self) -> str:
        if self.cure is None:
            return f"OK    {self.what}: {self.found}"
        return f"FAIL  {self.what}: {self.found}\n      to mend it:  {self.cure}"


def doctor() -> None:
    """Check Python, the packages, JupyterLab's parts and the widgets, and print what has to be mended."""
    report(all_of_it=False)


def report(all_of_it: bool = True) -> bool:
    """Print every finding as it is made, or only those that are ill; the result is whether all is well."""
    ill = looked = 0
    for finding in examine():
        looked += 1
        ill += finding.cure is not None
        if all_of_it or finding.cure is not None:
            print(finding)
    if ill:
        failed = "One check" if ill == 1 else f"{ill} checks"
        print(f"{failed} failed: see the lines with FAIL above.")
    elif all_of_it:
        print("Everything is ready.")
    else:
        print(f"Everything is ready: {looked} checks. (`qkv doctor` lists them.)")
    return not ill


def examine() -> Iterator[Finding]:
    """Every finding, in the order in which problems should be mended."""
    yield _python()
    yield from _packages()
    for look in (_anywidget, _jupyterlab_widgets, _kernel, _widgets):
        yield _guarded(look)


def _guarded(look: Callable[[], Finding]) -> Finding:
    """A doctor must not fall ill: an unexpected error is a finding, too."""
    try:
        return look()
    except Exception as error:
        what = look.__name__.strip("_")
        return Finding(what, f"{type(error).__name__}: {error}", _REINSTALL_COURSE)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    needed = SpecifierSet(metadata.metadata("qkvlib")["Requires-Python"])
    if version in needed:
        return Finding("Python", version)
    return Finding("Python", f"{version}, but {needed} is needed", "install a newer Python")


def _packages() -> Iterator[Finding]:
    """The packages that qkvlib itself declares: the healthy ones in one line, then the others."""
    needed = [Requirement(line) for line in metadata.requires("qkvlib") or []]
    findings = [
        _requirement(one) for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})
    ]
    well = [f"{finding.what} {finding.found}" for finding in findings if finding.cure is None]
    if well:
        yield Finding(f"{len(well)} packages", ", ".join(well))
    yield from (finding for finding in findings if finding.cure is not None)


def _requirement(needed: Requirement) -> Finding:
    try:
        version = metadata.version(needed.name)
    except metadata.PackageNotFoundError:
        cure = f'{PIP} "{needed.name}{needed.specifier}"'
        return Finding(needed.name, "missing", cure)
    if needed.specifier.contains(version, prereleases=True):
        return Finding(needed.name, version)
    cure = f'{PIP} --upgrade "{needed.name}{needed.specifier}"'
    return Finding(needed.name, f"{version}, but {needed.specifier} is needed", cure)


# What runs in the browser comes with a Python package, and the two halves must match.


def _anywidget() -> Finding:
    what, python = "anywidget's part in the browser", metadata.version("anywidget")
    browser = _in_browser("anywidget")
    if browser == python:
        return Finding(what, browser)
    found = f"{browser}, but the Python package is {python}" if browser else "not found"
    return Finding(what, found, f"{PIP} --force-reinstall anywidget=={python}")


def _jupyterlab_widgets() -> Finding:
    what = "ipywidgets' part in the browser"
    every = map(Requirement, metadata.requires("ipywidgets") or [])
    needed = next(one for one in every if canonicalize_name(one.name) == "jupyterlab-widgets")
    browser = _in_browser("@jupyter-widgets/jupyterlab-manager")
    matching = _requirement(needed)
    if browser and matching.cure is None:
        return Finding(what, browser)
    found = f"jupyterlab_widgets {matching.found}" if browser else "not found"
    return Finding(what, found, f'{PIP} --force-reinstall "{needed.name}{needed.specifier}"')


def _in_browser(extension: str) -> str | None:
    """The version of an extension that JupyterLab serves from this environment."""
    file = Path(sys.prefix) / "share/jupyter/labextensions" / extension / "package.json"
    if not file.is_file():
        return None
    version: str = json.loads(file.read_text(encoding="utf-8"))["version"]
    return version


def _kernel() -> Finding:
    """The kernel that JupyterLab starts must be the Python that qkvlib is installed in."""
    from jupyter_client.kernelspec import KernelSpecManager

    what = "the kernel `python3`"
    command = KernelSpecManager().get_kernel_spec("python3").argv[0]
    # A plain name is looked up by JupyterLab in its own environment, which is this one.
    if os.sep not in command or Path(command).parent.samefile(Path(sys.executable).parent):
        return Finding(what, "the Python of this environment")
    cure = f'"{sys.executable}" -m ipykernel install --prefix "{sys.prefix}"'
    return Finding(what, f"starts {command}, not {sys.executable}", cure)


def _widgets() -> Finding:
    widgets = import_module("qkvlib.widgets")
    for name in widgets.__all__:
        getattr(widgets, name)
    return Finding("the widgets' files", f"{len(widgets.__all__)} load")
