"""Pages of a list: how many, from where, and what they cost to read."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Query

from gotgan.domains.site.showing import shown
from gotgan.errors import UsageError
from gotgan.store import Entity, Page

__all__ = ["MOST", "Consistent", "Cursor", "Limit", "page_data", "refuse_consistent"]

MOST: Final = 100
_LONGEST_CURSOR: Final = 4_096

Limit = Annotated[int, Query(ge=1, le=MOST, description="How many records to give.")]
Cursor = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=_LONGEST_CURSOR,
        description="The `cursor` of the page before; opaque, and good for the same list only.",
    ),
]
Consistent = Annotated[
    bool,
    Query(description="Read strongly consistently, at twice the cost; refused by an index."),
]


def page_data(page: Page[Any]) -> dict[str, Any]:
    """A page: its records, where the next one begins, and what it cost to read."""
    return {
        "items": [shown(each) if isinstance(each, Entity) else each for each in page.items],
        "cursor": page.cursor,
        "read": {"items": page.read, "units": page.cost.reads},
    }


def refuse_consistent(consistent: bool) -> None:  # noqa: FBT001 - it is the question itself
    """Refuse a strong read where an index answers: there is none."""
    if consistent:
        raise UsageError(
            "an index answers here, and an index has no consistent reads; leave out consistent, "
            "or read one record by its id"
        )
