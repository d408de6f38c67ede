"""One call to the database: under its real names, retried, metered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from gotgan.clock import Clock
from gotgan.errors import TableMissing
from gotgan.settings import Secret
from gotgan.store.costs import Cost, Meter
from gotgan.store.drivers.retrying import Retrying
from gotgan.store.engine.faults import ResourceNotFoundException
from gotgan.store.tables import Names

__all__ = ["Calls", "labelled"]

In = TypeVar("In")
Out = TypeVar("Out")

_label: ContextVar[str | None] = ContextVar("gotgan_verb", default=None)


@contextmanager
def labelled(verb: str | None) -> Iterator[None]:
    """Book what is called within the block under a verb of the caller's own."""
    token = _label.set(verb or _label.get())
    try:
        yield
    finally:
        _label.reset(token)


@dataclass(frozen=True)
class Calls:
    """Everything that reading and writing needs to reach the database."""

    driver: Retrying
    meter: Meter
    names: Names
    clock: Clock
    secret: Secret

    def send(
        self, verb: str, operation: str, request: dict[str, Any], *, repeatable: bool = True
    ) -> tuple[dict[str, Any], Cost]:
        """Carry out one operation; give its answer and what it cost."""
        request["ReturnConsumedCapacity"] = "INDEXES"
        try:
            answer = self.driver.call(operation, request, repeatable=repeatable)
        except ResourceNotFoundException as fault:
            raise self._missing(request) from fault
        return answer, self.book(Cost.of(_label.get() or verb, operation, answer))

    def _missing(self, request: dict[str, Any]) -> TableMissing:
        where = request.get("TableName") or "one of the tables"
        if "IndexName" in request:
            where = f"{where}, or its index {request['IndexName']},"
        return TableMissing(
            f"{where} is not there in {self.driver.name}; make it with store.create(table) or "
            "gotgan tables create, or name it with GOTGAN_TABLES"
        )

    def book_failed_write(self, verb: str, table: str, there: Any, attempted: Any = None) -> Cost:
        """Book a write whose condition did not hold: DynamoDB bills it without saying so."""
        label = _label.get() or verb
        return self.book(Cost.of_failed_write(label, table, there, attempted=attempted))

    def book(self, cost: Cost) -> Cost:
        """Add a cost to the totals."""
        self.meter.record(cost)
        return cost

    def side_by_side(self, function: Callable[[In], Out], inputs: Iterable[In]) -> list[Out]:
        """Call a function for each input, as many at once as the driver is good for, in order."""
        waiting = list(inputs)
        if len(waiting) < 2 or self.driver.parallel < 2:  # noqa: PLR2004 - no second one
            return [function(each) for each in waiting]
        pool = ThreadPoolExecutor(min(self.driver.parallel, len(waiting)))
        try:
            # A thread starts without context: each piece of work brings a copy of ours.
            begun = [pool.submit(copy_context().run, function, each) for each in waiting]
            return [piece.result() for piece in begun]
        finally:
            # Whoever interrupts does not wait for calls that are under way.
            pool.shutdown(wait=False, cancel_futures=True)
