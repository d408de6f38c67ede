"""A schema page for people: what is in a table, under which keys, and who reads it how."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Sequence

from gotgan.store.data.readable import readable
from gotgan.store.entities import Entity, entities_of
from gotgan.store.outputs.examples import example_item
from gotgan.store.outputs.sheets import AttributeDescription, attributes_of, key_condition, risks_of
from gotgan.store.outputs.units import Units, units_of
from gotgan.store.patterns import AnyPattern, patterns_of
from gotgan.store.schema import schema_of
from gotgan.store.tables import (
    ALL,
    AS_DECLARED,
    KEYS_ONLY,
    Index,
    KeyAttribute,
    Names,
    Projection,
    Table,
)
from gotgan.store.tracing import Read

__all__ = ["page", "pages"]


def pages(tables: Iterable[Table], names: Names = AS_DECLARED) -> str:
    """The pages of several tables, one below the other."""
    return "\n".join(page(table, names) for table in tables)


def page(table: Table, names: Names = AS_DECLARED) -> str:
    """The page of one table."""
    entities, patterns = entities_of(table), patterns_of(table)
    parts = [
        f"# {table.name}",
        _summary(table, names),
        _places(table, names),
        *(["## Entities"] if entities else []),
        *(part for entity in entities for part in _entity(table, entity)),
        *(["## Access patterns"] if patterns else []),
        *(part for pattern in patterns for part in _pattern(table, pattern)),
    ]
    return "\n\n".join(parts) + "\n"


def _summary(table: Table, names: Names) -> str:
    called = "" if names.of(table) == table.name else f"It is called `{names.of(table)}` there. "
    billing = "Billed on demand."
    if table.billing:
        read, write = table.billing.read, table.billing.write
        billing = f"Provisioned for {read} read and {write} write units a second."
    expiry = f" Items expire by `{table.ttl}`." if table.ttl else " Nothing expires."
    stream = f" Its stream shows {table.stream}." if table.stream else ""
    return called + billing + expiry + stream


def _places(table: Table, names: Names) -> str:
    own = ("the table", _key(table.pk), _key(table.sk), "everything")
    rows = [own, *(_index(index, names) for index in table.indexes.values())]
    return _grid(("where", "partition key", "sort key", "holds"), rows)


def _index(index: Index, names: Names) -> tuple[str, ...]:
    kind = "local index" if index.local else "index"
    where = f"{kind} `{names.of(index)}`"
    return where, _key(index.pk), _key(index.sk), _holds(index.project)


def _key(key: KeyAttribute | None) -> str:
    return "" if key is None else f"`{key.name}` ({key.type})"


def _holds(project: Projection) -> str:
    if project == ALL:
        return "everything"
    if project in (KEYS_ONLY, ()):
        return "the keys"
    return f"the keys, {', '.join(f'`{name}`' for name in project)}"


def _entity(table: Table, entity: type[Entity]) -> Iterator[str]:
    schema, example = schema_of(entity), example_item(entity)
    yield f"### {entity.__name__}"
    if entity.__doc__:
        yield inspect.cleandoc(entity.__doc__)
    rows = [_attribute(each) for each in attributes_of(schema, example)]
    yield _grid(("attribute", "type", "what it is"), rows)
    if example is not None:
        yield f"```json\n{json.dumps(readable(example), indent=2, ensure_ascii=False)}\n```"
        yield _cost(units_of(table, example))
    for risk in risks_of(schema):
        yield f"Acknowledged for {risk.where}: {risk.what}. {risk.reason.rstrip('.')}."


def _attribute(row: AttributeDescription) -> tuple[str, ...]:
    made = f"`{row.template}`" if row.template else ""
    called = f"`{row.field}` in Python" if row.field and row.field != row.name else ""
    optional = "may be missing" if row.optional else ""
    notes = [note for note in (made, row.note, called, optional) if note]
    return f"`{row.name}`", row.type, "; ".join(notes)


def _cost(units: Units) -> str:
    indexes = "".join(f", {count} for `{name}`" for name, count in units.index_writes.items())
    split = f" ({units.write} for the table{indexes})" if indexes else ""
    return (
        f"This example has {units.size} bytes. To write it anew costs "
        f"{_count(units.all_writes, 'write unit')}{split}; to read it, "
        f"{_count(units.read, 'read unit')}, or {units.consistent_read:g} consistently."
    )


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def _pattern(table: Table, pattern: AnyPattern) -> Iterator[str]:
    yield f"### {pattern.name}"
    yield f"```text\n{pattern.signature}\n```"
    yield pattern.doc
    rows = [_read(read) for read in pattern.reads if read.table is table]
    yield _grid(("call", "from", "key condition", "filter", "order", "finds"), rows)


def _read(read: Read) -> tuple[str, ...]:
    return (
        read.operation,
        "the table" if read.index is None else f"`{read.index.name}`",
        f"`{key_condition(read)}`",
        f"`{read.filter}`" if read.filter else "",
        "newest first" if read.newest_first else "",
        ", ".join(read.entities),
    )


def _grid(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)
