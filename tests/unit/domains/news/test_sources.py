"""Other sources than Yahoo's list: adding, polling, health and removing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from gotgan.domains.news import polls
from gotgan.domains.news.models import NewsSource, Story
from gotgan.domains.news.polls import POLL_LEASE, claim_poll, finish_poll
from gotgan.domains.news.service import News
from gotgan.errors import (
    AddressRefused,
    BadSource,
    Conflict,
    FetchError,
    NoStories,
    NotFound,
    PageError,
    PageMissing,
    UsageError,
    WrongContentType,
)
from gotgan.fetch import Validators
from gotgan.settings import Settings
from gotgan.world import FaultKind
from gotgan.world.news.articles import story_paragraphs
from gotgan.world.news.feeds import newspaper_stories
from gotgan.world.news.stories import NEWSPAPER
from tests.unit.domains.news.conftest import NOON, Newsroom

HOME = f"https://{NEWSPAPER}"
RSS = f"{HOME}/rss.xml"
NAME = "example-news.test"
MINUTE = timedelta(minutes=1)


def _added(newsroom: Newsroom, url: str = RSS, **options: object) -> NewsSource:
    return newsroom.news.sources.add(url, **options).source  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/rss.xml", "rss"),
        ("/atom.xml", "atom"),
        ("/feed.json", "json"),
        ("/sitemap-news.xml", "sitemap"),
        ("/sitemap-news.xml.gz", "sitemap"),
        ("/flawed.xml", "rss"),
    ],
)
def test_a_source_of_every_kind_is_stored_like_the_items_of_yahoo(
    newsroom: Newsroom, path: str, kind: str
) -> None:
    source = _added(newsroom, f"{HOME}{path}")
    assert (source.name, source.format, source.health) == (NAME, kind, "new")
    report = newsroom.news.poll()
    stories = newspaper_stories(newsroom.world.scene)
    assert (report.new, report.failed) == (len(stories), 0)
    items = newsroom.news.list(limit=100).items
    assert {item.url for item in items} == {f"{HOME}{each.elsewhere}" for each in stories}
    assert {item.title for item in items} == {f"{each.title} - Example News" for each in stories}
    assert {(item.source, item.uploaded_at, item.tickers) for item in items} == {(NAME, NOON, ())}


def test_a_page_leads_to_its_feed(newsroom: Newsroom) -> None:
    added = newsroom.news.sources.add(f"{HOME}/latest/")
    assert (added.source.url, added.is_new) == (RSS, True)
    again = newsroom.news.sources.add(f"{HOME}/latest/")
    assert (again.source, again.is_new) == (added.source, False)


def test_a_source_is_added_once(newsroom: Newsroom) -> None:
    first = newsroom.news.sources.add(RSS, every_minutes=60)
    assert first.is_new
    asked = len(newsroom.asked())
    again = newsroom.news.sources.add(RSS, every_minutes=5)
    assert (again.source, again.is_new) == (first.source, False)
    assert len(newsroom.asked()) == asked
    with pytest.raises(Conflict, match=rf"is the source {NAME} already"):
        newsroom.news.sources.add(RSS, name="other")


def test_a_second_feed_of_a_host_gets_a_name_of_its_own(newsroom: Newsroom) -> None:
    _added(newsroom)
    other = _added(newsroom, f"{HOME}/atom.xml")
    assert other.name.startswith(f"{NAME}-")
    assert [each.name for each in newsroom.news.sources.list()] == [NAME, other.name]
    with pytest.raises(Conflict, match=rf"has the name {NAME}\. Choose another"):
        newsroom.news.sources.add(f"{HOME}/feed.json", name=NAME)


@pytest.mark.parametrize("name", ["", "A", "a b", "../x", "-a", "yf_latest", "x" * 51])
def test_a_name_is_short_and_plain(newsroom: Newsroom, name: str) -> None:
    with pytest.raises(UsageError, match="Not a name for a source"):
        newsroom.news.sources.add(RSS, name=name)


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://127.0.0.1/rss.xml", AddressRefused),
        ("http://localhost/rss.xml", AddressRefused),
        ("http://[::1]/rss.xml", AddressRefused),
        ("http://169.254.169.254/latest/meta-data/", AddressRefused),
        ("http://10.0.0.1/rss.xml", AddressRefused),
        ("file:///etc/passwd", FetchError),
        ("nothing", FetchError),
        (f"{HOME}/nothing.xml", PageMissing),
        (f"{HOME}/bomb.xml", WrongContentType),
        (f"{HOME}/sitemap.xml", WrongContentType),
        ("https://finance.yahoo.com/topic/latest-news/", NoStories),
    ],
)
def test_what_cannot_be_read_is_not_added(
    newsroom: Newsroom, url: str, error: type[Exception]
) -> None:
    with pytest.raises(BadSource, match="was not added: ") as caught:
        newsroom.news.sources.add(url)
    assert isinstance(caught.value.cause, error)
    assert not newsroom.news.sources.are_there()


def test_a_feed_that_redirects_into_this_network_is_not_followed(newsroom: Newsroom) -> None:
    newsroom.world.fail(NEWSPAPER, "/rss.xml", FaultKind.REDIRECT_LOOPBACK)
    with pytest.raises(BadSource) as caught:
        newsroom.news.sources.add(RSS)
    assert isinstance(caught.value.cause, AddressRefused)


@pytest.mark.parametrize(
    ("fault", "retry"), [(FaultKind.BROKEN, True), (FaultKind.FORBIDDEN, False)]
)
def test_what_may_be_added_later_says_so(newsroom: Newsroom, fault: FaultKind, retry: bool) -> None:
    newsroom.world.fail(NEWSPAPER, "/rss.xml", fault)
    with pytest.raises(BadSource) as caught:
        newsroom.news.sources.add(RSS)
    assert caught.value.cause.retry is retry


def test_a_poll_sends_what_the_last_one_got_and_stores_only_what_is_new(
    newsroom: Newsroom,
) -> None:
    _added(newsroom)
    first = newsroom.news.poll()
    etag = newsroom.news.sources.get(NAME).etag
    [again] = newsroom.news.poll([NAME]).sources
    assert (again.listed, again.new, again.error) == (None, 0, None)
    sent = [seen.headers for seen in newsroom.world.requests if seen.path == "/rss.xml"]
    assert [each.get("if-none-match") for each in sent] == [None, None, etag]
    newsroom.clock.advance(timedelta(hours=3))
    [later] = newsroom.news.poll().sources
    assert later.listed == first.new
    assert later.new + later.duplicates == first.new
    assert later.new > 0
    source = newsroom.news.sources.get(NAME)
    assert (source.stored, source.listed) == (first.new + later.new, first.new)
    assert source.etag != etag


def test_a_source_is_polled_at_its_interval(newsroom: Newsroom) -> None:
    _added(newsroom, every_minutes=60)
    assert newsroom.news.poll().new > 0
    source = newsroom.news.sources.get(NAME)
    assert (source.health, source.succeeded_at, source.due_at) == ("ok", NOON, NOON + 60 * MINUTE)
    newsroom.clock.advance(59 * MINUTE)
    assert newsroom.news.poll().sources == ()
    newsroom.clock.advance(MINUTE)
    assert len(newsroom.news.poll().sources) == 1


def test_a_source_that_fails_is_left_alone_longer_and_longer(newsroom: Newsroom) -> None:
    _added(newsroom)
    newsroom.world.fail(NEWSPAPER, "/rss.xml", FaultKind.FORBIDDEN)
    pauses = []
    for _ in range(9):
        report = newsroom.news.poll([NAME])
        assert report.failed == 1
        due_at = newsroom.news.sources.get(NAME).due_at
        pauses.append((due_at - newsroom.clock.now()) / MINUTE)
    source = newsroom.news.sources.get(NAME)
    assert pauses == [30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
    assert (source.health, source.failures, source.error) == ("failing", 9, "fetch.forbidden")
    assert source.reason is not None
    newsroom.world.heal()
    newsroom.clock.advance(timedelta(days=1))
    assert newsroom.news.poll().new > 0
    source = newsroom.news.sources.get(NAME)
    assert (source.health, source.failures, source.error, source.reason) == ("ok", 0, None, None)


def test_one_source_that_fails_does_not_keep_others_from_being_polled(newsroom: Newsroom) -> None:
    _added(newsroom)
    other = _added(newsroom, f"{HOME}/atom.xml")
    newsroom.world.fail(NEWSPAPER, "/rss.xml", FaultKind.CUT)
    report = newsroom.news.poll()
    assert {each.name: each.error is None for each in report.sources} == {
        NAME: False,
        other.name: True,
    }
    assert report.new > 0


@pytest.mark.parametrize("fault", [FaultKind.BLOCK, FaultKind.CUT, FaultKind.WRONG_TYPE])
def test_a_fault_writes_no_stories_and_keeps_the_validators(
    newsroom: Newsroom, fault: FaultKind
) -> None:
    _added(newsroom)
    newsroom.world.fail(NEWSPAPER, "/rss.xml", fault)
    [polled] = newsroom.news.poll().sources
    assert isinstance(polled.error, FetchError | PageError)
    assert newsroom.news.list().items == ()
    assert newsroom.news.sources.get(NAME).etag is None


def test_items_of_a_source_are_kept_as_they_were_first_seen(newsroom: Newsroom) -> None:
    story = newspaper_stories(newsroom.world.scene)[0]
    url = f"{HOME}{story.elsewhere}"
    newsroom.news.upload([Story("The first title", url)], source="mine")
    _added(newsroom)
    newsroom.news.poll()
    assert (newsroom.news.find(url).title, newsroom.news.find(url).source) == (
        "The first title",
        "mine",
    )


def test_the_default_is_not_touched_by_sources(newsroom: Newsroom) -> None:
    before = newsroom.news.collect()
    _added(newsroom)
    newsroom.news.poll()
    again = newsroom.news.collect()
    assert (before.source, again.source, again.duplicates) == ("yf_latest", "yf_latest", 50)


def test_of_two_workers_one_polls_a_source(newsroom: Newsroom) -> None:
    source = _added(newsroom)
    claim = claim_poll(newsroom.store, source)
    assert claim is not None
    assert claim_poll(newsroom.store, source) is None
    assert newsroom.news.poll().sources == ()
    with pytest.raises(Conflict, match="is polling"):
        newsroom.news.poll([NAME])
    newsroom.clock.advance(POLL_LEASE + MINUTE)
    assert len(newsroom.news.poll().sources) == 1
    validators = Validators()
    assert not finish_poll(newsroom.store, claim, listed=1, stored=1, validators=validators)


def test_a_source_that_is_removed_during_its_poll_stays_removed(newsroom: Newsroom) -> None:
    claim = claim_poll(newsroom.store, _added(newsroom))
    assert claim is not None
    newsroom.news.sources.remove(NAME)
    assert not finish_poll(newsroom.store, claim, listed=1, stored=1, validators=Validators())
    assert not newsroom.news.sources.are_there()


def test_a_run_that_is_interrupted_gives_its_claims_back(
    newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    _added(newsroom)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(polls, "finish_poll", interrupt)
    with pytest.raises(KeyboardInterrupt):
        newsroom.news.poll()
    monkeypatch.undo()
    assert newsroom.news.sources.get(NAME).owner is None
    assert len(newsroom.news.poll().sources) == 1


def test_items_stay_when_their_source_is_removed(newsroom: Newsroom) -> None:
    _added(newsroom)
    new = newsroom.news.poll().new
    assert newsroom.news.sources.remove(NAME).name == NAME
    assert len(newsroom.news.list(limit=100).items) == new
    calls: list[Callable[[str], object]] = [
        newsroom.news.sources.get,
        newsroom.news.sources.remove,
        lambda name: newsroom.news.poll([name]),
    ]
    for call in calls:
        with pytest.raises(NotFound, match=rf"no source {NAME}"):
            call(NAME)


def test_the_schedule_polls_when_something_is_due(newsroom: Newsroom) -> None:
    assert newsroom.news.has_due_sources().reason == "no_contact"
    settings = Settings(contact="mail@team.example")
    news = News(newsroom.store, newsroom.web, settings)
    assert news.has_due_sources().reason == "no_sources"
    _added(newsroom)
    assert news.has_due_sources().status == "run"
    news.poll()
    assert news.has_due_sources().reason == "no_due_sources"


def test_the_articles_of_a_source_are_read_at_its_own_site(newsroom: Newsroom) -> None:
    _added(newsroom)
    new = newsroom.news.poll().new
    elsewhere = "https://www.example-ledger.test/2025/11/06/x/"
    newsroom.news.upload([Story("At another site", elsewhere)], source=NAME)
    report = newsroom.news.bodies()
    assert report.outcomes == {"ok": new, "external": 1}
    [story, *_] = newspaper_stories(newsroom.world.scene)
    body = newsroom.body(newsroom.news.find(f"{HOME}{story.elsewhere}"))
    assert body.extractor == "trafilatura"
    assert body.text is not None
    assert story_paragraphs(story)[0] in body.text


def test_a_site_that_refuses_does_not_stop_the_articles_of_another(newsroom: Newsroom) -> None:
    _added(newsroom)
    newsroom.news.poll()
    newsroom.news.collect()
    newsroom.world.fail(NEWSPAPER, "*", FaultKind.FORBIDDEN)
    report = newsroom.news.bodies()
    assert report.stopped is not None
    assert report.outcomes["ok"] > 25
    assert report.waiting < 10
    assert newsroom.news.count_queued() == report.waiting
