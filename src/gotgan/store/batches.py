"""Writes in bulk: without conditions, or put-if-absent with a report of every item.

Put-if-absent first looks up keys that probably exist, a hundred per call: a tenth of the price of
refused conditional puts. The puts stay conditional, so a wrong probe overwrites nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, TypeAlias, TypeVar

from gotgan import errors
from gotgan.store import messages
from gotgan.store.attributes import Item
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.engine.faults import DynamoDBError, ValidationException
from gotgan.store.entities import Entity
from gotgan.store.keys import Ref
from gotgan.store.reads import BATCH_GET_SIZE, item_identity, read_items
from gotgan.store.schema import schema_of
from gotgan.store.tables import Table
from gotgan.store.writer import PutNew, insert, key_collision
from gotgan.store.writes import put_new, refuse_partial

T = TypeVar("T")

_BATCH_WRITE_SIZE: Final = 25


@dataclass(frozen=True)
class FailedWrite:
    """A write that was not done, and why."""

    target: Ref[Any] | Entity
    """The item's key; the item itself where it has no key that can be used."""
    error: errors.GotganError


@dataclass(frozen=True)
class BatchReport:
    """What a batch of writes did."""

    done: int
    undone: tuple[FailedWrite, ...]
    cost: Cost


_Task: TypeAlias = tuple[Ref[Any], dict[str, Any]]
"""One write of a batch: the item's key, and the request."""


def put_all(calls: Calls, instances: Iterable[Entity]) -> BatchReport:
    """Put whole items over whatever is there; of two with one key the last one counts."""
    return _write_all(calls, "put_all", (_put_task(instance) for instance in instances))


def delete_all(calls: Calls, refs: Iterable[Ref[Any]]) -> BatchReport:
    """Remove items."""
    tasks = ((ref, {"DeleteRequest": {"Key": ref.item}}) for ref in refs)
    return _write_all(calls, "delete_all", tasks)


def chunks(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Split a sequence into lists of at most ``size``."""
    left = iter(things)
    while chunk := list(islice(left, size)):
        yield chunk


def _put_task(instance: Entity) -> _Task | FailedWrite:
    schema = schema_of(type(instance))
    if schema.version is not None or schema.state_attributes:
        raise errors.UsageError(
            f"a batch cannot guard the version or the lifecycle of a {type(instance).__name__}; "
            "use put_new_all, or put one by one"
        )
    try:
        refuse_partial(instance, "put")
        item = schema.item(schema.checked(instance))
        return instance.key, {"PutRequest": {"Item": item}}
    except errors.GotganError as error:
        return FailedWrite(instance, error)


def _write_all(calls: Calls, verb: str, tasks: Iterable[_Task | FailedWrite]) -> BatchReport:
    done, undone = 0, []
    with calls.meter.measured() as measured:
        for window in chunks(tasks, _BATCH_WRITE_SIZE * max(1, calls.driver.parallel)):
            undone += [task for task in window if isinstance(task, FailedWrite)]
            # A batch may not name a key twice: the last one counts.
            last = dict(task for task in window if not isinstance(task, FailedWrite))
            pieces = chunks(last.items(), _BATCH_WRITE_SIZE)
            left = calls.side_by_side(partial(_write, calls, verb), pieces)
            failed = [each for piece in left for each in piece]
            undone += failed
            done += len(last) - len(failed)
    return BatchReport(done, tuple(undone), measured.cost)


def _write(calls: Calls, verb: str, piece: list[_Task]) -> list[FailedWrite]:
    """Write one batch; give the writes that were not done."""
    waiting: dict[str, list[dict[str, Any]]] = {}
    for ref, request in piece:
        waiting.setdefault(calls.names.of(ref.table), []).append(request)
    error: errors.StoreError | None = None
    attempts = calls.driver.attempts("BatchWriteItem")
    try:
        while waiting:
            asked = sum(map(len, waiting.values()))
            answer, _ = calls.send(verb, "BatchWriteItem", {"RequestItems": waiting})
            waiting = answer.get("UnprocessedItems") or {}
            left = sum(map(len, waiting.values()))
            if left and not attempts.unfinished(left, progressed=left < asked):
                break
    except ValidationException:
        # One of them is in the way of all: alone, each is written or says what is wrong with it.
        return [failed for task in piece for failed in _write_alone(calls, verb, *task)]
    except errors.StoreError as fault:
        error = fault
    if not waiting:
        return []
    error = error or errors.StoreError(messages.BATCH_INCOMPLETE())
    tables = {calls.names.of(ref.table): ref.table for ref, _ in piece}
    refs = {_identity(calls.names.of(ref.table), ref.table, request): ref for ref, request in piece}
    return [
        FailedWrite(refs[_identity(name, tables[name], request)], error)
        for name, requests in waiting.items()
        for request in requests
    ]


def _write_alone(
    calls: Calls, verb: str, ref: Ref[Any], request: dict[str, Any]
) -> list[FailedWrite]:
    [(kind, body)] = request.items()
    operation = "PutItem" if kind == "PutRequest" else "DeleteItem"
    try:
        calls.send(verb, operation, {"TableName": calls.names.of(ref.table), **body})
    except errors.StoreError as error:
        return [FailedWrite(ref, error)]
    return []


def _identity(name: str, table: Table, request: dict[str, Any]) -> tuple[Any, ...]:
    [body] = request.values()
    return item_identity(name, table, body.get("Item") or body["Key"])


E = TypeVar("E", bound=Entity)
Outcome: TypeAlias = PutNew[E] | errors.GotganError

_PROBE_SHARE: Final = 0.1
"""The share of duplicates from which a probe is cheaper than a refused put."""


@dataclass(frozen=True)
class FailedPut(Generic[E]):
    """An item that could not be written, and why."""

    item: E
    error: errors.GotganError


@dataclass
class PutNewReport(Generic[E]):
    """The items: new, duplicate or failed."""

    new: list[E] = field(default_factory=list)
    duplicates: list[E] = field(default_factory=list)
    failed: list[FailedPut[E]] = field(default_factory=list)
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
    """Write what is new; ``probe=None`` looks keys up first while there are duplicates to find."""
    report: PutNewReport[E] = PutNewReport()
    stored: dict[Ref[Any], E] = {}
    probing = probe is not False
    with calls.meter.measured() as measured:
        for window in chunks(instances, BATCH_GET_SIZE * max(1, calls.driver.parallel)):
            before = len(report.duplicates)
            _put_window(calls, window, stored, report, probing=probing)
            if probe is None:
                probing = len(report.duplicates) - before >= _PROBE_SHARE * len(window)
    report.cost = measured.cost
    return report


def _put_window(
    calls: Calls,
    window: list[E],
    stored: dict[Ref[Any], E],
    report: PutNewReport[E],
    *,
    probing: bool,
) -> None:
    """Write the first item of each key; where it failed, try the next one with that key."""
    waiting: list[tuple[Ref[Any], E]] = []
    for instance in window:
        try:
            waiting.append((instance.key, instance))
        except errors.GotganError as error:
            report.failed.append(FailedPut(instance, error))
    while waiting:
        first: dict[Ref[Any], E] = {}
        again: list[tuple[Ref[Any], E]] = []
        for ref, instance in waiting:
            if ref in stored:
                _add_outcome(report, instance, _duplicate(instance, stored[ref]))
            elif ref in first:
                again.append((ref, instance))
            else:
                first[ref] = instance
        outcomes = _probe(calls, first) if probing and first else {}
        left = [ref for ref in first if ref not in outcomes]
        attempts = calls.driver.attempts("PutItem")
        while left:
            tried = _put_each(calls, [first[ref] for ref in left])
            outcomes |= dict(zip(left, tried, strict=True))
            # One that may have been written is not sent again: it would find itself as a duplicate.
            throttled = [
                ref
                for ref, outcome in zip(left, tried, strict=True)
                if isinstance(outcome, DynamoDBError) and outcome.retry and not outcome.maybe_done
            ]
            asked, left = len(left), throttled
            if left and not attempts.unfinished(len(left), progressed=len(left) < asked):
                break
        stored |= {r: first[r] for r in first if _add_outcome(report, first[r], outcomes[r])}
        waiting, probing = again, False


def _probe(calls: Calls, wanted: dict[Ref[Any], E]) -> dict[Ref[Any], Outcome[E]]:
    """The outcomes of items whose keys are stored; if the probe fails, the puts decide."""
    entities = {ref.entity for ref in wanted}
    attributes = {name for entity in entities for name in _identity_attributes(entity)}
    try:
        found, _, _ = read_items(calls, "put_new_all", list(wanted), attributes=attributes)
    except errors.GotganError:
        return {}
    return {ref: _probe_outcome(wanted[ref], item) for ref, item in found.items()}


def _identity_attributes(entity: type[Any]) -> frozenset[str]:
    """The attributes that tell whether two items with one key are the same thing."""
    schema = schema_of(entity)
    identity = {schema.attribute(name) for name in schema.identity}
    return frozenset(identity | {key.name for key in schema.table.keys})


def _put_each(calls: Calls, instances: list[E]) -> list[Outcome[E]]:
    """The outcomes of conditional puts, made in as few commits as the driver allows."""
    driver = calls.driver.in_process
    if driver is None:
        return calls.side_by_side(partial(_put_one, calls), instances)
    outcomes: list[Outcome[E]] = []
    put = partial(_put_one, replace(calls, tables=tuple))  # no table is created in a transaction
    for piece in chunks(instances, BATCH_GET_SIZE):
        tried: list[Outcome[E]]
        try:
            with driver.batch():
                tried = list(map(put, piece))
        except (errors.StoreClosed, errors.StoreLocked) as error:  # no write could begin
            tried = [error] * len(piece)
        except Exception:  # noqa: BLE001 - nothing was written, and apart the failure has an owner
            tried = calls.side_by_side(partial(_put_one, calls), piece)
        else:
            for place, outcome in enumerate(tried):
                if isinstance(outcome, errors.TableMissing):
                    tried[place] = _put_one(calls, piece[place])
        outcomes += tried
    return outcomes


def _put_one(calls: Calls, instance: E) -> Outcome[E]:
    try:
        return insert(calls, instance, replace(put_new(instance), verb="put_new_all"))
    except errors.BadItem as error:
        return error if schema_of(type(instance)).identity else _same_key(instance)
    except errors.GotganError as error:
        return error


def _same_key(instance: E) -> PutNew[E]:
    """The outcome for an entity without an identity: the same key is the same thing."""
    return PutNew(new=False, item=instance, cost=Cost())


def _probe_outcome(instance: E, item: Item) -> Outcome[E]:
    schema = schema_of(type(instance))
    if not schema.identity:
        return _same_key(instance)
    try:
        return _duplicate(instance, schema.load(item, _identity_attributes(schema.entity)))
    except errors.GotganError as error:
        return error


def _duplicate(instance: E, first: E) -> Outcome[E]:
    return key_collision(instance, first) or PutNew(new=False, item=first, cost=Cost())


def _add_outcome(report: PutNewReport[E], instance: E, outcome: Outcome[E]) -> bool:
    """Add the outcome of an item to the report; return whether an item with its key is stored."""
    if isinstance(outcome, errors.GotganError):
        report.failed.append(FailedPut(instance, outcome))
        return False
    (report.new if outcome.new else report.duplicates).append(instance)
    return True
