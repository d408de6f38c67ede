"""A database of each kind, for what all processes share."""

from __future__ import annotations

from tests.sql.fixtures import clock, database, database_settings, postgres, prepared_file

__all__ = ["clock", "database", "database_settings", "postgres", "prepared_file"]
