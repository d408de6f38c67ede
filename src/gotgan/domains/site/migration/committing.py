"""Plans carried out: many rows in one transaction, and those that were refused one by one.

A post and its pointers are written together or not at all, so a run that is killed leaves nothing
by half. Each write says what it found; when an editor, or another run, was faster, the whole
transaction is refused, and its rows are looked at again, closely and each for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gotgan.domains.site.categories import arrivals
from gotgan.domains.site.migration.copies import Copy
from gotgan.domains.site.migration.planning import RowPlan
from gotgan.domains.site.models import Category
from gotgan.errors import (
    BadItem,
    GotganError,
    ItemMissing,
    StoreUnreachable,
    TransactionFailed,
)
from gotgan.store import Reason, Store, Write
from gotgan.store.engine.faults import ValidationException

__all__ = ["Refusal", "carry_out"]

_MOST_WRITES: Final = 100
_ROOM_FOR_ARRIVALS: Final = 2
_MOST_BYTES: Final = 3 << 20
"""AWS takes 4 MB in a transaction; what rows become is a little larger than they are."""
_ATTEMPTS: Final = 6
_PASSING: Final = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
)


@dataclass(frozen=True)
class Refusal:
    """A copy that cannot be made, and why."""

    copy: Copy
    reason: str


def carry_out(
    store: Store,
    plans: Sequence[RowPlan],
    again: Callable[[RowPlan], RowPlan],
    on_missing: Callable[[str], None],
) -> list[RowPlan | Refusal]:
    """Carry out plans with different keys; what became of each, in their order.

    ``again`` plans a row anew, looking closely; ``on_missing`` is told of a category that is gone.
    """
    done: dict[int, RowPlan | Refusal] = {id(plan): plan for plan in plans}
    lanes = _lanes(store, [plan for plan in plans if plan.writes])
    refused = store.calls.side_by_side(lambda lane: _drive(store, lane), lanes)
    for plan in (each for lane in refused for each in lane):
        done[id(plan)] = _alone(store, plan, again, on_missing)
    return [done[id(plan)] for plan in plans]


def _lanes(store: Store, plans: Sequence[RowPlan]) -> list[list[RowPlan]]:
    """Plans that touch a common item in one lane, the others spread over all lanes.

    Two transactions that touch one item at the same time are both refused by AWS.
    """
    lanes: dict[str, list[RowPlan]] = {}
    for number, plan in enumerate(plans):
        lane = plan.lane or f"#{number % max(1, store.calls.driver.parallel)}"
        lanes.setdefault(lane, []).append(plan)
    return list(lanes.values())


def _drive(store: Store, lane: list[RowPlan]) -> list[RowPlan]:
    """Carry out a lane in as few transactions as it takes; the plans that were refused."""
    refused: list[RowPlan] = []
    for group in _groups(lane):
        try:
            store.transact(_writes(group))
        except (BadItem, TransactionFailed, ValidationException):
            refused += group
    return refused


def _groups(lane: list[RowPlan]) -> Iterator[list[RowPlan]]:
    group: list[RowPlan] = []
    count = size = 0
    for plan in lane:
        wanted, large = len(plan.writes), plan.copy.old.size
        full = count + wanted > _MOST_WRITES - _ROOM_FOR_ARRIVALS or size + large > _MOST_BYTES
        if group and full:
            yield group
            group, count, size = [], 0, 0
        group.append(plan)
        count, size = count + wanted, size + large
    if group:
        yield group


def _writes(group: Sequence[RowPlan]) -> list[Write[Any]]:
    homes = dict.fromkeys(plan.arrives_in for plan in group if plan.arrives_in)
    arriving = [write for home in homes for write in arrivals(home)]
    return [*(write for plan in group for write in plan.writes), *arriving]


def _alone(
    store: Store,
    plan: RowPlan,
    again: Callable[[RowPlan], RowPlan],
    on_missing: Callable[[str], None],
) -> RowPlan | Refusal:
    """Try a row until nobody is faster."""
    notes = plan.notes
    for _ in range(_ATTEMPTS):
        try:
            plan = again(plan)
            store.transact(_writes([plan]))
        except TransactionFailed as failure:
            trouble = _trouble(failure.reasons, on_missing)
            if trouble:
                return Refusal(plan.copy, trouble)
        except GotganError as error:
            if error.retry:
                raise
            return Refusal(plan.copy, error.message)
        else:
            return replace(plan, notes=plan.notes or notes)
    return Refusal(plan.copy, "it was changed again and again while it was copied; run this again")


def _trouble(reasons: Sequence[Reason], on_missing: Callable[[str], None]) -> str:
    """What will not pass by itself; empty where it is worth another attempt."""
    for reason in reasons:
        if reason.code in _PASSING:
            raise StoreUnreachable(
                "the database is too busy for this transaction; run the same command again to go on"
            )
        if reason.code != "ConditionalCheckFailed":
            return reason.error.message
        if isinstance(reason.error, ItemMissing) and reason.write.ref.entity is Category:
            on_missing(str(reason.write.ref.pk).removeprefix("CATEGORY#"))
    return ""
