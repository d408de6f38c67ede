"""Access patterns on their pages: every one of them can be tried out, and finds what it finds."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from gotgan.console.tables.patterns import arguments_of
from gotgan.console.tables.sheets import pattern_path
from gotgan.domains.shops.models import SHOPS
from gotgan.store import Ref, Table, patterns_of
from gotgan.store.patterns import AnyPattern
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.tables.filling import PATTERNS, arguments, pk_of

ALL = [
    pytest.param(table, pattern, id=f"{table.name}-{pattern.name}") for table, pattern in PATTERNS
]
EMPTY = {
    "adoption",
    "checkpoints",
    "company",
    "scrapes_in_progress",
    "shops_scraped_since",
    "sign_in_code",
}
EMPTY |= {"crawls_unfinished_since", "scrapes_unfinished_since", "shops_to_scrape_again"}
"""Patterns that nothing was written for here."""


def keys_of(house: House, pattern: AnyPattern, texts: dict[str, str]) -> list[tuple[Any, ...]]:
    """The keys of what a pattern finds, asked of the store itself."""
    values, wrong = arguments_of(pattern, texts)
    assert wrong == {}
    read = pattern(**values)
    store = house.app.store
    found = [store.get(read)] if isinstance(read, Ref) else store.query(read, limit=50).items
    refs = [each.key for each in found if each is not None]
    return [tuple(each for each in (ref.pk, ref.sk) if each is not None) for ref in refs]


@pytest.mark.parametrize(("table", "pattern"), ALL)
def test_a_pattern_is_asked_through_its_form(
    house: House, admin: Visitor, table: Table, pattern: AnyPattern
) -> None:
    texts = arguments(house.filled, pattern)
    path = pattern_path(table, pattern.name)
    page = admin.ask(path, **texts) if texts else admin.open(path)
    assert admin.answer.status_code == 200
    assert "read units, $" in page
    found = admin.file(f"{path}.json?{urlencode(texts)}")
    assert [pk_of(item) for item in found["items"]] == keys_of(house, pattern, texts)
    assert bool(found["items"]) == (pattern.name not in EMPTY)
    assert float(found["usd"]) > 0
    assert page.count("<tr>") == (1 + len(found["items"]) if found["items"] else 0)


def test_all_patterns_are_listed_with_what_they_read(admin: Visitor) -> None:
    page = admin.open("/tables/aura-historia-data/patterns")
    for pattern in patterns_of(SHOPS):
        assert f'href="/tables/aura-historia-data/patterns/{pattern.name}"' in page
    assert "begins_with(gsi2_sk, &#34;NEVER#&#34;)" in page


def test_a_pattern_waits_for_what_it_must_be_told(admin: Visitor) -> None:
    path = "/tables/aura-historia-data/patterns/shops_to_crawl"
    page = admin.open(path)
    assert admin.answer.status_code == 200
    assert "read units" not in page
    assert "aria-invalid" not in page
    page = admin.ask(path, **{"arg.country": "DE"})
    assert admin.answer.status_code == 422
    assert "Enter a value." in page
    assert 'value="DE"' in page


@pytest.mark.parametrize(
    ("pattern", "field", "text", "told"),
    [
        ("shops_to_crawl", "before", "soon", "Input should be a valid datetime"),
        ("checkpoints", "slot", "Z", "Input should be &#39;A&#39; or &#39;B&#39;"),
    ],
)
def test_a_value_of_the_wrong_type_is_told_at_its_field(
    admin: Visitor, pattern: str, field: str, text: str, told: str
) -> None:
    texts = {"arg.country": "DE", "arg.domain": "done.test", f"arg.{field}": text}
    page = admin.open(f"/tables/aura-historia-data/patterns/{pattern}?{urlencode(texts)}")
    assert admin.answer.status_code == 422
    assert told in page


def test_a_moment_without_a_zone_is_utc(admin: Visitor) -> None:
    texts = {"arg.country": "DE", "arg.before": "2200-01-01T00:00"}
    page = admin.open(f"/tables/aura-historia-data/patterns/shops_to_crawl?{urlencode(texts)}")
    assert "DONE#2200-01-01T00:00:00Z" in page


def test_a_value_that_no_key_can_have_says_so(admin: Visitor) -> None:
    texts = {"arg.first": "2200-01-01T00:00:00Z", "arg.last": "2000-01-01T00:00:00Z"}
    page = admin.open(f"/tables/FMWebAppTable/patterns/posts_within?{urlencode(texts)}")
    assert admin.answer.status_code == 422
    assert "Give the lower bound first" in page


def test_pages_of_a_pattern_follow_each_other(admin: Visitor) -> None:
    path = "/tables/aura-historia-data/patterns/pages_of"
    first = admin.file(f"{path}.json?arg.domain=done.test")
    query = urlencode({"arg.domain": "done.test", "cursor": first["cursor"]})
    second = admin.file(f"{path}.json?{query}")
    assert (len(first["items"]), len(second["items"]), second["cursor"]) == (50, 10, None)
    keys = [item["sk"] for item in [*first["items"], *second["items"]]]
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("ending", ["", ".json", ".csv"])
def test_a_cursor_of_another_query_is_refused(admin: Visitor, ending: str) -> None:
    admin.open(
        f"/tables/aura-historia-data/patterns/pages_of{ending}?arg.domain=x.test&cursor=AAAA"
    )
    assert admin.answer.status_code == 422


def test_a_pattern_that_is_not_there_is_not_found(admin: Visitor) -> None:
    admin.open("/tables/aura-historia-data/patterns/user")
    assert admin.answer.status_code == 404


def test_a_pattern_is_a_file_for_a_spreadsheet(admin: Visitor) -> None:
    admin.open("/tables/FMWebAppTable/patterns/all_posts.csv")
    assert admin.answer.headers["content-type"].startswith("text/csv")
    heading, row = admin.page.removeprefix("\ufeff").splitlines()
    assert heading.split(",")[:2] == ["Type", "CreatedAt"]
    assert "One" in row
