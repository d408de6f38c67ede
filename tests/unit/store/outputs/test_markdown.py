"""Schema pages say what a reader of the table needs to know."""

from __future__ import annotations

import json
import re

import pytest

from gotgan.domains.shops.models import Shop
from gotgan.store.data.item_json import readable_item
from gotgan.store.outputs.descriptions import example_item
from gotgan.store.outputs.documents import markdown_page, markdown_pages
from gotgan.store.schema import schema_of
from gotgan.store.tables import Names, Provisioned, Table

from .blog import BLOG, EVENTS, Post
from .declared import everything, shops
from .test_examples import THINGS

PAGE = markdown_page(BLOG)
SHOPS = schema_of(Shop).table


def _section(title: str, text: str = PAGE) -> str:
    return text.partition(f"### {title}\n")[2].partition("\n#")[0]


def _rows(text: str) -> list[list[str]]:
    """The cells of all tables."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [re.split(r" (?<!\\)\| ", f" {line} ")[1:-1] for line in lines]
    return [row for row in cells if set(row) != {"---"}]


def test_the_keys_of_the_table_and_its_indexes_are_shown_with_what_they_hold() -> None:
    rows = _rows(PAGE)
    assert ["the table", "`PK` (S)", "`SK` (S)", "everything"] in rows
    assert ["index `ByAuthor`", "`authorId` (S)", "`CreatedAt` (S)", "the keys, `title`"] in rows
    assert ["index `ByPrice`", "`price` (N)", "", "the keys"] in rows


def test_the_attributes_of_an_entity_are_shown_with_their_types() -> None:
    rows = _rows(_section("Post"))
    assert ["`PK`", "S", "`CATEGORY#{category_id}`"] in rows
    assert ["`SK`", "S", "`POST#{id}`"] in rows
    assert ["`title`", "S", "As readers see it"] in rows
    assert ["`price`", "N", "key of ByPrice; may be missing"] in rows
    assert ["`tags`", "SS", ""] in rows
    [created] = [row for row in rows if row[0] == "`CreatedAt`"]
    assert "`created_at` in Python" in created[2]
    [kind] = [row for row in rows if row[0] == "`Type`"]
    assert kind[2].startswith("What the index of types calls it; derived from id")


def test_an_entity_is_shown_with_an_example_and_what_it_costs() -> None:
    section = _section("Post")
    shown = re.search(r"```json\n(.*?)```", section, re.DOTALL)
    example = example_item(Post)
    assert shown is not None
    assert example is not None
    assert json.loads(shown[1]) == readable_item(example)
    assert "An article, in its category." in section
    assert "costs 4 write units (1 for the table, 1 for `Type_CreatedAt`," in section
    assert "0.5 read units, or 1 with strong consistency" in section


def test_what_was_acknowledged_is_shown_with_its_reason() -> None:
    assert (
        "Acknowledged for its key in `Type_CreatedAt`: few partitions. a blog has few writes"
        in _section("Post")
    )
    assert "Acknowledged for its key in the table: it may be too long" in _section("Redirect")


def test_an_access_pattern_is_shown_with_signature_sentence_and_key_condition() -> None:
    section = _section("latest")
    assert "latest(since: datetime, tag: str) -> Query[Post]" in section
    assert "What was written lately, with a tag." in section
    condition = '`Type = "Post" AND CreatedAt >= "{since}"`'
    row = ["Query", "`Type_CreatedAt`", condition, '`contains(tags, "{tag}")`', "", "Post"]
    assert row in _rows(section)


def test_every_read_of_a_pattern_has_its_row() -> None:
    assert len(_rows(_section("shelf"))) == 1 + 2
    [row] = _rows(_section("posts_in"))[1:]
    assert row[4] == "newest first"


def test_a_number_in_a_key_condition_has_no_quotes() -> None:
    assert "`price = {price}`" in _section("posts_for")


def test_a_pattern_of_two_tables_shows_on_each_page_what_it_reads_there() -> None:
    assert [row[2] for row in _rows(_section("trail"))[1:]] == [
        '`PK = "CATEGORY#{category_id}" AND begins_with(SK, "POST#")`'
    ]
    assert [row[2] for row in _rows(_section("trail", markdown_page(EVENTS)))[1:]] == [
        '`pk = "{pk}"`'
    ]


def test_a_bar_does_not_end_a_cell() -> None:
    assert "| `PK` | S | `VOTE\\|{id}` |" in _section("Vote")


def test_what_a_lifecycle_keeps_is_shown() -> None:
    rows = {row[0]: row[2] for row in _rows(_section("Shop", markdown_page(SHOPS)))}
    assert rows["`gsi2_sk`"].startswith("key of GSI2; kept by crawl")
    assert rows["`crawl_owner`"].startswith("kept by crawl")
    assert rows["`shop_country`"].startswith("stored behind COUNTRY#")


def test_what_is_in_the_key_alone_is_no_attribute() -> None:
    names = [row[0] for row in _rows(_section("ShopPage", markdown_page(SHOPS)))]
    assert "`url`" in names
    assert "`domain`" not in names


def test_an_entity_without_a_valid_example_still_has_its_attributes() -> None:
    section = _section("Coded", markdown_page(THINGS))
    assert "```json" not in section
    assert ["`code`", "", ""] in _rows(section)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (shops(), "Billed on demand. Nothing expires."),
        (Table("things", pk="pk", ttl="gone"), "Items expire by `gone`."),
        (Table("things", pk="pk", stream="NEW_IMAGE"), "Its stream shows NEW_IMAGE."),
        (
            Table("things", pk="pk", billing=Provisioned(2, 1)),
            "Provisioned for 2 read and 1 write units a second.",
        ),
    ],
)
def test_the_page_begins_with_how_the_table_is_kept(table: Table, said: str) -> None:
    assert said in markdown_page(table).partition("| where")[0]


def test_a_local_index_is_called_one() -> None:
    row = ["local index `by_title`", "`pk` (S)", "`title` (S)", "the keys, `author`, `year`"]
    assert row in _rows(markdown_page(everything()))


def test_the_names_of_the_place_are_shown() -> None:
    names = Names(tables={"blog": "blog-prod"}, indexes={("blog", "ByAuthor"): "Authors"})
    shown = markdown_page(BLOG, names)
    assert shown.startswith("# blog\n\nIt is called `blog-prod` there.")
    assert "index `Authors`" in shown


def test_several_pages_follow_each_other() -> None:
    both = markdown_pages([BLOG, EVENTS])
    assert both == f"{markdown_page(BLOG)}\n{markdown_page(EVENTS)}"
