"""What is in the site's table in truth, and articles to put there."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.models import Caller, Draft, Post, Role, User
from gotgan.domains.site.service import Site
from gotgan.store import Store
from gotgan.store.attributes import decode_item

__all__ = ["a_draft", "a_post", "caller", "indexed", "items", "pointers", "put_raw"]


def a_post(site: Site, category_id: str = "c001", **fields: Any) -> Post:
    """A new post."""
    form = {"author_id": "u001", "title": "소식", "contents": "본문"}
    return site.posts.create(category_id=category_id, **{**form, **fields})


def a_draft(site: Site, category_id: str = "c001", **fields: Any) -> Draft:
    """A new draft."""
    form = {"author_id": "u001", "title": "초안", "contents": "본문"}
    return site.drafts.create(category_id=category_id, **{**form, **fields})


def caller(user_id: str, role: Role = "admin") -> Caller:
    """A user who calls, whether or not there is such a user."""
    now = datetime(2025, 11, 10, 9, tzinfo=UTC)
    return Caller.of(User(id=user_id, display_name=user_id, role=role, created_at=now))


def items(store: Store) -> dict[tuple[str, str], dict[str, Any]]:
    """Every item of the table, expired ones too, by its key."""
    found = _scanned(store, {"TableName": store.calls.names.of(SITE)})
    return {(item["PK"], item["SK"]): item for item in found}


def indexed(store: Store) -> list[dict[str, Any]]:
    """Every item of the index."""
    names = store.calls.names
    return _scanned(store, {"TableName": names.of(SITE), "IndexName": names.of(BY_TYPE)})


def pointers(store: Store) -> dict[str, dict[str, Any]]:
    """What the pointers of articles say, by the id that is asked for."""
    found = {pk: item for (pk, _), item in items(store).items() if pk.startswith("POST#")}
    return {pk.removeprefix("POST#"): item for pk, item in found.items()}


def put_raw(store: Store, item: dict[str, Any]) -> None:
    """Write an item as somebody else would, past all that is declared."""
    store.calls.driver.call("PutItem", {"TableName": store.calls.names.of(SITE), "Item": item})


def _scanned(store: Store, request: dict[str, Any]) -> list[dict[str, Any]]:
    answer = store.calls.driver.call("Scan", request)
    assert "LastEvaluatedKey" not in answer
    return [decode_item(item) for item in answer["Items"]]
