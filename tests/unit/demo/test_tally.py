"""What happened is counted from the reports of runs, domain by domain."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import Any

from gotgan.demo.tally import DemoSummary, DemoTally
from gotgan.demo.visitors import VisitCounts
from gotgan.domains.market.decisions import RunNow
from gotgan.domains.market.models import Overall
from gotgan.domains.market.reports import CaughtUp, CollectReport, IndicatorReport, SideReport
from gotgan.domains.news.reports import BodiesReport
from gotgan.domains.shops.reports import CrawlReport, ShopFailure
from gotgan.domains.shops.workers import PoolReport
from gotgan.errors import FetchTimeout, GotganError
from gotgan.runs import Run
from gotgan.store import Cost
from gotgan.store.costs import CostLine

NOON = datetime(2025, 11, 5, 3, tzinfo=UTC)
DAY = date(2025, 11, 5)
COST = Cost((CostLine("bodies", "news_bodies", None, 4.0, 2.0),))


def ended(verb: str, report: Any = None, error: GotganError | None = None) -> Run:
    return Run("1", verb, "failed" if error else "done", NOON, NOON, report=report, error=error)


def collected(outcome: Overall, prices: int = 100) -> CollectReport:
    went_well = outcome == "success"
    sides = (
        SideReport("prices", "success", prices)
        if went_well
        else SideReport("prices", "failed", error="half a market"),
        SideReport("indices", "success", 2),
    )
    return CollectReport(
        DAY, RunNow("first_run", "", sides=("prices", "indices")), outcome, "", sides
    )


def told(*runs: Run) -> DemoSummary:
    tally = DemoTally(NOON)
    for run in runs:
        tally.add(run)
    return tally.summary(NOON)


def test_every_domain_is_told_of_though_nothing_happened() -> None:
    happened = told()
    assert set(happened.counts) == {"news", "shops", "market", "videos", "site"}
    assert {count for counts in happened.counts.values() for count in counts.values()} == {0}
    assert happened.costs == {}


def test_counts_and_costs_of_several_runs_add_up() -> None:
    report = BodiesReport(
        {"ok": 3, "gone": 1}, waiting=2, skipped=0, stopped=None, has_more=False, cost=COST
    )
    happened = told(ended("news.bodies", report), ended("news.bodies", report))
    assert (happened.counts["news"]["bodies"], happened.counts["news"]["retried"]) == (8, 4)
    assert (happened.costs["news"].reads, happened.costs["news"].writes) == (8.0, 4.0)


def test_a_shop_that_lets_nobody_in_is_told_apart_from_one_that_failed() -> None:
    crew = PoolReport(
        [CrawlReport("a.test", removed=3), CrawlReport("b.test", outcome="blocked")],
        failed=[ShopFailure("c.test", FetchTimeout("it took too long"))],
    )
    counts = told(ended("shops.crawl", crew)).counts["shops"]
    assert (counts["crawls"], counts["blocked"], counts["failed"]) == (2, 1, 1)
    assert counts["removed"] == 3


def test_a_day_of_the_market_that_failed_and_came_again_has_recovered() -> None:
    happened = told(
        ended("market.collect", collected("partial")), ended("market.collect", collected("success"))
    )
    market = happened.counts["market"]
    assert (market["failed"], market["recovered"], market["sessions"]) == (1, 1, 1)
    assert (market["prices"], market["indices"]) == (100, 4)


def test_a_day_that_is_made_up_for_later_has_recovered_too_and_once() -> None:
    caught_up = CaughtUp([collected("success")], indicators=[indicated("success")])
    nothing = CaughtUp()
    market = told(
        ended("market.collect", collected("failed")),
        ended("market.catch_up", caught_up),
        ended("market.catch_up", nothing),
    ).counts["market"]
    assert (market["failed"], market["recovered"], market["indicators"]) == (1, 1, 1)


def test_a_day_that_never_failed_has_not_recovered() -> None:
    market = told(ended("market.collect", collected("success"))).counts["market"]
    assert (market["failed"], market["recovered"]) == (0, 0)


def test_a_run_that_broke_off_is_a_failure_of_its_domain() -> None:
    happened = told(ended("news.collect", error=FetchTimeout("it took too long")))
    assert happened.counts["news"]["failed"] == 1


def test_a_verb_that_brings_nothing_to_count_changes_nothing() -> None:
    assert told(ended("videos.purge", object())).counts == told().counts


def test_what_people_did_counts_too() -> None:
    tally = DemoTally(NOON)
    tally.add_visit(VisitCounts(Counter(posts=1, inquiries=2), hits=3))
    counts = tally.summary(NOON).counts
    assert (counts["site"]["posts"], counts["site"]["inquiries"]) == (1, 2)
    assert counts["videos"]["hits"] == 3


def indicated(outcome: Any) -> IndicatorReport:
    return IndicatorReport(DAY, RunNow("first_run", ""), outcome, "")
