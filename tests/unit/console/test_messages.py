"""What domains and the timetable say is told in Korean; what others say stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from errno import ECONNREFUSED, ECONNRESET, EHOSTUNREACH, ENETUNREACH
from itertools import product
from pathlib import Path
from typing import get_args
from zoneinfo import ZoneInfo

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from gotgan.app import App
from gotgan.backup import Backup
from gotgan.clock import SEOUL
from gotgan.console.market.days import REASON_KINDS
from gotgan.console.texts import translate
from gotgan.day.texts import day_words, duration_text
from gotgan.domain import GO, Job
from gotgan.domains.market import messages
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.decisions import DecisionWording, RunNow
from gotgan.domains.market.gate import decide_collection, decide_indicators
from gotgan.domains.market.indicator_run import not_enough_history
from gotgan.domains.market.models import SideLog, Status
from gotgan.domains.market.providers import missing_setup
from gotgan.domains.market.reports import CaughtUp, CollectReport, DayStatus, IndicatorReport
from gotgan.domains.news.models import Outcome
from gotgan.domains.news.reports import BodiesReport
from gotgan.domains.shops.reports import CrawlReport, ShopFailure, SkippedShop
from gotgan.domains.shops.workers import PoolReport
from gotgan.domains.videos.documents import PROBLEM_TEXTS
from gotgan.domains.videos.models import FETCH_FAILURES
from gotgan.errors import GotganError
from gotgan.fetch.wire import fetch_error
from gotgan.messages import text
from gotgan.schedule import jobs
from gotgan.scheduler.cron import cron_text
from gotgan.scheduler.loop import failed_decision
from gotgan.settings import Settings
from gotgan.store import Cost
from tests.unit.domains.market.gate_cases import (
    MONDAY,
    RULES,
    at,
    calculated,
    collected,
    in_hand,
    side,
)

NOW = datetime(2025, 10, 20, 8, 30, tzinfo=UTC)
ELSEWHERE = SideLog("success")
SIDES = [side(), *(side(word, n, "18:00") for word in get_args(Status) for n in (1, 4))]
LOGS = [
    None,
    *(collected(each) for each in SIDES),
    collected(SIDES[-1], side("success", 1, "17:00")),
    collected(ELSEWHERE, ELSEWHERE),
]
THERE = collected(side("success", 1, "17:00"))
CALCULATED = [
    None,
    *(calculated(word, n, "18:00") for word in get_args(Status) for n in (0, 1, 4)),
    replace(calculated("pending", 0), indicators_count=0, error_message=not_enough_history(MONDAY)),
]
WHENS = [at(when) for when in ("16:00", "18:30", "19:30", "2025-10-21 20:00")]
RULED = [
    RULES,
    replace(RULES, ignores_time=True),
    replace(RULES, blocked_until=at("2025-10-22 09:00")),
    replace(RULES, unset=missing_setup(Settings())),
]
HELD = [None, in_hand()]
KEY = ConnectionKey("shop.test", 443, True, True, None, None, None)  # noqa: FBT003


def is_translatable(words: str) -> bool:
    """Whether all of a sentence is Korean on a Korean page."""
    return ' lang="en"' not in translate("ko", words)


def _untold(sentences: Iterable[str]) -> set[str]:
    return {words for words in sentences if not is_translatable(words)}


def _statuses(day: date = MONDAY) -> Iterator[DayStatus]:
    """A day as it can stand: its sides, who works on it, and what was calculated."""
    logs = [*product(LOGS, [None]), *product([THERE], CALCULATED)]
    for now, rules, lease, (log, indicators) in product(WHENS, RULED, HELD, logs):
        yield DayStatus(
            day,
            rules.calendar.why(day),
            log,
            indicators,
            decide_collection(now, day, log, lease, rules),
            decide_indicators(now, day, log, indicators, lease, rules),
            DecisionWording(ZoneInfo(SEOUL), MONDAY),
        )


@pytest.mark.parametrize("day", [MONDAY, date(2025, 10, 18), date(2025, 10, 6)], ids=str)
@pytest.mark.parametrize("since", [MONDAY, date(2025, 11, 3)], ids=str)
def test_whatever_is_decided_about_a_session_is_told_in_korean(day: date, since: date) -> None:
    wording, statuses = DecisionWording(ZoneInfo(SEOUL), since), list(_statuses(day))
    decided = [made for each in statuses for made in (each.collection, each.calculation)]
    assert _untold(map(wording.of, decided)) == set()
    assert _untold(map(wording.next, statuses)) == set()


def test_every_reason_that_a_gate_has_was_among_them() -> None:
    """Else the test above would tell too little."""
    days = [*_statuses(), *_statuses(date(2025, 10, 18))]
    found = {made.reason for each in days for made in (each.collection, each.calculation)}
    assert found == set(REASON_KINDS)


def test_every_reason_why_a_result_is_fresh_for_less_than_a_day_is_told_in_korean() -> None:
    assert _untold(PROBLEM_TEXTS[each] for each in FETCH_FAILURES) == set()


def test_every_reason_why_the_exchange_is_closed_is_told_in_korean() -> None:
    calendar, first = Calendar(), date(1990, 1, 1)
    days = (first + timedelta(days=number) for number in range(60 * 365))
    assert _untold({why for why in map(calendar.why, days) if why is not None}) == set()


@pytest.mark.parametrize("job", jobs(), ids=lambda job: job.name)
def test_the_rule_of_every_job_is_told_in_korean(job: Job) -> None:
    assert is_translatable(cron_text(job.cron, NOW))


def test_what_the_timetable_says_by_itself_is_told_in_korean() -> None:
    with App.in_memory() as app:
        asked = [app.ask(job.gate) for job in jobs()]
        said = [each.words for each in (*asked, GO, failed_decision(ValueError()))]
    assert _untold(said) == set()


def test_what_runs_did_is_told_in_korean() -> None:
    outcomes = dict.fromkeys(get_args(Outcome), 2)
    bodies = BodiesReport(outcomes, 1, skipped=0, stopped=None, has_more=False, cost=Cost())
    crew = PoolReport(
        [CrawlReport("a.example"), CrawlReport("b.example", not_before=NOW)],
        [SkippedShop("shop.example", "somebody")],
        [ShopFailure("other.example", GotganError("no"))],
    )
    idle = PoolReport[CrawlReport]()
    path = Path("backups", "gotgan-2026-11-16T12-00-00Z.zip")
    backup = Backup(path, NOW, 7_503, {}, (), ())
    assert _untold([bodies.words, crew.words, idle.words, backup.words]) == set()


@pytest.mark.parametrize(
    "cause",
    [
        aiohttp.ClientConnectorDNSError(KEY, OSError(1, "x")),
        aiohttp.ServerDisconnectedError(),
        TimeoutError(),
        *(OSError(number, "x") for number in (ECONNREFUSED, ECONNRESET, EHOSTUNREACH, ENETUNREACH)),
    ],
    ids=repr,
)
def test_why_a_site_could_not_be_reached_is_told_in_korean(cause: Exception) -> None:
    assert _untold([fetch_error(cause, "https://shop.test/robots.txt").message]) == set()


def test_what_catching_up_did_is_told_in_korean() -> None:
    run, krx = RunNow("retry", ""), {"provider": "krx"}
    prices = messages.SIDE_COUNT(what=messages.words(["prices"]), count=2_500, **krx)
    indices = messages.SIDE_COUNT(what=messages.words(["indices"]), count=2, **krx)
    thin = messages.OF_PROVIDER(error=messages.NO_PRICE(market="KOSPI", day=MONDAY), **krx)
    failed = messages.SIDE_FAILED(what=messages.words(["prices"]), error=thin)
    days = [
        CollectReport(MONDAY, run, "success", messages.SIDES(sides=[prices, indices])),
        CollectReport(MONDAY, run, "partial", messages.SIDES(sides=[failed, indices])),
    ]
    calculated = [IndicatorReport(MONDAY, run, "success", messages.CALCULATED(count=2_500))]
    caught_up = CaughtUp(days, [], calculated)
    assert _untold([*(each.words for each in days), caught_up.words, CaughtUp().words]) == set()
    assert "KOSPI 시세가 없습니다. 나중에 다시 시도하세요." in translate("ko", caught_up.words)


@pytest.mark.parametrize(
    ("seconds", "told"), [(1.3, "1.3초"), (42, "42초"), (120, "2분"), (3_900, "1시간 05분")]
)
def test_a_length_of_time_is_told_in_korean(seconds: float, told: str) -> None:
    assert duration_text(seconds, day_words("ko")) == told


def test_what_others_said_stays_as_it_is_and_is_marked_and_escaped() -> None:
    assert translate("ko", "a <b> & {c}") == '<span lang="en">a &lt;b&gt; &amp; {c}</span>'
    what = messages.words(["prices"])
    assert translate("ko", messages.SIDE_FAILED(what=what, error=text("krx: <b>"))) == (
        '시세를 수집하지 못했습니다: <span lang="en">krx: &lt;b&gt;</span>'
    )
    assert translate("ko", "") == ""
    assert not is_translatable("who knows")


def test_in_english_everything_stays_as_it_is() -> None:
    assert translate("en", "Every 30 minutes & more") == "Every 30 minutes &amp; more"
