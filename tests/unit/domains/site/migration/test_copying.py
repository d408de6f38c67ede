from __future__ import annotations

from dataclasses import replace

import pytest

from gotgan.domains.site import patterns
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import OldTable, Options, Sources, messages, migrate
from gotgan.domains.site.migration.copier import Copier
from gotgan.domains.site.migration.movers import RecordMover
from gotgan.domains.site.migration.references import DEFAULT_COMPANY_NAME, ORPHANS, UNKNOWN_AUTHOR
from gotgan.domains.site.migration.report import MigrationTally
from gotgan.domains.site.migration.state import open_state
from gotgan.domains.site.models import User
from gotgan.domains.site.resources import Categories
from gotgan.errors import UsageError
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import everything, posts_of

SITE_WIDE = ("posts", "categories", "corp", "contact")


def test_every_row_has_a_copy_and_every_copy_a_type_and_both_moments(
    store: Store, options: Options
) -> None:
    site = old_tables.make(count=90)
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.rows == sum(len(site.of(kind)) for kind in SITE_WIDE)
    assert report.total("copied") == report.rows - 1  # there are two rows about the company
    assert report.total("failed") == 0
    typed = [item for item in everything(store).values() if "Type" in item]
    assert all(item.keys() >= {"CreatedAt", "UpdatedAt", "version"} for item in typed)
    assert sum(item["Type"] == "Post" for item in typed) == 90
    assert sum(item["Type"] == "ContactInquiry" for item in typed) == len(site.contact)
    assert not any(item["Type"] == "Mail" for item in typed)


def test_a_post_is_found_by_both_of_its_ids(store: Store, options: Options) -> None:
    site = old_tables.make(count=20)
    migrate(store, old_tables.tables(store, site), options)
    posts = posts_of(store)
    for row in site.posts:
        post = posts.get(row["postId"])
        assert post.legacy_id == row["postId"]
        assert posts.get(post.id) == post
        assert (post.title, post.contents) == (row["title"], row["content"])


def test_a_word_for_a_category_is_a_slug_then_a_name_then_an_id(
    store: Store, options: Options
) -> None:
    first, second, third = rows = list(old_tables.categories(3))
    second |= {"name": first["slug"]}
    third |= {"slug": "other", "name": second["categoryId"]}
    words = [first["slug"], second["slug"], second["categoryId"], first["categoryId"]]
    homes = [first, second, third, first]
    site = old_tables.make(count=4)
    site.categories = rows
    for row, word in zip(site.posts, words, strict=True):
        row["category"] = word
    migrate(store, old_tables.tables(store, site), options)
    posts = posts_of(store)
    found = [posts.get(row["postId"]).category_id for row in site.posts]
    assert found == [home["categoryId"] for home in homes]


def test_orphans_go_into_a_category_of_their_own(store: Store, options: Options) -> None:
    site = old_tables.make(count=3)
    for row, word in zip(site.posts, ("nowhere", None, "kind-1"), strict=True):
        row["category"] = word
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.total("orphaned") == 2
    assert report.tally.lists["orphaned"].examples == [
        f"{row['postId']}: {word}"
        for row in sorted(site.posts, key=lambda row: _place(report.tally, row["postId"]))
        for word in [row["category"] or "no category"]
        if word != "kind-1"
    ]
    posts = posts_of(store)
    assert [posts.get(row["postId"]).category_id for row in site.posts[:2]] == [ORPHANS, ORPHANS]
    assert Categories(store).get(ORPHANS).slug == ORPHANS


def _place(tally: object, post_id: str) -> int:
    examples = getattr(tally, "lists")["orphaned"].examples  # noqa: B009 - it is typed elsewhere
    return next((n for n, each in enumerate(examples) if each.startswith(post_id)), -1)


def test_an_author_becomes_a_user_without_any_access(store: Store, options: Options) -> None:
    site = old_tables.make(count=3)
    for row, author in zip(site.posts, ("Ada", "Kim", None), strict=True):
        row["author"] = author
    store.create(patterns.user("x").table)
    staff = User(id="u1", display_name="Kim", role="admin", created_at=store.clock.now())
    store.put_new(staff)
    migrate(store, old_tables.tables(store, site), options)
    posts = [posts_of(store).get(row["postId"]) for row in site.posts]
    assert posts[1].author_id == "u1"
    assert posts[2].author_id == UNKNOWN_AUTHOR
    ada = store.get(patterns.user(posts[0].author_id))
    assert ada is not None
    assert ada.id == "author-" + "99a563ab2f6e"
    assert (ada.display_name, ada.role) == ("Ada", "viewer")
    assert not any(item.get("Type") == "Token" for item in everything(store).values())


def test_the_older_of_two_categories_keeps_the_slug(store: Store, options: Options) -> None:
    site = old_tables.make(count=1)
    for row, (made, slug) in zip(
        site.categories, [(300, "news"), (100, "news"), (200, "news"), (400, "news-2")], strict=True
    ):
        row |= {"slug": slug, "createdAt": old_tables.stamp(made)}
    site.posts[0]["category"] = "news"
    report = migrate(store, old_tables.tables(store, site), options)
    categories = Categories(store)
    got = [categories.get(row["categoryId"]).slug for row in site.categories]
    assert got == ["news-3", "news", "news-2", "news-2-2"]
    assert all(categories.get(slug).slug == slug for slug in got if slug)
    assert report.tally.decisions[messages.SLUG_SHARED()].count == 3
    assert (
        posts_of(store).get(site.posts[0]["postId"]).category_id == site.categories[1]["categoryId"]
    )


def test_a_slug_that_another_category_has_here_stays_there(store: Store, options: Options) -> None:
    site = old_tables.make(count=1, category_count=1)
    sources = old_tables.tables(store, site)
    store.create(patterns.user("x").table)
    mine = Categories(store).create(title="mine", slug="kind-0")
    migrate(store, sources, options)
    assert Categories(store).get("kind-0").id == mine.id
    assert Categories(store).get(site.categories[0]["categoryId"]).slug == "kind-0-2"


@pytest.mark.parametrize(
    ("given", "in_row", "here", "name"),
    [
        ("Given", "Row", "Here", "Given"),
        (None, "Row", "Here", "Row"),
        (None, None, "Here", "Here"),
        (None, None, None, DEFAULT_COMPANY_NAME),
    ],
)
def test_the_newest_row_about_the_company_counts_and_it_has_a_name(
    store: Store,
    options: Options,
    given: str | None,
    in_row: str | None,
    here: str | None,
    name: str,
) -> None:
    site = old_tables.make(count=1)
    sources = old_tables.tables(store, site)
    if here:
        migrate(store, sources, replace(options, corp_name=here))
    newest = {**site.corp[1], "updatedAt": old_tables.stamp(9_000)}
    old_tables.put(store, "corp", newest if in_row is None else {**newest, "name": in_row})
    migrate(store, sources, replace(options, corp_name=given))
    company = store.get(patterns.company())
    assert company is not None
    assert (company.name, company.address) == (name, "서울 1")


def test_what_cannot_be_copied_is_reported_and_the_rest_goes_on(
    store: Store, options: Options
) -> None:
    site = old_tables.make(count=10)
    site.posts[3]["thumbnailUrl"] = {"a": "map"}
    site.posts[4]["postId"] = "x" * 101
    site.posts[5]["content"] = "x" * 409_200  # what is added makes it too large for an item
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.tally.kinds["posts"].failed == 3
    assert report.tally.kinds["posts"].copied == 7
    reasons = " ".join(report.tally.lists["failed"].examples)
    assert "thumbnailUrl of these posts is not text but of type M" in reasons
    assert "its legacy_id cannot be kept" in reasons
    assert site.posts[5]["postId"] in reasons


def test_posts_that_are_large_are_copied_in_more_transactions(
    store: Store, options: Options
) -> None:
    site = old_tables.make(count=30)
    for row in site.posts:
        row |= {"content": "x" * 300_000, "category": "kind-0"}
    report = migrate(store, old_tables.tables(store, site), options)
    assert report.tally.kinds["posts"].copied == 30


def test_a_dry_run_writes_nothing_and_says_the_same(store: Store, options: Options) -> None:
    site = old_tables.make(3, count=60)
    sources = old_tables.tables(store, site)
    dry = migrate(store, sources, replace(options, dry_run=True))
    assert store.calls.driver.call("ListTables", {})["TableNames"] == sorted(
        old_tables.NAMES.values()
    )
    assert options.folder is not None
    assert not options.folder.exists()
    wet = migrate(store, sources, options)
    assert dry.tally == wet.tally
    before = everything(store)
    old_tables.put(store, "posts", {**site.posts[0], "updatedAt": old_tables.stamp(1e8)})
    state = {path.name: path.read_bytes() for path in options.folder.iterdir()}
    dry = migrate(store, sources, replace(options, dry_run=True))
    assert dry.total("updated") == 1
    assert everything(store) == before
    assert {path.name: path.read_bytes() for path in options.folder.iterdir()} == state
    assert migrate(store, sources, options).tally == dry.tally


def test_the_report_says_what_it_cost(store: Store, options: Options) -> None:
    report = migrate(store, old_tables.tables(store, old_tables.make(count=5)), options)
    assert report.cost.reads > 0
    assert report.cost.writes > 20
    assert report.fields()["copied"] == report.total("copied")


def test_only_the_sources_that_were_named_are_copied(store: Store, options: Options) -> None:
    old_tables.tables(store, old_tables.make(count=5))
    report = migrate(store, Sources.named(store, contact="fm_contact"), options)
    assert list(report.tally.kinds) == ["contact"]
    found = everything(store).values()
    assert {item["Type"] for item in found} == {"ContactInquiry"}


def test_no_source_the_new_table_and_one_table_for_two_kinds_are_refused(store: Store) -> None:
    old_tables.tables(store, old_tables.make(count=1))
    with pytest.raises(UsageError, match="at least one"):
        Sources.named(store)
    with pytest.raises(UsageError, match="the table to migrate to"):
        Sources.named(store, posts="FMWebAppTable")
    with pytest.raises(UsageError, match="for two kinds"):
        Sources.named(store, posts="fm_posts", contact="fm_posts")
    with pytest.raises(UsageError, match="no table missing"):
        Sources(posts=OldTable(store, "missing"))


def test_nothing_of_the_batches_before_is_kept(store: Store) -> None:
    store.create(SITE)
    rows = old_tables.tables(store, old_tables.make(count=40)).contact
    assert rows is not None
    [batch] = rows.batches()
    with open_state(None, keep=False) as state:
        state.begin("")
        copier = Copier(store, state, MigrationTally(), RecordMover(store), dry_run=False)
        for row in batch.rows:
            assert len(copier.copy(copier.parse_rows([row]))) == 1
        kept = [each for each in vars(copier).values() if isinstance(each, set | dict | list)]
        assert kept
        assert all(len(each) == 1 for each in kept)
        assert copier.tally.kinds["contact"].copied == len(batch.rows) == 10
