"""What commands of the relational side start from."""

from __future__ import annotations

from tests.sql.fixtures import prepared_file

__all__ = ["prepared_file"]
