"""``gotgan tables``: the group, and the commands that follow from the declaration of tables."""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gotgan.cli import messages
from gotgan.cli.app import TableAccess, open_tables
from gotgan.cli.commands import LazyGroup
from gotgan.cli.format import cost_fields, cost_text
from gotgan.cli.output import ExitCode, Output, json_document, write_document, yaml_document
from gotgan.cli.progress import status_line
from gotgan.cli.reader import later, tr
from gotgan.cli.table import text_table
from gotgan.domain import Command, domains, module_tables
from gotgan.errors import SettingsError, StoreUnreachable, UsageError
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.store.costs import Cost
    from gotgan.store.drivers import Driver
    from gotgan.store.outputs.creation import Backfill, CreateReport
    from gotgan.store.tables import Names, Table


_Command = TypeVar("_Command", bound=Callable[..., Any])
COMMANDS: Final = {
    "browse": Command(
        "gotgan.cli.tables_data",
        "Browse a table by key, by index or by scan.",
        "browse_table",
    ),
    "create": Command("gotgan.cli.tables", "Create missing tables and indexes.", "create_tables"),
    "dump": Command(
        "gotgan.cli.tables_data", "Write a table as lines of DynamoDB JSON.", "dump_table"
    ),
    "export": Command(
        "gotgan.cli.tables",
        "Export table declarations as a template, a policy, a page or JSON.",
        "export_tables",
    ),
    "follow": Command(
        "gotgan.cli.tables_follow", "Print the changes of a table as they happen.", "follow_table"
    ),
    "list": Command("gotgan.cli.tables", "List declared tables and their state.", "list_tables"),
    "load": Command("gotgan.cli.tables_data", "Load DynamoDB JSON into a table.", "load_table"),
    "verify": Command(
        "gotgan.cli.tables", "Compare existing tables with their declarations.", "verify_tables"
    ),
}


@click.group("tables", cls=LazyGroup, commands_at=COMMANDS, has_costs=True, no_args_is_help=False)
def command() -> None:
    """Create, verify, list, browse, follow and copy tables.

    Set the database with GOTGAN_DYNAMODB, and other names for its tables with GOTGAN_TABLES.
    """


def module_option(command: _Command) -> _Command:
    """The option that names modules with tables of the user's own."""
    return click.option(
        "--module",
        "modules",
        multiple=True,
        metavar="NAME",
        help="Module that declares tables, used instead of Gotgan's tables. Repeatable.",
    )(command)


def tables_argument(command: _Command) -> _Command:
    """The arguments that choose tables; none is all of them."""
    return click.argument("tables", nargs=-1, metavar="[TABLE]...")(command)


def declared_tables(modules: Sequence[str] = ()) -> list[Table]:
    """The tables of these modules, as they were declared; without any, those of the domains."""
    if modules:
        sys.path.insert(0, str(Path.cwd()))  # as python -m has it; a console script has not
        found = [table for name in modules for table in module_tables(_import_tables(name))]
    else:
        found = [table for each in domains() for table in each.declared_tables()]
    tables = list(dict.fromkeys(found))
    if not tables:
        raise UsageError(messages.NO_TABLES(modules=modules))
    names = [table.name for table in tables]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(messages.TABLE_TWICE(table=name))
    return tables


def select_tables(tables: Sequence[Table], words: Sequence[str], names: Names) -> list[Table]:
    """The tables that are meant, by their declared names or those of the place; none is all."""
    _refuse_misspelt_names(names, tables)
    by_name = {names.of(table): table for table in tables} | {each.name: each for each in tables}
    for word in words:
        if word not in by_name:
            known = [table.name for table in tables]
            raise UsageError(messages.UNKNOWN_TABLE(table=word, known=known))
    return list(dict.fromkeys(by_name[word] for word in words)) if words else list(tables)


def _import_tables(name: str) -> ModuleType:
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(messages.NO_IMPORT(module=name, cause=what)) from error


def _refuse_misspelt_names(names: Names, tables: Sequence[Table]) -> None:
    """Other programs' tables may be in the setting, but nothing that is nearly one of ours."""
    ours = [table.name for table in tables]
    for word in {*names.tables, *(table for table, _ in names.indexes)} - set(ours):
        if near := difflib.get_close_matches(word, ours, n=1, cutoff=0.8):
            raise SettingsError(messages.MISSPELT_TABLE(word=word, near=near[0]))
    indexes = {(table.name, index) for table in tables for index in table.indexes}
    for table, index in set(names.indexes) - indexes:
        if table in ours:
            raise SettingsError(messages.UNKNOWN_INDEX(table=table, index=index))


@click.command("list")
@module_option
@click.pass_obj
def list_tables(output: Output, *, modules: Sequence[str]) -> ExitCode:
    """List declared tables and their state.

    For each table: entities, indexes, access patterns, and whether it exists.
    """
    known = declared_tables(modules)
    with open_tables(output) as database:
        rows = _rows(database, select_tables(known, (), database.names))
    if output.as_json:
        for row in rows:
            output.write("", **row)
    else:
        output.write(text_table([_table_row(row) for row in rows], list(rows[0])))
    reached = all(row["status"] != "unreachable" for row in rows)
    return ExitCode.OK if reached else ExitCode.RETRY


def _rows(database: TableAccess, tables: Sequence[Table]) -> list[dict[str, Any]]:
    names = database.names
    found = table_statuses(database.driver, [names.of(table) for table in tables])
    return [
        {
            "table": table.name,
            "called": names.of(table),
            "at": database.driver.name,
            "status": status,
            "entities": [entity.__name__ for entity in table.entities],
            "indexes": [names.of(index) for index in table.indexes.values()],
            "patterns": [pattern.name for pattern in table.patterns],
        }
        for table, status in zip(tables, found, strict=True)
    ]


def _table_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: entities by name, and how many there are of the rest."""
    return {
        **row,
        "status": tr(row["status"]),
        "entities": ", ".join(row["entities"]),
        "indexes": str(len(row["indexes"])),
        "patterns": str(len(row["patterns"])),
    }


def table_statuses(driver: Driver, names: Sequence[str]) -> list[str]:
    """The status of live tables; a database that does not answer is asked once."""
    from gotgan.store.outputs.live import describe_table

    found: list[str] = []
    try:
        for name in names:
            description = describe_table(driver, name)
            status = "missing" if description is None else str(description["TableStatus"])
            found.append(status.lower())
    except StoreUnreachable:
        return ["unreachable"] * len(names)
    return found


@click.command("create")
@tables_argument
@module_option
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a table or an index. Large ones can take hours.",
)
@click.pass_obj
def create_tables(
    output: Output, *, tables: Sequence[str], modules: Sequence[str], wait: float
) -> None:
    """Create missing tables and indexes.

    Indexes are added to existing tables one at a time and filled from their items. The command
    first shows the maximum cost, and waits until each index is ACTIVE. Any other difference between
    a table and its declaration is an error, and the table is not changed. Without names: all
    tables.
    """
    from gotgan.store.outputs.creation import create
    from gotgan.store.outputs.live import TableWait

    known = declared_tables(modules)
    with open_tables(output) as database, status_line(output) as show:
        driver, names = database.driver, database.names
        patience = TableWait(seconds=wait, watch=_watcher(show))
        for table in select_tables(known, tables, names):
            work = _TableWork(output)
            made = create(
                driver, table, names, add_indexes=True, patience=patience, on_index=work.announce
            )
            output.write(work.sentences(made), table=table.name, **work.fields(made))


class _TableWork:
    """What is printed of one table: the cost of its indexes first, and then how long they took."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._started = time.monotonic()
        self._backfills: list[Backfill] = []

    def announce(self, backfill: Backfill) -> None:
        """Say what an index costs before it is added."""
        self._backfills.append(backfill)
        if not self._output.as_json:
            text = later("{table}: adding index {index}, filled from about {count} items.")
            if self._output.prints_cost:
                text = later(
                    "{table}: adding index {index}, filled from about {count} items. At most "
                    "{cost}. On AWS this takes minutes, and hours for millions of items."
                )
            named = {"table": backfill.table, "index": backfill.index, "count": backfill.items}
            click.echo(tr(text, cost=cost_text(_backfill_cost(backfill)), **named), err=True)

    def sentences(self, made: CreateReport) -> str:
        """The changes made to a table, and the differences that are left."""
        deeds = [tr("index {name} added", name=name) for name in made.indexes]
        if made.indexes:
            seconds = f"{time.monotonic() - self._started:,.1f}"
            deeds[-1] = tr("{deed} in {seconds} s", deed=deeds[-1], seconds=seconds)
        if made.expires and not made.new:
            deeds.append(tr("time to live turned on"))
        first = tr("created") if made.new else tr("exists")
        done = [first, *deeds] if made.new or deeds else [tr("exists, and fits")]
        notes = [f"  {difference}" for difference in made.differences]
        return "\n".join([f"{made.name}: {', '.join(done)}", *notes])

    def fields(self, made: CreateReport) -> dict[str, Any]:
        """The same for programs."""
        fields = asdict(made)
        backfills = [
            {"index": each.index, "items": each.items, "cost": cost_fields(_backfill_cost(each))}
            for each in self._backfills
        ]
        seconds = round(time.monotonic() - self._started, 3)
        return {"called": fields.pop("name"), **fields, "backfills": backfills, "seconds": seconds}


def _watcher(show: Callable[[str], None]) -> Callable[[Mapping[str, Any]], None]:
    started = time.monotonic()

    def watch(description: Mapping[str, Any]) -> None:
        indexes = description.get("GlobalSecondaryIndexes") or ()
        coming = [each for each in indexes if each["IndexStatus"] != "ACTIVE"]
        parts = [
            tr(
                "index {name} {status}, {count} items",
                name=each["IndexName"],
                status=each["IndexStatus"],
                count=each.get("ItemCount", 0),
            )
            for each in coming
        ]
        state = "; ".join(parts) or description["TableStatus"]
        seconds = tr("{seconds} s", seconds=f"{time.monotonic() - started:,.0f}")
        show(f"{description['TableName']}: {state}, {seconds}")

    return watch


def _backfill_cost(backfill: Backfill) -> Cost:
    from gotgan.store.costs import Cost, CostLine

    if not backfill.writes:
        return Cost()
    return Cost((CostLine("create", backfill.table, backfill.index, 0.0, float(backfill.writes)),))


@click.command("verify")
@tables_argument
@module_option
@click.pass_obj
def verify_tables(output: Output, *, tables: Sequence[str], modules: Sequence[str]) -> int:
    """Compare existing tables with their declarations.

    Exits with code 1 if a difference would break programs; other differences are only shown.
    Without names: all tables.
    """
    known = declared_tables(modules)
    with open_tables(output) as database:
        meant = select_tables(known, tables, database.names)
        fits = [_verify_table(output, database, table) for table in meant]
    return ExitCode.OK if all(fits) else ExitCode.FAILED


def _verify_table(output: Output, database: TableAccess, table: Table) -> bool:
    """Print how a table differs from its declaration; return whether it fits."""
    from gotgan.store.outputs.drift import BREAKS, drift
    from gotgan.store.outputs.live import describe_table, describe_ttl

    driver, called = database.driver, database.names.of(table)
    description = describe_table(driver, called)
    ttl = None if description is None else describe_ttl(driver, called)
    found = drift(table, description, ttl, database.names)
    fits = all(difference.severity != BREAKS for difference in found)
    verdict = tr("fits") if fits else tr("does not fit")
    if not found:
        verdict = tr("as declared")
    output.write(
        "\n".join([f"{called}: {verdict}", *(f"  {difference}" for difference in found)]),
        table=table.name,
        called=called,
        fits=fits,
        differences=[asdict(difference) for difference in found],
    )
    return fits


@click.command("export")
@tables_argument
@module_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["cloudformation", "sam", "iam", "markdown", "json"]),
    required=True,
    help="Format: a template, a policy, a page to read, or JSON with everything.",
)
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write instead of standard output. A template for a .json file is JSON.",
)
@click.option("--region", metavar="NAME", default="REGION", help="Region for the ARNs in a policy.")
@click.option(
    "--account", metavar="ID", default="ACCOUNT", help="Account for the ARNs in a policy."
)
@click.pass_obj
def export_tables(
    output: Output,
    /,
    *,
    tables: Sequence[str],
    modules: Sequence[str],
    form: str,
    target: Path | None,
    **place: str,
) -> None:
    """Export table declarations as a template, a policy, a page or JSON.

    Does not connect to a database. Without names: all tables.
    """
    from gotgan.store.tables import Names

    names = Names.parse(Settings.from_env().names())
    meant = select_tables(declared_tables(modules), tables, names)
    made = _document(form, meant, names, place)
    is_json = form in ("iam", "json") or (target is not None and target.suffix == ".json")
    if is_json:
        text = json_document(made)
    elif form == "markdown":
        text = str(made["markdown"])
    else:
        text = yaml_document(made, by="gotgan tables export")
    if target is None:
        output.write(text.rstrip("\n"), **made)
        return
    write_document(target, text)
    output.write(
        tr("wrote {file}", file=target),
        file=str(target),
        format=form,
        tables=[each.name for each in meant],
    )


def _document(
    form: str, tables: list[Table], names: Names, place: dict[str, str]
) -> dict[str, Any]:
    from gotgan.store.outputs import cloudformation, documents, iam

    match form:
        case "cloudformation":
            return cloudformation.template(tables, names)
        case "sam":
            return cloudformation.sam_template(tables, names)
        case "iam":
            return iam.policy(tables, names, **place)
        case "markdown":
            return {"markdown": documents.markdown_pages(tables, names)}
        case _:
            return documents.declarations(tables, names)
