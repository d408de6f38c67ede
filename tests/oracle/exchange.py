"""Sending a step to a server: all its pages, and the wait until a changed table is usable."""

from __future__ import annotations

import time
from typing import Any

from tests.oracle.scenario import Step
from tests.oracle.wire import Answer, Wire

__all__ = ["exchange"]

_MOST_PAGES = 500
_SETTLE_SECONDS = 10.0
_TABLE_CHANGES = frozenset({"CreateTable", "UpdateTable", "DeleteTable"})


def exchange(wire: Wire, step: Step) -> Answer:
    """The answer to a step, with its pages joined where the step follows them."""
    if step.segments:
        return _joined([_followed(wire, step, payload) for payload in _segments(step)])
    if step.follow:
        return _followed(wire, step, step.payload)
    answer = wire.send(step.operation, step.payload)
    if answer.ok and step.operation in _TABLE_CHANGES:
        _settle(wire, step.payload["TableName"])
    return answer


def _segments(step: Step) -> list[dict[str, Any]]:
    total = step.segments
    return [{**step.payload, "Segment": one, "TotalSegments": total} for one in range(total)]


def _followed(wire: Wire, step: Step, payload: dict[str, Any]) -> Answer:
    pages = []
    for _ in range(_MOST_PAGES):
        page = wire.send(step.operation, payload)
        pages.append(page)
        if not page.ok or "LastEvaluatedKey" not in page.body:
            break
        payload = {**payload, "ExclusiveStartKey": page.body["LastEvaluatedKey"]}
    else:
        return Answer(0, {"__type": "NoEnd", "message": f"more than {_MOST_PAGES} pages"})
    return _joined(pages)


def _joined(pages: list[Answer]) -> Answer:
    refused = next((page for page in pages if not page.ok), None)
    if refused is not None:
        return refused
    body: dict[str, Any] = {"Count": 0, "ScannedCount": 0}
    for page in pages:
        for counter in ("Count", "ScannedCount"):
            body[counter] += page.body.get(counter, 0)
        if "Items" in page.body:
            body.setdefault("Items", []).extend(page.body["Items"])
    return Answer(200, body)


def _settle(wire: Wire, table: str) -> None:
    deadline = time.monotonic() + _SETTLE_SECONDS
    while not _settled(wire.send("DescribeTable", {"TableName": table})):
        if time.monotonic() > deadline:
            return
        time.sleep(0.002)


def _settled(described: Answer) -> bool:
    if not described.ok:
        return True
    table = described.body.get("Table", {})
    indexes = table.get("GlobalSecondaryIndexes", [])
    states = [table.get("TableStatus"), *(index.get("IndexStatus") for index in indexes)]
    return all(state == "ACTIVE" for state in states)
