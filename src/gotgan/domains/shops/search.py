"""The shops as documents: shops by their names, and their products by title."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select, tuple_

from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domains.shops import keys
from gotgan.domains.shops.tables import PRODUCTS

if TYPE_CHECKING:
    from sqlalchemy import Row

    from gotgan.domains.shops.models import Shop
    from gotgan.sql import Database
    from gotgan.store import Page, Store

PAGE_SIZE: Final = 200
_BATCH_SIZE: Final = 500
_OVERLAP: Final = timedelta(minutes=15)
"""How long after a change the catalog may have it."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def shop_cursor(mark: str | None) -> tuple[bool, str | None]:
    """Whether a mark is among the shops, which are read before the products, and its cursor."""
    if mark is None:
        return True, None
    fields = json.loads(mark)
    return "shops" in fields, fields.get("shops")


def shop_documents(store: Store, page: Page[Shop]) -> DocumentBatch:
    """A page of shops; behind the last one come the products."""
    whole = store.get_all([keys.shop(each.domain) for each in page])
    following = _mark(_EPOCH, "", "") if page.cursor is None else json.dumps({"shops": page.cursor})
    return DocumentBatch([_shop(each) for each in whole.items], mark=following, is_last=False)


def product_documents(database: Database, mark: str, now: datetime) -> DocumentBatch:
    """The products that were listed since a mark."""
    at, domain, digest = json.loads(mark)["products"]
    table = PRODUCTS.c
    place = (table.listed_at, table.domain, table.digest)
    query = select(PRODUCTS).where(tuple_(*place) > (datetime.fromisoformat(at), domain, digest))
    with database.read() as connection:
        rows = connection.execute(query.order_by(*place).limit(_BATCH_SIZE)).all()
    documents = [_product(each) for each in rows]
    if len(rows) == _BATCH_SIZE:
        last = rows[-1]
        following = _mark(last.listed_at, last.domain, last.digest)
        return DocumentBatch(documents, mark=following, is_last=False)
    reached = min((rows[-1].listed_at if rows else datetime.fromisoformat(at)), now - _OVERLAP)
    return DocumentBatch(documents, mark=_mark(reached, "", ""))


def _mark(at: datetime, domain: str, digest: str) -> str:
    return json.dumps({"products": [at.isoformat(), domain, digest]})


def _shop(shop: Shop) -> SearchDocument:
    names = (shop.domain, shop.domain.removeprefix("www."), shop.core_domain_name)
    return SearchDocument("shop", shop.domain, shop.shop_name or shop.domain, names=names)


def _product(row: Row[Any]) -> SearchDocument:
    return SearchDocument(
        kind="product",
        id=row.url,
        title=row.title or row.url,
        text=row.domain,
        names=(row.url,),
        at=row.changed_at or row.first_seen or row.listed_at,
    )
