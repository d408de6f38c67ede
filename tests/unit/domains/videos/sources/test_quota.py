"""Units are counted before they are spent, by the day in California, for all processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.videos.reports import QuotaDay
from gotgan.domains.videos.sources.quota import Quota
from gotgan.errors import KeyRefused, QuotaExhausted
from gotgan.settings import Secret, Settings
from gotgan.sql import Database

NOON = datetime(2025, 11, 6, 20, tzinfo=UTC)
KEYED = Settings(youtube_key=Secret("key-of-mine"), youtube_quota=10)
MIDNIGHT = datetime(2025, 11, 7, 8, tzinfo=UTC)


@contextmanager
def _quota(
    at: datetime = NOON, settings: Settings = KEYED
) -> Iterator[tuple[Quota, FixedClock, Database]]:
    clock = FixedClock(at)
    with Database.in_memory(clock) as database:
        database.prepare()
        yield Quota(database, settings, clock), clock, database


def test_what_is_spent_is_counted() -> None:
    with _quota() as (quota, _, _):
        assert quota.today() == QuotaDay(date(2025, 11, 6), 0, 0, 10, MIDNIGHT, is_blocked=False)
        quota.spend()
        quota.spend(3)
        assert quota.today() == QuotaDay(date(2025, 11, 6), 4, 2, 10, MIDNIGHT, is_blocked=False)


def test_more_than_there_is_is_not_spent() -> None:
    with _quota() as (quota, _, _):
        quota.spend(9)
        with pytest.raises(QuotaExhausted, match=r"10 units .* reset at 11-07 08:00 UTC"):
            quota.spend(2)
        assert quota.today().units == 9
        quota.spend()
        assert (quota.today().is_blocked, quota.today().resets_at) == (True, MIDNIGHT)
        with pytest.raises(QuotaExhausted) as exhausted:
            quota.spend()
        assert exhausted.value.retry_after == timedelta(hours=12).total_seconds()
        assert quota.today().calls == 2


def test_more_than_a_day_has_is_never_spent() -> None:
    with _quota() as (quota, _, _), pytest.raises(QuotaExhausted):
        quota.spend(11)


def test_the_units_come_back_at_midnight_in_california() -> None:
    with _quota() as (quota, clock, _):
        quota.spend(10)
        clock.advance(timedelta(hours=12) - timedelta(seconds=1))
        with pytest.raises(QuotaExhausted):
            quota.spend()
        clock.advance(timedelta(seconds=1))
        quota.spend()
        today = quota.today()
        assert (today.day.day, today.units, today.is_blocked) == (7, 1, False)


@pytest.mark.parametrize(
    ("at", "hours"),
    [
        (datetime(2025, 3, 9, 8, tzinfo=UTC), 23),
        (datetime(2025, 11, 2, 7, tzinfo=UTC), 25),
        (datetime(2025, 7, 1, 7, tzinfo=UTC), 24),
    ],
)
def test_a_day_on_which_the_clocks_change_is_as_long_as_it_is(at: datetime, hours: int) -> None:
    with _quota(at) as (quota, _, _):
        assert quota.resets_in() == timedelta(hours=hours).total_seconds()
        assert quota.today().day == at.date()


def test_once_youtube_says_no_nobody_asks_before_midnight() -> None:
    with _quota() as (quota, clock, database):
        quota.spend()
        quota.block("used up")
        quota.block("used up")
        for asking in (quota, Quota(database, KEYED, clock)):
            with pytest.raises(QuotaExhausted, match="quota of this key is used up"):
                asking.spend()
        assert quota.today().is_blocked
        clock.advance(timedelta(hours=12))
        quota.spend()
        assert not quota.today().is_blocked


def test_each_key_has_its_own_units_and_none_is_written_down() -> None:
    with _quota() as (quota, clock, database):
        quota.spend(10)
        quota.block("used up")
        other = replace(KEYED, youtube_key=Secret("key-of-yours"))
        Quota(database, other, clock).spend()
        held = database.leases.find_all("breaker:youtube:")
        assert len(held) == 1
        assert "key-of" not in held[0].key
        assert Quota(database, other, clock).today().units == 1


@pytest.mark.parametrize(
    "key", [None, Secret(" "), Secret("two words"), Secret("a\nb"), Secret("ä")]
)
def test_without_a_key_that_could_be_one_nothing_is_spent(key: Secret | None) -> None:
    with (
        _quota(settings=replace(KEYED, youtube_key=key)) as (quota, _, _),
        pytest.raises(KeyRefused, match="YOUTUBE_API_KEY"),
    ):
        quota.spend()


def test_of_many_who_spend_at_once_none_is_lost_and_none_is_too_many(
    database: Database, database_settings: Settings, clock: FixedClock
) -> None:
    with Database.open(database_settings, clock) as other:
        few = replace(KEYED, youtube_quota=30)
        quotas = [Quota(each, few, clock) for each in (database, other)]

        def spend(number: int) -> bool:
            try:
                quotas[number % 2].spend()
            except QuotaExhausted:
                return False
            return True

        with ThreadPoolExecutor(4) as pool:
            spent = list(pool.map(spend, range(40)))
        assert spent.count(True) == 30
        assert [(quota.today().units, quota.today().calls) for quota in quotas] == [(30, 30)] * 2
