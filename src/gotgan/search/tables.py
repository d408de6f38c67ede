"""The tables of the search: the documents as they are shown, and how far each domain was read.

Their tokens are in ``search_index``, which each database has in its own form: see ``index.py``.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text, UniqueConstraint

from gotgan.sql import METADATA, UtcMoment

SEARCH_DOCUMENTS: Final = Table(
    "search_documents",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("domain", String(50), nullable=False),
    Column("kind", String(30), nullable=False),
    Column("key", Text, nullable=False),
    Column("part", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("role", String(10), nullable=False),
    Column("at", UtcMoment),
    Column("until", UtcMoment),
    Column("digest", String(32), nullable=False),
    UniqueConstraint("kind", "key", "domain"),
    Index(None, "domain", "part"),
    Index(None, "until"),
)
"""Ids grow with time, so that the newest are read first without sorting; ``part`` is the group."""
SEARCH_MARKS: Final = Table(
    "search_marks",
    METADATA,
    Column("domain", String(50), primary_key=True),
    Column("mark", Text),
    Column("tokens", Integer, nullable=False),
    Column("updated_at", UtcMoment),
    Column("reread_at", UtcMoment),
)
"""How far each domain was read, by which rules of tokens, and when it was last read to its end."""
