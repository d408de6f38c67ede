"""The schedule, its ticks and the costs, as the library returns them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domain import Domain, SimpleDecision
from gotgan.encoding import encode
from gotgan.errors import UsageError
from gotgan.operations.costs import cost_report
from gotgan.operations.params import CostGroup
from gotgan.operations.service import Operations
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks
from gotgan.settings import Settings
from gotgan.store.costs import Cost, CostLine, CostMeter
from gotgan.verbs import iterate

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)  # 12:00 in Seoul
HOUR = timedelta(hours=1)
CLOSED = SimpleDecision("skipped", "market_closed", "2025-10-19 is no trading day: a weekend")
WRITES = Cost((CostLine("upload", "news_items", "by_day", 0.0, 750.0),))
READS = Cost((CostLine("query", "news_items", None, 2000.0, 0.0),))


@pytest.fixture
def app() -> Iterator[App]:
    """An app on its first day."""
    with App.in_memory(clock=FixedClock(NOON)) as app:
        yield app


@pytest.fixture
def meter() -> CostMeter:
    """Two days of costs."""
    clock = FixedClock(NOON)
    meter = CostMeter(clock)
    meter.record(READS)
    clock.advance(timedelta(days=2))
    meter.record(WRITES)
    return meter


def test_a_job_has_its_next_time_and_its_last_tick(app: App) -> None:
    collect = next(each for each in jobs() if each.name == "market.collect")
    Ticks(app.database).claim(DueJob(collect, NOON - HOUR), CLOSED, NOON)
    [found] = [each for each in app.operations.schedule().items if each.job == collect]
    assert found.when == "Every hour from 16:00 to 23:00, Monday to Friday"
    assert (found.zone, found.next_at) == ("Asia/Seoul", datetime(2025, 10, 20, 7, tzinfo=UTC))
    assert found.next_local == "2025-10-20T16:00:00+09:00"
    assert found.last is not None
    assert (found.last.status, found.last.words) == ("skipped", CLOSED.words)


def test_a_job_that_never_ticked_has_no_last_tick() -> None:
    with App.in_memory(clock=FixedClock(NOON), settings=Settings(zone="UTC")) as app:
        found = app.operations.schedule().items
    assert [each.job for each in found] == list(jobs())
    assert {(each.last, each.zone) for each in found} == {(None, "UTC")}


def test_all_ticks_can_be_iterated(app: App) -> None:
    for hours in range(3):
        Ticks(app.database).claim(DueJob(jobs()[0], NOON - hours * HOUR), CLOSED, NOON)
    found = [tick.at for tick in iterate(app.operations.ticks, job=jobs()[0].name, limit=2)]
    assert found == [NOON, NOON - HOUR, NOON - 2 * HOUR]


def test_ticks_of_an_unknown_job_are_refused(app: App) -> None:
    with pytest.raises(UsageError, match=r"There is no job nobody. Jobs: news.collect, "):
        app.operations.ticks(job="nobody")


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("line", [("upload", "news_items", "by_day"), ("query", "news_items", None)]),
        ("verb", [("upload", None, None), ("query", None, None)]),
        ("table", [(None, "news_items", None)]),
        ("index", [(None, "news_items", "by_day"), (None, "news_items", None)]),
    ],
)
def test_costs_are_grouped_and_the_most_expensive_comes_first(
    meter: CostMeter, by: CostGroup, groups: list[tuple[str | None, ...]]
) -> None:
    found = cost_report(meter, by)
    assert [(each.verb, each.table, each.index) for each in found.items] == groups
    assert sum(each.usd for each in found.items) == found.usd
    assert (found.reads, found.writes) == (2000.0, 750.0)


def test_costs_are_listed_by_day(meter: CostMeter) -> None:
    days = cost_report(meter, "line").days
    assert [each.day for each in days] == [date(2025, 10, 20), date(2025, 10, 22)]
    assert encode(days[1]) == {
        "day": "2025-10-22",
        "reads": 0.0,
        "writes": 750.0,
        "usd": "0.00046875",
    }


def test_without_costs_there_are_no_groups() -> None:
    found = cost_report(CostMeter(), "line")
    assert (found.items, found.days, found.usd) == ((), (), Decimal(0))


def test_a_domain_without_data_sets_has_nothing_to_export(app: App) -> None:
    operations = Operations(
        app.settings,
        app.store,
        app.recent,
        lambda: app.database,
        app.operations.setup,
        lambda name: Domain(name, "It has none.", "nowhere:Nothing").data_sets(app._core()),  # noqa: SLF001 - as the app calls it
    )
    with pytest.raises(UsageError, match="The domain rates has nothing to export"):
        operations.export("rates")
