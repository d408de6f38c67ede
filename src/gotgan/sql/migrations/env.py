"""Runs the steps with Alembic, on the given connection and in its transaction."""

from __future__ import annotations

from alembic import context

from gotgan.sql.migrations import VERSION_TABLE

if hasattr(context, "config"):  # Alembic runs this file; importing it does nothing
    context.configure(
        connection=context.config.attributes["connection"], version_table=VERSION_TABLE
    )
    context.run_migrations()
