"""One call to the database: under its real names, retried, metered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from gotgan.clock import Clock
from gotgan.errors import GotganError, IndexMissing, TableMissing
from gotgan.messages import Message
from gotgan.store import messages
from gotgan.store.costs import Cost, CostMeter
from gotgan.store.engine.faults import ResourceNotFoundException, ValidationException
from gotgan.store.tables import Names, Table

if TYPE_CHECKING:
    from gotgan.settings import Secret
    from gotgan.store.drivers.retries import RetryingDriver


In = TypeVar("In")
Out = TypeVar("Out")

_label: ContextVar[str | None] = ContextVar("gotgan_verb", default=None)


@contextmanager
def cost_label(verb: str | None) -> Iterator[None]:
    """Book what is called within the block under a verb of the caller's own."""
    token = _label.set(verb or _label.get())
    try:
        yield
    finally:
        _label.reset(token)


@dataclass(frozen=True)
class Calls:
    """Everything that reading and writing needs to reach the database."""

    driver: RetryingDriver
    meter: CostMeter
    names: Names
    clock: Clock
    secret: Secret
    tables: Callable[[], Iterable[Table]] = tuple
    """Gives the tables that are created when a call first needs them, if the database is in this
    process; called only then."""

    def send(
        self, verb: str, operation: str, request: dict[str, Any], *, repeatable: bool = True
    ) -> tuple[dict[str, Any], Cost]:
        """Carry out one operation; give its answer and what it cost."""
        request["ReturnConsumedCapacity"] = "INDEXES"
        try:
            answer = self.driver.call(operation, request, repeatable=repeatable)
        except ResourceNotFoundException as fault:
            if not self._create_missing(request, fault):
                raise self._missing(request) from fault
            there = replace(self, tables=tuple)
            return there.send(verb, operation, request, repeatable=repeatable)
        except ValidationException as fault:
            if missing := _missing_index(request, fault):
                raise missing from fault
            raise
        cost = Cost.of(_label.get() or verb, operation, answer)
        self.meter.record(cost)
        return answer, cost

    def _create_missing(self, request: dict[str, Any], fault: ResourceNotFoundException) -> bool:
        """Create what a request lacks of the declared tables; whether it needs any of them."""
        from gotgan.store.outputs.creation import create  # noqa: PLC0415 - seldom needed
        from gotgan.store.outputs.live import describe_table  # noqa: PLC0415 - the same

        wanted = frozenset() if self.driver.in_process is None else _tables_in(request)
        found = (table for table in self.tables() if self.names.of(table) in wanted)
        ours = list(islice(found, len(wanted)))
        missing = [
            table for table in ours if describe_table(self.driver, self.names.of(table)) is None
        ]
        try:
            for table in missing:
                create(self.driver, table, self.names)
        except GotganError as error:
            raise TableMissing(
                messages.TABLE_NOT_CREATED(
                    what=_named_tables(request), database=self.driver.name, cause=error.message
                )
            ) from fault
        return bool(ours)

    def _missing(self, request: dict[str, Any]) -> TableMissing:
        what = _named_tables(request)
        return TableMissing(messages.TABLE_MISSING(what=what, database=self.driver.name))

    def book_failed_write(self, verb: str, table: str, there: Any, attempted: Any = None) -> Cost:
        """Book a write whose condition did not hold: DynamoDB bills it without saying so."""
        cost = Cost.of_failed_write(_label.get() or verb, table, there, attempted=attempted)
        self.meter.record(cost)
        return cost

    def side_by_side(self, function: Callable[[In], Out], inputs: Iterable[In]) -> list[Out]:
        """Call a function for each input, as many at once as the driver is good for, in order."""
        waiting = list(inputs)
        if len(waiting) < 2 or self.driver.parallel < 2:  # noqa: PLR2004 - no second one
            return list(map(function, waiting))
        pool = ThreadPoolExecutor(min(self.driver.parallel, len(waiting)))
        try:
            # A thread starts without context: each piece of work brings a copy of ours.
            started = [pool.submit(copy_context().run, function, each) for each in waiting]
            return [piece.result() for piece in started]
        finally:
            # An interrupt does not wait for running calls.
            pool.shutdown(wait=False, cancel_futures=True)


def _tables_in(request: dict[str, Any]) -> frozenset[str]:
    """The tables that a request is about, as the database calls them."""
    if "TableName" in request:
        return frozenset({request["TableName"]})
    if "RequestItems" in request:
        return frozenset(request["RequestItems"])
    actions = (action for each in request["TransactItems"] for action in each.values())
    return frozenset(action["TableName"] for action in actions)


def _named_tables(request: dict[str, Any]) -> Message:
    """What of a request may not exist."""
    tables = sorted(_tables_in(request))
    if len(tables) > 1:
        return messages.ONE_OF_TABLES(tables=tables)
    if "IndexName" in request:
        return messages.TABLE_OR_INDEX(table=tables[0], index=request["IndexName"])
    return messages.TABLE(table=tables[0])


def _missing_index(request: dict[str, Any], fault: ValidationException) -> IndexMissing | None:
    """What a refused read lacks; None where the index is not the reason."""
    table, index = request.get("TableName"), request.get("IndexName")
    if index is None:
        return None
    if "does not have the specified index" in fault.message:
        return IndexMissing(messages.NO_INDEX(table=table, index=index))
    if "backfilling" in fault.message:
        return IndexMissing(messages.INDEX_BACKFILLING(table=table, index=index))
    return None
