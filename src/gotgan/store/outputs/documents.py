"""The declaration of tables as one JSON document, and as Markdown pages."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from gotgan.store.data.item_json import readable_item
from gotgan.store.entities import Entity, entities_of
from gotgan.store.keys import IndexKey, Key
from gotgan.store.outputs import descriptions
from gotgan.store.outputs.definition import key_schema, projection
from gotgan.store.patterns import AnyPattern, patterns_of
from gotgan.store.schema import schema_of
from gotgan.store.tables import (
    ALL,
    AS_DECLARED,
    KEYS_ONLY,
    KeyAttribute,
    Names,
    Projection,
    Table,
)


def declarations(tables: Iterable[Table], names: Names = AS_DECLARED) -> dict[str, Any]:
    """All tables in one document."""
    return {"tables": [declaration(table, names) for table in tables]}


def declaration(table: Table, names: Names = AS_DECLARED) -> dict[str, Any]:
    """One table: keys, indexes, entities and access patterns."""
    return {
        "name": table.name,
        "called": names.of(table),
        "keys": [asdict(key) for key in table.keys],
        "ttl": table.ttl,
        "stream": table.stream,
        "billing": None if table.billing is None else asdict(table.billing),
        "indexes": [
            {
                "name": index.name,
                "called": names.of(index),
                "local": index.local,
                "keys": [asdict(key) for key in index.keys],
                "key_schema": key_schema(index),
                "projection": projection(index.project),
            }
            for index in table.indexes.values()
        ],
        "entities": [_entity_fields(entity) for entity in entities_of(table)],
        "patterns": [_pattern_fields(table, pattern) for pattern in patterns_of(table)],
    }


def _entity_fields(entity: type[Entity]) -> dict[str, Any]:
    schema, example = schema_of(entity), descriptions.example_item(entity)
    return {
        "name": entity.__name__,
        "module": entity.__module__,
        "doc": inspect.cleandoc(entity.__doc__ or ""),
        "key": _templates(schema.key),
        "index_keys": {key.index.name: _templates(key) for key in schema.index_keys},
        "attributes": [asdict(each) for each in descriptions.describe_attributes(schema, example)],
        "version": schema.version,
        "identity": list(schema.identity),
        "acknowledged": [asdict(risk) for risk in descriptions.acknowledged_risks(schema)],
        "example": None if example is None else readable_item(example),
    }


def _templates(key: Key | IndexKey) -> list[str]:
    return [template.text for template in key.templates]


def _pattern_fields(table: Table, pattern: AnyPattern) -> dict[str, Any]:
    return {
        "name": pattern.name,
        "module": pattern.module,
        "signature": pattern.signature,
        "doc": pattern.doc,
        "reads": [
            {
                "operation": read.operation,
                "index": None if read.index is None else read.index.name,
                "key_condition": descriptions.key_condition(read),
                "filter": read.filter,
                "newest_first": read.newest_first,
                "entities": list(read.entities),
            }
            for read in pattern.reads
            if read.table is table
        ],
    }


def markdown_pages(tables: Iterable[Table], names: Names = AS_DECLARED) -> str:
    """The pages of several tables, one below the other."""
    return "\n".join(markdown_page(table, names) for table in tables)


def markdown_page(table: Table, names: Names = AS_DECLARED) -> str:
    """The page of one table."""
    entities, patterns = entities_of(table), patterns_of(table)
    parts = [
        f"# {table.name}",
        _summary(table, names),
        _places(table, names),
        *(["## Entities"] if entities else []),
        *(part for entity in entities for part in _entity_section(table, entity)),
        *(["## Access patterns"] if patterns else []),
        *(part for pattern in patterns for part in _pattern_section(table, pattern)),
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
    own = ("the table", _key(table.partition), _key(table.sort), "everything")
    rows = [own]
    for index in table.indexes.values():
        where = f"{'local index' if index.local else 'index'} `{names.of(index)}`"
        rows.append((where, _key(index.partition), _key(index.sort), _holds(index.project)))
    return _grid(("where", "partition key", "sort key", "holds"), rows)


def _key(keys: tuple[KeyAttribute, ...]) -> str:
    return ", ".join(f"`{key.name}` ({key.type})" for key in keys)


def _holds(project: Projection) -> str:
    if project == ALL:
        return "everything"
    if project in (KEYS_ONLY, ()):
        return "the keys"
    return f"the keys, {', '.join(f'`{name}`' for name in project)}"


def _entity_section(table: Table, entity: type[Entity]) -> Iterator[str]:
    schema, example = schema_of(entity), descriptions.example_item(entity)
    yield f"### {entity.__name__}"
    if entity.__doc__:
        yield inspect.cleandoc(entity.__doc__)
    rows = [_attribute(each) for each in descriptions.describe_attributes(schema, example)]
    yield _grid(("attribute", "type", "what it is"), rows)
    if example is not None:
        yield f"```json\n{json.dumps(readable_item(example), indent=2, ensure_ascii=False)}\n```"
        yield _cost(descriptions.item_units(table, example))
    for risk in descriptions.acknowledged_risks(schema):
        yield f"Acknowledged for {risk.where}: {risk.what}. {risk.reason.rstrip('.')}."


def _attribute(row: descriptions.AttributeDescription) -> tuple[str, ...]:
    made = f"`{row.template}`" if row.template else ""
    called = f"`{row.field}` in Python" if row.field and row.field != row.name else ""
    optional = "may be missing" if row.optional else ""
    notes = [note for note in (made, row.note, called, optional) if note]
    return f"`{row.name}`", row.type, "; ".join(notes)


def _cost(units: descriptions.ItemUnits) -> str:
    indexes = "".join(f", {count} for `{name}`" for name, count in units.index_writes.items())
    split = f" ({units.write} for the table{indexes})" if indexes else ""
    return (
        f"This example has {units.size} bytes. Rewriting it costs "
        f"{_count(units.all_writes, 'write unit')}{split}; reading it costs "
        f"{_count(units.read, 'read unit')}, or {units.consistent_read:g} with strong consistency."
    )


def _count(number: float, noun: str) -> str:
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def _pattern_section(table: Table, pattern: AnyPattern) -> Iterator[str]:
    yield f"### {pattern.name}"
    yield f"```text\n{pattern.signature}\n```"
    yield pattern.doc
    rows = [
        (
            read.operation,
            "the table" if read.index is None else f"`{read.index.name}`",
            f"`{descriptions.key_condition(read)}`",
            f"`{read.filter}`" if read.filter else "",
            "newest first" if read.newest_first else "",
            ", ".join(read.entities),
        )
        for read in pattern.reads
        if read.table is table
    ]
    yield _grid(("call", "from", "key condition", "filter", "order", "finds"), rows)


def _grid(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)
