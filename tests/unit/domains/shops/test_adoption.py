"""Items of other tools: index keys and countries are added, and nothing else is changed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import adoption, keys
from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.domains.shops.reports import ShopsAdopted
from gotgan.errors import BadItem, Conflict
from gotgan.store import Store
from tests.unit.domains.shops.adopting import ITEM, META, Table, adopter, opened

NOW = datetime(2026, 1, 15, 10, tzinfo=UTC)
END = "DONE#2023-10-27T23:59:59Z"
KEYS = {
    "gsi2_pk": "COUNTRY#DE",
    "gsi2_sk": END,
    "gsi3_pk": "COUNTRY#DE",
    "gsi3_sk": END,
    "gsi4_pk": "example",
    "gsi4_sk": "example.com",
}
PAGE_KEYS = {"gsi1_pk": "SHOP#example.com", "gsi1_sk": "product"}


@pytest.fixture
def table() -> Iterator[Table]:
    with Store.in_memory(clock=FixedClock(NOW)) as store:
        store.create(SHOPS)
        yield Table(store)


def _due(table: Table, stage: str = "crawl") -> list[str]:
    return [shop.domain for shop in table.registry.iter_due(stage)]


def test_the_documents_samples_get_their_index_keys_and_keep_the_rest(table: Table) -> None:
    table.put(META, our_own="kept")
    table.put(ITEM, price="12,00 EUR")
    assert _due(table) == []
    report = table.registry.adopt()
    assert (report.shops, report.pages, report.countries) == (1, 1, ["DE"])
    assert report.is_complete
    assert table.item(META) == {**META, **KEYS, "our_own": "kept"}
    assert table.item(ITEM) == {**ITEM, **PAGE_KEYS, "price": "12,00 EUR"}
    assert _due(table) == ["example.com"]
    assert table.registry.countries() == ["DE"]


def test_adopting_again_changes_nothing_and_writes_only_its_place(table: Table) -> None:
    table.put(META)
    table.put(ITEM)
    table.registry.adopt()
    before = table.items()
    report = table.registry.adopt()
    assert (report.completed, report.countries, report.cost.writes) == (0, [], 1)
    assert table.items() == before


@pytest.mark.parametrize(
    ("ends", "state"),
    [
        ({"last_crawled_end": None}, "NEVER#"),
        ({"last_crawled_end": "2023-10-28T08:59:59+09:00"}, END),
        ({"last_crawled_end": "2023-10-27T23:59:59.999"}, END),
    ],
)
def test_a_missing_state_follows_from_the_last_end(
    table: Table, ends: dict[str, Any], state: str
) -> None:
    table.put(META, **ends)
    table.registry.adopt()
    assert table.item(META)["gsi2_sk"] == state


def test_index_keys_that_are_there_stay_as_they_are(table: Table) -> None:
    theirs = {"gsi2_pk": "COUNTRY#AT", "gsi2_sk": "PROGRESS#2023-10-27T00:00:00Z", "gsi4_pk": "ex"}
    table.put(META, **theirs)
    table.registry.adopt()
    assert table.item(META) == {**META, **KEYS, **theirs}
    assert table.registry.countries() == ["AT", "DE"]


@pytest.mark.parametrize("written", ["DE", "COUNTRY#DE"])
def test_a_country_is_read_with_its_prefix_or_without(table: Table, written: str) -> None:
    table.put(META, shop_country=written)
    table.registry.adopt()
    stored = table.item(META)
    assert (stored["shop_country"], stored["gsi2_pk"]) == (written, "COUNTRY#DE")
    assert table.registry.get("example.com").shop_country == "DE"


def test_a_shop_without_a_country_gets_its_states_and_stays_out_of_the_index(table: Table) -> None:
    table.put(META, shop_country=None)
    report = table.registry.adopt()
    stored = table.item(META)
    assert (stored["gsi2_sk"], stored["gsi3_sk"]) == (END, END)
    assert not {"gsi2_pk", "gsi3_pk"} & stored.keys()
    assert report.countries == []
    table.registry.add("example.com", country="AT")
    assert table.item(META)["gsi2_pk"] == "COUNTRY#AT"


def test_columns_that_the_keys_tell_are_added(table: Table) -> None:
    table.put(META, domain=None, core_domain_name=None, shop_country=None, gsi2_pk="COUNTRY#DE")
    table.registry.adopt()
    assert table.item(META) == {**META, **KEYS}


def test_a_shop_with_all_keys_only_lacks_its_country_in_the_registry(table: Table) -> None:
    table.put(META, **KEYS)
    report = table.registry.adopt()
    assert (report.shops, report.countries) == (0, ["DE"])
    assert _due(table) == ["example.com"]


def test_a_page_without_a_type_stays_out_of_the_index(table: Table) -> None:
    table.put(ITEM, type=None)
    report = table.registry.adopt()
    assert table.item(ITEM).keys() == ITEM.keys() - {"type"}
    assert report.pages == 0


@pytest.mark.parametrize(
    "wrong", [{"shop_country": "Germany"}, {"last_crawled_end": "yesterday"}, {"domain": 5}]
)
def test_a_shop_that_cannot_be_read_is_named_and_the_others_are_adopted(
    table: Table, wrong: dict[str, Any]
) -> None:
    table.put(META, **wrong)
    table.put(META, pk="SHOP#example.org", domain="example.org")
    before = table.item(META)
    report = table.registry.adopt()
    assert (report.shops, report.unfit_count, list(report.unfit)) == (
        1,
        1,
        ["SHOP#example.com / META#"],
    )
    assert next(iter(wrong)) in report.unfit["SHOP#example.com / META#"]
    assert table.item(META) == before
    assert _due(table) == ["example.org"]
    assert table.registry.without_country("crawl").due == ()


def test_a_shop_that_cannot_be_read_does_not_hide_the_others_that_are_due(table: Table) -> None:
    table.put(META, last_crawled_end="yesterday", **KEYS)
    table.put(META, pk="SHOP#example.org", domain="example.org")
    table.registry.adopt()
    assert _due(table) == ["example.org"]


def test_other_items_of_the_table_are_left_alone(table: Table) -> None:
    other = {"pk": "USER#1", "sk": "META#", "name": "Kim"}
    table.put(other)
    table.registry.adopt()
    assert table.item(other) == other


def test_a_run_reads_so_many_items_and_the_next_one_continues(table: Table) -> None:
    for number in range(10):
        table.put(ITEM, sk=f"URL#https://example.com/{number}")
    reports = [table.registry.adopt(max_items=4) for _ in range(3)]
    assert [report.is_complete for report in reports] == [False, False, True]
    assert sum(report.pages for report in reports) == 10
    place = table.store.get(keys.adoption())
    assert place is not None
    assert (place.behind, place.seen, place.finished_at) == (None, 0, NOW)


def _meanwhile(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None], times: int = 1
) -> None:
    """Let something happen between the read and the write."""
    left = [happens] * times
    write = vars(adoption)["execute"]

    def late(*words: Any) -> Any:
        if left:
            left.pop()()
        return write(*words)

    monkeypatch.setattr(adoption, "execute", late)


def test_an_item_that_changed_meanwhile_is_read_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.put(META)
    ended = "2026-01-01T00:00:00Z"
    _meanwhile(monkeypatch, lambda: table.put(META, last_crawled_end=ended, note="new"))
    report = table.registry.adopt()
    assert report.shops == 1
    assert table.item(META) == {
        **META,
        **KEYS,
        "last_crawled_end": ended,
        "gsi2_sk": f"DONE#{ended}",
        "note": "new",
    }


def test_a_claim_that_was_won_meanwhile_is_not_touched(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.put(META)
    shop = table.registry.get("example.com")
    _meanwhile(monkeypatch, lambda: _claim(table, shop))
    table.registry.adopt()
    stored = table.item(META)
    assert (stored["gsi2_pk"], stored["gsi2_sk"]) == ("COUNTRY#DE", "PROGRESS#2026-01-15T10:00:00Z")
    assert stored["gsi3_sk"] == END


def _claim(table: Table, shop: Shop) -> None:
    Shop.crawl.claim(table.store, shop)


def test_an_item_that_was_deleted_meanwhile_is_not_made_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.put(META)
    _meanwhile(monkeypatch, lambda: _delete(table))
    report = table.registry.adopt()
    assert report.shops == 0
    assert table.store.get(keys.shop("example.com")) is None


def _delete(table: Table) -> None:
    table.store.delete(keys.shop("example.com"))


def test_an_item_that_never_stays_the_same_is_an_error(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.put(META)
    ends = iter(range(10, 30))

    def change() -> None:
        table.put(META, last_crawled_end=f"2026-01-01T00:00:{next(ends)}Z")

    _meanwhile(monkeypatch, change, times=20)
    with pytest.raises(Conflict, match="Adopt the shops again"):
        table.registry.adopt()


# Registering


def test_adding_a_shop_that_another_tool_wrote_adopts_it_and_its_pages(table: Table) -> None:
    table.put(META)
    table.put(ITEM)
    report = table.registry.add("https://example.com/")
    assert [shop.domain for shop in report.adopted] == ["example.com"]
    assert (report.new, report.placed, report.duplicates) == ([], [], [])
    assert table.item(META) == {**META, **KEYS}
    assert table.item(ITEM) == {**ITEM, **PAGE_KEYS}
    assert _due(table) == ["example.com"]
    again = table.registry.add("example.com")
    assert [shop.domain for shop in again.duplicates] == ["example.com"]
    assert again.cost.writes == 0


def test_adding_with_a_country_places_a_shop_of_another_tool_that_has_none(table: Table) -> None:
    table.put(META, shop_country=None)
    report = table.registry.add("example.com", country="DE")
    assert [shop.domain for shop in report.placed] == ["example.com"]
    assert table.item(META) == {**META, **KEYS}


def test_adding_a_shop_that_cannot_be_read_fails_with_the_reason(table: Table) -> None:
    table.put(META, shop_country="Germany")
    report = table.registry.add("example.com")
    [failed] = report.failed
    assert (failed.domain, report.shops) == ("example.com", [])
    assert isinstance(failed.error, BadItem)
    assert "shop_country" in failed.error.message


# Two at once, and one that dies


def _filled(path: Path, count: int) -> None:
    with opened(path) as store:
        store.create(SHOPS)
        table = Table(store)
        with store.calls.driver.in_process.batch():  # type: ignore[union-attr]
            for number in range(count):
                name = f"s{number:04}.example"
                table.put(META, pk=f"SHOP#{name}", domain=name, core_domain_name=f"s{number:04}")
                table.put(ITEM, pk=f"SHOP#{name}", own=number)


def _is_whole(path: Path, count: int) -> None:
    with opened(path) as store:
        items = Table(store).items()
        shops = [item for item in items if item["sk"]["S"] == "META#"]
        pages = [item for item in items if item["sk"]["S"].startswith("URL#")]
        assert (len(shops), len(pages)) == (count, count)
        assert all({*KEYS} <= item.keys() and item["gsi2_sk"]["S"] == END for item in shops)
        assert all({*PAGE_KEYS, "own"} <= item.keys() for item in pages)


@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_is_killed_anywhere_is_completed_by_the_next(tmp_path: Path, seed: int) -> None:
    path, count = tmp_path / "store.db", 800
    _filled(path, count)
    chance = random.Random(seed)
    with adopter(path) as victim:
        assert victim.hear() == "ready"
        victim.tell()
        said = [victim.hear() for _ in range(chance.randrange(1, 3))]
        time.sleep(chance.random() * 0.05)  # so that the kill falls anywhere within a page
        said += victim.kill()
    assert "end" not in said
    with opened(path) as store:
        report = Table(store).registry.adopt()
        assert report.is_complete
        assert report.read < 2 * count + 2, "it continued"
    _is_whole(path, count)


def test_two_runs_at_once_do_no_harm(tmp_path: Path) -> None:
    path, count = tmp_path / "store.db", 300
    _filled(path, count)
    start, reports = Barrier(2), list[ShopsAdopted]()

    def run() -> None:
        with opened(path) as store:
            start.wait()
            reports.append(Table(store).registry.adopt())

    threads = [Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sum(report.completed for report in reports) == 2 * count
    _is_whole(path, count)
