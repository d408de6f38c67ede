"""Put-if-absent in bulk: the first write of a key wins for ever, and a report says what came of it.

Keys that are probably there are looked up first, a hundred a call: a tenth of the price of refused
conditional puts, and a hundredth of the calls. The puts are conditional all the same, so that a
probe can be wrong and nothing is overwritten.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from gotgan.errors import BadItem, GotganError, StoreClosed, StoreLocked, TableMissing
from gotgan.store.attributes import Item
from gotgan.store.batches import chunks
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.drivers import InProcess
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.entities import Entity
from gotgan.store.getting import BATCH, read_items
from gotgan.store.keys import Ref
from gotgan.store.schema import schema_of
from gotgan.store.writes import put_new
from gotgan.store.writing import PutNew, collides, insert

__all__ = ["Failed", "PutNewReport", "put_new_all"]

E = TypeVar("E", bound=Entity)
Outcome: TypeAlias = PutNew[E] | GotganError

_WORTH_PROBING: Final = 0.1
"""The share of duplicates from which a probe is cheaper than a refused put."""


@dataclass(frozen=True)
class Failed(Generic[E]):
    """An item that could not be written, and why."""

    item: E
    error: GotganError


@dataclass
class PutNewReport(Generic[E]):
    """What became of the items, each under one of three heads."""

    new: list[E] = field(default_factory=list)
    duplicates: list[E] = field(default_factory=list)
    failed: list[Failed[E]] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)

    @property
    def given(self) -> int:
        """How many there were."""
        return len(self.new) + len(self.duplicates) + len(self.failed)

    def __str__(self) -> str:
        return (
            f"in {self.given} · new {len(self.new)} · duplicate {len(self.duplicates)} · "
            f"failed {len(self.failed)} · {self.cost.reads:g} read and "
            f"{self.cost.writes:g} write units"
        )


def put_new_all(calls: Calls, instances: Iterable[E], *, probe: bool | None) -> PutNewReport[E]:
    """Write what is new; without a word on probing, probe while there are duplicates to find."""
    report: PutNewReport[E] = PutNewReport()
    stored: dict[Ref[Any], E] = {}
    probing = probe is not False
    with calls.meter.measured() as measured:
        for window in chunks(instances, BATCH * max(1, calls.driver.parallel)):
            before = len(report.duplicates)
            _put_window(calls, _with_keys(window, report), stored, report, probing=probing)
            if probe is None:
                probing = len(report.duplicates) - before >= _WORTH_PROBING * len(window)
    report.cost = measured.cost
    return report


def _with_keys(window: list[E], report: PutNewReport[E]) -> Iterator[tuple[Ref[Any], E]]:
    for instance in window:
        try:
            yield instance.key, instance
        except GotganError as error:
            report.failed.append(Failed(instance, error))


def _put_window(
    calls: Calls,
    wanted: Iterable[tuple[Ref[Any], E]],
    stored: dict[Ref[Any], E],
    report: PutNewReport[E],
    *,
    probing: bool,
) -> None:
    """Write the first of each key, then see about those that came again."""
    first: dict[Ref[Any], E] = {}
    again: list[tuple[Ref[Any], E]] = []
    for ref, instance in wanted:
        if ref in stored:
            _file(instance, _duplicate(instance, stored[ref]), report)
        elif ref in first:
            again.append((ref, instance))
        else:
            first[ref] = instance
    outcomes = _put_each(calls, first, probing=probing)
    stored |= {ref: first[ref] for ref in first if _file(first[ref], outcomes[ref], report)}
    if again:  # where the first one failed, the next one is tried
        _put_window(calls, again, stored, report, probing=False)


def _put_each(
    calls: Calls, wanted: dict[Ref[Any], E], *, probing: bool
) -> dict[Ref[Any], Outcome[E]]:
    """What comes of items with different keys."""
    outcomes: dict[Ref[Any], Outcome[E]] = {}
    if probing and wanted:
        found = _probe(calls, wanted)
        outcomes = {ref: _found(wanted[ref], item) for ref, item in found.items()}
    left = [ref for ref in wanted if ref not in outcomes]
    patience = calls.driver.patience("PutItem")
    while left:
        tried = _try_all(calls, [wanted[ref] for ref in left])
        outcomes |= dict(zip(left, tried, strict=True))
        asked, left = len(left), [ref for ref in left if _may_pass(outcomes[ref])]
        if left and not patience.unfinished(len(left), progressed=len(left) < asked):
            break
    return outcomes


def _may_pass(outcome: Outcome[Any]) -> bool:
    """Whether it failed because the database had too much to do: then it waits, and is not lost.

    What may have been done all the same is not sent anew: it would take itself for a duplicate.
    """
    return isinstance(outcome, DynamoDBError) and outcome.retry and not outcome.maybe_done


def _probe(calls: Calls, wanted: dict[Ref[Any], E]) -> dict[Ref[Any], Item]:
    """Which of the keys are there; a probe that fails leaves the answer to the puts."""
    attributes = {name for entity in {ref.entity for ref in wanted} for name in _telling(entity)}
    try:
        found, _, _ = read_items(calls, "put_new_all", list(wanted), attributes=attributes)
    except GotganError:
        return {}
    return found


def _telling(entity: type[Any]) -> set[str]:
    """The attributes that tell whether two things are one."""
    schema = schema_of(entity)
    identity = {schema.attribute(name) for name in schema.identity}
    return identity | {key.name for key in schema.table.keys}


def _try_all(calls: Calls, instances: list[E]) -> list[Outcome[E]]:
    """What comes of puts, made in as few commits as the driver allows."""
    in_process = calls.driver.in_process
    if in_process is None:
        return _try_apart(calls, instances)
    pieces = chunks(instances, BATCH)
    return [each for piece in pieces for each in _try_together(calls, in_process, piece)]


def _try_together(calls: Calls, driver: InProcess, piece: list[E]) -> list[Outcome[E]]:
    within = replace(calls, tables=tuple)  # no table can be created within the block
    try:
        with driver.together():
            tried = [_try(within, instance) for instance in piece]
    except (StoreClosed, StoreLocked) as error:  # none of them could begin, and none could alone
        return [error for _ in piece]
    except Exception:  # noqa: BLE001 - nothing was written, and apart the failure has an owner
        return _try_apart(calls, piece)
    return [
        _try(calls, instance) if isinstance(outcome, TableMissing) else outcome
        for instance, outcome in zip(piece, tried, strict=True)
    ]


def _try_apart(calls: Calls, instances: list[E]) -> list[Outcome[E]]:
    return calls.side_by_side(functools.partial(_try, calls), instances)


def _try(calls: Calls, instance: E) -> Outcome[E]:
    try:
        return insert(calls, instance, replace(put_new(instance), verb="put_new_all"))
    except BadItem as error:
        return error if schema_of(type(instance)).identity else _unread(instance)
    except GotganError as error:
        return error


def _unread(instance: E) -> Outcome[E]:
    """The same key is the same thing, and nothing needs to be compared."""
    return PutNew(new=False, item=instance, cost=Cost())


def _found(instance: E, item: Item) -> Outcome[E]:
    """What it means that a probe found an item."""
    schema = schema_of(type(instance))
    if not schema.identity:
        return _unread(instance)
    try:
        return _duplicate(instance, schema.load(item, frozenset(_telling(schema.entity))))
    except GotganError as error:
        return error


def _duplicate(instance: E, first: E) -> Outcome[E]:
    return collides(instance, first) or PutNew(new=False, item=first, cost=Cost())


def _file(instance: E, outcome: Outcome[E], report: PutNewReport[E]) -> bool:
    """Put an item under its head; say whether its like is stored."""
    if isinstance(outcome, GotganError):
        report.failed.append(Failed(instance, outcome))
        return False
    (report.new if outcome.new else report.duplicates).append(instance)
    return True
