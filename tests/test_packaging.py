"""What is declared once stays declared once: packages, settings, versions."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

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
MAINTAINERS = (".test.js", ".mjs", *(f"widgets/{name}.json" for name in (
    "package", "package-lock", "jsconfig", "biome")))  # fmt: skip

# What conda-forge calls by another name.
CONDA_NAMES = {"torch": "pytorch-cpu", "playwright": "playwright-python"}


def conda_packages() -> set[str]:
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    items = [line.strip() for line in lines if line.strip().startswith("- ")]  # pip's among them
    packages = [item[2:].split("#")[0].strip() for item in items]
    return {package for package in packages if ">=" in package}


def test_conda_installs_the_same_packages_as_pip() -> None:
    wanted = set()
    for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]:
        needed = Requirement(line)
        if needed.name == "tomli":  # conda's Python is newer
            continue
        wanted.add(f"{CONDA_NAMES.get(needed.name, needed.name)}{needed.specifier}")
    assert conda_packages() == wanted


def test_constraints_pin_every_declared_package_within_its_range() -> None:
    pins = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, version = line.split(";")[0].strip().split("==")
            pins[name.lower().replace("_", "-")] = version
    extras = PROJECT["optional-dependencies"]
    for line in PROJECT["dependencies"] + extras["test"]:
        needed = Requirement(line)
        if needed.marker is not None and not needed.marker.evaluate():
            continue
        version = pins[needed.name.lower().replace("_", "-")]
        assert needed.specifier.contains(version), f"{needed} does not admit {version}"


@pytest.mark.parametrize("file", SETTINGS)
def test_jupyter_settings_are_installed_where_jupyter_reads_them(file: str) -> None:
    recorded = {str(path) for path in metadata.files("qkvlib") or []}
    assert any(path.endswith(file) for path in recorded)
    assert (Path(sys.prefix) / file).is_file()


def test_the_version_is_the_same_in_the_package_and_in_its_metadata() -> None:
    import qkvlib

    assert qkvlib.__version__ == PROJECT["version"] == metadata.version("qkvlib")


def test_a_wheel_carries_every_file_of_the_package_and_the_settings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    [wheel] = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    in_the_package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "qkvlib").rglob("*")
        if path.is_file() and not {"__pycache__", "node_modules"} & {*path.parts}
    }
    for_maintainers = {name for name in in_the_package if name.endswith(MAINTAINERS)}
    assert in_the_package - for_maintainers <= packed
    assert not for_maintainers & packed
    assert "qkvlib/widgets/static/lab.js" in packed
    assert not any("node_modules" in name for name in packed)
    for file in SETTINGS:
        assert any(name.endswith(f".data/data/{file}") for name in packed)
