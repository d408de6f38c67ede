"""Stories to upload, and how they are uploaded."""

from __future__ import annotations

from typing import Any

from tests.unit.api.calling import Api

__all__ = ["SITE", "details", "stored", "story", "upload"]

SITE = "https://finance.yahoo.com/news"


def story(number: int, **more: Any) -> dict[str, Any]:
    """A story with an address of its own."""
    return {"title": f"Story {number}", "url": f"{SITE}/story-{number:09}.html", **more}


def upload(api: Api, *stories: dict[str, Any], **words: Any) -> Any:
    """Upload stories, and give the report."""
    return api.data("POST", "/news", json=list(stories), **words)


def stored(api: Api, **query: Any) -> list[Any]:
    """The items of a list, all of them on one page."""
    page = api.data("GET", "/news", params={"limit": 100, **query})
    assert page["cursor"] is None
    items: list[Any] = page["items"]
    return items


def details(api: Api, item: str) -> Any:
    """An item by its key or URL, with its article."""
    return api.data("GET", "/news/item", params={"item": item}, role="viewer")
