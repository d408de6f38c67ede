"""One item whole: every attribute with its type, and where its values lead."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.tables.links import entity_of, follow
from gotgan.console.tables.masks import has_secret_key, masked
from gotgan.console.tables.places import table_path, the_table
from gotgan.console.tables.reading import get_item
from gotgan.console.tables.same import same_item
from gotgan.errors import TableMissing, UsageError
from gotgan.plain_json import encoded, pretty
from gotgan.store import Cost, Table
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.data.browse_terms import key_value
from gotgan.store.data.readable import readable
from gotgan.store.data.wire_json import written
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import size_of_item
from gotgan.store.visibility import is_expired

__all__ = ["item_json", "router", "show_item"]

router = APIRouter()
_NESTED: Final = frozenset({"L", "M"})
_SHORT: Final = 100
"""How long a line may be that is not taken apart."""
_TALL: Final = 600
"""From how many letters on a text is scrolled in a box of its own."""
_LONGEST: Final = 20_000
"""How many letters of a value are shown; the file has them all."""


@router.get("/tables/{name}/item.json")
def item_json(
    request: Request, _who: Admin, app: Gotgan, name: str, pk: str, sk: str = ""
) -> Response:
    """The same for programs, however long its values are."""
    table = the_table(request, name)
    item, cost = _read(app, table, _key(table, pk, sk))
    if item is None:
        raise HTTPException(404)
    shown = masked(table, item)
    answer = {"item": readable(shown), "dynamodb": written(shown), "cost": cost.shown()}
    return Response(encoded(answer), media_type="application/json")


@router.get("/tables/{name}/item")
def show_item(
    request: Request, _who: Admin, app: Gotgan, name: str, pk: str, sk: str = ""
) -> Response:
    """An item by its key."""
    table = the_table(request, name)
    key = _key(table, pk, sk)
    item, cost = _read(app, table, key)
    shown = {} if item is None else masked(table, item)
    entity = entity_of(table, item) if item else None
    return page(
        request,
        "tables/item.html",
        status=404 if item is None else 200,
        table=table,
        entity=entity,
        rows=[(name, next(iter(value)), _text(value)) for name, value in _ordered(table, shown)],
        longest=_LONGEST,
        tall=_TALL,
        links=follow(table, item) if item else {},
        size=size_of_item(item) if item else 0,
        is_expired=item is not None and is_expired(table, item, app.clock.now()),
        raw=pretty(written(shown)),
        cost=cost,
        home=table_path(table),
        file=None if item is None else f"{table_path(table)}/item.json?{request.url.query}",
        same=None if has_secret_key(table, key) else same_item(app.store, table, entity, key),
    )


def _read(app: App, table: Table, key: Item) -> tuple[Item | None, Cost]:
    """An item; a key that cannot be, or a table that is not there, holds none."""
    try:
        return get_item(app.store, table, key)
    except (TableMissing, ValidationException):
        raise HTTPException(404) from None


def _key(table: Table, pk: str, sk: str) -> Item:
    """The key that an address names, in the types of its table."""
    try:
        pairs = zip(table.keys, (pk, sk), strict=False)
        return {each.name: key_value(text, each) for each, text in pairs}
    except UsageError:
        raise HTTPException(404) from None


def _ordered(table: Table, item: Item) -> list[tuple[str, AttributeValue]]:
    """The attributes of an item, its keys first."""
    keys = [key.name for key in table.keys if key.name in item]
    return [(name, item[name]) for name in dict.fromkeys([*keys, *sorted(item)])]


def _text(value: AttributeValue) -> str:
    """A value to read; of one with values in it every type is told."""
    if _NESTED.isdisjoint(value):
        shown = readable({"value": value})["value"]
        return shown if isinstance(shown, str) else pretty(shown)
    [content] = written(value).values()
    line = encoded(content).decode()
    return line if len(line) <= _SHORT else pretty(content)
