"""What is news about a page, and that it is written down once, together with the page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.changes import (
    clear_misses,
    is_gone,
    offer_verdict,
    record_missing,
    record_offer,
    record_removed,
    record_unchanged,
    state_hash,
)
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import SHOPS, Change, Offer, OfferVerdict, PageVerdict, ShopPage
from gotgan.fetch import Validators
from gotgan.store import Store

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
DOMAIN = "example.com"
URL = "https://example.com/products/item-123"
BARE = ShopPage(domain=DOMAIN, url=URL, type="product")
OFFERED = {"status": "AVAILABLE", "price": 129900, "currency": "EUR"}
HASH = state_hash("AVAILABLE", 129900, "EUR")
KNOWN = BARE.model_copy(update={**OFFERED, "hash": HASH, "title": "Truhe"})
REMOVED = Offer(status="REMOVED", hash=state_hash("REMOVED", None, None))
SENT = Validators('"a"', "Thu, 15 Jan 2026 00:00:00 GMT")


def facts(status: str = "AVAILABLE", price: int | None = 129900) -> PageFacts:
    currency = None if price is None else "EUR"
    sources = {"price": "json-ld"}
    return PageFacts("product", price, currency, Status(status), sources, title="Truhe")


def offer(status: str = "AVAILABLE", price: int | None = 129900) -> Offer:
    currency = None if price is None else "EUR"
    found = state_hash(status, price, currency)
    return Offer(status=status, price=price, currency=currency, hash=found)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SHOPS)
        yield opened


def put(store: Store, page: ShopPage) -> ShopPage:
    store.put(page)
    return now(store)


def now(store: Store) -> ShopPage:
    page = store.get(keys.page(DOMAIN, URL), consistent=True)
    assert page is not None
    return page


def told(store: Store) -> list[tuple[Offer | None, Offer]]:
    """What changed, before and after, in the order in which it was seen."""
    return [(each.before, each.after) for each in records(store)]


def records(store: Store) -> list[Change]:
    return list(store.iterate(keys.changes_since(DOMAIN, NOON), at_most=None))


# The decision


@pytest.mark.parametrize(
    ("page", "found", "verdict"),
    [
        (BARE, facts(), "new"),
        (BARE, facts("SOLD", None), "new"),
        (BARE, facts("UNKNOWN", None), "unread"),
        (KNOWN, facts(), "unchanged"),
        (KNOWN, facts("SOLD"), "changed"),
        (KNOWN, facts(price=119900), "changed"),
        (KNOWN, facts(price=None), "changed"),
        (KNOWN, facts("UNKNOWN"), "changed"),
        (KNOWN, facts("UNKNOWN", None), "unread"),
        (BARE.model_copy(update={"hash": "a1b2c3d4"}), facts(), "adopted"),
        (BARE.model_copy(update={"hash": HASH}), facts(), "adopted"),
        (BARE.model_copy(update={"hash": HASH}), facts("SOLD"), "adopted"),
        (KNOWN.model_copy(update={"price": 1}), facts(), "adopted"),
        (KNOWN.model_copy(update={"hash": None}), facts(), "new"),
        (BARE.model_copy(update={"hash": "a1b2c3d4"}), facts("UNKNOWN", None), "unread"),
    ],
)
def test_what_is_news_about_a_page(page: ShopPage, found: PageFacts, verdict: OfferVerdict) -> None:
    assert offer_verdict(page, found) == verdict


# What is written


def test_a_product_that_is_seen_for_the_first_time_is_a_change_from_nothing(store: Store) -> None:
    assert record_offer(store, put(store, BARE), facts(), SENT) == "new"
    assert now(store) == BARE.model_copy(
        update={
            **OFFERED,
            "hash": HASH,
            "title": "Truhe",
            "sources": {"price": "json-ld"},
            "checked_at": NOON,
            "etag": SENT.etag,
            "last_modified": SENT.last_modified,
        }
    )
    [change] = records(store)
    assert change == Change(
        domain=DOMAIN, seen_at=NOON, url=URL, title="Truhe", before=None, after=offer()
    )


def test_a_change_is_written_with_what_was_and_what_is(store: Store, clock: FixedClock) -> None:
    record_offer(store, put(store, BARE), facts())
    clock.advance(timedelta(days=1))
    assert record_offer(store, now(store), facts("SOLD", None)) == "changed"
    page = now(store)
    assert (page.status, page.price, page.currency) == ("SOLD", None, None)
    assert page.hash == state_hash("SOLD", None, None)
    assert page.checked_at == clock.now()
    assert told(store) == [(None, offer()), (offer(), offer("SOLD", None))]
    assert records(store)[1].seen_at == clock.now()


def test_a_page_that_stays_the_same_is_not_written(store: Store, clock: FixedClock) -> None:
    record_offer(store, put(store, BARE), facts(), SENT)
    clock.advance(timedelta(days=1))
    page = now(store)
    with store.metered() as measured:
        assert record_offer(store, page, facts(), Validators('"b"')) == "unchanged"
        assert record_unchanged(store, page) == "unchanged"
    assert measured.cost.writes == 0
    assert (now(store).checked_at, now(store).etag) == (NOON, SENT.etag)


def test_validators_are_kept_once_where_there_were_none(store: Store) -> None:
    record_offer(store, put(store, BARE), facts())
    assert record_offer(store, now(store), facts(), SENT) == "unchanged"
    assert (now(store).etag, now(store).last_modified) == (SENT.etag, SENT.last_modified)
    assert len(records(store)) == 1


def test_validators_of_a_change_replace_those_of_before(store: Store) -> None:
    record_offer(store, put(store, BARE), facts(), SENT)
    record_offer(store, now(store), facts("SOLD"))
    assert (now(store).etag, now(store).last_modified) == (None, None)


def test_validators_that_no_server_would_mean_are_not_kept(store: Store) -> None:
    record_offer(store, put(store, BARE), facts(), Validators('"' + "a" * 50_000 + '"', "now"))
    assert (now(store).etag, now(store).last_modified) == (None, "now")


@pytest.mark.parametrize("theirs", ["a1b2c3d4", HASH])
def test_a_hash_that_somebody_else_wrote_is_replaced_without_a_change(
    store: Store, theirs: str
) -> None:
    page = put(store, BARE.model_copy(update={"hash": theirs}))
    assert record_offer(store, page, facts("SOLD")) == "adopted"
    assert now(store).hash == state_hash("SOLD", 129900, "EUR")
    assert told(store) == []


def test_a_page_without_an_offer_leaves_what_is_known(store: Store) -> None:
    page = put(store, KNOWN)
    assert record_offer(store, page, facts("UNKNOWN", None), SENT) == "unread"
    assert now(store) == KNOWN
    assert told(store) == []


def test_a_title_that_is_no_longer_there_stays(store: Store) -> None:
    page = put(store, KNOWN)
    record_offer(store, page, PageFacts("product", status=Status.SOLD))
    assert now(store).title == "Truhe"
    assert records(store)[0].title == "Truhe"


def test_two_changes_within_a_second_are_both_told(store: Store) -> None:
    record_offer(store, put(store, BARE), facts())
    record_offer(store, now(store), facts("RESERVED"))
    assert record_offer(store, now(store), facts("SOLD")) == "changed"
    assert [after.status for _, after in told(store)] == ["AVAILABLE", "RESERVED", "SOLD"]


def test_pages_that_change_in_the_same_second_have_records_of_their_own(store: Store) -> None:
    store.put_all([BARE, BARE.model_copy(update={"url": f"{URL}4"})])
    for page in store.iterate(keys.pages_of(DOMAIN), at_most=None):
        record_offer(store, page, facts())
    assert [each.seen_at for each in records(store)] == [NOON, NOON]
    assert {each.url for each in records(store)} == {URL, f"{URL}4"}


# Two who see the same


def test_of_two_who_see_the_same_change_one_notes_it(store: Store) -> None:
    page = put(store, KNOWN)
    assert record_offer(store, page, facts("SOLD")) == "changed"
    assert record_offer(store, page, facts("SOLD")) == "lost"
    assert record_offer(store, page, facts("RESERVED")) == "lost"
    assert told(store) == [(offer(), offer("SOLD"))]


def test_of_two_who_see_a_new_product_one_notes_it(store: Store) -> None:
    page = put(store, BARE)
    assert [record_offer(store, page, facts()), record_offer(store, page, facts())] == [
        "new",
        "lost",
    ]
    assert len(told(store)) == 1


def test_of_many_at_the_same_time_one_notes_the_change(store: Store) -> None:
    page, start, noted = put(store, KNOWN), threading.Barrier(8), list[PageVerdict]()

    def work() -> None:
        start.wait()
        noted.append(record_offer(store, page, facts("SOLD")))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(noted) == ["changed", *["lost"] * 7]
    assert len(told(store)) == 1


def test_validators_of_a_version_that_is_past_are_not_kept(store: Store) -> None:
    page = put(store, KNOWN)
    record_offer(store, page, facts("SOLD"))
    assert record_unchanged(store, page, SENT) == "lost"
    assert now(store).etag is None


def test_a_page_that_was_deleted_meanwhile_does_not_come_back(store: Store) -> None:
    page = put(store, KNOWN)
    store.delete(page.key)
    assert record_offer(store, page, facts("SOLD")) == "lost"
    assert record_missing(store, page) == "lost"
    assert store.get(page.key) is None
    assert told(store) == []


# Gone


def test_a_page_that_is_gone_once_is_as_it_was(store: Store) -> None:
    assert record_missing(store, put(store, KNOWN)) == "missed"
    assert now(store) == KNOWN.model_copy(update={"misses": 1, "checked_at": NOON})
    assert told(store) == []


def test_a_page_that_is_gone_twice_in_a_row_is_removed(store: Store) -> None:
    record_missing(
        store, put(store, KNOWN.model_copy(update={"etag": '"a"', "last_modified": "now"}))
    )
    assert record_missing(store, now(store)) == "removed"
    page = now(store)
    assert (page.status, page.price, page.hash) == ("REMOVED", None, REMOVED.hash)
    assert (page.etag, page.last_modified) == (None, None)
    assert (page.title, page.type) == ("Truhe", "product")
    assert told(store) == [(offer(), REMOVED)]
    assert records(store)[0].title == "Truhe"


@pytest.mark.parametrize("answer", ["the same", "not modified", "changed"])
def test_a_page_that_is_back_must_be_gone_twice_again(store: Store, answer: str) -> None:
    record_missing(store, put(store, KNOWN))
    if answer == "not modified":
        record_unchanged(store, now(store))
    else:
        record_offer(store, now(store), facts("SOLD" if answer == "changed" else "AVAILABLE"))
    assert now(store).misses is None
    assert record_missing(store, now(store)) == "missed"


def test_of_two_who_miss_a_page_at_once_one_counts(store: Store) -> None:
    page = put(store, KNOWN)
    assert [record_missing(store, page), record_missing(store, page)] == ["missed", "lost"]
    assert now(store).misses == 1


def test_a_crawl_that_saw_everything_removes_at_once(store: Store) -> None:
    assert record_removed(store, put(store, KNOWN)) == "removed"
    assert told(store) == [(offer(), REMOVED)]
    assert is_gone(now(store))


def test_what_is_removed_already_is_not_removed_again(store: Store) -> None:
    record_removed(store, put(store, KNOWN))
    page = now(store)
    assert record_removed(store, page) == record_missing(store, page) == "unchanged"
    assert now(store) == page
    assert len(told(store)) == 1


@pytest.mark.parametrize("theirs", [None, "a1b2c3d4"])
def test_of_a_page_whose_offer_nobody_knew_there_is_nothing_to_tell(
    store: Store, theirs: str | None
) -> None:
    page = put(store, BARE.model_copy(update={"hash": theirs}))
    assert record_removed(store, page) == "removed"
    assert (now(store).status, now(store).hash) == ("REMOVED", REMOVED.hash)
    assert told(store) == []


def test_what_a_crawl_finds_again_is_looked_at_again_and_comes_back(store: Store) -> None:
    record_removed(store, put(store, KNOWN))
    clear_misses(store, now(store))
    assert not is_gone(now(store))
    assert record_offer(store, now(store), facts()) == "changed"
    assert told(store) == [(offer(), REMOVED), (REMOVED, offer())]


def test_what_is_found_again_and_gone_again_is_told_once(store: Store) -> None:
    record_removed(store, put(store, KNOWN))
    clear_misses(store, now(store))
    assert [record_missing(store, now(store)), record_missing(store, now(store))] == [
        "missed",
        "unchanged",
    ]
    assert is_gone(now(store))
    assert len(told(store)) == 1


def test_what_was_never_gone_is_not_restored(store: Store) -> None:
    page = put(store, KNOWN)
    clear_misses(store, page)
    assert now(store) == page


def test_what_a_crawl_finds_between_two_misses_was_not_gone_twice_in_a_row(store: Store) -> None:
    assert record_missing(store, put(store, KNOWN)) == "missed"
    clear_misses(store, now(store))
    assert record_missing(store, now(store)) == "missed"
    assert told(store) == []
