"""The package of the engine alone has what the engine imports, and no more."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import grimp
import pytest

from tests.house.repository import ROOT, SOURCE

FOLDER = ROOT / "packages/dynamodb"
NAME = re.compile(r"[A-Za-z0-9._-]+")


def project(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


ALONE = project(FOLDER / "pyproject.toml")
WHOLE = project(ROOT / "pyproject.toml")
INCLUDED = ALONE["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]


def included_files() -> set[Path]:
    paths = [(FOLDER / name).resolve() for name in INCLUDED if name.startswith("../../src/")]
    return {
        file
        for path in paths
        for file in (path.rglob("*.py") if path.is_dir() else [path])
        if file.suffix == ".py"
    }


def file_of(module: str) -> Path:
    path = SOURCE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def engine_files() -> set[Path]:
    """The files of the modules that the engine's modules import, with their packages."""
    graph = grimp.build_graph("gotgan", cache_dir=None, exclude_type_checking_imports=True)
    found: set[str] = set()
    to_do = {name for name in graph.modules if f"{name}.".startswith("gotgan.store.engine.")}
    while to_do:
        module = to_do.pop()
        found.add(module)
        package = {module.rpartition(".")[0]} - {""}
        to_do |= (graph.find_modules_directly_imported_by(module) | package) - found
    return {file_of(module) for module in found}


def test_the_package_has_the_modules_that_the_engine_imports() -> None:
    assert included_files() == engine_files()


def test_its_requirements_are_what_those_modules_import() -> None:
    imported = {
        name.partition(".")[0]
        for path in included_files()
        for name in _imports(ast.parse(path.read_text(encoding="utf-8")))
    }
    theirs = imported - set(sys.stdlib_module_names) - {"gotgan", "pytest"}
    assert theirs == {NAME.match(each)[0] for each in ALONE["project"]["dependencies"]}  # type: ignore[index]


def _imports(tree: ast.Module) -> list[str]:
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    plain = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    return modules + [alias.name for node in plain for alias in node.names]


@pytest.mark.parametrize("key", ["requires-python", "license"])
def test_both_packages_say_the_same(key: str) -> None:
    assert ALONE["project"][key] == WHOLE["project"][key]


def test_both_packages_have_the_plugin_of_pytest_under_one_name() -> None:
    """Under one name, pytest loads it once where both are installed."""
    plugins = [each["project"]["entry-points"]["pytest11"] for each in (ALONE, WHOLE)]
    assert plugins == [{"gotgan": "gotgan.store.engine.pytest_plugin"}] * 2


def test_their_requirements_are_those_of_the_whole_package() -> None:
    assert set(ALONE["project"]["dependencies"]) <= set(WHOLE["project"]["dependencies"])


def test_no_file_is_at_the_same_place_in_both_packages() -> None:
    """So either can be installed and uninstalled beside the other."""
    assert [place for place in INCLUDED.values() if place.startswith("gotgan/")] == []
    assert (FOLDER / "gotgan-dynamodb.pth").read_text() == "gotgan_dynamodb\n"
