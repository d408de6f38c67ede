"""A long row of writes that anybody can recompute: what a killed writer had done, and no more.

Step ``n`` of a writer depends on nothing but its name and ``n``, so the items after so many steps
are known without looking.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from tests.contract.shapes import item
from tests.contract.tables import Index, Table, create_table

__all__ = ["TABLE", "items_after", "make_table", "take_step"]

TABLE = "steps"
KEYS = 8

Change = tuple[int, dict[str, Any] | None]
Items = dict[int, dict[str, Any]]


def make_table(client: Any, **members: Any) -> Table:
    """The table that the steps write to, with an index of every kind."""
    return create_table(
        client,
        "pk:S sk:N",
        name=TABLE,
        gsi=[Index("by_group", "group:S rank:N"), Index("by_owner", "owner:S", "KEYS_ONLY")],
        lsi=[Index("by_rank", "pk:S rank:N")],
        **members,
    )


def _changes(writer: str, number: int) -> list[Change]:
    """What a step does to which items of the writer; several are one transaction."""
    chance = random.Random(f"{writer} {number}")
    keys = chance.sample(range(KEYS), chance.choice((1, 1, 1, 3)))
    return [(key, _attributes(chance, number)) for key in keys]


def _attributes(chance: random.Random, number: int) -> dict[str, Any] | None:
    if chance.random() < 0.2:
        return None
    optional = {
        "group": chance.choice(("a", "b")),
        "rank": chance.randrange(-5, 5),
        "owner": chance.choice(("x", "y")),
    }
    return {"number": number} | {k: v for k, v in optional.items() if chance.random() < 0.8}


def items_after(writer: str, steps: int) -> Items:
    """The writer's items when it has taken so many steps."""
    items: Items = {}
    for number in range(steps):
        for key, attributes in _changes(writer, number):
            items.pop(key, None)
            if attributes is not None:
                items[key] = {"pk": writer, "sk": key, **attributes}
    return items


def take_step(table: Table, writer: str, number: int) -> None:
    """Carry one step out."""
    changes = _changes(writer, number)
    if len(changes) > 1:
        table.client.transact_write_items(TransactItems=_entries(table, writer, changes))
        return
    [(key, attributes)] = changes
    if attributes is None:
        table.delete_item(Key=item(pk=writer, sk=key))
    else:
        table.put(pk=writer, sk=key, **attributes)


def _entries(table: Table, writer: str, changes: Iterable[Change]) -> list[dict[str, Any]]:
    entries = []
    for key, attributes in changes:
        if attributes is None:
            entries.append({"Delete": {"TableName": table.name, "Key": item(pk=writer, sk=key)}})
        else:
            whole = item(pk=writer, sk=key, **attributes)
            entries.append({"Put": {"TableName": table.name, "Item": whole}})
    return entries
