"""Paginators and waiters of the in-process client, as boto3's clients have them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from gotgan.errors import StoreError
from gotgan.store.engine.faults import ResourceNotFoundException

__all__ = ["PAGED", "WAITERS", "Pages", "Paginator", "Waiter"]

Call: TypeAlias = Callable[..., dict[str, Any]]

# method: where an answer says how far it came, where the next request says it again, and what a
# whole result is made of
PAGED: Final = {
    "list_tables": ("LastEvaluatedTableName", "ExclusiveStartTableName", ("TableNames",)),
    "query": ("LastEvaluatedKey", "ExclusiveStartKey", ("Items", "Count", "ScannedCount")),
    "scan": ("LastEvaluatedKey", "ExclusiveStartKey", ("Items", "Count", "ScannedCount")),
}
WAITERS: Final = {"table_exists": True, "table_not_exists": False}
_PAGINATION = "PaginationConfig"
_SECONDS_BETWEEN = 20
_MOST_TRIES = 25


class Paginator:
    """Goes through all pages of one operation."""

    def __init__(self, call: Call, end: str, start: str, parts: tuple[str, ...]) -> None:
        self._call, self._end, self._start, self._parts = call, end, start, parts

    def paginate(self, **request: Any) -> Pages:
        """Return the pages; PaginationConfig takes MaxItems, PageSize and StartingToken."""
        config = request.pop(_PAGINATION, None) or {}
        if config.get("PageSize"):
            request["Limit"] = config["PageSize"]
        if config.get("StartingToken"):
            request[self._start] = config["StartingToken"]
        return Pages(self._page_by_page(request), self._parts, config.get("MaxItems"))

    def _page_by_page(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        while True:
            page = self._call(**request)
            yield page
            if self._end not in page:
                return
            request = {**request, self._start: page[self._end]}


class Pages:
    """The pages of one result, to go through once."""

    def __init__(
        self,
        pages: Iterator[dict[str, Any]],
        parts: tuple[str, ...],
        most: int | None,
    ) -> None:
        self._pages, self._parts, self._most = pages, parts, most

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield page after page; the one that passes MaxItems is cut."""
        left = self._most
        for page in self._pages:
            if left is None:
                yield page
                continue
            listed = self._parts[0]
            entries = page.get(listed, [])[:left]
            left -= len(entries)
            yield {**page, listed: entries}
            if left == 0:
                return

    def build_full_result(self) -> dict[str, Any]:
        """Return all pages as one: lists joined, numbers added."""
        whole: dict[str, Any] = {}
        for page in self:
            for part in self._parts:
                if part in page:
                    whole[part] = whole[part] + page[part] if part in whole else page[part]
        return whole


class Waiter:
    """Waits until a table is there, or until it is gone."""

    def __init__(self, describe: Call, *, present: bool) -> None:
        self._describe, self._present = describe, present

    def wait(self, TableName: str, WaiterConfig: Mapping[str, int] | None = None) -> None:  # noqa: N803 - boto3's names
        """Ask again and again, with boto3's pauses, until it is so."""
        config = WaiterConfig or {}
        for _ in range(config.get("MaxAttempts", _MOST_TRIES)):
            if self._is_there(TableName) == self._present:
                return
            threading.Event().wait(config.get("Delay", _SECONDS_BETWEEN))
        wish = "exist" if self._present else "go away"
        raise StoreError(f"Waited in vain for the table {TableName} to {wish}.")

    def _is_there(self, table: str) -> bool:
        try:
            self._describe(TableName=table)
        except ResourceNotFoundException:
            return False
        return True
