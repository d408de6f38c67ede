"""The site's lists: where they are for programs, and as files."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.responses import StreamingResponse

from gotgan.console.listing import Elsewhere, as_csv
from gotgan.items import item_of, item_schema
from gotgan.store import Entity

__all__ = ["elsewhere", "file_of"]


def elsewhere(kind: str, *, api: str | None = None, **filters: str | None) -> Elsewhere:
    """The same list as JSON, as CSV and from the command line; ``kind`` is its name there."""
    return Elsewhere.of(
        f"/v1/{api or kind}", f"/site/{kind}.csv", f"gotgan site {kind} list", **filters
    )


def file_of(name: str, entity: type[Entity], records: Iterable[Entity]) -> StreamingResponse:
    """A file of records, with a column for each attribute that is shown."""
    return as_csv(name, list(item_schema(entity)["properties"]), map(item_of, records))
