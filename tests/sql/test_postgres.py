"""What only a server can do: end connections, wait for locks, refuse rights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, timedelta

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.exc import DataError

from gotgan.domains.market.keys import STOCKS
from gotgan.errors import DatabaseUnavailable, UsageError
from gotgan.settings import Settings
from gotgan.sql import Database, upsert
from tests.sql.servers import Postgres

KEY = "market:2025-10-20"
DAY = date(2025, 10, 20)


@pytest.fixture
def settings(postgres: Postgres) -> Iterator[Settings]:
    with postgres.fresh(prepared=True) as fresh:
        yield fresh


@pytest.fixture
def server(settings: Settings) -> Iterator[Database]:
    with Database.open(settings) as database:
        yield database


def _backend(connection: Connection) -> int:
    return int(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())


def _end(settings: Settings, backend: int) -> None:
    with Database.open(settings) as other, other.begin() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": backend})


def test_a_connection_that_broke_while_nobody_used_it_is_replaced_unseen(
    server: Database, settings: Settings
) -> None:
    with server.read() as connection:
        first = _backend(connection)
    _end(settings, first)
    with server.read() as connection:
        assert _backend(connection) != first


def test_a_connection_that_breaks_in_the_middle_is_told_of(
    server: Database, settings: Settings
) -> None:
    def broken() -> None:
        with server.begin() as connection:
            server.leases.take_within(connection, KEY, timedelta(hours=1))
            _end(settings, _backend(connection))
            connection.execute(text("SELECT 1"))

    with pytest.raises(DatabaseUnavailable, match=r"Could not use the database test_\d+"):
        broken()
    assert server.leases.held(KEY) is None


def test_who_waits_too_long_for_a_lock_is_told_to_try_again(server: Database) -> None:
    assert server.leases.take(KEY, timedelta(hours=1)) is not None

    def waiting() -> None:
        with ExitStack() as stack:
            first, second = (stack.enter_context(server.begin()) for _ in range(2))
            first.execute(text("UPDATE leases SET fence = 7"))
            second.execute(text("SET LOCAL lock_timeout = '5ms'"))
            second.execute(text("UPDATE leases SET fence = 8"))

    with pytest.raises(DatabaseUnavailable, match="have been writing for too long"):
        waiting()


def test_what_is_expected_of_a_lease_stays_so_until_the_transaction_ends(server: Database) -> None:
    lease = server.leases.take(KEY, timedelta(0))
    assert lease is not None

    def taken_meanwhile() -> None:
        with server.begin() as connection, server.begin() as other:
            server.leases.expect(connection, lease)
            other.execute(text("SET LOCAL lock_timeout = '5ms'"))
            server.leases.take_within(other, KEY, timedelta(hours=1))

    with pytest.raises(DatabaseUnavailable, match="have been writing for too long"):
        taken_meanwhile()


def test_what_copy_refuses_is_raised_as_of_any_statement(server: Database) -> None:
    row = {"ticker": "\0", "name": "A", "market": "KOSPI", "first_seen": DAY, "last_seen": DAY}

    def copied() -> None:
        with server.begin() as connection:
            upsert(connection, STOCKS, [row] * 500)

    with pytest.raises(DataError, match="COPY"):
        copied()


def test_a_value_that_it_never_takes_is_a_mistake_of_whoever_gave_it(server: Database) -> None:
    def ask() -> None:
        with server.read() as connection:
            connection.execute(select(STOCKS).where(STOCKS.c.ticker == "\0"))

    with pytest.raises(UsageError, match="Change it"):
        ask()


def test_nobody_waits_for_ever(server: Database) -> None:
    with server.begin() as connection:
        assert connection.execute(text("SHOW lock_timeout")).scalar_one() == "30s"


def test_a_user_without_rights_is_told_of_them(server: Database) -> None:
    def refused() -> None:
        with server.begin() as connection:
            connection.execute(text("SET LOCAL ROLE pg_monitor"))
            connection.execute(text("SELECT * FROM leases"))

    with pytest.raises(DatabaseUnavailable, match=r"permission denied.*Give this user"):
        refused()


def test_a_database_that_is_not_there_is_told_of(postgres: Postgres) -> None:
    with (
        Database.open(postgres.settings("nowhere")) as database,
        pytest.raises(DatabaseUnavailable, match="Check that it is running and that"),
    ):
        database.prepare()
