"""Reasons that an earlier version stored as plain text are shown as they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import String, null, type_coerce, update
from sqlalchemy.sql.schema import Column

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domain import SimpleDecision
from gotgan.domains.market.collector import MarketCollector
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks
from gotgan.sql import METADATA, MessageText
from tests.unit.console.conftest import Enter
from tests.unit.console.market.filling import MONDAY, given_up
from tests.unit.console.news.filling import dead, path_of, stored
from tests.unit.domains.market.exchange import Exchange

OLD = 'the exchange answered <503> & "no more": {x}; retry 1 of 3'
SHOWN = "the exchange answered &lt;503&gt; &amp; &#34;no more&#34;: {x}; retry 1 of 3"


@pytest.fixture
def clock() -> FixedClock:
    """Half past five of a Monday in Seoul."""
    return FixedClock(datetime(2025, 10, 20, 8, 30, tzinfo=UTC))


def _message_columns() -> Iterator[Column[str]]:
    for table in METADATA.tables.values():
        yield from (each for each in table.columns if isinstance(each.type, MessageText))


def _make_old(app: App) -> None:
    """Write the words of an earlier version where a message is stored."""
    with app.database.begin() as connection:
        for column in _message_columns():
            plain = {column.name: type_coerce(OLD, String)}
            connection.execute(update(column.table).where(column.is_not(null())).values(plain))


def _ticked(app: App) -> None:
    job = next(each for each in jobs() if each.name == "market.collect")
    due = DueJob(job, app.clock.now() - timedelta(minutes=30))
    decision = SimpleDecision("skipped", "some_reason", "words")
    assert Ticks(app.database).claim(due, decision, app.clock.now()) is not None


@pytest.mark.parametrize("language", ["en", "ko"])
def test_old_reasons_are_shown_as_they_are(
    app: App, clock: FixedClock, enter: Enter, language: str
) -> None:
    exchange = Exchange(clock=clock)
    app.market.collector = MarketCollector(app.database, exchange, app.settings, clock)
    given_up(app, exchange, clock)
    _ticked(app)
    _make_old(app)
    viewer = enter("v")
    viewer.client.headers["accept-language"] = language
    expected = SHOWN if language == "en" else f'<span lang="en">{SHOWN}</span>'
    pages = {path: viewer.open(path) for path in ("/schedule", f"/market/days/{MONDAY}", "/day")}
    assert [path for path, page in pages.items() if expected not in page] == []


def test_an_old_reason_of_an_item_is_shown_as_it_is(app: App, enter: Enter) -> None:
    item = stored(app, "Dead")
    dead(app, item)
    body = app.news.get(item.pk).body
    assert body is not None
    app.store.update(body, reason=OLD)
    viewer = enter("v")
    viewer.client.headers["accept-language"] = "ko"
    pages = [viewer.open("/news/bodies?show=dead"), viewer.open(path_of(item))]
    assert all(f'<span lang="en">{SHOWN}</span>' in page for page in pages)
