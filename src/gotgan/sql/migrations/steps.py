"""Parts of migration steps: create a table, or complete an existing one."""

from __future__ import annotations

from alembic import context, op
from sqlalchemy import MetaData, Table
from sqlalchemy.schema import SchemaItem

from gotgan.sql.adoption import add_missing, create_or_complete


def complete_table(name: str, *items: SchemaItem) -> None:
    """Create a table, or add what an existing one lacks."""
    adopted = create_or_complete(op.get_bind(), Table(name, MetaData(), *items))
    if adopted is not None:
        context.config.attributes["adopted"].append(adopted)


def add_to_table(name: str, *items: SchemaItem) -> None:
    """Add columns and indexes to a table of an earlier step, unless it has them."""
    add_missing(op.get_bind(), Table(name, MetaData(), *items))
