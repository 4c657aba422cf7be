"""What is declared once stays declared once: packages, settings, versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
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

SETTINGS = [
    "share/jupyter/lab/settings/overrides.json",
    "etc/jupyter/jupyter_server_config.d/qkvlib.json",
]

# How the widgets' bundles are built and tested: nothing that an installed course needs.
MAINTAINERS = (".test.js", ".mjs")

# What conda-forge calls by another name.
CONDA_NAMES = {"torch": "pytorch-cpu"}


def conda_packages() -> set[str]:
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    items = [line.strip() for line in lines if line.strip().startswith("- ")]  # pip's among them
    packages = [item[2:].split("#")[0].strip() for item in items]
    return {package for package in packages if ">=" in package}


def test_conda_installs_the_same_packages_as_pip() -> None:
    """And nbval, by which an instructor runs every lesson, but no maintainer's tools."""
    nbval = [line for line in PROJECT["optional-dependencies"]["test"] if line.startswith("nbval")]
    wanted = {Requirement(line) for line in PROJECT["dependencies"] + nbval}
    assert conda_packages() == {
        f"{CONDA_NAMES.get(needed.name, needed.name)}{needed.specifier}" for needed in wanted
    }


def applies(requirement: Requirement, python: str) -> bool:
    """Whether a requirement holds for a version of Python."""
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
    """`pip freeze` in one environment writes pins that no other version of Python can install."""
    assert " ; python_full_version < '3.11'" in (ROOT / "constraints.txt").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("file", SETTINGS)
def test_jupyter_settings_are_installed_where_jupyter_reads_them(file: str) -> None:
    recorded = {str(path) for path in metadata.files("qkvlib") or []}
    assert any(path.endswith(file) for path in recorded)
    assert (Path(sys.prefix) / file).is_file()


def test_a_citation_and_the_changelog_know_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {qkvlib.__version__}\n" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {qkvlib.__version__}" in changes


def test_a_wheel_carries_every_file_of_the_package_and_the_settings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"qkvlib-{qkvlib.__version__}-")
    packed = set(zipfile.ZipFile(wheel).namelist())
    in_the_package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "qkvlib").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for_maintainers = {name for name in in_the_package if name.endswith(MAINTAINERS)}
    assert in_the_package - for_maintainers <= packed
    assert not for_maintainers & packed
    assert "qkvlib/widgets/static/lab.js" in packed
    lessons = (ROOT / "lessons").rglob("*.*")
    lessons = {f"qkvlib/{path.relative_to(ROOT).as_posix()}" for path in lessons}
    assert lessons <= packed
    assert not any("node_modules" in name for name in packed)
    for file in SETTINGS:
        assert any(name.endswith(f".data/data/{file}") for name in packed)


@pytest.fixture
def only_the_makefile(tmp_path: Path) -> Path:
    """A folder with an environment in which nothing is installed yet."""
    for name in ("Makefile", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / ".venv"], check=True)
    return tmp_path


def make_torch(folder: Path, index: str) -> str:
    """What `make` says while it fetches torch, with no other index than the one given."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    command = ["make", ".venv/torch", f"TORCH_INDEX={index}"]
    env = {**own, "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def installed(folder: Path) -> str:
    listed = [folder / ".venv/bin/python", "-m", "pip", "list", "--format=freeze"]
    return subprocess.run(listed, capture_output=True, text=True, check=True).stdout


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


@pytest.mark.skipif(os.name == "nt", reason="on Windows the course is installed by pip itself")
def test_make_goes_on_where_torchs_index_cannot_be_reached(only_the_makefile: Path) -> None:
    nobody = "http://127.0.0.1:9/simple"
    assert f"{nobody} cannot be reached: PyPI's torch" in make_torch(only_the_makefile, nobody)
    assert "torch" not in installed(only_the_makefile)
