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
        if config.get("StartingToken"):
            request[self._start] = config["StartingToken"]
        pages = self._page_by_page(request, config.get("PageSize"), config.get("MaxItems"))
        return Pages(pages, self._end, self._parts)

    def _page_by_page(
        self,
        request: dict[str, Any],
        size: int | None,
        left: int | None,
    ) -> Iterator[dict[str, Any]]:
        """Ask for no more than is wanted, so that the last page ends where the next may begin."""
        while True:
            limits = [limit for limit in (size, left) if limit is not None]
            page = self._call(**request, **({"Limit": min(limits)} if limits else {}))
            yield page
            if left is not None:
                left -= len(page.get(self._parts[0], ()))
            if self._end not in page or left == 0:
                return
            request = {**request, self._start: page[self._end]}


class Pages:
    """The pages of one result, to go through once."""

    def __init__(
        self,
        pages: Iterator[dict[str, Any]],
        end: str,
        parts: tuple[str, ...],
    ) -> None:
        self._pages, self._end, self._parts = pages, end, parts

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield page after page."""
        return self._pages

    def build_full_result(self) -> dict[str, Any]:
        """Return all pages as one; where MaxItems ended it, NextToken says how to go on."""
        whole: dict[str, Any] = {}
        page: dict[str, Any] = {}
        for page in self._pages:
            for part in self._parts:
                if part in page:
                    whole[part] = whole[part] + page[part] if part in whole else page[part]
        if self._end in page:
            whole["NextToken"] = page[self._end]
        return whole


class Waiter:
    """Waits until a table is there, or until it is gone."""

    def __init__(self, describe: Call, *, present: bool) -> None:
        self._describe, self._present = describe, present

    def wait(self, TableName: str, WaiterConfig: Mapping[str, int] | None = None) -> None:  # noqa: N803 - boto3's names
        """Ask again and again, with boto3's pauses, until it is so."""
        config = WaiterConfig or {}
        for tries in range(config.get("MaxAttempts", _MOST_TRIES)):
            if tries:
                threading.Event().wait(config.get("Delay", _SECONDS_BETWEEN))
            if self._is_there(TableName) == self._present:
                return
        wish = "exist" if self._present else "go away"
        raise StoreError(f"Waited in vain for the table {TableName} to {wish}.")

    def _is_there(self, table: str) -> bool:
        try:
            self._describe(TableName=table)
        except ResourceNotFoundException:
            return False
        return True
