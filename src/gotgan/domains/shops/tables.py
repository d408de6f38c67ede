"""The tables derived from the shops' table: products and changes of all shops, to be searched.

The table of the shops is the truth; these can be rebuilt from it at any time.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from gotgan.sql import METADATA, UtcMoment

NO_AMOUNT: Final = -1.0
"""The amount of a product without a price; an index has no place for nothing."""
_KEY: Final = ("domain", "digest")
_FILTERED: Final = ("status", "currency", "country")
"""What lists are filtered by is in their indexes: SQLite then reads only the rows that it shows."""

PRODUCTS: Final = sa.Table(
    "shop_products",
    METADATA,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("digest", sa.String(16), primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("folded", sa.Text, nullable=False),
    sa.Column("image", sa.Text),
    sa.Column("country", sa.String(2)),
    sa.Column("status", sa.Text),
    sa.Column("last_status", sa.Text),
    sa.Column("price", sa.BigInteger),
    sa.Column("currency", sa.Text),
    sa.Column("amount", sa.Double, nullable=False),
    sa.Column("first_seen", UtcMoment),
    sa.Column("checked_at", UtcMoment),
    sa.Column("changed_at", UtcMoment),
    sa.Column("listed_at", UtcMoment, nullable=False),
    sa.Column("kind", sa.String(12)),
    sa.Column("before_status", sa.Text),
    sa.Column("before_price", sa.BigInteger),
    sa.Column("before_currency", sa.Text),
    sa.Index(None, "digest"),
    sa.Index("ix_shop_products_listed_at", "listed_at", *_KEY, *_FILTERED, "folded"),
    sa.Index("ix_shop_products_amount", "amount", *_KEY, *_FILTERED, "folded"),
    sa.Index("ix_shop_products_folded", "folded", *_KEY, *_FILTERED),
    sa.Index("ix_shop_products_shop", "domain", "listed_at", "digest"),
)
"""One row for each product page.

A removed product keeps the price that it had before; ``last_status`` is the status before.
``amount`` is the price in whole units of its currency, and ``listed_at`` when it changed last, or
was checked. ``before_…`` and ``kind`` are of the last change.
"""
CHANGES: Final = sa.Table(
    "shop_changes",
    METADATA,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("digest", sa.String(16), primary_key=True),
    sa.Column("seen_at", UtcMoment, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("before_status", sa.Text),
    sa.Column("before_price", sa.BigInteger),
    sa.Column("before_currency", sa.Text),
    sa.Column("status", sa.Text),
    sa.Column("price", sa.BigInteger),
    sa.Column("currency", sa.Text),
    sa.Index(None, "seen_at", "domain", "digest"),
    sa.Index(None, "kind", "seen_at", "domain", "digest"),
    sa.Index("ix_shop_changes_shop", "domain", "seen_at", "digest"),
)
"""The changes of all shops."""
CATALOG: Final = sa.Table(
    "shop_catalog",
    METADATA,
    sa.Column("domain", sa.Text, primary_key=True),
    sa.Column("country", sa.String(2)),
    sa.Column("crawled_at", UtcMoment),
    sa.Column("scraped_at", UtcMoment),
    sa.Column("changes_at", UtcMoment),
    sa.Column("is_running", sa.Boolean, nullable=False),
    sa.Column("is_stale", sa.Boolean, nullable=False),
    sa.Column("products", sa.Integer, nullable=False),
    sa.Column("removed", sa.Integer, nullable=False),
    sa.Column("changed_at", UtcMoment),
    sa.Column("currencies", sa.Text, nullable=False),
)
"""How far each shop was read: the ends of the crawl and the scrape after which all of its products
were, and the newest of its changes. A stale one is read again.
"""
DERIVED: Final = sa.Table(
    "derived_tables",
    METADATA,
    sa.Column("name", sa.String(50), primary_key=True),
    sa.Column("as_of", UtcMoment, nullable=False),
    sa.Column("swept_at", UtcMoment),
)
"""Up to when tables have everything that they are derived from."""
