"""What the page of a full day reads: how often it asks the store, and how often the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date

import pytest
from sqlalchemy import event

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import summary
from gotgan.domains.shops.summary import all_shops_if_few
from gotgan.domains.site.models import ContactInquiry
from tests.unit.console.day.filling import TODAY, calculated, category, changed_shop, ran
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected, indicated
from tests.unit.console.news.filling import dead, done, stored, waiting
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added, claimed, stuck, unreached
from tests.unit.console.videos import filling as videos

MOST_CALLS = 14
MOST_STATEMENTS = 12


@dataclass
class Reads:
    """What was asked while somebody looked."""

    calls: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


@contextmanager
def counted(app: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reads]:
    """Count what reaches the driver of the store, and the relational database."""
    reads, driver = Reads(), app.store.calls.driver
    call = driver.call

    def noting(operation: str, *given: object, **named: object) -> object:
        reads.calls.append(operation)
        return call(operation, *given, **named)  # type: ignore[arg-type]

    def note(*given: object) -> None:
        reads.statements.append(str(given[2]))

    event.listen(app.database.engine, "before_cursor_execute", note)
    with monkeypatch.context() as patched:
        patched.setattr(driver, "call", noting)
        yield reads
    event.remove(app.database.engine, "before_cursor_execute", note)


@pytest.fixture
def day(app: App) -> date:
    """A Monday with something in each of its parts."""
    done(app, stored(app, "Apples fall", tickers=("AAPL",)))
    waiting(app, stored(app, "Pears rise", tickers=("PEAR",)))
    dead(app, stored(app, "Grapes rise", tickers=("GRPE",)))
    changed_shop(app)
    collected(app, FRIDAY, MONDAY)
    calculated(app, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=80.0, macd_histogram=1.0)
    indicated(app, MONDAY, "000020", rsi_14=20.0, macd_histogram=-1.0)
    videos.analysed(app)
    videos.imported(app, videos.SECOND)
    videos.failed(app, videos.SECOND)
    now = app.clock.now()
    inquiry = ContactInquiry(
        id="i1",
        name="Visitor",
        email="visitor@example.com",
        subject="?",
        message="?",
        created_at=now,
    )
    app.store.put(inquiry)
    app.site.posts.create(category_id=category(app), author_id="a", title="Open", contents="")
    for job in ("news.collect", "shops.crawl", "market.collect"):
        ran(app, job, reads=7, writes=1)
        ran(app, job, "failed", ago=10, error="no answer")
    return MONDAY


@pytest.mark.usefixtures("day")
def test_a_full_day_is_read_with_few_calls(
    app: App, editor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor.open(TODAY)  # counts the runs of the days that are over, once
    with counted(app, monkeypatch) as reads:
        page = editor.open(TODAY)
    titles = ("Apples fall", "A chair", "Share of 10", videos.FIRST, ">Open<")
    assert [title for title in titles if title not in page] == []
    assert len(reads.calls) <= MOST_CALLS
    assert len(reads.statements) <= MOST_STATEMENTS


def test_a_day_that_was_published_takes_no_more(
    app: App, day: date, editor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = app.day.publish(day, category=app.site.categories.list().items[0].id)
    editor.open(TODAY)
    with counted(app, monkeypatch) as reads:
        assert f'href="/site/posts/{post.id}"' in editor.open(TODAY)
    assert len(reads.calls) <= MOST_CALLS
    assert len(reads.statements) <= MOST_STATEMENTS


def test_few_shops_are_told_of_as_many_are(
    app: App, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck(app, clock, added(app, "stuck.example").domain)
    stuck(app, clock, added(app, "old.example", "AT").domain, "scrape")
    unreached(app, clock, added(app, "away.example").domain)
    claimed(app, added(app, "busy.example", "AT").domain)
    added(app, "never.example")
    changed_shop(app)
    read = all_shops_if_few(app.store, ["AT", "DE"])
    assert read is not None
    assert len(read) == 6
    today = app.day.today("kst")
    few = app.shops.summary(today, "kst")
    assert (len(few.stuck), len(few.unreached), len(few.crawled)) == (2, 1, 1)
    monkeypatch.setattr(summary, "MAX_SUMMARY_SHOPS", 2)
    assert all_shops_if_few(app.store, ["AT", "DE"]) is None
    assert app.shops.summary(today, "kst") == few
