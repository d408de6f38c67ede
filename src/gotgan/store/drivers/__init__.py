"""Drivers: the embedded engine, AWS, or a server with DynamoDB's protocol."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol, runtime_checkable

__all__ = ["Driver", "InProcess"]


class Driver(Protocol):
    """One way to a database: an operation and its request in, an answer or a fault out.

    Attribute values are boto3's: ``{"S": "x"}``, ``{"N": "1"}``, ``{"B": b"…"}``. What DynamoDB
    refuses is raised as a ``gotgan.store.engine.faults.DynamoDBError``, what cannot be reached as
    ``StoreUnreachable``; no driver tries a call twice.
    """

    name: str
    """What a person calls it: ``embedded``, ``aws``, or the endpoint."""
    parallel: int
    """How many calls at once are worth making."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``."""

    def close(self) -> None:
        """Let go of files and connections."""


@runtime_checkable
class InProcess(Protocol):
    """A driver whose database is in this process: many writes can share one commit."""

    def check(self) -> None:
        """Raise unless the database can be read and written."""

    def batch(self) -> AbstractContextManager[None]:
        """Give the writes of this thread in a block one commit; after an error none is written."""
