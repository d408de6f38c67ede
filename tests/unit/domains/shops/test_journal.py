"""What a crawl writes down comes back as it was, and what is left over from another does not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.clock import FixedClock
from gotgan.domains.shops import journal, keys
from gotgan.domains.shops.frontier import Frontier, robots_sitemaps
from gotgan.domains.shops.journal import CrawlLog, Journal, Visit, last_crawl_log, next_slot
from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.errors import LostRace
from gotgan.fetch import Validators
from gotgan.lifecycle import Claim
from gotgan.store import Store

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
URLS = [f"https://example.com/{number}" for number in range(40)]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        store.put_new(Shop(domain="example.com", core_domain_name="example", shop_country="DE"))
        yield store


def claimed(store: Store) -> Claim[Shop]:
    shop = store.get(keys.shop("example.com"), consistent=True)
    assert shop is not None
    return Shop.crawl.claim(store, shop)


def visit(number: int, *links: int, **fields: str) -> Visit:
    checks = Validators(fields.get("etag"), fields.get("last_modified"))
    to = tuple(URLS[link] for link in links)
    return Visit(URLS[number], "seen", "product", to, checks, ("json-ld", "rdfa"))


def test_a_crawl_that_did_not_end_comes_back_as_far_as_it_came(store: Store) -> None:
    claim = claimed(store)
    written = Journal.begin(store, claim, "A")
    written.write(URLS[:3], [visit(0, 1, 2, etag='"x"')])
    written.write(URLS[3:5], [visit(1, 0, 4, last_modified="Thu, 06 Nov 2025 12:00:00 GMT")])
    resumed = Journal.resumed(store, claim, "A")
    assert resumed is not None
    again, log = resumed
    assert list(log.found) == URLS[:5]
    assert log.visits == {
        URLS[0]: visit(0, 1, 2, etag='"x"'),
        URLS[1]: visit(1, 0, 4, last_modified="Thu, 06 Nov 2025 12:00:00 GMT"),
    }
    again.write(URLS[5:6], [visit(2, 5)])
    resumed = Journal.resumed(store, claim, "A")
    assert resumed is not None
    assert list(resumed[1].visits) == URLS[:3]


def test_that_something_could_not_be_had_is_written_down_with_the_rest(store: Store) -> None:
    claim = claimed(store)
    written = Journal.begin(store, claim, "A")
    written.write(URLS[:2], [visit(0)], is_partial=True)
    written.write([], [visit(1)])
    resumed = Journal.resumed(store, claim, "A")
    assert resumed is not None
    assert resumed[1].is_partial
    assert resumed[0].began_at == NOON
    assert not last_crawl_log(store, claim.item).is_partial


def test_a_new_crawl_forgets_what_is_left_over_in_its_slot(store: Store) -> None:
    claim = claimed(store)
    old = Journal.begin(store, claim, "A")
    for number in range(5):
        old.write(URLS[number : number + 1], [visit(number)])
    new = Journal.begin(store, claim, "A")
    new.write(URLS[9:10], [visit(9)])
    resumed = Journal.resumed(store, claim, "A")
    assert resumed is not None
    assert list(resumed[1].found) == [URLS[9]]


def test_where_nothing_was_written_there_is_nothing_to_go_on_with(store: Store) -> None:
    assert Journal.resumed(store, claimed(store), "A") is None


def test_a_worker_that_was_taken_over_writes_over_nothing(store: Store, clock: FixedClock) -> None:
    late = Journal.begin(store, claimed(store), "A")
    clock.advance(timedelta(hours=3))
    resumed = Journal.resumed(store, claimed(store), "A")
    assert resumed is not None
    resumed[0].write(URLS[:1], [visit(0)])
    with pytest.raises(LostRace, match="has taken over the crawl"):
        late.write(URLS[1:2], [visit(1)])


def test_a_worker_that_takes_over_is_not_stopped_by_the_last_words_of_another(
    store: Store, clock: FixedClock
) -> None:
    late = Journal.begin(store, claimed(store), "A")
    clock.advance(timedelta(hours=3))
    resumed = Journal.resumed(store, claimed(store), "A")
    assert resumed is not None
    late.write(URLS[1:2], [visit(1)])
    late.write(URLS[2:3], [visit(2)])
    resumed[0].write(URLS[:1], [visit(0)])
    again = Journal.resumed(store, claimed_again(store, clock), "A")
    assert again is not None
    assert list(again[1].found) == URLS[:1]


def claimed_again(store: Store, clock: FixedClock) -> Claim[Shop]:
    clock.advance(timedelta(hours=3))
    return claimed(store)


def test_many_addresses_are_written_in_several_pieces(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MAX_ITEM_BYTES", 60)
    claim = claimed(store)
    visits = [visit(number, 0, 39, etag=f'"{number}"') for number in range(40)]
    Journal.begin(store, claim, "B").write(URLS, visits)
    resumed = Journal.resumed(store, claim, "B")
    assert resumed is not None
    assert list(resumed[1].found) == URLS
    assert list(resumed[1].visits.values()) == visits


def test_long_addresses_fit_however_many_there_are(store: Store) -> None:
    chance = random.Random(7)
    long = [f"https://example.com/{chance.randbytes(400).hex()}" for _ in range(2_000)]
    claim = claimed(store)
    Journal.begin(store, claim, "A").write(long, [])
    resumed = Journal.resumed(store, claim, "A")
    assert resumed is not None
    assert list(resumed[1].found) == long


def test_a_shop_that_was_never_crawled_well_has_no_memory(store: Store) -> None:
    shop = store.get(keys.shop("example.com"))
    assert shop is not None
    assert last_crawl_log(store, shop) == CrawlLog()
    assert (next_slot(None), next_slot("A"), next_slot("B")) == ("A", "B", "A")


@given(st.lists(st.lists(st.sampled_from(URLS), max_size=8), max_size=12), st.integers(1, 50))
def test_a_frontier_gives_each_address_once_in_the_order_of_finding_up_to_its_budget(
    finds: list[list[str]], budget: int
) -> None:
    frontier, given_out = Frontier(budget, CrawlLog()), list[str]()
    for found in finds:
        frontier.add(found, within=lambda url: url != URLS[0])
        if (url := frontier.take()) is not None:
            given_out.append(url)
    while (url := frontier.take()) is not None:
        given_out.append(url)
    wanted = list(dict.fromkeys(url for found in finds for url in found if url != URLS[0]))
    assert given_out == wanted[:budget]
    assert frontier.left == len(wanted) - len(given_out)


def test_sitemaps_are_named_in_robots_txt() -> None:
    robots = (
        "User-agent: *\nSitemap: https://a.test/one.xml # all\nSITEMAP:https://a.test/two.xml\n"
    )
    assert robots_sitemaps(robots) == ["https://a.test/one.xml", "https://a.test/two.xml"]
