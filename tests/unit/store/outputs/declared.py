"""Tables to make outputs of: small ones of every kind, and those of three documents."""

from __future__ import annotations

from gotgan.store.tables import KEYS_ONLY, Provisioned, Table, number

__all__ = ["DOCUMENTS", "everything", "news", "plain", "shops", "site"]


def plain(name: str = "plain") -> Table:
    """A table with a partition key and nothing else."""
    return Table(name, pk="pk")


def everything() -> Table:
    """A table that has everything that can be declared."""
    table = Table(
        "every-thing",
        pk="pk",
        sk=number("sk"),
        ttl="expires",
        stream="NEW_AND_OLD_IMAGES",
        billing=Provisioned(read=5, write=3),
    )
    table.local_index("by_title", sk="title", project=("author", "year"))
    table.index("by_author", pk="author", sk=number("year"))
    table.index("by_kind", pk="kind", project=KEYS_ONLY)
    return table


def news() -> Table:
    """The news items of document 000, readable by day."""
    table = Table("news_items", pk="pk")
    table.index("dt_utc_uploaded", pk="dt_utc", sk=number("uploaded_at_utc_ms"))
    return table


def site() -> Table:
    """The single table of document 001."""
    table = Table("FMWebAppTable", pk="PK", sk="SK", ttl="expiresAt")
    table.index("Type_CreatedAt", pk="Type", sk="CreatedAt")
    return table


def shops() -> Table:
    """The single table of document 002."""
    table = Table("aura-historia-data", pk="pk", sk="sk")
    table.index("GSI1", pk="gsi1_pk", sk="gsi1_sk")
    crawled = ("domain", "last_crawled_start", "last_crawled_end")
    table.index("GSI2", pk="gsi2_pk", sk="gsi2_sk", project=crawled)
    scraped = ("domain", "last_scraped_start", "last_scraped_end", "last_crawled_end")
    table.index("GSI3", pk="gsi3_pk", sk="gsi3_sk", project=scraped)
    table.index("GSI4", pk="gsi4_pk", sk="gsi4_sk", project=KEYS_ONLY)
    return table


DOCUMENTS = (news, site, shops)
