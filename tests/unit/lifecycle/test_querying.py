"""Queries by state, and what is stuck."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from gotgan.errors import DeclarationError, UsageError
from gotgan.lifecycle import Claim, Lifecycle
from gotgan.settings import Secret
from gotgan.store import Entity, Id, Key, Query, Store, Table, Timestamp, number
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.unit.lifecycle.jobs import BEGIN, HOUR, SECOND, Bench, Job

LEASE = 2 * HOUR


def _ids(at: Bench, query: Query[Job]) -> list[str]:
    return [job.id for job in at.store.iterate(query, at_most=None)]


def test_each_state_is_a_query_and_no_item_is_in_two(at: Bench) -> None:
    at.done("done")
    Job.run.claim(at.store, at.job("claimed"))
    at.job("new")
    assert _ids(at, Job.run.never("q")) == ["new"]
    assert _ids(at, Job.run.in_progress("q")) == ["claimed"]
    assert _ids(at, Job.run.done("q")) == ["done"]


def test_moments_bound_what_was_done_and_what_was_begun_both_included(at: Bench) -> None:
    for hour in range(4):
        Job.run.claim(at.store, at.job(f"begun {hour}"))
        Job.run.finish(at.store, Job.run.claim(at.store, at.job(f"done {hour}")))
        at.clock.advance(HOUR)
    first, last = BEGIN + HOUR, BEGIN + 2 * HOUR
    assert _ids(at, Job.run.done("q", after=first, before=last)) == ["done 1", "done 2"]
    assert _ids(at, Job.run.done("q", before=first)) == ["done 0", "done 1"]
    assert _ids(at, Job.run.done("q", after=last)) == ["done 2", "done 3"]
    assert _ids(at, Job.run.in_progress("q", before=first)) == ["begun 0", "begun 1"]


def test_a_query_is_asked_for_with_the_parts_of_its_partition() -> None:
    with pytest.raises(UsageError, match=r"Job\.run is asked for by queue, and 0 values"):
        Job.run.never()


def test_stuck_is_what_is_past_its_own_lease(at: Bench) -> None:
    short = Job.run.claim(at.store, at.job("short"), lease=SECOND)
    Job.run.claim(at.store, at.job("usual"))
    long = Job.run.claim(at.store, at.job("long"), lease=9 * HOUR)
    renewed = Job.run.claim(at.store, at.job("renewed"), lease=SECOND)
    at.done("done")
    at.job("new")
    Job.run.renew(at.store, renewed, lease=9 * HOUR)
    assert Job.run.stuck(at.store, "q") == [at.read("short")]
    at.clock.advance(HOUR)
    assert {job.id for job in Job.run.stuck(at.store, "q")} == {"short", "usual"}
    Job.run.finish(at.store, short)
    at.clock.advance(8 * HOUR)
    assert {job.id for job in Job.run.stuck(at.store, "q")} == {"usual", "long", "renewed"}
    assert Job.run.position(at.read("long")).owner == long.owner


def test_what_is_stuck_comes_whole_and_says_who_left_it(at: Bench) -> None:
    claim = Job.run.claim(at.store, at.job(title="lost"), owner="w1")
    at.clock.advance(LEASE)
    [stuck] = Job.run.stuck(at.store, "q")
    assert (stuck.title, Job.run.position(stuck).owner) == ("lost", claim.owner)


class _Lagging(Embedded):
    """A driver between whose look at an index and at the table something happens."""

    def __init__(self, engine: Engine, meanwhile: Callable[[], object]) -> None:
        super().__init__(engine)
        self._meanwhile = meanwhile

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "BatchGetItem":
            self._meanwhile()
        return super().call(operation, request)


@pytest.mark.parametrize("move", [Job.run.finish, Job.run.renew, Job.run.release])
def test_an_index_entry_that_lags_behind_its_item_is_not_stuck(
    at: Bench, move: Callable[[Store, Claim[Job]], object]
) -> None:
    """The table has the last word: what moved on there has moved on, whatever the index says."""
    claim = Job.run.claim(at.store, at.job())
    at.clock.advance(LEASE)
    assert len(Job.run.stuck(at.store, "q")) == 1
    driver = _Lagging(at.engine, lambda: move(at.store, claim))
    assert Job.run.stuck(Store(driver, secret=Secret("s" * 32), clock=at.clock), "q") == []


def test_what_is_stuck_is_read_for_the_price_of_its_entries_and_half_a_unit_each(
    at: Bench,
) -> None:
    jobs = [at.job(f"{number:03}") for number in range(250)]
    for job in jobs:
        Job.run.claim(at.store, job, lease=SECOND)
    at.clock.advance(SECOND)
    with at.store.metered() as measured:
        assert len(Job.run.stuck(at.store, "q")) == 250
    cost = measured.cost.by_index()
    # Entries of 76 bytes: 19,000 in all, so five times 4 KB at half a unit.
    assert (cost["jobs", "by_run"].reads, cost["jobs", None].reads) == (2.5, 125.0)


PARCELS = Table("parcels", pk="pk")
BY_WAY = PARCELS.index("by_way", pk="way_pk", sk="way_sk")


class Parcel(Entity, table=PARCELS):
    """Something so large that a page of the index holds some fifty of it."""

    key = Key("PARCEL#{id}")
    delivery = Lifecycle(BY_WAY, "{van}", lease=SECOND)

    id: Id
    van: Id
    content: str


def test_what_is_stuck_is_found_however_many_pages_it_takes(at: Bench) -> None:
    at.store.create(PARCELS)
    for number_of in range(120):
        parcel = Parcel(id=f"{number_of:03}", van="v", content="x" * 20_000)
        Parcel.delivery.claim(at.store, at.store.put(parcel).item)
    at.clock.advance(SECOND)
    assert len(at.store.query(Parcel.delivery.in_progress("v"), limit=200)) == 120
    assert len({parcel.id for parcel in Parcel.delivery.stuck(at.store, "v")}) == 120


def _declare(**options: object) -> None:
    table = Table("declared", pk="pk")
    index = table.index("by_state", pk="a", sk=options.pop("sk", "b"))  # type: ignore[arg-type]

    class _Declared(Entity, table=table):
        key = Key("D#{id}")
        work = Lifecycle(index, "{id}", **options)  # type: ignore[arg-type]

        id: Id
        at: Timestamp | None = None
        five: Id = "12345"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"sk": None}, "work keeps its state in the sort key of by_state: it needs one"),
        ({"sk": number("b")}, "work keeps its state in the sort key of by_state"),
        ({"lease": timedelta(0)}, "work has a lease of 0:00:00; give it a second at least"),
        ({"started": "five"}, "work keeps a time in 'five'; declare that field as Timestamp"),
        ({"finished": "nowhere"}, "work keeps a time in 'nowhere'"),
    ],
)
def test_a_declaration_that_cannot_work_says_what_to_do(
    options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(DeclarationError, match=complaint):
        _declare(**options)


def test_a_field_does_not_take_an_attribute_of_the_books() -> None:
    table = Table("declared", pk="pk")
    index = table.index("by_state", pk="a", sk="b")
    with pytest.raises(DeclarationError, match="work keeps work_owner itself"):

        class _Declared(Entity, table=table):
            key = Key("D#{id}")
            work = Lifecycle(index, "{id}")
            id: Id
            work_owner: str | None = None


def test_an_index_keeps_one_lifecycle() -> None:
    table = Table("declared", pk="pk")
    index = table.index("by_state", pk="a", sk="b")
    with pytest.raises(DeclarationError, match="first and second both keep the index by_state"):

        class _Declared(Entity, table=table):
            key = Key("D#{id}")
            first = Lifecycle(index, "{id}")
            second = Lifecycle(index, "{id}")
            id: Id


def test_the_state_is_written_by_the_verbs_alone(at: Bench) -> None:
    claimed = Job.run.claim(at.store, at.job()).item
    at.clock.advance(HOUR)
    at.store.put(claimed.model_copy(update={"title": "put over"}))
    assert at.position() == Job.run.position(claimed)
