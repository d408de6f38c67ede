"""Tables whose TIMESTAMP columns another program writes in local time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market import logs
from gotgan.domains.market.keys import CALENDAR_OVERRIDES, COLLECTION_LOG
from gotgan.settings import Settings
from gotgan.sql import Database, upsert
from gotgan.store import Store
from tests.sql.foreign import ANALYSIS, ANALYSIS_ROWS, LOGS, ask, create, run
from tests.sql.servers import Postgres
from tests.unit.domains.videos.test_service import file_of

MONDAY = date(2025, 10, 20)
AT_17, AT_18 = (datetime(2025, 10, 20, hour, tzinfo=UTC) for hour in (8, 9))
"""Of the clock in Seoul."""
_STARTED = COLLECTION_LOG.c.started_at
_OPEN_JOB = "3f1c2a34-0003-4c7e-9f5e-1f6f7c1f0003"


@pytest.fixture
def settings(empty_settings: Settings) -> Settings:
    """An empty database whose times are in Seoul."""
    return replace(empty_settings, timestamp_zone="Asia/Seoul")


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    with Database.open(settings, FixedClock(AT_17)) as database:
        yield database


def _their_day(settings: Settings, started_at: str) -> None:
    run(
        settings,
        "INSERT INTO collection_log (date, collection_date, started_at) "
        f"VALUES ('{MONDAY}', '{MONDAY}', '{started_at}')",
    )


def _texts(settings: Settings, query: str) -> list[str]:
    """What the author reads, to the second."""
    return [str(value)[:19] for row in ask(settings, query) for value in row]


def test_times_are_read_compared_and_written_in_the_zone(
    settings: Settings, database: Database
) -> None:
    create(settings, LOGS)
    _their_day(settings, "2025-10-20 17:00:00")
    database.prepare()
    with database.begin() as connection:
        log = logs.get_log(connection, MONDAY)
        assert log is not None
        assert log.started_at == AT_17
        second = timedelta(seconds=1)
        for moment, number in ((AT_17 - second, 0), (AT_17 + second, 1)):
            earlier = select(func.count()).where(moment > _STARTED)
            assert connection.execute(earlier).scalar() == number
        logs.succeed(connection, MONDAY, "prices", count=1, provider="krx", now=AT_18)
        logs.finalise(connection, MONDAY, AT_18)
        log = logs.get_log(connection, MONDAY)
        assert log is not None
        assert log.prices.completed_at == log.finalised_at == AT_18
    theirs = "SELECT started_at, price_completed_at, finalised_at FROM collection_log"
    assert _texts(settings, theirs) == [f"2025-10-20 {hour}:00:00" for hour in (17, 18, 18)]


def test_many_rows_at_once_are_in_the_zone_too(settings: Settings, database: Database) -> None:
    database.prepare()
    rows = [
        {"date": MONDAY + timedelta(n), "is_open": False, "reason": "test", "noted_at": AT_17}
        for n in range(600)  # so many that PostgreSQL takes them by COPY
    ]
    with database.begin() as connection:
        upsert(connection, CALENDAR_OVERRIDES, rows[:1])
        upsert(connection, CALENDAR_OVERRIDES, rows)
    read = "SELECT DISTINCT noted_at FROM calendar_overrides"
    assert _texts(settings, read) == ["2025-10-20 17:00:00"]


def test_what_only_gotgan_uses_stays_in_utc(settings: Settings, database: Database) -> None:
    """Where clocks are set back, an hour comes twice: a lease or a tick must not."""
    database.prepare()
    assert database.leases.take("test", timedelta(hours=1)) is not None
    assert _texts(settings, "SELECT until FROM leases") == ["2025-10-20 09:00:00"]


def test_a_time_with_a_zone_stays_that_moment(postgres: Postgres) -> None:
    with postgres.fresh(prepared=False) as empty:
        create(empty, LOGS.replace(" TIMESTAMP", " TIMESTAMPTZ"))
        _their_day(empty, "2025-10-20 10:00:00+02")
        with Database.open(replace(empty, timestamp_zone="Asia/Seoul")) as database:
            database.prepare()
            with database.begin() as connection:
                assert (
                    connection.execute(select(_STARTED).where(_STARTED <= AT_17)).scalar() == AT_17
                )
                connection.execute(update(COLLECTION_LOG).values(started_at=AT_18))
        read = "SELECT started_at AT TIME ZONE 'UTC' FROM collection_log"
        assert _texts(empty, read) == ["2025-10-20 09:00:00"]


def test_the_server_fills_in_its_time_of_the_zone(postgres: Postgres) -> None:
    with postgres.fresh(prepared=False) as empty:
        with Database.open(replace(empty, timestamp_zone="Asia/Seoul")) as database:
            database.prepare()
            with database.begin() as connection:
                row = {"date": MONDAY, "collection_date": MONDAY}
                connection.execute(COLLECTION_LOG.insert().values(**row))
        off = "started_at - (now() AT TIME ZONE 'Asia/Seoul')"
        query = f"SELECT {off} BETWEEN '-5 minutes' AND '5 minutes' FROM collection_log"
        assert ask(empty, query) == [(True,)]


def test_videos_of_another_program_in_local_time(settings: Settings) -> None:
    create(settings, ANALYSIS)
    run(settings, ANALYSIS_ROWS)
    night = "UPDATE analysis_jobs SET created_at = '2025-10-19 09:00:01' WHERE job_id = "
    run(settings, f"{night}'{_OPEN_JOB}'")  # in UTC it is a second after midnight
    with App(settings, Store.in_memory(clock=FixedClock(AT_17))) as app:
        app.prepare()
        app.videos.import_files([file_of("abcdefghijk", "소스가 최고예요 ㅋㅋ")])
        assert app.videos.adopt().queued == 1
        assert app.videos.work() == 1
        job, result = app.videos.job_with_result(_OPEN_JOB)
        assert job.created_at == datetime(2025, 10, 19, 0, 0, 1, tzinfo=UTC)
        assert (job.status, job.completed_at) == ("completed", AT_17)
        assert result is not None
        assert result.created_at == AT_17
        days = [date(2025, 10, 18), date(2025, 10, 19), date(2025, 10, 20)]
        costs = app.videos.costs_of(days)
        assert [costs[day].analyses for day in days] == [1, 1, 0]
    theirs = f"SELECT completed_at, updated_at FROM analysis_jobs WHERE job_id = '{_OPEN_JOB}'"
    assert _texts(settings, theirs) == ["2025-10-20 17:00:00"] * 2
