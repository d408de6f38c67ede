"""Transactions, moments and mishaps, the same on both databases."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from sqlalchemy import event, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError, StatementError

from gotgan.domains.market.keys import COLLECTION_LOG
from gotgan.errors import DatabaseUnavailable
from gotgan.sql import TICKS, Database

NOON = datetime(2025, 10, 20, 12, 0, 0, 123456, tzinfo=UTC)


def _tick(number: int) -> dict[str, object]:
    return {"job": "news", "at": NOON + timedelta(minutes=number), "status": "run"}


def _count(database: Database) -> int:
    with database.read() as connection:
        return connection.execute(select(func.count()).select_from(TICKS)).scalar_one()


def test_what_was_written_is_there_for_everybody(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(insert(TICKS), [_tick(1), _tick(2)])
    assert _count(database) == 2


def test_an_error_takes_back_the_whole_transaction(database: Database) -> None:
    def half_done() -> None:
        with database.begin() as connection:
            connection.execute(insert(TICKS), [_tick(1)])
            raise LookupError

    with pytest.raises(LookupError):
        half_done()
    assert _count(database) == 0


def test_an_interrupted_statement_releases_the_write_lock_at_once(database: Database) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def interrupted() -> None:
        with database.begin() as connection:
            connection.execute(insert(TICKS), [_tick(1), _tick(2)])
            event.listen(connection, "after_cursor_execute", interrupt)
            connection.execute(select(TICKS))

    try:
        interrupted()
    except KeyboardInterrupt:  # its traceback still has the cursor
        with database.begin() as connection:
            connection.execute(insert(TICKS), [_tick(3)])
    assert _count(database) == 1


def test_a_mistake_of_ours_is_raised_as_it_is(database: Database) -> None:
    def twice() -> None:
        with database.begin() as connection:
            row = {**_tick(1), "words": "between us"}
            connection.execute(insert(TICKS), [row, row])

    with pytest.raises(IntegrityError) as caught:
        twice()
    assert "between us" not in str(caught.value), "what was written stays out of messages"
    assert _count(database) == 0


def test_a_statement_that_makes_no_sense_is_raised_as_it_is(database: Database) -> None:
    def senseless() -> None:
        with database.read() as connection:
            connection.execute(text("SELECT colour FROM leases"))

    with pytest.raises((OperationalError, ProgrammingError), match="colour"):
        senseless()


def test_a_reader_sees_one_moment(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(insert(TICKS), [_tick(1)])
    counting = select(func.count()).select_from(TICKS)
    with database.read() as reading:
        before = reading.execute(counting).scalar_one()
        with database.begin() as writing:
            writing.execute(insert(TICKS), [_tick(2)])
        assert reading.execute(counting).scalar_one() == before == 1
    assert _count(database) == 2


def test_a_reader_cannot_write(database: Database) -> None:
    def written() -> None:
        with database.read() as connection:
            connection.execute(insert(TICKS), [_tick(1)])

    with pytest.raises(DatabaseUnavailable, match=r"read-?only"):
        written()
    with database.begin() as connection:
        connection.execute(insert(TICKS), [_tick(2)])  # the same connection may, the next time
    assert _count(database) == 1


def test_a_moment_is_kept_to_the_microsecond_and_comes_back_in_utc(database: Database) -> None:
    seoul = NOON.astimezone(timezone(timedelta(hours=9)))
    with database.begin() as connection:
        connection.execute(insert(TICKS), [{"job": "news", "at": seoul, "status": "run"}])
    with database.read() as connection:
        row = connection.execute(select(TICKS)).one()
        earlier = connection.execute(select(TICKS.c.id).where(TICKS.c.at < seoul)).all()
    assert (row.at, row.at.tzinfo, row.finished_at, earlier) == (NOON, UTC, None, [])


def test_a_moment_without_a_zone_is_refused(database: Database) -> None:
    def written() -> None:
        naive = NOON.replace(tzinfo=None)
        with database.begin() as connection:
            connection.execute(insert(TICKS), [{"job": "news", "at": naive, "status": "run"}])

    with pytest.raises(StatementError, match="has no zone"):
        written()


def test_the_databases_own_now_is_in_utc(database: Database) -> None:
    if database.engine.dialect.name == "postgresql":
        with database.begin() as connection:  # as on a server that stands in Seoul
            connection.execute(text("ALTER ROLE CURRENT_USER SET timezone = 'Asia/Seoul'"))
        database.close()
    row = {"date": date(2025, 10, 20), "collection_date": date(2025, 10, 20)}
    with database.begin() as connection:
        connection.execute(insert(COLLECTION_LOG), row)
        started = connection.execute(select(COLLECTION_LOG.c.started_at)).scalar_one()
        if database.engine.dialect.name == "postgresql":
            connection.execute(text("ALTER ROLE CURRENT_USER RESET timezone"))
    assert abs(datetime.now(UTC) - started) < timedelta(minutes=10)


def test_writers_of_many_threads_lose_nothing(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(insert(TICKS), [{**_tick(0), "words": "0"}])
    start = threading.Barrier(8)

    def count_up(_: int) -> None:
        start.wait()
        for _ in range(5):
            with database.begin() as connection:
                known = select(TICKS.c.words).with_for_update()
                words = connection.execute(known).scalar_one()
                connection.execute(update(TICKS).values(words=str(int(words) + 1)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count_up, range(8)))
    with database.read() as connection:
        assert connection.execute(select(TICKS.c.words)).scalar_one() == "40"


def test_tables_that_are_not_there_yet_are_told_of(empty_database: Database) -> None:
    with pytest.raises(DatabaseUnavailable, match="Its tables are created when Gotgan starts"):
        _count(empty_database)


def test_a_closed_database_has_no_connection_left(database: Database) -> None:
    assert _count(database) == 0
    database.close()
    assert database.engine.pool.checkedin() == 0  # type: ignore[attr-defined]
