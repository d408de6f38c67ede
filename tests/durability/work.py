"""Work that several threads or processes do at once on the same items, and that must add up."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.contract.shapes import given, item
from tests.contract.tables import Table

__all__ = ["ACCOUNTS", "WORKS", "Work", "claim", "count", "open_accounts", "revise", "transfer"]

ACCOUNTS = 4
OPENING_BALANCE = 100
_REFUSALS = {"ConditionalCheckFailedException", "TransactionCanceledException"}

Work = Callable[[Table, str, int], int]
"""Takes a table, the worker's name and how often; returns how often it succeeded."""


def _succeeds(call: Callable[..., Any], **request: Any) -> bool:
    try:
        call(**request)
    except Exception as error:
        if getattr(error, "response", {}).get("Error", {}).get("Code") not in _REFUSALS:
            raise
        return False
    return True


def claim(table: Table, worker: str, times: int) -> int:
    """Put each of so many items, if nobody has put it before."""
    return sum(
        _succeeds(
            table.put_item,
            Item=item(pk=f"claim-{number}", owner=worker),
            ConditionExpression="attribute_not_exists(pk)",
        )
        for number in range(times)
    )


def count(table: Table, _worker: str, times: int) -> int:
    """Add one to the same number, again and again."""
    request = {"Key": item(pk="counter"), "UpdateExpression": "ADD seen :one", **given(one=1)}
    return sum(_succeeds(table.update_item, **request) for _ in range(times))


def revise(table: Table, worker: str, times: int) -> int:
    """Read an item and write it again with one more name, if it is still the version just read."""
    return sum(_revised(table, worker) for _ in range(times))


def _revised(table: Table, worker: str) -> bool:
    found = table.get(pk="document") or {"version": 0, "log": []}
    return _succeeds(
        table.put_item,
        Item=item(pk="document", version=found["version"] + 1, log=[*found["log"], worker]),
        ConditionExpression="attribute_not_exists(pk) OR version = :seen",
        **given(seen=found["version"]),
    )


def open_accounts(table: Table) -> None:
    """Make the accounts that ``transfer`` moves money between."""
    table.fill({"pk": f"account-{n}", "balance": OPENING_BALANCE} for n in range(ACCOUNTS))


def transfer(table: Table, worker: str, times: int) -> int:
    """Move money between accounts, never below nothing, and note every move."""
    return sum(_moved(table, *move) for move in _moves(worker, times))


def _moves(worker: str, times: int) -> Iterator[tuple[str, str, str, int]]:
    chance = random.Random(worker)
    for number in range(times):
        giver, taker = chance.sample(range(ACCOUNTS), 2)
        note = f"move-{worker}-{number}"
        yield note, f"account-{giver}", f"account-{taker}", chance.randrange(1, 60)


def _moved(table: Table, note: str, giver: str, taker: str, amount: int) -> bool:
    take = {
        "UpdateExpression": "SET balance = balance - :amount",
        "ConditionExpression": "balance >= :amount",
    }
    give = {"UpdateExpression": "SET balance = balance + :amount"}
    entries: list[dict[str, Any]] = [
        {"Update": {"Key": item(pk=giver), **take, **given(amount=amount)}},
        {"Update": {"Key": item(pk=taker), **give, **given(amount=amount)}},
        {"Put": {"Item": item(pk=note, amount=amount)}},
    ]
    for entry in entries:
        next(iter(entry.values()))["TableName"] = table.name
    return _succeeds(table.client.transact_write_items, TransactItems=entries)


WORKS: dict[str, Work] = {work.__name__: work for work in (claim, count, revise, transfer)}
