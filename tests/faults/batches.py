"""Batches of which only a part is processed, as DynamoDB does when it is short of capacity."""

from __future__ import annotations

from typing import Any, Protocol

import orjson

from gotgan.store.engine.protocol import WireResponse

__all__ = ["partial_answer"]

_MEMBERS = {"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}


class Batch(Protocol):
    """As much of an exchange as is needed here."""

    operation: str
    body: bytes

    def carry_out(self, body: bytes | None = None) -> WireResponse:
        """Have the engine do it, or something else that was not asked for."""


def partial_answer(batch: Batch, processed: int) -> WireResponse:
    """Carry out the first so many; give the rest back."""
    member = _MEMBERS[batch.operation]
    request = orjson.loads(batch.body)
    done, left = _split(request["RequestItems"], processed)
    answer: dict[str, Any] = {"Responses": {}} if batch.operation == "BatchGetItem" else {}
    if done:
        answer = orjson.loads(batch.carry_out(orjson.dumps({**request, "RequestItems": done})).body)
    return WireResponse(200, orjson.dumps({**answer, member: left}))


def _split(tables: dict[str, Any], count: int) -> tuple[dict[str, Any], dict[str, Any]]:
    done: dict[str, Any] = {}
    left: dict[str, Any] = {}
    for table, wanted in tables.items():
        entries = _entries(wanted)
        for part, chosen in ((done, entries[:count]), (left, entries[count:])):
            if chosen:
                part[table] = _with(wanted, chosen)
        count = max(0, count - len(entries))
    return done, left


def _entries(wanted: Any) -> list[Any]:
    """The keys of a read, or the writes of a write."""
    entries: list[Any] = wanted["Keys"] if isinstance(wanted, dict) else wanted
    return entries


def _with(wanted: Any, entries: list[Any]) -> Any:
    return {**wanted, "Keys": entries} if isinstance(wanted, dict) else entries
