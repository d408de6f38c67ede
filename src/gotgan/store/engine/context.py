"""What every operation works with: the file, the catalogue, the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gotgan.clock import Clock
from gotgan.store.engine import codec
from gotgan.store.engine.catalog import Catalog
from gotgan.store.engine.clauses import Clauses
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.expressions import project
from gotgan.store.engine.requests import table_name
from gotgan.store.engine.tables import EngineTable

__all__ = ["Context"]


@dataclass(frozen=True)
class Context:
    """An open store. ``load`` turns a stored item into what the caller's front wants of it."""

    database: EngineDatabase
    catalog: Catalog
    clock: Clock
    load: Callable[[bytes], Any] = codec.load
    counts: dict[int, Any] = field(default_factory=dict)

    def shown(self, clauses: Clauses, raw: bytes) -> Any:
        """Return a stored item as the request wants to see it."""
        if clauses.projection is None:
            return self.load(raw)
        return project(clauses.projection, codec.load(raw))

    def table(self, request: Mapping[str, Any]) -> EngineTable:
        """Return the table that a request names."""
        known = self.catalog.tables.get(request.get("TableName", ""))
        return known or self.catalog.table(table_name(request))
