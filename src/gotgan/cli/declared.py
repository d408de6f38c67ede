"""The tables that a command is about: those of the domains, or of modules that the user names."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gotgan.domain import domains, tables_in
from gotgan.errors import SettingsError, UsageError

if TYPE_CHECKING:
    from gotgan.store.tables import Names, Table

__all__ = ["chosen", "declared", "module_option", "tables_argument"]

Command = TypeVar("Command", bound=Callable[..., Any])


def module_option(command: Command) -> Command:
    """The option that names modules with tables of the user's own."""
    return click.option(
        "--module",
        "modules",
        multiple=True,
        metavar="NAME",
        help="A module that declares tables, instead of Gotgan's own; may be given again.",
    )(command)


def tables_argument(command: Command) -> Command:
    """The arguments that choose tables; none is all of them."""
    return click.argument("tables", nargs=-1, metavar="[TABLE]...")(command)


def declared(modules: Sequence[str] = ()) -> list[Table]:
    """The tables of these modules, as they were declared; without any, those of the domains."""
    if modules:
        sys.path.insert(0, str(Path.cwd()))  # as python -m has it; a console script has not
        found = [table for name in modules for table in tables_in(_imported(name))]
    else:
        found = [table for each in domains() for table in each.declared_tables()]
    tables = list(dict.fromkeys(found))
    if not tables:
        raise UsageError(f"{', '.join(modules)} declares no table; name the module that does")
    _refuse_namesakes(tables)
    return tables


def chosen(tables: Sequence[Table], words: Sequence[str], names: Names) -> list[Table]:
    """The tables that are meant, by their declared names or those of the place; none is all."""
    _refuse_slips(names, tables)
    by_name = {names.of(table): table for table in tables} | {each.name: each for each in tables}
    for word in words:
        if word not in by_name:
            there = ", ".join(table.name for table in tables)
            raise UsageError(f"there is no table {word}; there are {there}")
    return list(dict.fromkeys(by_name[word] for word in words)) if words else list(tables)


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"--module {name} cannot be imported: {what}") from error


def _refuse_namesakes(tables: Sequence[Table]) -> None:
    names = [table.name for table in tables]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two tables are called {name}; rename one, or name fewer modules")


def _refuse_slips(names: Names, tables: Sequence[Table]) -> None:
    """Other programs' tables may be in the setting, but nothing that is nearly one of ours."""
    ours = [table.name for table in tables]
    for word in {*names.tables, *(table for table, _ in names.indexes)} - set(ours):
        if near := difflib.get_close_matches(word, ours, n=1, cutoff=0.8):
            raise SettingsError(
                f"GOTGAN_TABLES names {word}, which nobody declared; did you mean {near[0]}?"
            )
    indexes = {(table.name, index) for table in tables for index in table.indexes}
    for table, index in set(names.indexes) - indexes:
        if table in ours:
            raise SettingsError(f"GOTGAN_TABLES names {table}:{index}; it has no such index")
