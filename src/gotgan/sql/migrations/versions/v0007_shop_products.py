"""Products and changes of all shops, derived from the shops' table."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
)

from gotgan.sql.migrations.steps import complete_table

revision: Final = "0007"
down_revision: Final = "0006"
_KEY: Final = ("domain", "digest")
_FILTERED: Final = ("status", "currency", "country")


def upgrade() -> None:
    """Create the tables; the next refresh fills them."""
    _products()
    _changes()
    complete_table(
        "shop_catalog",
        Column("domain", Text, nullable=False),
        Column("country", String(2)),
        Column("crawled_at", DateTime),
        Column("scraped_at", DateTime),
        Column("changes_at", DateTime),
        Column("is_running", Boolean, nullable=False),
        Column("is_stale", Boolean, nullable=False),
        Column("products", Integer, nullable=False),
        Column("removed", Integer, nullable=False),
        Column("changed_at", DateTime),
        Column("currencies", Text, nullable=False),
        PrimaryKeyConstraint("domain", name="pk_shop_catalog"),
    )
    complete_table(
        "derived_tables",
        Column("name", String(50), nullable=False),
        Column("as_of", DateTime, nullable=False),
        Column("swept_at", DateTime),
        PrimaryKeyConstraint("name", name="pk_derived_tables"),
    )


def _products() -> None:
    complete_table(
        "shop_products",
        Column("domain", Text, nullable=False),
        Column("digest", String(16), nullable=False),
        Column("url", Text, nullable=False),
        Column("title", Text),
        Column("folded", Text, nullable=False),
        Column("image", Text),
        Column("country", String(2)),
        Column("status", Text),
        Column("last_status", Text),
        Column("price", BigInteger),
        Column("currency", Text),
        Column("amount", Double, nullable=False),
        Column("first_seen", DateTime),
        Column("checked_at", DateTime),
        Column("changed_at", DateTime),
        Column("listed_at", DateTime, nullable=False),
        Column("kind", String(12)),
        Column("before_status", Text),
        Column("before_price", BigInteger),
        Column("before_currency", Text),
        PrimaryKeyConstraint("domain", "digest", name="pk_shop_products"),
        Index("ix_shop_products_digest", "digest"),
        Index("ix_shop_products_listed_at", "listed_at", *_KEY, *_FILTERED, "folded"),
        Index("ix_shop_products_amount", "amount", *_KEY, *_FILTERED, "folded"),
        Index("ix_shop_products_folded", "folded", *_KEY, *_FILTERED),
        Index("ix_shop_products_shop", "domain", "listed_at", "digest"),
    )


def _changes() -> None:
    complete_table(
        "shop_changes",
        Column("domain", Text, nullable=False),
        Column("digest", String(16), nullable=False),
        Column("seen_at", DateTime, nullable=False),
        Column("kind", String(12), nullable=False),
        Column("url", Text, nullable=False),
        Column("title", Text),
        Column("before_status", Text),
        Column("before_price", BigInteger),
        Column("before_currency", Text),
        Column("status", Text),
        Column("price", BigInteger),
        Column("currency", Text),
        PrimaryKeyConstraint("domain", "digest", "seen_at", name="pk_shop_changes"),
        Index("ix_shop_changes_seen_at_domain_digest", "seen_at", "domain", "digest"),
        Index("ix_shop_changes_kind_seen_at_domain_digest", "kind", "seen_at", "domain", "digest"),
        Index("ix_shop_changes_shop", "domain", "seen_at", "digest"),
    )
