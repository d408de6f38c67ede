"""Words in addresses: nobody's id is another's slug, whoever came first."""

from __future__ import annotations

import pytest

from gotgan.domains.site import patterns
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import Options, Sources, migrate
from gotgan.domains.site.migration.references import ORPHANS
from gotgan.domains.site.resources import Categories
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite
from tests.unit.domains.site.migration.site_state import posts_of


@pytest.fixture
def site() -> OldSite:
    return old_tables.make(4, count=4, category_count=2)


@pytest.fixture
def categories(store: Store) -> Categories:
    store.create(SITE)
    return Categories(store)


def test_the_slug_of_a_row_that_is_an_id_here_gives_way(
    store: Store, categories: Categories, site: OldSite, options: Options
) -> None:
    categories.create(id="kind-0", title="mine", slug="other")
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.is_good
    assert categories.get("kind-0").title == "mine"
    assert categories.get(site.categories[0]["categoryId"]).slug == "kind-0-2"


@pytest.mark.parametrize("slug", ["own", None])
def test_a_row_whose_id_is_a_slug_here_is_reported_and_shadows_nobody(
    store: Store, categories: Categories, site: OldSite, options: Options, slug: str | None
) -> None:
    mine = categories.create(title="mine", slug="taken")
    sources = old_tables.tables(store, site)
    old_tables.put(store, "categories", {**site.categories[0], "categoryId": "taken", "slug": slug})
    for _ in range(2):
        report = migrate(store, sources, options)
        assert report.tally.kinds["categories"].failed == 1
        assert (
            "Another category here has the slug 'taken'" in report.tally.lists["failed"].examples[0]
        )
        assert not report.is_good
        assert categories.get("taken").id == mine.id


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_rows_the_id_of_one_is_not_the_slug_of_the_other(
    store: Store, categories: Categories, site: OldSite, options: Options, first: int
) -> None:
    one, other = site.categories
    one |= {"slug": "word", "createdAt": old_tables.stamp(first)}
    other |= {"categoryId": "word", "createdAt": old_tables.stamp(1 - first)}
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.is_good
    assert categories.get("word").id == "word"
    assert categories.get(one["categoryId"]).slug == "word-2"
    assert categories.get("word-2").id == one["categoryId"]


def _orphan(store: Store, site: OldSite) -> Sources:
    site.posts[0]["category"] = "nowhere"
    return old_tables.tables(store, site)


def test_the_category_for_orphans_shadows_none_that_is_called_orphans(
    store: Store, categories: Categories, site: OldSite, options: Options
) -> None:
    mine = categories.create(title="Orphan care", slug="orphans")
    report = migrate(store, _orphan(store, site), options)
    assert report.is_good
    assert categories.get("orphans").id == mine.id
    assert not posts_of(store).list(category="orphans").items
    assert posts_of(store).get(site.posts[0]["postId"]).category_id == ORPHANS
    assert categories.get(ORPHANS).title == "Orphans"


def test_without_a_category_for_orphans_they_are_reported_and_the_rest_goes_on(
    store: Store, categories: Categories, site: OldSite, options: Options
) -> None:
    mine = categories.create(title="mine", slug=ORPHANS)
    report = migrate(store, _orphan(store, site), options)
    posts = report.tally.kinds["posts"]
    assert (posts.failed, posts.copied) == (1, 3)
    assert "Delete that category" in report.tally.lists["failed"].examples[0]
    assert categories.get(ORPHANS).id == mine.id
    assert store.get(patterns.category(ORPHANS)) is None
