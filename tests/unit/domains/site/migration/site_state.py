"""What is in the new table, to be compared and changed by tests."""

from __future__ import annotations

from typing import Any

from gotgan.domains.site.auth import Users
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.posts import Posts
from gotgan.domains.site.resources import Categories
from gotgan.store import Store
from gotgan.store.attributes import decode_item

__all__ = ["everything", "posts_of", "settled"]

_MADE_NOW = ("author-", "orphans")
_WHEN = ("CreatedAt", "UpdatedAt")


def everything(store: Store, table: str | None = None) -> dict[tuple[str, ...], dict[str, Any]]:
    """Every item of a table, by its key."""
    name = table or store.calls.names.of(SITE)
    request: dict[str, Any] = {"TableName": name, "ConsistentRead": True}
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    while True:
        answer = store.calls.driver.call("Scan", request)
        for item in map(decode_item, answer["Items"]):
            found[str(item["PK"]), str(item["SK"])] = item
        if "LastEvaluatedKey" not in answer:
            return found
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def settled(store: Store) -> dict[tuple[str, ...], dict[str, Any]]:
    """Every item, without what depends on when a run was and how many there were."""
    found = everything(store)
    return {
        key: {name: value for name, value in item.items() if not _passes(item, name)}
        for key, item in found.items()
        if not key[0].startswith("CATEGORY_GUARD#")
    }


def _passes(item: dict[str, Any], name: str) -> bool:
    """Users for authors, and the category for orphans, are as old as the run that made them."""
    return name in _WHEN and str(item.get("id", "")).startswith(_MADE_NOW)


def posts_of(store: Store) -> Posts:
    """The posts, as an editor changes them."""
    return Posts(store, Categories(store), Users(store))
