"""Transactions beside each other: each is seen whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .shapes import given, item, plain
from .tables import Table, unique_name

ROUNDS = 25
CONFLICTS = {"TransactionCanceledException", "TransactionConflictException"}


def _settled(call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer, asked for again where another transaction was in the way."""
    while True:
        try:
            return call()
        except Exception as error:
            if getattr(error, "response", {})["Error"]["Code"] not in CONFLICTS:
                raise


def _transfer(table: Table, source: str, target: str) -> None:
    actions = [
        {
            "Update": {
                "TableName": table.name,
                "Key": item(pk=key),
                "UpdateExpression": "SET n = n + :change",
                **given(change=change),
            }
        }
        for key, change in ((source, -1), (target, 1))
    ]
    _settled(lambda: table.client.transact_write_items(TransactItems=actions))


def _total(table: Table, *keys: str) -> int:
    gets = [{"Get": {"TableName": table.name, "Key": item(pk=key)}} for key in keys]
    answer = _settled(lambda: table.client.transact_get_items(TransactItems=gets))
    return sum(int(plain(found["Item"])["n"]) for found in answer["Responses"])


def test_a_reading_transaction_never_sees_half_of_a_writing_one(shared: Table) -> None:
    one, two = unique_name(), unique_name()
    shared.put(pk=one, n=50)
    shared.put(pk=two, n=50)

    def transfer_back_and_forth() -> None:
        for _ in range(ROUNDS):
            _transfer(shared, one, two)
            _transfer(shared, two, one)

    with ThreadPoolExecutor() as pool:
        writers = [pool.submit(transfer_back_and_forth) for _ in range(2)]
        totals = [_total(shared, one, two) for _ in range(2 * ROUNDS)]
        for writer in writers:
            writer.result()
    assert set(totals) == {100}
    assert shared.get(pk=one) == {"pk": one, "n": 50}


def test_no_update_of_one_item_is_lost(shared: Table) -> None:
    key = unique_name()

    def count(_: int) -> None:
        shared.update_item(Key=item(pk=key), UpdateExpression="ADD n :one", **given(one=1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(4 * ROUNDS)))
    assert shared.get(pk=key) == {"pk": key, "n": 4 * ROUNDS}


def test_of_many_puts_if_absent_one_succeeds(shared: Table) -> None:
    key = unique_name()

    def claim(owner: int) -> bool:
        try:
            shared.put_item(
                Item=item(pk=key, owner=owner), ConditionExpression="attribute_not_exists(pk)"
            )
        except shared.client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        claimed = list(pool.map(claim, range(16)))
    assert claimed.count(True) == 1
    assert shared.get(pk=key) == {"pk": key, "owner": claimed.index(True)}
