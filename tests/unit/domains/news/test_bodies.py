"""A run over bodies: what it tries, in which order, and what it leaves behind."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

from gotgan.domains.news import bodies, claims
from gotgan.domains.news.article import extract_article, is_yahoo
from gotgan.domains.news.models import NewsBody, Story
from gotgan.domains.news.service import News
from gotgan.encoding import encode
from gotgan.errors import (
    BadCursor,
    Conflict,
    FetchError,
    GotganError,
    NotFound,
    NotRecorded,
    PrivateName,
    RobotsDisallowed,
    UsageError,
)
from gotgan.fetch import FetchRequest, FetchResult, FetchRules, Web
from gotgan.fetch.recording import ReplayTransport
from gotgan.messages import Message, render
from gotgan.plain_json import to_json
from gotgan.settings import Settings
from gotgan.world import EXCHANGE_FAULTS, MAIL_FAULTS, MODEL_FAULTS, YOUTUBE_FAULTS, FaultKind
from tests.unit.domains.news.conftest import NOON, Newsroom

YAHOO = "finance.yahoo.com"
LIST = "/topic/latest-news/"


class Interrupted(Exception):
    """What a test raises in the middle of a run."""


def test_a_reason_is_stored_as_a_message_and_shown_as_a_sentence(newsroom: Newsroom) -> None:
    item = newsroom.article()
    newsroom.world.fail(YAHOO, "*", FaultKind.CUT)
    newsroom.news.bodies()
    body = newsroom.body(item)
    assert isinstance(body.reason, Message)
    assert body.reason.code == "news.page_incomplete"
    assert re.search(r"페이지가 [0-9,]+바이트에서 끊겼습니다\. ", render(body.reason, "ko"))
    assert encode(body)["reason"] == str(body.reason)
    assert orjson.loads(to_json(encode(body)))["reason"].endswith(" bytes. Try again.")


def test_every_article_of_the_list_is_done_after_one_run(newsroom: Newsroom) -> None:
    items = newsroom.news.collect(limit=55).new
    report = newsroom.news.bodies()
    bodies = [newsroom.body(item) for item in items]
    assert {body.state for body in bodies} == {"DONE"}
    assert Counter(body.outcome for body in bodies) == report.outcomes
    assert set(report.outcomes) == {"ok", "external", "premium", "gone", "blocked"}
    assert (report.waiting, report.skipped, report.stopped, report.has_more) == (0, 0, None, False)


def test_a_body_has_what_its_page_says(newsroom: Newsroom) -> None:
    newsroom.news.collect()
    newsroom.news.bodies()
    read = [
        body
        for body in newsroom.news.bodies_of(newsroom.news.list(limit=100), text=True).values()
        if body.outcome == "ok"
    ]
    assert read
    for body in read:
        assert body.text
        assert body.title
        assert body.extractor in {"yahoo", "caas", "trafilatura"}
        assert body.language
        assert body.word_count
        assert [body.error, body.reason, body.owner, body.due_at] == [None] * 4


def test_articles_at_other_sites_are_not_fetched(newsroom: Newsroom) -> None:
    elsewhere = "https://www.elsewhere.test/a?src=A00220&yptr=yahoo"
    [item] = newsroom.news.upload([Story("A headline", elsewhere)]).new
    report = newsroom.news.bodies()
    assert report.outcomes == {"external": 1}
    assert newsroom.body(item).outcome == "external"
    with pytest.raises(Conflict, match="another site"):
        newsroom.news.retry([item.pk])
    assert newsroom.world.requests == ()


def test_what_robots_txt_disallows_is_recorded_and_not_fetched(newsroom: Newsroom) -> None:
    url = "https://finance.yahoo.com/m/4ed0c1b9-9f2a-3b4c-8d5e-6f7a8b9c0d1e/a-story.html"
    [item] = newsroom.news.upload([Story("A headline", url)]).new
    newsroom.news.bodies()
    body = newsroom.body(item)
    assert (body.outcome, body.error) == ("blocked", "fetch.robots")
    assert newsroom.asked() == []


def test_what_is_not_there_is_gone(newsroom: Newsroom) -> None:
    [item] = newsroom.stories(1)
    newsroom.news.bodies()
    assert (newsroom.body(item).outcome, newsroom.body(item).error) == ("gone", "fetch.missing")


@pytest.mark.parametrize("fault", [FaultKind.REDIRECT_METADATA, FaultKind.REDIRECT_LOOPBACK])
def test_what_leads_into_this_network_waits_and_is_not_followed(
    newsroom: Newsroom, fault: FaultKind
) -> None:
    [item] = newsroom.stories(1)
    newsroom.world.fail(YAHOO, "/news/*", fault)
    newsroom.news.bodies()
    assert (newsroom.body(item).state, newsroom.body(item).error) == ("WAITING", "fetch.address")
    assert len(newsroom.asked()) == 1


FAILURES = {
    FaultKind.THROTTLED: "fetch.too_many_requests",
    FaultKind.THROTTLED_SILENTLY: "fetch.too_many_requests",
    FaultKind.FORBIDDEN: "fetch.forbidden",
    FaultKind.BROKEN: "fetch.server",
    FaultKind.UNAVAILABLE: "fetch.server",
    FaultKind.SLOW: "fetch.timeout",
    FaultKind.HANG: "fetch.timeout",
    FaultKind.TRUNCATED: "fetch.truncated",
    FaultKind.RESET: "fetch.unreachable",
    FaultKind.CUT: "page.truncated",
    FaultKind.GZIP_BOMB: "fetch.too_large",
    FaultKind.REDIRECT_LOOP: "fetch.redirects",
    FaultKind.CONSENT: "page.consent",
    FaultKind.BLOCK: "page.blocked",
    FaultKind.WRONG_TYPE: "page.content_type",
}


@pytest.mark.parametrize("fault", FAILURES, ids=lambda fault: fault.value)
def test_every_fault_lets_an_article_wait_and_says_why(
    newsroom: Newsroom, fault: FaultKind
) -> None:
    item = newsroom.article()
    newsroom.world.fail(YAHOO, "*", fault)
    report = newsroom.news.bodies()
    body = newsroom.body(item)
    assert (report.waiting, body.state, body.attempts) == (1, "WAITING", 1)
    assert body.error == FAILURES[fault]
    assert body.reason
    assert newsroom.news.bodies().tried == 0
    newsroom.world.heal()
    newsroom.clock.advance(timedelta(minutes=10))
    assert newsroom.news.retry([item.pk]).outcomes == {"ok": 1}


OF_THE_LIST = {
    **FAILURES,
    FaultKind.EMPTY: "page.no_stories",
    FaultKind.GARBAGE: "page.content_type",
    FaultKind.REDIRECT_METADATA: "fetch.address",
    FaultKind.REDIRECT_LOOPBACK: "fetch.address",
    FaultKind.REDIRECT_ELSEWHERE: "fetch.missing",
}


@pytest.mark.parametrize(
    "fault",
    [
        fault
        for fault in FaultKind
        if fault not in EXCHANGE_FAULTS | YOUTUBE_FAULTS | MODEL_FAULTS | MAIL_FAULTS
    ],
    ids=lambda fault: fault.value,
)
def test_every_fault_of_the_list_is_an_error_of_its_own_and_writes_nothing(
    newsroom: Newsroom, fault: FaultKind
) -> None:
    newsroom.world.fail(YAHOO, LIST, fault)
    with pytest.raises(GotganError) as refused:
        newsroom.news.collect()
    assert refused.value.code == OF_THE_LIST[fault]
    assert list(newsroom.news.list()) == []


def test_the_feed_has_a_source_of_its_own(newsroom: Newsroom) -> None:
    report = newsroom.news.collect(rss=True)
    assert {item.source for item in report.new} == {"yf_rss"}
    assert {item.tickers for item in report.new} == {()}
    assert newsroom.news.collect(rss=True).duplicates == report.given > 40


def test_an_article_that_fails_starves_no_new_one(newsroom: Newsroom) -> None:
    old = newsroom.stories(6)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.WRONG_TYPE, times=6)
    newsroom.news.bodies()
    newsroom.clock.advance(timedelta(minutes=10))
    new = newsroom.news.upload(
        [Story("New", f"https://finance.yahoo.com/news/new-{n:09}.html") for n in range(6)]
    ).new
    report = newsroom.news.bodies(limit=4)
    assert report.has_more
    tried = [newsroom.news.body(item.pk) is not None for item in new]
    assert sum(tried) == 2
    again = [newsroom.body(item).state == "DONE" for item in old]
    assert sum(again) == 2


def test_a_limit_leaves_the_rest_to_the_next_run(newsroom: Newsroom) -> None:
    newsroom.stories(5)
    first = newsroom.news.bodies(limit=3)
    assert (first.tried, first.has_more) == (3, True)
    second = newsroom.news.bodies(limit=3)
    assert (second.tried, second.has_more) == (2, False)


def test_a_run_looks_back_three_days_and_for_a_day_at_any(newsroom: Newsroom) -> None:
    [old] = newsroom.stories(1)
    newsroom.clock.advance(timedelta(days=3))
    assert newsroom.news.bodies().tried == 0
    assert newsroom.news.bodies(day=old.uploaded_at.date()).tried == 1


def test_a_site_that_will_have_no_more_of_it_ends_the_run(newsroom: Newsroom) -> None:
    items = newsroom.stories(20)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.FORBIDDEN)
    report = newsroom.news.bodies()
    assert report.stopped is not None
    assert report.waiting == 3
    touched = [item for item in items if newsroom.news.body(item.pk) is not None]
    assert len(touched) == 3  # what else was claimed was given back
    assert len(newsroom.asked()) < 10


OUTAGES = [
    FaultKind.FORBIDDEN,
    FaultKind.BROKEN,
    FaultKind.HANG,
    FaultKind.RESET,
    FaultKind.BLOCK,
    FaultKind.CONSENT,
]


@pytest.mark.parametrize("fault", OUTAGES, ids=lambda fault: fault.value)
def test_an_outage_of_the_site_costs_three_articles_an_attempt_and_no_more(
    newsroom: Newsroom, fault: FaultKind
) -> None:
    newsroom.stories(12)
    newsroom.world.fail(YAHOO, "/news/*", fault)
    report = newsroom.news.bodies()
    assert report.stopped
    assert (report.waiting, newsroom.news.count_queued()) == (3, 3)


def test_articles_that_are_refused_together_do_not_keep_the_others_waiting(
    newsroom: Newsroom,
) -> None:
    good = newsroom.stories(6)
    newsroom.clock.advance(timedelta(seconds=1))
    refused = [f"https://finance.yahoo.com/news/refused-{n:09}.html" for n in range(6)]
    newsroom.news.upload([Story("Refused", url) for url in refused])
    newsroom.world.fail(YAHOO, "/news/refused-*", FaultKind.FORBIDDEN)
    newsroom.news.bodies()
    assert [newsroom.body(item).outcome for item in good] == ["gone"] * 6


@pytest.mark.parametrize(
    "error",
    [
        PrivateName("a name server that answers 0.0.0.0 for a while"),
        RobotsDisallowed("a site that is being mended", everything=True),
    ],
    ids=lambda error: error.code,
)
def test_what_may_pass_blocks_nothing_for_ever(error: FetchError) -> None:
    [item] = [
        NewsBody(pk="h#0", url="https://finance.yahoo.com/", state="PROGRESS", changed_at=NOON)
    ]
    assert bodies.is_site_failure(error)
    with pytest.raises(type(error)):
        bodies.article_outcome(FetchResult(FetchRequest(item.url, item), None, error))


def test_an_article_that_leads_to_another_site_is_external_and_not_followed(
    newsroom: Newsroom,
) -> None:
    [item] = newsroom.stories(1)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.REDIRECT_ELSEWHERE)
    assert newsroom.news.bodies().outcomes == {"external": 1}
    assert newsroom.body(item).error == "fetch.elsewhere"
    assert {seen.host for seen in newsroom.world.requests} == {YAHOO}


def test_a_page_that_breaks_the_reader_costs_its_article_an_attempt(
    newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = newsroom.stories(1)[0], newsroom.article()

    def read(page: bytes, address: str, *, charset: str | None) -> object:
        if address == good.url:
            raise RecursionError("too deep")
        return extract_article(page, address, charset=charset)

    monkeypatch.setattr(bodies, "extract_article", read)
    report = newsroom.news.bodies()
    assert (report.waiting, report.outcomes) == (1, {"gone": 1})
    assert (newsroom.body(good).error, newsroom.body(bad).outcome) == ("page.shape", "gone")


def test_several_articles_are_all_tried_or_none_is_touched(newsroom: Newsroom) -> None:
    article, other = newsroom.article(), newsroom.stories(1)[0]
    newsroom.world.fail(YAHOO, "/news/never-*", FaultKind.WRONG_TYPE)
    newsroom.news.bodies()
    before = newsroom.body(other)
    with pytest.raises(Conflict, match="fetched once"):
        newsroom.news.retry([other.pk, article.pk])
    assert newsroom.body(other) == before


def test_an_article_whose_workers_were_lost_is_reported_as_dead(newsroom: Newsroom) -> None:
    [item] = newsroom.stories(1)
    claims.claim_new(newsroom.store, item)
    for _ in range(4):
        newsroom.clock.advance(claims.LEASE + timedelta(seconds=2))
        claims.claim_due(newsroom.store, item.pk)
    newsroom.clock.advance(claims.LEASE + timedelta(seconds=2))
    report = newsroom.news.bodies()
    assert (report.outcomes, report.skipped) == ({"dead": 1}, 0)


def test_a_report_says_why_and_how_many_wait_in_all(newsroom: Newsroom) -> None:
    newsroom.stories(2)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.WRONG_TYPE)
    report = newsroom.news.bodies()
    assert (report.reasons, report.queued, report.dead) == ({"page.content_type": 2}, 2, 0)
    again = newsroom.news.bodies()
    assert (again.waiting, again.reasons, again.queued) == (0, {}, 2)


def test_a_replay_that_has_nothing_ends_the_run_and_costs_no_attempt(
    newsroom: Newsroom, tmp_path: Path
) -> None:
    newsroom.stories(3)
    rules = FetchRules(delay=0)
    with Web(rules, clock=newsroom.clock, transport=ReplayTransport(tmp_path)) as web:
        news = News(newsroom.store, web, Settings())
        with pytest.raises(NotRecorded):
            news.bodies()
    assert newsroom.news.count_queued() == 0
    assert newsroom.news.bodies().outcomes == {"gone": 3}


def test_pages_without_a_day_go_on_after_midnight(newsroom: Newsroom) -> None:
    newsroom.clock.advance(timedelta(hours=11, minutes=59))
    items = newsroom.stories(5)
    first = newsroom.news.list(limit=3)
    newsroom.clock.advance(timedelta(minutes=2))
    second = newsroom.news.list(limit=3, cursor=first.cursor)
    assert {item.pk for item in (*first, *second)} == {item.pk for item in items}
    assert second.cursor is None


@pytest.mark.parametrize("cursor", ["", "nonsense", "2025-11-06.", "2025-11-06.nonsense", "."])
def test_a_cursor_that_is_none_is_refused(newsroom: Newsroom, cursor: str) -> None:
    with pytest.raises(BadCursor):
        newsroom.news.list(cursor=cursor)


def test_a_run_that_is_interrupted_gives_back_what_it_had(newsroom: Newsroom) -> None:
    items = newsroom.stories(8)

    def interrupt(_done: int, _total: int, last: str, /, **_figures: float) -> None:
        raise Interrupted(last)

    with pytest.raises(Interrupted):
        newsroom.news.bodies(progress=interrupt)
    left = [newsroom.news.body(item.pk) for item in items]
    assert {body.state for body in left if body is not None} == {"DONE"}
    assert newsroom.news.count_queued() == 0
    assert newsroom.news.bodies().tried + len([body for body in left if body]) == 8


def test_every_step_is_told(newsroom: Newsroom) -> None:
    newsroom.stories(3)
    steps: list[tuple[float, ...]] = []

    def report(done: int, total: int, _last: str, /, **figures: float) -> None:
        steps.append((done, total, figures["failed"]))

    newsroom.world.fail(YAHOO, "/news/*", FaultKind.BROKEN)
    newsroom.news.bodies(progress=report)
    assert steps == [(1, 3, 1), (2, 3, 2), (3, 3, 3)]


def test_a_single_article_can_be_fetched_now(newsroom: Newsroom) -> None:
    one, other = newsroom.stories(2)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.BROKEN)
    newsroom.news.bodies()
    newsroom.world.heal()
    report = newsroom.news.retry([one.pk])
    assert report.outcomes == {"gone": 1}
    assert newsroom.body(other).state == "WAITING"
    assert newsroom.news.retry([other.url, other.pk]).tried == 1


def test_an_article_that_has_its_body_is_not_fetched_again(newsroom: Newsroom) -> None:
    items = newsroom.news.collect().new
    newsroom.news.bodies()
    read = next(item for item in items if newsroom.body(item).outcome == "ok")
    with pytest.raises(Conflict, match="fetched once"):
        newsroom.news.requeue(read.pk)


def test_what_nobody_has_tried_cannot_be_retried(newsroom: Newsroom) -> None:
    [item] = newsroom.stories(1)
    with pytest.raises(NotFound, match="next run"):
        newsroom.news.requeue(item.pk)


def test_what_was_given_up_is_listed_and_can_be_tried_again(newsroom: Newsroom) -> None:
    [item] = newsroom.stories(1)
    newsroom.world.fail(YAHOO, "/news/*", FaultKind.WRONG_TYPE)
    for _ in range(5):
        newsroom.news.bodies()
        newsroom.clock.advance(timedelta(hours=3))
    assert [body.pk for body in newsroom.news.queue(dead=True)] == [item.pk]
    assert newsroom.news.count_queued("dead") == 1
    assert newsroom.news.bodies().tried == 0
    newsroom.world.heal()
    assert newsroom.news.retry_dead() == 1
    assert newsroom.news.bodies().outcomes == {"gone": 1}
    assert newsroom.news.count_queued("dead") == 0


def test_pending_bodies_are_found_without_a_scan_a_hundred_at_a_time(newsroom: Newsroom) -> None:
    newsroom.news.upload(
        [Story("Elsewhere", f"https://www.elsewhere.test/{n}") for n in range(250)]
    )
    newsroom.news.bodies()
    report = newsroom.news.bodies()
    by_index = report.cost.by_index()
    assert by_index["news_bodies", None].reads == 125  # one probe a key
    assert by_index["news_items", "by_day"].reads < 40
    assert ("news_items", None) not in by_index


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_leaves_nothing_is_refused(newsroom: Newsroom, limit: int) -> None:
    for verb in (newsroom.news.collect, newsroom.news.bodies):
        with pytest.raises(UsageError, match="limit"):
            verb(limit=limit)


def test_only_yahoo_is_yahoo() -> None:
    assert is_yahoo("https://finance.yahoo.com/news/a.html")
    assert not is_yahoo("https://finance.yahoo.com.evil.test/news/a.html")
    assert not is_yahoo("https://notyahoo.com/news/a.html")
