"""Items as pages show them: paths of tables and items, links, error texts, columns and cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from fastapi import HTTPException
from markupsafe import Markup
from starlette.requests import Request

from gotgan.console.hints import message_with_links
from gotgan.console.session import Viewer
from gotgan.console.tables.masks import has_secret_key, masked
from gotgan.console.texts import catalogue
from gotgan.domain import domains
from gotgan.errors import BadCursor, BadKeyPart, GotganError, IndexMissing, TableMissing, UsageError
from gotgan.plain_json import to_json
from gotgan.store import Entity, Table, entities_of
from gotgan.store.attributes import AttributeValue, Item, decode
from gotgan.store.data.item_json import readable_item
from gotgan.store.engine.faults import ResourceNotFoundException, ValidationException
from gotgan.store.schema import Schema, schema_of
from gotgan.store.tables import Index

# Paths


@cache
def _tables_by_domain() -> Mapping[str, tuple[Table, ...]]:
    """The tables of each domain that is on DynamoDB."""
    return {each.name: tuple(each.declared_tables()) for each in domains() if each.tables}


def tables_of(request: Request) -> list[Table]:
    """The tables of this server's domains."""
    chosen = request.app.state.domains
    return [
        table for name, tables in _tables_by_domain().items() if name in chosen for table in tables
    ]


def find_table(request: Request, name: str) -> Table:
    """The table of a path."""
    for table in tables_of(request):
        if table.name == name:
            return table
    raise HTTPException(404)


def table_path(table: Table, /, **query: str) -> str:
    """The page of a table, with a query."""
    return f"/tables/{quote(table.name)}{f'?{urlencode(query)}' if query else ''}"


def pattern_path(table: Table, pattern: str) -> str:
    """The page of an access pattern."""
    return f"{table_path(table)}/patterns/{quote(pattern)}"


def item_path(table: Table, item: Item) -> str:
    """The page of an item."""
    values = [value_text(item[key.name]) for key in table.keys]
    return f"{table_path(table)}/item?{urlencode(list(zip(('pk', 'sk'), values, strict=False)))}"


def value_text(value: AttributeValue) -> str:
    """A value of an item as text."""
    return str(readable_item({"value": value})["value"])


# Errors

REFUSALS: Final = (
    BadCursor,
    BadKeyPart,
    IndexMissing,
    ResourceNotFoundException,
    TableMissing,
    UsageError,
    ValidationException,
)
"""Errors of a read that are shown in its form."""


def refusal_text(who: Viewer, error: GotganError) -> str:
    """Why a read was refused."""
    if isinstance(error, ResourceNotFoundException | TableMissing):
        link = Markup('<a class="nowrap" href="/tables">{}</a>').format(
            who.t("tables.board.create")
        )
        return Markup(" ").join([who.t("tables.board.missing"), link])
    return error_text(who, error.message)


def error_text(who: Viewer, error: str) -> str:
    """The text of a key, or a message."""
    return who.t(error) if error in catalogue() else message_with_links(who, error)


def error_texts(who: Viewer, errors: Mapping[str, str]) -> dict[str, str]:
    """The error of each field."""
    return {field: error_text(who, each) for field, each in errors.items()}


# Links


@dataclass(frozen=True)
class Link:
    """A link of a value."""

    kind: Literal["partition", "index", "item"]
    name: str
    """The table, the index or the entity of the target."""
    path: str


def entity_of(table: Table, item: Item) -> type[Entity] | None:
    """The entity of an item, if it is declared."""
    return next((each for each in entities_of(table) if schema_of(each).matches(item)), None)


def item_links(table: Table, item: Item) -> dict[str, list[Link]]:
    """The links of an item by attribute."""
    found: dict[str, list[Link]] = {}
    if has_secret_key(table, item):
        return found
    for attribute, link in (*_own_links(table, item), *_related_links(table, item)):
        found.setdefault(attribute, []).append(link)
    return found


def _own_links(table: Table, item: Item) -> Iterator[tuple[str, Link]]:
    """Links within the table: the item's partition, and its place in each index."""
    if table.sk is not None:
        partition = table_path(table, pk=value_text(item[table.pk.name]))
        yield table.pk.name, Link("partition", table.name, partition)
    for index in table.indexes.values():
        if all(key.name in item for key in index.keys):
            yield from _index_links(table, index, item)


def _index_links(table: Table, index: Index, item: Item) -> Iterator[tuple[str, Link]]:
    partition = {"index": index.name, "pk": value_text(item[index.pk.name])}
    if index.more_pk:
        named = ((key.name, value_text(item[key.name])) for key in index.more_pk)
        partition["filters"] = "\n".join(f'"{name}"={value}' for name, value in named)
    yield index.pk.name, Link("index", index.name, table_path(table, **partition))
    if index.sk is not None:
        exact = {**partition, "op": "=", "sk": value_text(item[index.sk.name])}
        yield index.sk.name, Link("index", index.name, table_path(table, **exact))


def _related_links(table: Table, item: Item) -> Iterator[tuple[str, Link]]:
    """Links to items of the same domain whose keys are made of fields of this one."""
    own = entity_of(table, item)
    if own is None:
        return
    schema = schema_of(own)
    values = _stored_fields(schema, item)
    siblings = next(tables for tables in _tables_by_domain().values() if table in tables)
    others = [entity for each in siblings for entity in entities_of(each)]
    for entity in others:
        fields = {} if entity is own else _key_fields(entity, values)
        if not fields:
            continue
        target = schema_of(entity)
        with suppress(BadKeyPart, UsageError):  # a value that no key of that kind can have
            ref = target.key.ref(entity, {name: values[ours] for name, ours in fields.items()})
            link = Link("item", entity.__name__, item_path(target.table, ref.item))
            yield _attribute_of_field(schema, list(fields.values())[-1]), link


def _key_fields(entity: type[Entity], values: Mapping[str, Any]) -> dict[str, str]:
    """The fields that make the key of another entity, if all of them have values.

    They have the same names; a key that is only an ``id`` is made of a field that is named after
    the entity, such as ``category_id`` for a ``Category``.
    """
    wanted = [name for part in schema_of(entity).key.templates for name in part.fields]
    fields = {name: name for name in wanted}
    if wanted == ["id"]:
        entity_name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", entity.__name__).lower()
        fields = {"id": f"{entity_name}_id"}
    return fields if all(values.get(name) is not None for name in fields.values()) else {}


def _stored_fields(schema: Schema, item: Item) -> dict[str, Any]:
    """The fields of an item in their stored form."""
    found: dict[str, Any] = {}
    for key, template in zip(schema.table.keys, schema.key.templates, strict=True):
        found |= template.read(item[key.name].get("S")) or {}
    for name, part in schema.parts.items():
        if not part.key_only and part.attribute in item:
            found[name] = decode(item[part.attribute])
    return found


def _attribute_of_field(schema: Schema, field: str) -> str:
    """The attribute of a field, or the key that contains it."""
    part = schema.parts[field]
    if not part.key_only:
        return part.attribute
    pairs = zip(schema.table.keys, schema.key.templates, strict=True)
    return next(key.name for key, template in pairs if field in template.fields)


# Sheets

_MAX_CELL_LENGTH: Final = 96
_MAX_UNFOLDED_LENGTH: Final = 2_000
"""The page of the item has the rest."""
_NESTED: Final = frozenset({"L", "M", "SS", "NS", "BS"})


@dataclass(frozen=True)
class TableCell:
    """A value of an item."""

    text: str = ""
    type: str = ""
    """As DynamoDB writes it; empty if the item has no such attribute."""
    whole: str = ""
    """The unfolded text of a long value."""
    path: str | None = None
    """Its link."""

    @property
    def is_nested(self) -> bool:
        """Whether it contains values."""
        return self.type in _NESTED


@dataclass(frozen=True)
class TableRow:
    """An item."""

    kind: str
    """The entity; empty if it is not declared."""
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class Sheet:
    """Items with all their columns."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    @property
    def has_kinds(self) -> bool:
        """Whether the items have several entities, or one that is not declared."""
        kinds = {row.kind for row in self.rows}
        return len(kinds) > 1 or "" in kinds


def columns_of(table: Table, index: Index | None, items: Iterable[Item]) -> tuple[str, ...]:
    """The attributes of items: the keys of the read first."""
    keys = [key.name for key in (*(index.keys if index else ()), *table.keys)]
    found = dict.fromkeys(name for item in items for name in sorted(item))
    return tuple(dict.fromkeys([*(name for name in keys if name in found), *found]))


def sheet_of(table: Table, index: Index | None, items: Sequence[Item]) -> Sheet:
    """Items as a sheet, without their secrets."""
    columns = columns_of(table, index, items)
    return Sheet(columns, tuple(_item_row(table, columns, item) for item in items))


def records_of(table: Table, items: Iterable[Item]) -> list[dict[str, Any]]:
    """Items as plain values, without their secrets."""
    return [readable_item(masked(table, item)) for item in items]


def shortened(text: str, longest: int) -> str:
    """A text, or the start of a long one."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def _item_row(table: Table, columns: Sequence[str], item: Item) -> TableRow:
    """The cells of an item; the last part of its key links to its page."""
    entity, shown, paths = entity_of(table, item), masked(table, item), dict[str, str]()
    if not has_secret_key(table, item):
        paths = {name: links[0].path for name, links in item_links(table, item).items()}
        paths[table.keys[-1].name] = item_path(table, item)
    return TableRow(
        kind=entity.__name__ if entity else "",
        cells=tuple(_item_cell(shown.get(name), paths.get(name)) for name in columns),
    )


def _item_cell(value: AttributeValue | None, path: str | None) -> TableCell:
    if value is None:
        return TableCell()
    [kind] = value
    shown = readable_item({"value": value})["value"]
    text = shown if isinstance(shown, str) else to_json(shown).decode()
    whole = shortened(text, _MAX_UNFOLDED_LENGTH) if len(text) > _MAX_CELL_LENGTH else ""
    return TableCell(shortened(text, _MAX_CELL_LENGTH), kind, whole, path)
