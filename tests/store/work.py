"""What several workers do at once to the same items; each says what it achieved."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from gotgan.clock import FixedClock
from gotgan.errors import ConditionFailed, LostRace, VersionConflict
from gotgan.store import Store, append
from tests.store.errands import Errand
from tests.store.library import Account, Shelf

__all__ = ["TASKS", "Task"]

Task: TypeAlias = Callable[..., Any]

PLACES: dict[str, list[Any]] = {
    "street": ["elm", "oak", None],
    "house": [1, 2, 3, 4],
    "region": ["north", "south", None],
}


def put_the_same(store: Store, name: str, count: int) -> list[str]:
    """Put the same keys as everybody; the ids of those that were new."""
    given = [Shelf(id=f"s{number:03d}", room=name) for number in range(count)]
    return [each.id for each in given if store.put_new(each).new]


def put_the_same_at_once(store: Store, name: str, count: int) -> list[str]:
    """The same in bulk."""
    given = [Shelf(id=f"s{number:03d}", room=name) for number in range(count)]
    return [each.id for each in store.put_new_all(given).new]


def change_a_place(store: Store, name: str, count: int) -> None:
    """Change one of the fields behind one index key, so many times."""
    chance = random.Random(name)
    errand = store.get(Errand.key(id="e000"), consistent=True)
    left = [_any_change(chance) for _ in range(count)]
    while left and errand is not None:
        try:
            errand = store.update(errand, **left[-1]).item
        except ConditionFailed as error:
            errand = error.current
        else:
            left.pop()


def _any_change(chance: random.Random) -> dict[str, Any]:
    field = chance.choice(list(PLACES))
    return {field: chance.choice(PLACES[field])}


def count_up(store: Store, name: str, count: int) -> None:
    """Add 1 to what was read, so many times."""
    del name
    account = store.get(Account.key(id="a1"), consistent=True)
    while count and account is not None:
        try:
            account = store.update(account, owed=account.owed + 1).item
        except VersionConflict as error:
            account = error.current
        else:
            count -= 1


def work_through(store: Store, name: str, now: str) -> list[str]:
    """Claim and finish whatever is not done yet at a moment; the ids of what this worker did."""
    clock = FixedClock(datetime.fromisoformat(now))
    calls = store.calls
    on_time = Store(calls.driver, secret=calls.secret, names=calls.names, clock=clock)
    todo = Errand.work.never("north") + Errand.work.done(
        "north", before=clock.now() - timedelta(hours=1)
    )
    done: list[str] = []
    while page := on_time.query(todo, limit=20).items:
        for errand in page:
            try:
                claim = Errand.work.claim(on_time, errand, owner=name)
            except LostRace:
                continue
            Errand.work.finish(on_time, claim, done_by=append(name))
            done.append(errand.id)
    return done


TASKS: dict[str, Task] = {
    task.__name__: task
    for task in (put_the_same, put_the_same_at_once, change_a_place, count_up, work_through)
}
