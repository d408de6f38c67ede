"""Why a transaction was refused: each reason is the error that its write would have met alone."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import StoreError, TransactionFailed
from gotgan.settings import Secret
from gotgan.store import Entity, Id, Key, Store, Table, writes
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine.faults import (
    ThrottlingException,
    TransactionCanceledException,
    TransactionConflictException,
    ValidationException,
)

THINGS = Table("things", pk="pk")


class Thing(Entity, table=THINGS):
    key = Key("THING#{id}")

    id: Id


class Refusing:
    """A database that refuses every transaction for one reason."""

    name = "refusing"
    parallel = 1

    def __init__(self, code: str) -> None:
        self._code = code

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        del operation, request
        raise TransactionCanceledException("no", CancellationReasons=[{"Code": self._code}])

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(
    ("code", "error", "retry"),
    [
        ("TransactionConflict", TransactionConflictException, True),
        ("ThrottlingError", ThrottlingException, True),
        ("ValidationError", ValidationException, False),
    ],
)
def test_what_passes_by_itself_says_that_it_does(
    code: str, error: type[StoreError], retry: bool
) -> None:
    driver = RetryingDriver(Refusing(code), sleep=lambda _: None)
    secret = Secret("s" * 32)
    with Store(driver, secret=secret) as store, pytest.raises(TransactionFailed) as caught:
        store.transact([writes.put_new(Thing(id="a"))])
    [reason] = caught.value.reasons
    assert type(reason.error) is error
    assert reason.error.retry is retry
