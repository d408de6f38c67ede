"""The index of the search: documents, their tokens, and how far each domain was read."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
)

from gotgan.sql.migrations.steps import complete_table

revision: Final = "0008"
down_revision: Final = "0007"
_SQLITE: Final = """
CREATE VIRTUAL TABLE search_index
USING fts5(tokens, content='', detail=none, tokenize='ascii', prefix='1 2 3 4 5 6')
"""
"""Without content, because the documents have it. For this tokenizer all signs that are not ASCII
are letters, so our tokens stay as they are."""
_POSTGRES: Final = """
CREATE TABLE search_index
(id BIGINT CONSTRAINT pk_search_index PRIMARY KEY, tokens TSVECTOR NOT NULL);
CREATE INDEX ix_search_index_tokens ON search_index USING gin (tokens) WITH (fastupdate = off)
"""
"""Tokens that wait to be sorted in would be read one by one by every query."""


def upgrade() -> None:
    """Create the tables."""
    complete_table(
        "search_documents",
        Column("id", BigInteger, primary_key=True, autoincrement=False),
        Column("domain", String(50), nullable=False),
        Column("kind", String(30), nullable=False),
        Column("key", Text, nullable=False),
        Column("part", Text, nullable=False),
        Column("title", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("names", Text, nullable=False),
        Column("role", String(10), nullable=False),
        Column("at", DateTime),
        Column("until", DateTime),
        Column("digest", String(32), nullable=False),
        UniqueConstraint("kind", "key", "domain", name="uq_search_documents_kind_key_domain"),
        Index("ix_search_documents_domain_part", "domain", "part"),
        Index("ix_search_documents_until", "until"),
    )
    complete_table(
        "search_marks",
        Column("domain", String(50), primary_key=True),
        Column("mark", Text),
        Column("tokens", Integer, nullable=False),
        Column("updated_at", DateTime),
        Column("reread_at", DateTime),
    )
    op.execute(_POSTGRES if op.get_bind().dialect.name == "postgresql" else _SQLITE)
