"""What failed on a day, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from gotgan.day import reader
from gotgan.day.page import DayFailure
from gotgan.domains.market.decisions import Wait
from gotgan.domains.market.models import IndicatorLog, SideLog
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.stages import Stuck
from gotgan.domains.shops.summary import ShopVisit
from tests.unit.day.made import DAY, NOW, a_job, a_tick, a_video, market, news, shops, videos

RETRY = Wait("before_retry_time", "prices failed; tried again from 19:00 KST on", NOW)


def clock(moment: datetime) -> str:
    return f"{moment:%H:%M}"


# The timetable


def test_a_job_that_failed_last_comes_round_again() -> None:
    job = a_job(a_tick(9, "failed", error="no answer"), a_tick(8))
    [failure] = reader.job_failures([job], clock)
    assert (failure.domain, failure.what, failure.words) == ("news", "news.collect", "no answer")
    assert (failure.at, failure.is_over) == (NOW.replace(minute=0), False)
    assert failure.next == "Next run 10:00"


def test_a_job_that_went_well_afterwards_made_up_for_it() -> None:
    job = a_job(a_tick(9), a_tick(8, "failed", error="b"), a_tick(7, "failed", error="a"))
    [failure] = reader.job_failures([job], clock)
    assert (failure.words, failure.next) == ("2 times in a row: b", "Succeeded at 09:00")
    assert failure.is_over


def test_each_row_of_failures_is_one() -> None:
    job = a_job(
        a_tick(9, "failed", error="c"), a_tick(8), a_tick(7, "failed", error="a"), a_tick(6)
    )
    told = list(reader.job_failures([job], clock))
    assert [(failure.words, failure.is_over) for failure in told] == [("c", False), ("a", True)]
    assert told[1].next == "Succeeded at 08:00"


def test_a_run_on_a_later_day_makes_up_for_it_too() -> None:
    job = a_job(a_tick(9, "failed", error="a"), later=a_tick(12))
    [failure] = reader.job_failures([job], clock)
    assert (failure.is_over, failure.next) == (True, "Succeeded at 12:00")


def test_a_job_that_runs_is_no_failure() -> None:
    assert list(reader.job_failures([a_job(a_tick(9, "running"), a_tick(8))], clock)) == []


def test_a_failure_without_words_is_told_all_the_same() -> None:
    [failure] = reader.job_failures([a_job(a_tick(9, "failed"))], clock)
    assert failure.words == "The run did not finish."


# The market


def test_a_side_that_failed_tells_what_is_decided_about_it() -> None:
    side = SideLog("failed", error_message="krx: no answer", attempted_at=NOW, retry_count=1)
    [failure] = reader.market_failures(market(RETRY, side), clock, has_ticks=False)
    assert (failure.what, failure.words, failure.is_over) == ("prices", "krx: no answer", False)
    assert failure.next == RETRY.words


def test_a_side_that_was_made_up_for_is_told_where_no_tick_tells_it() -> None:
    side = SideLog("success", completed_at=NOW, retry_count=2, attempted_at=NOW, provider="krx")
    [failure] = reader.market_failures(market(prices=side), clock, has_ticks=False)
    assert (failure.words, failure.next) == ("failed 2 times before", "Succeeded at 09:30")
    assert failure.is_over
    assert list(reader.market_failures(market(prices=side), clock, has_ticks=True)) == []


def test_indicators_that_failed_are_told() -> None:
    log = IndicatorLog(DAY, DAY, "failed", None, "too few prices", 0, 1, NOW, None, NOW)
    [failure] = reader.market_failures(market(RETRY, indicators=log), clock, has_ticks=True)
    assert (failure.what, failure.words, failure.at) == ("indicators", "too few prices", NOW)


def test_a_session_that_is_there_has_no_failure() -> None:
    assert list(reader.market_failures(market(), clock, has_ticks=False)) == []


# News, shops and videos


def test_articles_that_were_given_up_say_how_to_try_them_again() -> None:
    [failure] = reader.news_failures(news(bodies={"ok": 3, "dead": 2}))
    assert failure.words == "2 articles could not be fetched in five attempts"
    assert failure.next == "retried only on request"
    assert list(reader.news_failures(news(bodies={"ok": 3}))) == []


def test_a_shop_that_refused_us_says_when_it_is_due_again() -> None:
    visit = ShopVisit("a.test", "crawl", "blocked", "403 at its front page", None, NOW)
    scrape = ShopVisit("b.test", "scrape", "unreachable", None, None, NOW)
    fine = ShopVisit("c.test", "crawl", "ok", "all pages were seen", None, NOW)
    day = shops(crawled=(visit, fine), scraped=(scrape,))
    first, second = reader.shop_failures(day, clock, is_today=False)
    assert (first.what, first.words) == ("a.test", "crawl blocked: 403 at its front page")
    assert first.next.startswith("due again from ")
    assert second.words == "scrape unreachable: no reason given"


def test_a_claim_that_nobody_holds_is_told_today_alone() -> None:
    shop = Shop(domain="a.test", core_domain_name="a")
    day = shops(stuck=(Stuck(shop, "crawl", NOW, "host:1", 1),))
    [failure] = reader.shop_failures(day, clock, is_today=True)
    assert failure.words == "the worker of its crawl stopped responding: host:1"
    assert "releasing the shop frees it" in failure.next
    assert list(reader.shop_failures(day, clock, is_today=False)) == []


def test_an_analysis_that_failed_is_over_once_its_video_was_analysed() -> None:
    day = videos(
        a_video("a", "completed"),
        a_video("a", "failed", "A film", error_message="no answer"),
        a_video("b", "failed", error_message="there is none", retry_after=NOW),
        a_video("c", "failed", error_code="ANALYSIS_TIMEOUT"),
    )
    over, later, last = reader.video_failures(day, clock)
    assert (over.what, over.next, over.is_over) == ("A film", "analysed since then", True)
    assert (later.what, later.next) == ("b", "analyse it again from 09:30 on")
    assert (last.words, last.next, last.is_over) == ("ANALYSIS_TIMEOUT", "analyse it again", False)


def test_an_analysis_that_failed_is_over_where_its_video_was_analysed_on_a_later_day() -> None:
    failed = a_video("a", "failed")
    day = replace(videos(failed, a_video("b", "failed")), mended=frozenset({failed.job.job_id}))
    first, second = reader.video_failures(day, clock)
    assert (first.next, first.is_over) == ("analysed since then", True)
    assert second.is_over is False


def test_what_is_not_over_comes_first_and_then_the_latest() -> None:
    def failure(what: str, hours: int | None, *, is_over: bool) -> DayFailure:
        at = None if hours is None else NOW + timedelta(hours=hours)
        return DayFailure("news", what, at, "", "", is_over)

    told = reader.sort_failures(
        [
            failure("over", 3, is_over=True),
            failure("early", 0, is_over=False),
            failure("late", 1, is_over=False),
            failure("whenever", None, is_over=False),
        ]
    )
    assert [each.what for each in told] == ["late", "early", "whenever", "over"]
