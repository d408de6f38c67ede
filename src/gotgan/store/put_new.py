"""Put-if-absent in bulk: the first write of a key wins for ever, and a report says what came of it.

Keys that are probably there are looked up first, a hundred a call: a read costs a fifth of a write
unit's price and less than a tenth of what a refused conditional put takes in calls. The puts are
conditional all the same, so a probe can be wrong and nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeVar

from gotgan.errors import GotganError
from gotgan.store.attributes import Item
from gotgan.store.batches import chunks
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.entities import Entity
from gotgan.store.getting import BATCH, read_items
from gotgan.store.keys import Ref
from gotgan.store.schema import schema_of
from gotgan.store.writes import put_new
from gotgan.store.writing import PutNew, collides, insert

__all__ = ["Failed", "PutNewReport", "put_new_all"]

E = TypeVar("E", bound=Entity)

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
    seen: dict[Ref[Any], E] = {}
    probing = probe is not False
    for window in chunks(instances, BATCH * max(1, calls.driver.parallel)):
        before = len(report.duplicates)
        _put_window(calls, _unseen(window, seen, report), report, probing=probing)
        if probe is None:
            probing = len(report.duplicates) - before >= _WORTH_PROBING * len(window)
    return report


def _unseen(
    window: list[E], seen: dict[Ref[Any], E], report: PutNewReport[E]
) -> Iterator[tuple[Ref[Any], E]]:
    """The items whose key did not come earlier in the same list."""
    for instance in window:
        try:
            ref = instance.key
        except GotganError as error:
            report.failed.append(Failed(instance, error))
            continue
        if ref in seen:
            _file_duplicate(instance, seen[ref], report)
        else:
            seen[ref] = instance
            yield ref, instance


def _put_window(
    calls: Calls,
    wanted: Iterable[tuple[Ref[Any], E]],
    report: PutNewReport[E],
    *,
    probing: bool,
) -> None:
    left = dict(wanted)
    if probing and left:
        for ref, item in _probe(calls, left, report).items():
            _file_stored(left.pop(ref), item, report)
    outcomes = calls.side_by_side(lambda each: _try(calls, each), left.values())
    for instance, outcome in zip(left.values(), outcomes, strict=True):
        if isinstance(outcome, GotganError):
            report.failed.append(Failed(instance, outcome))
            continue
        report.cost += outcome.cost
        (report.new if outcome.new else report.duplicates).append(instance)


def _probe(
    calls: Calls, wanted: dict[Ref[Any], E], report: PutNewReport[E]
) -> dict[Ref[Any], Item]:
    """Which of the keys are there; a probe that fails leaves the answer to the puts."""
    entities = {ref.entity for ref in wanted}
    attributes = {name for entity in entities for name in _telling(entity)}
    try:
        found, _, cost = read_items(calls, "put_new_all", list(wanted), attributes=attributes)
    except GotganError:
        return {}
    report.cost += cost
    return found


def _telling(entity: type[Any]) -> set[str]:
    """The attributes that tell whether two things are one."""
    schema = schema_of(entity)
    identity = {schema.attribute(name) for name in schema.identity}
    return identity | {key.name for key in schema.table.keys}


def _try(calls: Calls, instance: E) -> PutNew[E] | GotganError:
    try:
        return insert(calls, instance, replace(put_new(instance), verb="put_new_all"))
    except GotganError as error:
        return error


def _file_stored(instance: E, item: Item, report: PutNewReport[E]) -> None:
    held = frozenset(_telling(type(instance)))
    _file_duplicate(instance, schema_of(type(instance)).load(item, held), report)


def _file_duplicate(instance: E, first: E, report: PutNewReport[E]) -> None:
    collision = collides(instance, first)
    if collision is None:
        report.duplicates.append(instance)
    else:
        report.failed.append(Failed(instance, collision))
