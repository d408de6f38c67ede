"""The page of an item: every attribute with its type and links."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.session import Admin, CurrentApp
from gotgan.console.tables.masks import has_secret_key, masked
from gotgan.console.tables.reads import get_item, same_item
from gotgan.console.tables.sheets import entity_of, find_table, item_links, table_path
from gotgan.errors import TableMissing, UsageError
from gotgan.plain_json import to_json, to_pretty_json
from gotgan.store import Cost, Table
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.data.browse_terms import parse_key_value
from gotgan.store.data.item_json import item_to_json, readable_item
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import size_of_item
from gotgan.store.reads import is_expired

router = APIRouter()
_NESTED: Final = frozenset({"L", "M"})
_MAX_INLINE_LENGTH: Final = 100
_SCROLL_LENGTH: Final = 600
_MAX_SHOWN_LENGTH: Final = 20_000
"""The file has longer values whole."""


@router.get("/tables/{name}/item.json")
def item_json(
    request: Request, _who: Admin, app: CurrentApp, name: str, pk: str, sk: str = ""
) -> Response:
    """An item as JSON, with whole values."""
    table = find_table(request, name)
    item, cost = _read_item(app, table, _key(table, pk, sk))
    if item is None:
        raise HTTPException(404)
    shown = masked(table, item)
    answer = {"item": readable_item(shown), "dynamodb": item_to_json(shown), "cost": cost.as_dict()}
    return Response(to_json(answer), media_type="application/json")


@router.get("/tables/{name}/item")
def show_item(
    request: Request, _who: Admin, app: CurrentApp, name: str, pk: str, sk: str = ""
) -> Response:
    """An item by its key."""
    table = find_table(request, name)
    key = _key(table, pk, sk)
    item, cost = _read_item(app, table, key)
    shown = {} if item is None else masked(table, item)
    entity = entity_of(table, item) if item else None
    keys = [each.name for each in table.keys if each.name in shown]
    values = {each: shown[each] for each in [*keys, *sorted(shown)]}
    return page(
        request,
        "tables/item.html",
        status=404 if item is None else 200,
        table=table,
        entity=entity,
        rows=[(each, next(iter(value)), _value_text(value)) for each, value in values.items()],
        longest=_MAX_SHOWN_LENGTH,
        tall=_SCROLL_LENGTH,
        links=item_links(table, item) if item else {},
        size=size_of_item(item) if item else 0,
        is_expired=item is not None and is_expired(table, item, app.clock.now()),
        raw=to_pretty_json(item_to_json(shown)),
        cost=cost,
        home=table_path(table),
        file=None if item is None else f"{table_path(table)}/item.json?{request.url.query}",
        same=None if has_secret_key(table, key) else same_item(app.store, table, entity, key),
    )


def _read_item(app: App, table: Table, key: Item) -> tuple[Item | None, Cost]:
    """An item; an invalid key or a missing table has none."""
    try:
        return get_item(app.store, table, key)
    except (TableMissing, ValidationException):
        raise HTTPException(404) from None


def _key(table: Table, pk: str, sk: str) -> Item:
    """The key of an address, in the types of the table."""
    try:
        pairs = zip(table.keys, (pk, sk), strict=False)
        return {each.name: parse_key_value(text, each) for each, text in pairs}
    except UsageError:
        raise HTTPException(404) from None


def _value_text(value: AttributeValue) -> str:
    """A value as text; a nested one with all types."""
    if _NESTED.isdisjoint(value):
        shown = readable_item({"value": value})["value"]
        return shown if isinstance(shown, str) else to_pretty_json(shown)
    [content] = item_to_json(value).values()
    line = to_json(content).decode()
    return line if len(line) <= _MAX_INLINE_LENGTH else to_pretty_json(content)
