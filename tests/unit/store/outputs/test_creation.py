"""Tables are made where they are missing, left alone where they fit, and never bent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import StoreError, StoreUnreachable
from gotgan.store.engine import Engine
from gotgan.store.engine.faults import LimitExceededException, ResourceInUseException
from gotgan.store.outputs.creation import Backfill, CreateReport, create
from gotgan.store.outputs.definition import create_request, index_request, ttl_request
from gotgan.store.outputs.drift import drift
from gotgan.store.outputs.live import TableWait
from gotgan.store.tables import Names, Table

from .declared import DOCUMENTS, everything, plain, shops, site
from .live_tables import Ageless, Direct, Meddler, Slow, look

NAMES = Names(tables={"FMWebAppTable": "site-prod"})


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine whose clock stands still: a count that took long would be kept for a while."""
    with Engine(None, clock=FixedClock(datetime(2026, 1, 15, 12, tzinfo=UTC))) as engine:
        yield engine


def _patience(pauses: list[float] | None = None, seconds: float = 60.0) -> TableWait:
    """A wait that takes no time."""
    taken = [] if pauses is None else pauses
    return TableWait(seconds, taken.append)


def _lacking_indexes(table: Table) -> Table:
    return Table(table.name, pk=table.pk, sk=table.sk, ttl=table.ttl)


@pytest.mark.parametrize("declare", [plain, *DOCUMENTS])
def test_a_missing_table_is_made_as_declared(engine: Engine, declare: Callable[[], Table]) -> None:
    driver, table = Direct(engine), declare()
    created = create(driver, table)
    assert created == CreateReport(table.name, new=True, expires=table.ttl is not None)
    assert drift(table, *look(driver, table.name)) == ()


def test_a_table_is_made_under_the_name_of_the_place(engine: Engine) -> None:
    created = create(Direct(engine), site(), NAMES)
    assert created.name == "site-prod"
    assert engine.execute("ListTables", {}) == {"TableNames": ["site-prod"]}


def test_a_table_that_fits_is_left_alone(engine: Engine) -> None:
    create(Direct(engine), site())
    driver = Direct(engine)
    assert create(driver, site()) == CreateReport("FMWebAppTable", new=False)
    assert driver.changes == []


def test_what_differs_and_works_is_told_and_left_alone(engine: Engine) -> None:
    table = shops()
    table.index("Extra", pk="more")
    create(Direct(engine), table)
    driver = Direct(engine)
    created = create(driver, shops())
    assert driver.changes == []
    assert [difference.where for difference in created.differences] == ["index Extra"]


def test_a_table_with_everything_is_created_as_declared(engine: Engine) -> None:
    created = create(Direct(engine), everything())
    assert created.new
    assert list(created.differences) == []


def test_missing_indexes_are_named_and_the_table_is_not_touched(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(shops()))
    driver = Direct(engine)
    created = create(driver, shops())
    assert driver.changes == []
    assert created.indexes == ()
    assert [each.where for each in created.differences] == [f"index GSI{n}" for n in (1, 2, 3, 4)]
    assert {each.remedy for each in created.differences} == {"add it by creating the table again"}


@pytest.mark.parametrize(
    ("count", "size", "writes"), [(0, 10, 0), (3, 10, 3), (3, 2_000, 6), (100, 1_000, 100)]
)
def test_what_an_index_costs_is_said_before_it_is_added(
    engine: Engine, count: int, size: int, writes: int
) -> None:
    create(Direct(engine), _lacking_indexes(site()))
    for number in range(count):
        item = {"PK": {"S": str(number)}, "SK": {"S": "x"}, "text": {"S": "x" * size}}
        engine.execute("PutItem", {"TableName": "FMWebAppTable", "Item": item})
    announced: list[Backfill] = []
    driver = Direct(engine)

    def announce(backfill: Backfill) -> None:
        assert driver.changes == []
        announced.append(backfill)

    create(driver, site(), add_indexes=True, on_index=announce)
    assert announced == [Backfill("FMWebAppTable", "Type_CreatedAt", count, writes)]


def test_a_wait_for_an_index_can_be_watched(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(site()))
    seen: list[Any] = []
    patience = TableWait(seconds=60, pause=lambda _: None, watch=seen.append)
    create(Slow(engine, looks=3), site(), add_indexes=True, patience=patience)
    assert len(seen) == 3
    assert {each["TableName"] for each in seen} == {"FMWebAppTable"}


def test_indexes_are_added_when_asked_for_one_at_a_time_and_filled(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(shops()))
    keys = {"pk": "SHOP#a", "sk": "URL#x", "gsi1_pk": "SHOP#a", "gsi1_sk": "product"}
    item = {name: {"S": value} for name, value in keys.items()}
    engine.execute("PutItem", {"TableName": "aura-historia-data", "Item": item})
    driver = Direct(engine)
    created = create(driver, shops(), add_indexes=True)
    assert created == CreateReport(
        "aura-historia-data", new=False, indexes=("GSI1", "GSI2", "GSI3", "GSI4")
    )
    assert driver.changes == ["UpdateTable"] * 4
    found = engine.execute("Scan", {"TableName": "aura-historia-data", "IndexName": "GSI1"})
    assert found["Items"] == [item]


def test_no_index_is_added_to_a_table_that_does_not_fit_otherwise(engine: Engine) -> None:
    create(Direct(engine), Table("aura-historia-data", pk="id"))
    driver = Direct(engine)
    with pytest.raises(StoreError, match="key breaks: declared pk, sk, found id"):
        create(driver, shops(), add_indexes=True)
    assert driver.changes == []


def test_a_local_index_is_never_added(engine: Engine) -> None:
    create(Direct(engine), Table("books", pk="pk", sk="sk"))
    declared = Table("books", pk="pk", sk="sk")
    declared.local_index("by_title", sk="title")
    driver = Direct(engine)
    with pytest.raises(StoreError, match="created with its table"):
        create(driver, declared, add_indexes=True)
    assert driver.changes == []


def test_expiry_that_a_crash_left_off_is_turned_on(engine: Engine) -> None:
    engine.execute("CreateTable", create_request(site()))
    created = create(Direct(engine), site())
    assert created == CreateReport("FMWebAppTable", new=False, expires=True)


def test_expiry_by_another_attribute_is_not_changed(engine: Engine) -> None:
    other = Table("FMWebAppTable", pk="PK", sk="SK", ttl="gone_at")
    other.index("Type_CreatedAt", pk="Type", sk="CreatedAt")
    create(Direct(engine), other)
    with pytest.raises(StoreError, match="found gone_at"):
        create(Direct(engine), site())


def test_an_endpoint_that_knows_no_expiry_differs_and_works(engine: Engine) -> None:
    created = create(Ageless(engine), site())
    assert created.new
    assert [difference.where for difference in created.differences] == ["time to live"]


def test_the_slower_of_two_makers_of_a_table_finds_it_made(engine: Engine) -> None:
    driver = Meddler(engine, "CreateTable", lambda: create(Direct(engine), site()))
    assert create(driver, site()) == CreateReport("FMWebAppTable", new=False)


def test_the_slower_of_two_finds_out_that_the_other_made_another_table(engine: Engine) -> None:
    other = Table("FMWebAppTable", pk="id")
    driver = Meddler(engine, "CreateTable", lambda: create(Direct(engine), other))
    with pytest.raises(StoreError, match="not as declared"):
        create(driver, site())


def test_the_slower_of_two_who_turn_expiry_on_finds_it_on(engine: Engine) -> None:
    request = ttl_request(site())
    assert request is not None
    engine.execute("CreateTable", create_request(site()))
    driver = Meddler(
        engine, "UpdateTimeToLive", lambda: engine.execute("UpdateTimeToLive", request)
    )
    assert create(driver, site()) == CreateReport("FMWebAppTable", new=False)


def test_the_slower_of_two_who_add_an_index_finds_it_there(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(site()))
    request = index_request(site().indexes["Type_CreatedAt"])
    driver = Meddler(engine, "UpdateTable", lambda: engine.execute("UpdateTable", request))
    assert create(driver, site(), add_indexes=True) == CreateReport("FMWebAppTable", new=False)


@pytest.mark.parametrize("fault", [ResourceInUseException, LimitExceededException])
def test_an_index_is_tried_again_while_others_are_being_made(
    engine: Engine, fault: type[Exception]
) -> None:
    def busy() -> None:
        raise fault("another index is being made")

    create(Direct(engine), _lacking_indexes(site()))
    driver = Meddler(engine, "UpdateTable", busy)
    created = create(driver, site(), add_indexes=True)
    assert created.indexes == ("Type_CreatedAt",)


def test_an_index_that_is_refused_for_good_is_not_tried_again(engine: Engine) -> None:
    table = Table("books", pk="pk", sk="sk")
    for number in range(20):
        table.index(f"index{number}", pk=f"key{number}")
    create(Direct(engine), table)
    table.index("one_more", pk="more")
    driver = Direct(engine)
    with pytest.raises(StoreError, match="GlobalSecondaryIndex count exceeds"):
        create(driver, table, add_indexes=True)
    assert driver.changes == ["UpdateTable"]


def test_many_makers_at_once_all_succeed_and_one_made_it(engine: Engine) -> None:
    start = threading.Barrier(8)

    def make() -> CreateReport:
        start.wait()
        return create(Direct(engine), site())

    with ThreadPoolExecutor(8) as pool:
        made = [each.result() for each in [pool.submit(make) for _ in range(8)]]
    assert sum(each.new for each in made) == 1
    assert sum(each.expires for each in made) == 1
    assert drift(site(), *look(Direct(engine), "FMWebAppTable")) == ()


def test_many_who_add_indexes_at_once_all_succeed(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(shops()))
    start = threading.Barrier(4)

    def add() -> CreateReport:
        start.wait()
        return create(Direct(engine), shops(), add_indexes=True)

    with ThreadPoolExecutor(4) as pool:
        made = [each.result() for each in [pool.submit(add) for _ in range(4)]]
    added = sorted(name for each in made for name in each.indexes)
    assert added == ["GSI1", "GSI2", "GSI3", "GSI4"]


def test_a_table_is_waited_for_until_it_is_active(engine: Engine) -> None:
    pauses: list[float] = []
    driver = Slow(engine, looks=3)
    assert create(driver, plain(), patience=_patience(pauses)).new
    assert pauses == [0.1, 0.2, 0.4]


def test_an_index_is_waited_for_until_it_is_seen_and_active(engine: Engine) -> None:
    create(Direct(engine), _lacking_indexes(site()))
    pauses: list[float] = []
    driver = Slow(engine, looks=3)
    created = create(driver, site(), add_indexes=True, patience=_patience(pauses))
    assert created.indexes == ("Type_CreatedAt",)
    assert pauses == [0.1, 0.2, 0.4]


def test_waiting_ends_with_an_error_that_may_be_retried(engine: Engine) -> None:
    driver = Slow(engine, looks=1_000)
    with pytest.raises(StoreUnreachable, match="not ready after 60 seconds") as given_up:
        create(driver, plain(), patience=_patience())
    assert given_up.value.retry
    driver.left = 0
    assert create(driver, plain(), patience=_patience()) == CreateReport("plain", new=False)
