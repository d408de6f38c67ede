"""The registry of types: what is in the table, for programs that know it only by ``Type``.

Everything here follows from the declarations, so a new entity shows up without new code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gotgan import verbs
from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.records import PAGE, pass_over
from gotgan.domains.site.resource import constant_key, fields_of
from gotgan.domains.site.roles import Role
from gotgan.errors import NotFound
from gotgan.items import item_page, item_schema
from gotgan.store import Entity, IndexKey, Page, Query, Store, Table, entities_of, patterns_of
from gotgan.store.keys import IndexKeyOf
from gotgan.store.patterns import AnyPattern
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index

__all__ = ["TypeDescription", "Types", "reader_of"]


@dataclass(frozen=True)
class TypeDescription:
    """A type of the table."""

    type: str
    description: str
    key: Mapping[str, str]
    """The key of its items, by the name of each attribute."""
    indexes: Mapping[str, Mapping[str, str]]
    """The keys of its items in indexes."""
    patterns: tuple[Mapping[str, Any], ...]
    """How its items are read."""
    readable_by: verbs.Role
    writable_by: Role | None
    """The role that may write it; null if nobody may."""
    writable: tuple[str, ...]
    """The attributes that can be changed."""
    writable_once: tuple[str, ...]
    """The attributes that can be given when it is created."""
    schema: Mapping[str, Any]
    """The JSON Schema of its items."""


class Types:
    """The types of a table, each with the entity that it stands for."""

    def __init__(self, store: Store, index: Index = BY_TYPE) -> None:
        self._store = store
        self._index = index

    def all(self) -> dict[str, type[Entity]]:
        """Every type, by its name."""
        declared = [
            (constant_key(entity, self._index), entity) for entity in entities_of(self._index.table)
        ]
        return {key.pk.text: entity for key, entity in declared if key is not None}

    def named(self, name: str) -> type[Entity]:
        """The entity of a type."""
        known = self.all()
        if name not in known:
            raise NotFound(f"there is no such type; there are {', '.join(sorted(known))}")
        return known[name]

    def list(self, name: str, *, limit: int = PAGE, cursor: str | None = None) -> Page[Entity]:
        """A page of the items of a type, newest first."""
        entity = self.named(name)
        key = constant_key(entity, self._index)
        query: Query[Entity] = IndexKeyOf(entity, key).query() if key else Query(())
        newest = query.newest_first()
        return item_page(self._store, newest, entity, limit=limit, cursor=cursor, on_bad=pass_over)

    def describe(self, name: str) -> TypeDescription:
        """What there is to know about a type."""
        entity = self.named(name)
        schema = schema_of(entity)
        table = self._index.table
        changed, given_once = fields_of(entity)
        templates = zip(table.keys, schema.key.templates, strict=True)
        return TypeDescription(
            type=name,
            description=(entity.__doc__ or "").strip(),
            key={key.name: template.text for key, template in templates},
            indexes={key.index.name: _texts(key) for key in schema.index_keys},
            patterns=tuple(_pattern(each) for each in _patterns(table, entity)),
            readable_by=reader_of(entity) or "public",
            writable_by=getattr(entity, "written_by", None),
            writable=tuple(schema.attribute(name) for name in changed),
            writable_once=tuple(schema.attribute(name) for name in given_once),
            schema=item_schema(entity),
        )


def reader_of(entity: type[Entity]) -> Role | None:
    """The least role that may read an entity; an admin, where its declaration says nothing."""
    role: Role | None = getattr(entity, "read_by", "admin")
    return role


def _texts(key: IndexKey) -> dict[str, str]:
    pairs = zip(key.index.keys, key.templates, strict=False)
    return {attribute.name: template.text for attribute, template in pairs}


def _patterns(table: Table, entity: type[Entity]) -> list[AnyPattern]:
    named = entity.__name__
    return [
        each for each in patterns_of(table) if any(named in read.entities for read in each.reads)
    ]


def _pattern(each: AnyPattern) -> dict[str, Any]:
    return {
        "name": each.name,
        "signature": each.signature,
        "description": each.doc,
        "reads": [_read(read) for read in each.reads],
    }


def _read(read: Any) -> dict[str, Any]:
    return {
        "operation": read.operation,
        "index": None if read.index is None else read.index.name,
        "partition": read.pk,
        "sort": read.sort or None,
        "newestFirst": read.newest_first,
    }
