"""Which shops are due, as pure functions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gotgan.domains.shops.stages import DueSpan, is_due_for_scrape
from gotgan.errors import UsageError

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("crawled", "scraped", "is_due"),
    [
        (None, None, False),
        (NOON, None, True),
        (None, NOON, False),
        (NOON, NOON, False),
        (NOON, NOON + SECOND, False),
        (NOON + SECOND, NOON, True),
    ],
)
def test_a_scrape_is_due_where_there_is_a_crawl_that_was_not_scraped(
    crawled: datetime | None, scraped: datetime | None, is_due: bool
) -> None:
    assert is_due_for_scrape(crawled, scraped) is is_due


@pytest.mark.parametrize(
    ("last", "is_due"),
    [(None, True), (NOON - SECOND, True), (NOON, True), (NOON + SECOND, False)],
)
def test_a_crawl_is_due_where_there_was_none_since_the_cutoff(
    last: datetime | None, is_due: bool
) -> None:
    assert DueSpan(NOON).has(last) is is_due


@pytest.mark.parametrize(
    ("last", "has"),
    [(None, False), (NOON - SECOND, False), (NOON, True), (NOON + 2 * SECOND, False)],
)
def test_a_span_with_a_beginning_is_about_what_was_done(last: datetime | None, has: bool) -> None:
    span = DueSpan(NOON + SECOND, NOON)
    assert span.has(last) is has
    assert span.has(last) is has
    assert is_due_for_scrape(NOON + timedelta(days=1), last, span) is has


def test_the_usual_cutoff_is_two_days_for_a_crawl_and_none_for_a_scrape() -> None:
    assert DueSpan.of("crawl", NOON, None, None) == DueSpan(NOON - timedelta(days=2))
    assert DueSpan.of("scrape", NOON, None, None) == DueSpan(NOON)
    assert DueSpan.of("crawl", NOON, NOON, None) == DueSpan(NOON)
    with pytest.raises(UsageError, match="Use a later end"):
        DueSpan.of("crawl", NOON, None, NOON)
