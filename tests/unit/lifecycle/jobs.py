"""An entity with all that a lifecycle can get in the way of, and workers who share its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gotgan.clock import Clock, FixedClock
from gotgan.lifecycle import Claim, Lifecycle, Position
from gotgan.settings import Secret
from gotgan.store import Entity, Id, IndexKey, Key, Store, Table, Timestamp, derived
from gotgan.store.attributes import Item
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine

__all__ = [
    "BEGIN",
    "HOUR",
    "JOBS",
    "SECOND",
    "Bench",
    "Job",
    "bench",
    "opened",
    "store_on",
]

BEGIN = datetime(2026, 1, 15, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)

JOBS = Table("jobs", pk="pk")
BY_RUN = JOBS.index("by_run", pk="run_pk", sk="run_sk", project=("began",))
BY_CHECK = JOBS.index("by_check", pk="check_pk", sk="check_sk", project=("ended",))
BY_END = JOBS.index("by_end", pk="end_pk", sk="end_sk", project=("title",))


class Job(Entity, table=JOBS, version="version"):
    """Something to be run, and to be checked, by two kinds of workers."""

    key = Key("JOB#{id}")
    run = Lifecycle(BY_RUN, "{queue}", started="began", finished="ended")
    check = Lifecycle(BY_CHECK, "{queue}", lease=timedelta(minutes=5))
    ended_last = IndexKey(BY_END, "{queue}", "{ended}")

    id: Id
    queue: Id | None = None
    title: str = "a job"
    runs: int = 0
    began: Timestamp | None = None
    ended: Timestamp | None = None
    version: int = 1

    @derived("title", "ended")
    def headline(self) -> str:
        """A line for people, made of what others write and of what the lifecycle writes."""
        return f"{self.title}, {'open' if self.ended is None else self.ended.isoformat()}"


def store_on(engine: Engine, clock: Clock | None = None) -> Store:
    """A store of its own, as another process has it."""
    return Store(Embedded(engine), secret=Secret("s" * 32), clock=clock)


def opened(path: Path, clock: Clock | None = None) -> Store:
    """A store on a file that others may work on."""
    return store_on(Engine(path, synchronous="normal"), clock)


@dataclass(frozen=True)
class Bench:
    """A store with a clock that is moved by hand, and a look behind it."""

    engine: Engine
    clock: FixedClock
    store: Store

    def job(self, id: str = "j1", **fields: Any) -> Job:  # noqa: A002 - the field's name
        """A new job, as it is read from the table."""
        self.store.put_new(Job(id=id, **{"queue": "q", **fields}))
        return self.read(id)

    def read(self, id: str = "j1") -> Job:  # noqa: A002 - the field's name
        """The job as it is now."""
        job = self.store.get(Job.key(id=id), consistent=True)
        assert job is not None
        return job

    def stored(self, id: str = "j1") -> Item:  # noqa: A002 - the field's name
        """The job's item, attribute by attribute."""
        request = {"TableName": "jobs", "Key": {"pk": {"S": f"JOB#{id}"}}}
        item: Item = self.engine.execute("GetItem", request).get("Item", {})
        return item

    def position(self, id: str = "j1") -> Position:  # noqa: A002 - the field's name
        """Where the job stands in its run."""
        return Job.run.position(self.read(id))

    def write(self, id: str = "j1", **attributes: Any) -> None:  # noqa: A002 - the field's name
        """Set attributes as another system would; None removes one."""
        item = {**self.stored(id), "pk": {"S": f"JOB#{id}"}}
        item |= {name: value for name, value in attributes.items() if value is not None}
        kept = {name: value for name, value in item.items() if attributes.get(name, 0) is not None}
        self.engine.execute("PutItem", {"TableName": "jobs", "Item": kept})

    def done(self, id: str = "j1") -> Job:  # noqa: A002 - the field's name
        """A job that was run once; the clock stands an hour later."""
        claim: Claim[Job] = Job.run.claim(self.store, self.job(id), owner="first")
        self.clock.advance(HOUR)
        return Job.run.finish(self.store, claim)

    def ahead(self, by: timedelta) -> Store:
        """The store of a worker whose clock is ahead."""
        return store_on(self.engine, FixedClock(self.clock.now() + by))


@contextmanager
def bench() -> Iterator[Bench]:
    """A bench with an empty table, in memory."""
    clock = FixedClock(BEGIN)
    with Engine(None, clock=clock) as engine:
        store = store_on(engine, clock)
        store.create(JOBS)
        yield Bench(engine, clock, store)
