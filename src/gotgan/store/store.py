"""``Store``: executes queries and writes, and returns entities."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from typing import Any, Self, TypeVar

from gotgan.clock import Clock, EarlierClock, SystemClock
from gotgan.errors import UsageError
from gotgan.settings import Secret, Settings
from gotgan.store import batches, pages, reads, writer, writes
from gotgan.store.attributes import Item
from gotgan.store.batches import BatchReport, PutNewReport
from gotgan.store.calls import Calls, cost_label
from gotgan.store.conditions import Condition
from gotgan.store.costs import Cost, CostMeter, MeteredBlock
from gotgan.store.drivers import Driver
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.entities import Entity
from gotgan.store.keys import Ref
from gotgan.store.pages import Count, Page, ReadOptions
from gotgan.store.queries import Query
from gotgan.store.reads import BatchGetResult
from gotgan.store.schema import OnBad, schema_of
from gotgan.store.tables import Names, Table
from gotgan.store.writer import DeleteResult, PutNew, TransactionResult, WriteResult
from gotgan.store.writes import Write

T = TypeVar("T")
U = TypeVar("U")
E = TypeVar("E", bound=Entity)


class Store:
    """A database that keeps entities; share one among all threads of a program."""

    def __init__(
        self,
        driver: Driver | RetryingDriver,
        *,
        secret: Secret,
        names: Names | None = None,
        clock: Clock | None = None,
    ) -> None:
        """``secret`` signs the cursors of pages; ``names`` says what tables are called there."""
        chosen = clock or SystemClock()
        self.calls = Calls(
            driver=driver if isinstance(driver, RetryingDriver) else RetryingDriver(driver),
            meter=CostMeter(chosen),
            names=names or Names(),
            clock=chosen,
            secret=secret,
        )

    @classmethod
    def open(
        cls, settings: Settings, *, clock: Clock | None = None, real: Clock | None = None
    ) -> Self:
        """The store that the settings name: the embedded file, AWS, or an endpoint.

        ``real`` is the time of people, where some of them live by that and not by ``clock``: what
        has expired is removed from the embedded file when it has by both.
        """
        from gotgan.store.drivers.embedded import open_driver  # noqa: PLC0415 - boto3 is heavy

        names = Names.parse(settings.names())
        sweeps_by = clock if clock is None or real is None else EarlierClock(clock, real)
        driver = open_driver(settings, sweeps_by)
        return cls(driver, secret=settings.secret(), names=names, clock=clock)

    @classmethod
    def in_memory(cls, *, clock: Clock | None = None) -> Self:
        """A store in memory, for tests and experiments."""
        from gotgan.store.drivers.embedded import Embedded  # noqa: PLC0415 - for those who ask
        from gotgan.store.engine.engine import Engine  # noqa: PLC0415 - the same

        engine = Engine(None, clock=clock)
        return cls(Embedded(engine), secret=Secret(secrets.token_hex(32)), clock=clock)

    def named(self, names: Names) -> Store:
        """The same store with other names for its tables: another tenant, or a migration's end."""
        return self._with(names=names)

    def by(self, clock: Clock) -> Store:
        """The same store by another clock: what expires there does so by that one."""
        return self._with(clock=clock)

    def creating(self, tables: Callable[[], Iterable[Table]]) -> Store:
        """The same store, which creates these tables when they are first used.

        ``tables`` is called only when a table is missing. Only the embedded engine creates tables
        so: on AWS, or at an endpoint, a table costs money and needs rights, and is created by
        ``create``.
        """
        return self._with(tables=tables)

    def _with(self, **changes: Any) -> Store:
        other = object.__new__(type(self))
        other.calls = replace(self.calls, **changes)
        return other

    def close(self) -> None:
        """Let go of files and connections."""
        self.calls.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_in_process(self) -> bool:
        """Whether the database is in this process, so that a read never waits for a network."""
        return self.calls.driver.in_process is not None

    @property
    def clock(self) -> Clock:
        """The clock for leases and expiry."""
        return self.calls.clock

    def create(self, *tables: Table) -> None:
        """Create tables where they are missing; one that does not fit its declaration is an error.

        Indexes that an existing table lacks are not added: ``gotgan tables create`` does that.
        """
        from gotgan.store.outputs.creation import create  # noqa: PLC0415 - seldom needed

        for table in tables:
            create(self.calls.driver, table, self.calls.names)

    def check(self) -> None:
        """Raise unless the embedded database can be read and written; others are not asked."""
        if self.calls.driver.in_process is not None:
            self.calls.driver.in_process.check()

    def total(self) -> Cost:
        """What everything has cost since the store was opened."""
        return self.calls.meter.total()

    @contextmanager
    def metered(self, verb: str | None = None) -> Iterator[MeteredBlock]:
        """Measure what a block costs, booked under a verb of your own where one is given."""
        with cost_label(verb), self.calls.meter.measured() as measured:
            yield measured

    # Reading

    def get(self, ref: Ref[T], *, only: Sequence[str] = (), consistent: bool = False) -> T | None:
        """One item by its key, or None."""
        return reads.get(self.calls, ref, only, consistent=consistent)

    def get_all(
        self, refs: Iterable[Ref[T]], *, only: Sequence[str] = (), consistent: bool = False
    ) -> BatchGetResult[T]:
        """Many items by their keys, a hundred a call."""
        return reads.get_all(self.calls, refs, only, consistent=consistent)

    def query(
        self,
        query: Query[T],
        *,
        limit: int = 100,
        cursor: str | None = None,
        on_bad: OnBad | None = None,
        keep: Callable[[T], bool] | None = None,
        units: float = inf,
    ) -> Page[T]:
        """A page of what a query finds; ``cursor`` is that of the page before.

        An item that does not fit its entity is an error, unless ``on_bad`` takes it.
        ``keep`` chooses among the items after they were read and billed, where no filter of
        DynamoDB's can; a page may end early, with a cursor, after 20 answers with too few of them,
        or once it took as many read units as ``units`` allows.
        """
        choice = ReadOptions(on_bad=on_bad, keep=keep, units=units)
        return pages.read_page(self.calls, query, limit, cursor, choice)

    def query_as(
        self,
        query: Query[Any],
        make: Callable[[Item], U | None],
        *,
        limit: int = 100,
        cursor: str | None = None,
        units: float = inf,
    ) -> Page[U]:
        """A page of what ``make`` makes of the items; it leaves out one where it gives None.

        For what only hands items on: they come as DynamoDB has them, and no entity is made.
        """
        choice = ReadOptions(make=make, units=units)
        return pages.read_page(self.calls, query, limit, cursor, choice)

    def first(self, query: Query[T]) -> T | None:
        """The first item that a query finds."""
        page = self.query(query, limit=1)
        while not page.items and page.cursor is not None:
            page = self.query(query, limit=1, cursor=page.cursor)
        return next(iter(page), None)

    def iterate(
        self, query: Query[T], *, at_most: int | None, on_bad: OnBad | None = None
    ) -> Iterator[T]:
        """Everything that a query finds, page after page; None is without a bound."""
        if at_most is not None and at_most < 0:
            raise UsageError(f"at_most is {at_most}; give a number of items, or None for all")
        return pages.iterate(self.calls, query, at_most, on_bad)

    def count(self, query: Query[Any], *, at_most: int | None = None) -> Count:
        """How many items a query finds; DynamoDB reads and bills all of them, or so many."""
        if at_most is not None and at_most < 1:
            raise UsageError(f"at_most is {at_most}; give a number of items, or None for all")
        return pages.count(self.calls, query, at_most)

    def scan(
        self, *entities: type[E], segments: int = 1, on_bad: OnBad | None = None
    ) -> Iterator[E]:
        """Every item of these kinds in their table, in no order, at the price of the whole table.

        Close the iterator to stop early: ``contextlib.closing``.
        """
        if not entities or segments < 1:
            raise UsageError("a scan needs at least one entity and one segment")
        if len({id(schema_of(entity).table) for entity in entities}) > 1:
            raise UsageError("a scan reads one table; scan each table for itself")
        return reads.scan(self.calls, entities, segments, on_bad)

    # Writing

    def put_new(self, instance: E, *, others: Mapping[str, Any] | None = None) -> PutNew[E]:
        """Write an item if its key is new; ``others`` are attributes beyond the declaration."""
        write = writes.put_new(instance, others=others)
        made = writer.insert(self.calls, instance, write)
        stored = writer.load_entity(write, write.item) if others and made.new else None
        return made if stored is None else replace(made, item=stored)

    def put_new_all(self, instances: Iterable[E], *, probe: bool | None = None) -> PutNewReport[E]:
        """Write all that is new, and say what was new, duplicate or failed.

        ``probe`` looks keys up before writing; None probes while there are duplicates to find.
        """
        return batches.put_new_all(self.calls, instances, probe=probe)

    def put(self, instance: E, *, only_if: Condition | None = None) -> WriteResult[E]:
        """Write a whole item over whatever is there."""
        return writer.change(self.calls, None, writes.put(instance, only_if=only_if))

    def update(
        self,
        instance: E,
        /,
        *,
        only_if: Condition | None = None,
        others: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> WriteResult[E]:
        """Change fields of an item that was read, and all that follows from them.

        ``others`` are attributes that the entity does not declare; None removes one.
        """
        write = writes.update(instance, only_if=only_if, others=others, **changes)
        return writer.change(self.calls, instance, write)

    def patch(
        self, ref: Ref[E], /, *, only_if: Condition | None = None, **changes: Any
    ) -> WriteResult[E]:
        """Change fields of an item by its key alone; refused where an index key would go stale."""
        return writer.change(self.calls, None, writes.patch(ref, only_if=only_if, **changes))

    def upsert(
        self, ref: Ref[E], /, *, only_if: Condition | None = None, **changes: Any
    ) -> WriteResult[E]:
        """Change fields of an item by its key alone; create the item if it is missing."""
        return writer.change(self.calls, None, writes.upsert(ref, only_if=only_if, **changes))

    def delete(self, target: E | Ref[E], *, only_if: Condition | None = None) -> DeleteResult:
        """Remove an item; a missing one is not an error."""
        return writer.remove(self.calls, writes.delete(target, only_if=only_if))

    def transact(self, writes: Sequence[Write[Any]]) -> TransactionResult:
        """Carry out up to a hundred writes, all or none."""
        return writer.transact(self.calls, writes)

    def put_all(self, instances: Iterable[Entity]) -> BatchReport:
        """Put whole items over whatever is there, without conditions."""
        return batches.put_all(self.calls, instances)

    def delete_all(self, refs: Iterable[Ref[Any]]) -> BatchReport:
        """Remove items, without conditions."""
        return batches.delete_all(self.calls, refs)
