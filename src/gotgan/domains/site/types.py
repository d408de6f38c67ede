"""The registry of types: what is in the table, for programs that know it only by ``Type``.

Everything here follows from the declarations, so a new entity shows up without new code.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic.json_schema import JsonSchemaValue

from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.records import PAGE, pass_over
from gotgan.domains.site.roles import Role
from gotgan.domains.site.showing import type_of
from gotgan.errors import NotFound
from gotgan.store import Entity, IndexKey, Page, Query, Store, Table, entities_of, patterns_of
from gotgan.store.fields import Field
from gotgan.store.keys import IndexKeyOf
from gotgan.store.patterns import AnyPattern
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index

__all__ = ["Types", "json_schema", "reader_of"]

_PUBLIC: Final = "public"


class Types:
    """The types of a table, each with the entity that it stands for."""

    def __init__(self, store: Store, index: Index = BY_TYPE) -> None:
        self._store = store
        self._index = index

    def all(self) -> dict[str, type[Entity]]:
        """Every type, by its name."""
        declared = [(self._key(entity), entity) for entity in entities_of(self._index.table)]
        return {key.pk.text: entity for key, entity in declared if key is not None}

    def named(self, name: str) -> type[Entity]:
        """The entity of a type."""
        known = self.all()
        if name not in known:
            raise NotFound(f"there is no such type; there are {', '.join(sorted(known))}")
        return known[name]

    def page(self, name: str, *, limit: int = PAGE, cursor: str | None = None) -> Page[Entity]:
        """A page of the items of a type, newest first."""
        entity = self.named(name)
        key = self._key(entity)
        query: Query[Entity] = IndexKeyOf(entity, key).query() if key else Query(())
        return self._store.query(query.newest_first(), limit=limit, cursor=cursor, on_bad=pass_over)

    def describe(self, name: str) -> dict[str, Any]:
        """What there is to know about a type."""
        entity = self.named(name)
        schema = schema_of(entity)
        table = self._index.table
        templates = zip(table.keys, schema.key.templates, strict=True)
        return {
            "type": name,
            "description": (entity.__doc__ or "").strip(),
            "key": {key.name: template.text for key, template in templates},
            "indexes": {key.index.name: _texts(key) for key in schema.index_keys},
            "patterns": [_pattern(each) for each in _patterns(table, entity)],
            "readableBy": reader_of(entity) or _PUBLIC,
            "writableBy": getattr(entity, "written_by", None),
            "writable": [schema.attribute(name) for name in getattr(entity, "editable", ())],
            "writableOnce": [schema.attribute(name) for name in getattr(entity, "given_once", ())],
            "schema": json_schema(entity),
        }

    def _key(self, entity: type[Entity]) -> IndexKey | None:
        """The key that puts an entity's items into the index under one constant type."""
        keys = schema_of(entity).index_keys
        return next((key for key in keys if key.index is self._index and not key.pk.fields), None)


def reader_of(entity: type[Entity]) -> Role | None:
    """The least role that may read an entity; an admin, where its declaration says nothing."""
    role: Role | None = getattr(entity, "read_by", "admin")
    return role


def json_schema(entity: type[Entity]) -> JsonSchemaValue:
    """The JSON Schema of an entity's items, under the names that they have there."""
    schema, made = schema_of(entity), entity.model_json_schema()
    hidden = getattr(entity, "hidden", ())
    kept = {name: each for name, each in schema.fields.items() if name not in hidden}
    properties = {
        field.attribute: _property(field, made["properties"][name]) for name, field in kept.items()
    }
    required = [kept[name].attribute for name in made.get("required", []) if name in kept]
    return {
        "title": entity.__name__,
        "description": (entity.__doc__ or "").strip(),
        "type": "object",
        "properties": {"Type": {"const": type_of(entity)}, **properties},
        "required": ["Type", *required],
        **({"additionalProperties": True} if getattr(entity, "is_open", False) else {}),
        **({"$defs": made["$defs"]} if "$defs" in made else {}),
    }


def _property(field: Field, made: dict[str, Any]) -> dict[str, Any]:
    """A field as it is stored: absent and not null, and a moment by its form."""
    told = {name: value for name, value in made.items() if name not in {"anyOf", "default"}}
    told["title"] = field.attribute
    if field.key_type == "N" and field.form is not None:
        return {"title": field.attribute, "type": "integer", "description": "Seconds since 1970."}
    options = [each for each in made.get("anyOf", []) if each.get("type") != "null"]
    if len(options) == 1:
        return {**options[0], **told}
    return {**told, "anyOf": options} if options else told


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
