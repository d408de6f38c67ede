"""The steps from one version of the tables to the next; a step that was released never changes."""

from __future__ import annotations

from typing import Final

__all__ = ["LATEST", "VERSION_TABLE"]

LATEST: Final = "0005"
"""The version that this code works with; versions are numbers, and the larger is the later one."""
VERSION_TABLE: Final = "gotgan_version"
"""Where a database keeps its version: not in Alembic's own place, which others use too."""
