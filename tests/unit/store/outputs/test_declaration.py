"""The declaration for programs holds everything that was declared."""

from __future__ import annotations

import json

from gotgan.store.outputs.documents import declaration, declarations
from gotgan.store.tables import Names

from .blog import BLOG, EVENTS
from .declared import everything

DECLARED = declaration(BLOG)


def test_a_declaration_is_json() -> None:
    both = declarations([BLOG, EVENTS])
    assert json.loads(json.dumps(both)) == both
    assert [table["name"] for table in both["tables"]] == ["blog", "events"]


def test_the_table_is_declared_with_its_sides() -> None:
    shown = declaration(everything())
    assert shown["keys"] == [{"name": "pk", "type": "S"}, {"name": "sk", "type": "N"}]
    assert shown["billing"] == {"read": 5, "write": 3}
    assert shown["stream"] == "NEW_AND_OLD_IMAGES"
    assert shown["ttl"] == "expires"
    assert shown["indexes"][0] == {
        "name": "by_title",
        "called": "by_title",
        "local": True,
        "keys": [{"name": "pk", "type": "S"}, {"name": "title", "type": "S"}],
        "key_schema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "title", "KeyType": "RANGE"},
        ],
        "projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["author", "year"]},
    }


def test_an_entity_is_declared_with_its_keys_and_attributes() -> None:
    [post] = [entity for entity in DECLARED["entities"] if entity["name"] == "Post"]
    assert post["key"] == ["CATEGORY#{category_id}", "POST#{id}"]
    assert post["index_keys"]["ByAuthor"] == ["{author_id}", "{created_at}"]
    assert post["version"] == "version"
    assert post["module"].endswith("outputs.blog")
    [title] = [each for each in post["attributes"] if each["name"] == "title"]
    assert (title["type"], title["field"], title["optional"]) == ("S", "title", False)
    [risk] = post["acknowledged"]
    assert risk["what"] == "few partitions"
    assert post["example"]["CreatedAt"] == "2025-11-06T00:35:12Z"


def test_a_pattern_is_declared_with_its_reads() -> None:
    [latest] = [pattern for pattern in DECLARED["patterns"] if pattern["name"] == "latest"]
    assert latest["doc"] == "What was written lately, with a tag."
    assert latest["reads"] == [
        {
            "operation": "Query",
            "index": "Type_CreatedAt",
            "key_condition": 'Type = "Post" AND CreatedAt >= "{since}"',
            "filter": 'contains(tags, "{tag}")',
            "newest_first": False,
            "entities": ["Post"],
        }
    ]


def test_a_pattern_of_two_tables_is_declared_with_the_reads_of_each() -> None:
    for table, index in ((BLOG, "PK"), (EVENTS, "pk")):
        [trail] = [each for each in declaration(table)["patterns"] if each["name"] == "trail"]
        [read] = trail["reads"]
        assert read["key_condition"].startswith(f"{index} = ")


def test_the_names_of_the_place_stand_beside_the_declared_ones() -> None:
    names = Names(tables={"blog": "blog-prod"}, indexes={("blog", "ByAuthor"): "Authors"})
    shown = declaration(BLOG, names)
    assert (shown["name"], shown["called"]) == ("blog", "blog-prod")
    assert [index["called"] for index in shown["indexes"]] == [
        "Type_CreatedAt",
        "Authors",
        "ByPrice",
    ]
