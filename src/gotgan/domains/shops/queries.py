"""Reading the catalog. A cursor names the sort value and the key before the next page."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Double,
    RowMapping,
    Select,
    func,
    literal,
    select,
    tuple_,
)

from gotgan.domains.shops import messages
from gotgan.domains.shops.catalog_rows import fold_text
from gotgan.domains.shops.changes import state_hash
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import Change, Offer, url_digest
from gotgan.domains.shops.products import ChangeFilter, ProductFilter, ShopProduct
from gotgan.domains.shops.tables import CATALOG, CHANGES, NO_AMOUNT, PRODUCTS
from gotgan.errors import BadCursor
from gotgan.sql import UtcMoment

MAX_COUNTED: Final = 1_000
"""How far products are counted."""
_MAX_WORDS: Final = 8
_SORT_COLUMNS: Final = {
    "changed": PRODUCTS.c.listed_at,
    "price": PRODUCTS.c.amount,
    "title": PRODUCTS.c.folded,
}


def list_products(
    connection: Connection, wanted: ProductFilter, limit: int, cursor: str | None
) -> tuple[list[ShopProduct], str | None]:
    """A page of products, and the cursor of the next one."""
    name = wanted.sort.removeprefix("-")
    column = _SORT_COLUMNS[name]
    query = select(PRODUCTS).where(*_conditions(connection, wanted))
    order = (column, PRODUCTS.c.domain, PRODUCTS.c.digest)
    rows, following = _page(
        connection, query, order, limit, cursor, is_descending=wanted.sort.startswith("-")
    )
    return [product_from(row) for row in rows], following


def count_products(connection: Connection, wanted: ProductFilter) -> tuple[int, bool]:
    """How many products there are, and whether there are more than are counted."""
    by_shop = ProductFilter(domains=wanted.domains, country=wanted.country, sort=wanted.sort)
    if wanted == by_shop and wanted.sort not in ("price", "-price"):
        return _count_by_shop(connection, wanted), False
    found = select(PRODUCTS.c.digest).where(*_conditions(connection, wanted))
    some = found.limit(MAX_COUNTED + 1).subquery()
    count = connection.execute(select(func.count()).select_from(some)).scalar_one()
    return min(count, MAX_COUNTED), count > MAX_COUNTED


def _count_by_shop(connection: Connection, wanted: ProductFilter) -> int:
    """How many products shops have, as they were counted when these were read."""
    query = select(func.coalesce(func.sum(CATALOG.c.products + CATALOG.c.removed), 0))
    if wanted.domains:
        query = query.where(CATALOG.c.domain.in_(wanted.domains))
    if wanted.country is not None:
        query = query.where(CATALOG.c.country == wanted.country)
    return int(connection.execute(query).scalar_one())


def _conditions(connection: Connection, wanted: ProductFilter) -> list[ColumnElement[bool]]:
    table = PRODUCTS.c
    place = func.strpos if connection.dialect.name == "postgresql" else func.instr
    words = fold_text(wanted.text.replace("\0", "")).split()[:_MAX_WORDS]
    found: list[ColumnElement[bool]] = [place(table.folded, word) > 0 for word in words]
    if wanted.domains:
        found.append(table.domain.in_(wanted.domains))
    if wanted.country is not None:
        found.append(table.country == wanted.country)
    if wanted.status == Status.UNKNOWN:
        found.append(table.status.is_(None))
    elif wanted.status is not None:
        found.append(table.status == wanted.status)
    if wanted.currency is not None:
        found.append(table.currency == wanted.currency)
    if wanted.min_price is not None:
        found.append(table.amount >= wanted.min_price)
    if wanted.max_price is not None:
        found.append(table.amount <= wanted.max_price)
    is_by_price = wanted.sort in ("price", "-price")
    if is_by_price or wanted.min_price is not None or wanted.max_price is not None:
        found.append(table.amount > NO_AMOUNT)
    return found


def find_products(connection: Connection, urls: Collection[str]) -> list[ShopProduct]:
    """The products at some URLs."""
    digests = [url_digest(url) for url in urls]
    found = connection.execute(select(PRODUCTS).where(PRODUCTS.c.digest.in_(digests))).mappings()
    return [product_from(row) for row in found if row["url"] in urls]


def list_changes(
    connection: Connection, wanted: ChangeFilter, limit: int, cursor: str | None
) -> tuple[list[Change], str | None]:
    """A page of changes, newest first, and the cursor of the next one."""
    table, query = CHANGES.c, select(CHANGES)
    if wanted.domain is not None:
        query = query.where(table.domain == wanted.domain)
    if wanted.kind is not None:
        query = query.where(table.kind == wanted.kind)
    if wanted.since is not None:
        query = query.where(table.seen_at >= wanted.since)
    order = (table.seen_at, table.domain, table.digest)
    rows, following = _page(connection, query, order, limit, cursor, is_descending=True)
    return [change_from(row) for row in rows], following


def product_changes(connection: Connection, domain: str, digest: str) -> list[Change]:
    """All changes of a product, oldest first."""
    found = CHANGES.c.domain == domain, CHANGES.c.digest == digest
    rows = connection.execute(select(CHANGES).where(*found).order_by(CHANGES.c.seen_at)).mappings()
    return [change_from(row) for row in rows]


def shop_rows(connection: Connection, domains: Sequence[str]) -> dict[str, RowMapping]:
    """What is known of the products of some shops."""
    query = select(CATALOG).where(CATALOG.c.domain.in_(domains))
    return {row["domain"]: row for row in connection.execute(query).mappings()}


def currencies(connection: Connection) -> list[str]:
    """The currencies of all products."""
    rows = connection.execute(select(CATALOG.c.currencies).distinct()).scalars()
    return sorted({each for row in rows for each in orjson.loads(row)})


def product_from(row: RowMapping) -> ShopProduct:
    """A row as a product."""
    names = ("domain", "url", "title", "image", "country", "status", "last_status", "price")
    others = ("currency", "first_seen", "checked_at", "changed_at")
    before = None if row["kind"] in (None, "new") else _offer(row, "before_")
    return ShopProduct(
        **{name: row[name] for name in (*names, *others)}, change=row["kind"], before=before
    )


def change_from(row: RowMapping) -> Change:
    """A row as a change."""
    return Change(
        domain=row["domain"],
        seen_at=row["seen_at"],
        url=row["url"],
        title=row["title"],
        before=None if row["kind"] == "new" else _offer(row, "before_"),
        after=_offer(row, ""),
    )


def _offer(row: RowMapping, prefix: str) -> Offer:
    status, price = row[f"{prefix}status"], row[f"{prefix}price"]
    currency = row[f"{prefix}currency"]
    return Offer(
        status=status, price=price, currency=currency, hash=state_hash(status, price, currency)
    )


def _page(
    connection: Connection,
    query: Select[Any],
    order: tuple[ColumnElement[Any], ...],
    limit: int,
    cursor: str | None,
    *,
    is_descending: bool,
) -> tuple[Sequence[RowMapping], str | None]:
    """A page of rows, and the cursor of the next one; an extra row tells whether there is one."""
    if cursor is not None:
        values = zip(_parse_cursor(cursor, order[0]), order, strict=True)
        place = tuple_(*(literal(value, each.type) for value, each in values))
        query = query.where(tuple_(*order) < place if is_descending else tuple_(*order) > place)
    by = [each.desc() if is_descending else each.asc() for each in order]
    rows = connection.execute(query.order_by(*by).limit(limit + 1)).mappings().all()
    if len(rows) <= limit:
        return rows, None
    last = rows[limit - 1]
    end = orjson.dumps([last[each] for each in order])
    return rows[:limit], urlsafe_b64encode(end).decode().rstrip("=")


def _parse_cursor(cursor: str, column: ColumnElement[Any]) -> tuple[Any, str, str]:
    with suppress(ValueError, TypeError, OverflowError):
        raw = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
        value, domain, digest = orjson.loads(raw)
        read: Callable[[Any], Any] = datetime.fromisoformat
        if not isinstance(column.type, UtcMoment):
            read = float if isinstance(column.type, Double) else str
        value = read(value)
        is_moment = isinstance(value, datetime)
        if "\0" not in f"{value}{domain}{digest}" and (not is_moment or value.tzinfo is not None):
            return value, str(domain), str(digest)
    raise BadCursor(messages.BAD_CURSOR())
