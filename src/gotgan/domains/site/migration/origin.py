"""What the origin has no more: copies whose rows were deleted there. They are listed and stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from gotgan.domains.site import patterns
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.migration.planning import stored
from gotgan.domains.site.migration.rows import CATEGORIES, CORP, DRAFTS, POSTS, RowKind
from gotgan.domains.site.migration.state import MigrationState
from gotgan.domains.site.migration.tally import MigrationTally
from gotgan.store import Ref, Store
from gotgan.store.attributes import Item
from gotgan.store.batches import chunks

__all__ = ["lost_at_origin"]

_LOOK_UP: Final = 500


def lost_at_origin(
    store: Store, state: MigrationState, tally: MigrationTally, kind: RowKind
) -> None:
    """Count and list the copies of a kind whose rows this run did not see.

    Posts say themselves that they are copies. Of the other kinds only those are known that an
    earlier run with the same state copied.
    """
    if kind is CORP:
        return  # there is one, and it stays
    lost = _unseen_posts(store, state) if kind is POSTS else _there(store, kind, state)
    for old_id in lost:
        tally.of(kind.name).deleted_at_origin += 1
        tally.list("deleted_at_origin", f"{kind.name} {old_id}")


def _unseen_posts(store: Store, state: MigrationState) -> Iterator[str]:
    for some in chunks(chain(_legacy_ids(store, POSTS), _legacy_ids(store, DRAFTS)), _LOOK_UP):
        known = state.known(POSTS.name, some)
        yield from (each for each in some if each not in known or known[each].run < state.run)


def _legacy_ids(store: Store, kind: RowKind) -> Iterator[str]:
    """The old ids of all posts or drafts, from the index, without what else they hold."""
    names = {"#type": BY_TYPE.pk.name, "#legacy": "legacyId"}
    request = {
        "TableName": store.calls.names.of(SITE),
        "IndexName": store.calls.names.of(BY_TYPE),
        "KeyConditionExpression": "#type = :type",
        "FilterExpression": "attribute_exists(#legacy)",
        "ProjectionExpression": "#legacy",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {":type": {"S": kind.entity.__name__}},
    }
    start: Item | None = None
    while True:
        behind = {} if start is None else {"ExclusiveStartKey": start}
        answer, _ = store.calls.send("migrate", "Query", {**request, **behind})
        yield from (item["legacyId"]["S"] for item in answer["Items"])
        start = answer.get("LastEvaluatedKey")
        if not start:
            return


def _there(store: Store, kind: RowKind, state: MigrationState) -> Iterator[str]:
    """Of the rows that were not seen, those whose copies are still here."""
    for some in chunks(state.unseen(kind.name), _LOOK_UP):
        refs = {old_id: _ref(kind, old_id) for old_id in some}
        found = stored(store, list(refs.values()), consistent=False)
        yield from (old_id for old_id, ref in refs.items() if ref in found)


def _ref(kind: RowKind, old_id: str) -> Ref[Any]:
    return patterns.category(old_id) if kind is CATEGORIES else patterns.inquiry(old_id)
