"""The shape of the code: bounded files, honest exports, one place for each thing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.each import each
from tests.house.repository import ROOT, SOURCE, python_files, relative

LONGEST = 500
ATTIC = {"common", "helpers", "misc", "utils"}
SOURCES = [path for path in python_files() if path.is_relative_to(SOURCE)]


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _assigned(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _exports(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and _assigned(node) == ["__all__"]:
            return list(ast.literal_eval(node.value))
    return None


def _public_definitions(tree: ast.Module) -> list[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node.name for node in tree.body if isinstance(node, kinds)]
    return [name for name in names if not name.startswith("_")]


def _statements(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module, and those that it makes for type checkers alone."""
    inner = [child for node in tree.body if isinstance(node, ast.If) for child in node.body]
    return [*tree.body, *inner]


def _known_names(tree: ast.Module) -> set[str]:
    names = set(_public_definitions(tree))
    for node in _statements(tree):
        names.update(_assigned(node))
        if isinstance(node, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
    return names


def _reading_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, each by the alphabet: as ruff sorts them."""
    if name.isupper():
        return 0, name
    return (1 if name[0].isupper() else 2), name


def test_no_file_is_longer_than_a_sitting() -> None:
    lengths = {relative(path): len(path.read_text().splitlines()) for path in python_files()}
    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_no_file_is_an_attic() -> None:
    assert [relative(path) for path in python_files() if path.stem in ATTIC] == []


def test_a_public_class_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in _tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(relative(path))
    shared = {name: paths for name, paths in homes.items() if len(paths) > 1}
    assert shared == {}


@each("path", SOURCES, relative)
def test_only_packages_have_a_list_of_exports_and_it_is_complete_and_sorted(path: Path) -> None:
    """A module's public names are those without an underscore; a package's are what it lists."""
    tree = _tree(path)
    exports = _exports(tree)
    if exports is None:
        return
    assert path.name == "__init__.py"
    assert exports == sorted(exports, key=_reading_order)
    assert [name for name in exports if name not in _known_names(tree)] == []
    assert [name for name in _public_definitions(tree) if name not in exports] == []


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [
        (
            r"datetime\.now\(|utcnow\(|date(time)?\.today\(|time\.time(_ns)?\(|time\.gmtime\(\)",
            {"clock.py"},
        ),
        (r"os\.environ|os\.getenv|getenvb?\(", {"settings/settings.py"}),
    ],
    ids=["the time", "the environment"],
)
def test_a_thing_is_asked_for_in_one_place(pattern: str, allowed: set[str]) -> None:
    asking = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCES
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    assert asking - allowed == set()


def test_every_folder_of_code_is_a_package() -> None:
    folders = {path.parent for path in python_files()} - {ROOT}
    assert [relative(path) for path in folders if not (path / "__init__.py").exists()] == []


def test_the_package_says_that_it_is_typed() -> None:
    assert (SOURCE / "py.typed").exists()


@each("path", SOURCES, relative)
def test_csv_is_written_by_one_module(path: Path) -> None:
    """Any other writer would let a stranger's text run as a formula in a spreadsheet."""
    source = path.read_text(encoding="utf-8")
    writers = _csv_writers(ast.parse(source)) if "csv" in source else []
    assert bool(writers) == (path.name == "csv_output.py")


@pytest.mark.parametrize(
    "source",
    [
        "import csv; csv.writer(f)",
        "import csv; csv.DictWriter(f, [])",
        "from csv import writer",
        "import csv as c; c.writer(f)",
    ],
)
def test_a_csv_writer_is_seen(source: str) -> None:
    assert _csv_writers(ast.parse(source))


def _csv_writers(tree: ast.Module) -> list[ast.AST]:
    """Uses of a writer of CSV, and imports of ``csv`` that could hide one."""
    return [node for node in ast.walk(tree) if _is_csv_writer(node)]


def _is_csv_writer(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        of_csv = isinstance(node.value, ast.Name) and node.value.id == "csv"
        return of_csv and node.attr in {"writer", "DictWriter"}
    if isinstance(node, ast.ImportFrom):
        return node.module == "csv"
    names = node.names if isinstance(node, ast.Import) else []
    return any(each.name == "csv" and each.asname is not None for each in names)
