from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import MakeTable, Table, unique_name

NESTED: dict[str, object] = {
    "n": 1,
    "name": "reserved",
    "list": ["a", {"x": 1, "y": 2}, ["b", "c"], "d"],
    "map": {"a": 1, "b": {"c": 2, "d": [3, {"e": 4, "f": 5}]}, "dotted.name": 6},
    "tags": {"p", "q"},
}


@pytest.fixture(scope="module")
def nested(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S")
    table.put_item(Item=item(NESTED, pk="a"))
    return table


def _project(table: Table, projection: str, **names: str) -> Any:
    members = given({f"#{short}": name for short, name in names.items()})
    answer = table.get_item(Key=item(pk="a"), ProjectionExpression=projection, **members)
    return plain(answer["Item"])


def test_a_missing_item_is_no_item(shared: Table) -> None:
    answer = shared.get_item(Key=item(pk=unique_name()))
    assert "Item" not in answer


@pytest.mark.parametrize("consistent", [True, False])
def test_a_read_follows_a_write(shared: Table, consistent: bool) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key)
    assert shared.get_item(Key=key, ConsistentRead=consistent)["Item"] == key


@pytest.mark.parametrize(
    ("key", "said"),
    [
        pytest.param({}, "", id="no key"),
        pytest.param({"pk": "a"}, "does not match the schema", id="half a key"),
        pytest.param({"pk": "a", "sk": 1, "x": 1}, "does not match the schema", id="too much"),
        pytest.param({"pk": "a", "x": 1}, "does not match the schema", id="another attribute"),
        pytest.param({"pk": "a", "sk": "1"}, "does not match the schema", id="another type"),
        pytest.param({"pk": None, "sk": 1}, "does not match the schema", id="null"),
    ],
)
def test_a_key_must_match_the_schema(shared_sorted: Table, key: dict[str, Any], said: str) -> None:
    for method in ("get_item", "update_item", "delete_item"):
        with refused(INVALID, match=said):
            getattr(shared_sorted, method)(Key=item(key))


@pytest.mark.parametrize(
    ("projection", "expected"),
    [
        ("n", {"n": 1}),
        ("pk, n", {"pk": "a", "n": 1}),
        ("absent", {}),
        ("n, absent", {"n": 1}),
        ("tags", {"tags": {"p", "q"}}),
        ("#m", {"map": NESTED["map"]}),
        ("#m.a", {"map": {"a": 1}}),
        ("#m.b.c", {"map": {"b": {"c": 2}}}),
        ("#m.b.d[1].e", {"map": {"b": {"d": [{"e": 4}]}}}),
        ("#m.a, #m.b.c", {"map": {"a": 1, "b": {"c": 2}}}),
        ("#m.b.d[0], #m.b.c", {"map": {"b": {"d": [3], "c": 2}}}),
        ("#m.absent", {}),
        ("#m.a.deeper", {}),
        ("#l[0]", {"list": ["a"]}),
        ("#l[3], #l[0]", {"list": ["a", "d"]}),
        ("#l[1].y", {"list": [{"y": 2}]}),
        ("#l[2][1]", {"list": [["c"]]}),
        ("#l[2][1], #l[1].x", {"list": [{"x": 1}, ["c"]]}),
        ("#l[9]", {}),
        ("n[0]", {}),
        ("  n  ,\n#l[ 0 ]", {"n": 1, "list": ["a"]}),
    ],
)
def test_a_projection_gives(nested: Table, projection: str, expected: dict[str, Any]) -> None:
    names = {
        short: name for short, name in (("m", "map"), ("l", "list")) if f"#{short}" in projection
    }
    assert _project(nested, projection, **names) == expected


def test_a_placeholder_stands_for_one_name_even_with_a_dot(nested: Table) -> None:
    assert _project(nested, "#m.#d", m="map", d="dotted.name") == {"map": {"dotted.name": 6}}


def test_a_placeholder_may_stand_for_a_reserved_word(nested: Table) -> None:
    assert _project(nested, "#n", n="name") == {"name": "reserved"}


def test_a_projection_of_a_missing_item_gives_no_item(nested: Table) -> None:
    answer = nested.get_item(Key=item(pk="missing"), ProjectionExpression="n")
    assert "Item" not in answer


@pytest.mark.parametrize(
    ("projection", "said"),
    [
        ("", "can not be empty"),
        ("n,", "Syntax error"),
        (",n", "Syntax error"),
        ("n m", "Syntax error"),
        ("n.", "Syntax error"),
        ("tags[x]", "Syntax error"),
        ("tags[-1]", "Syntax error"),
        ("a..b", "Syntax error"),
        ("1a", "Syntax error"),
        ("size(n)", ""),
        (":v", "Syntax error"),
        ("n, n", "overlap"),
        ("a, a.b", "overlap"),
        ("a.b, a[0]", "conflict"),
        ("name", "reserved keyword"),
        ("n.Name", "reserved keyword"),
        ("#undefined", "not defined"),
    ],
)
def test_a_projection_is_refused(nested: Table, projection: str, said: str) -> None:
    with refused(INVALID, match=said):
        nested.get_item(Key=item(pk="a"), ProjectionExpression=projection)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ({"#n": "n", "#unused": "x"}, "unused"),
        ({"n": "n"}, "invalid"),
        ({}, "empty"),
    ],
)
def test_placeholders_must_be_well_formed_and_used(
    nested: Table, names: dict[str, str], said: str
) -> None:
    with refused(INVALID, match=f"(?i){said}"):
        nested.get_item(Key=item(pk="a"), ProjectionExpression="#n", ExpressionAttributeNames=names)


def test_placeholders_need_an_expression(nested: Table) -> None:
    with refused(INVALID, match="can only be specified when using expressions"):
        nested.get_item(Key=item(pk="a"), **given({"#n": "n"}))
