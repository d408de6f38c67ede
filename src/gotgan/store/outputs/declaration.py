"""Everything that is declared about tables, for programs: one JSON document."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from gotgan.store.data.readable import readable
from gotgan.store.entities import Entity, entities_of
from gotgan.store.keys import IndexKey, Key
from gotgan.store.outputs.definition import projection
from gotgan.store.outputs.examples import example_item
from gotgan.store.outputs.sheets import attributes_of, key_condition, risks_of
from gotgan.store.patterns import AnyPattern, patterns_of
from gotgan.store.schema import schema_of
from gotgan.store.tables import AS_DECLARED, Index, Names, Table
from gotgan.store.tracing import Read

__all__ = ["declaration", "declarations"]


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
        "indexes": [_index(index, names) for index in table.indexes.values()],
        "entities": [_entity(entity) for entity in entities_of(table)],
        "patterns": [_pattern(table, pattern) for pattern in patterns_of(table)],
    }


def _index(index: Index, names: Names) -> dict[str, Any]:
    return {
        "name": index.name,
        "called": names.of(index),
        "local": index.local,
        "keys": [asdict(key) for key in index.keys],
        "projection": projection(index.project),
    }


def _entity(entity: type[Entity]) -> dict[str, Any]:
    schema, example = schema_of(entity), example_item(entity)
    return {
        "name": entity.__name__,
        "module": entity.__module__,
        "doc": inspect.cleandoc(entity.__doc__ or ""),
        "key": _templates(schema.key),
        "index_keys": {key.index.name: _templates(key) for key in schema.index_keys},
        "attributes": [asdict(each) for each in attributes_of(schema, example)],
        "version": schema.version,
        "identity": list(schema.identity),
        "acknowledged": [asdict(risk) for risk in risks_of(schema)],
        "example": None if example is None else readable(example),
    }


def _templates(key: Key | IndexKey) -> list[str]:
    return [template.text for template in key.templates]


def _pattern(table: Table, pattern: AnyPattern) -> dict[str, Any]:
    return {
        "name": pattern.name,
        "module": pattern.module,
        "signature": pattern.signature,
        "doc": pattern.doc,
        "reads": [_read(read) for read in pattern.reads if read.table is table],
    }


def _read(read: Read) -> dict[str, Any]:
    return {
        "operation": read.operation,
        "index": None if read.index is None else read.index.name,
        "key_condition": key_condition(read),
        "filter": read.filter,
        "newest_first": read.newest_first,
        "entities": list(read.entities),
    }
