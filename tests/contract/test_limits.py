"""AWS's limits, each asked for on both of its sides."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, value, weighing
from .tables import Index, MakeTable, Table, unique_name

KB_400 = 400 * 1024


def test_an_item_may_weigh_400_kilobytes(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(KB_400, pk=key))
    with refused(INVALID, match="(?i)item size has exceeded"):
        shared.put_item(Item=weighing(KB_400 + 1, pk=key))


def test_names_weigh_as_much_as_values(shared: Table) -> None:
    with refused(INVALID, match="(?i)item size"):
        shared.put_item(
            Item=item({f"{n:04}" + "n" * 40_000: "x" * 1000 for n in range(10)}, pk=unique_name())
        )


def test_an_update_may_not_pass_400_kilobytes(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(KB_400 - 100, pk=key))
    with refused(INVALID, match="(?i)item size to update has exceeded"):
        shared.update_item(Key=item(pk=key), UpdateExpression="SET w = :w", **given(w="x" * 200))
    found = shared.get(pk=key)
    assert found is not None
    assert "w" not in found


@pytest.mark.parametrize(
    ("expression", "beside"),
    [
        ("SET v = :v", 3 + 19 + 1),
        ("SET v = :v REMOVE odd", 3 + 19 + 1 + 1 + 3),
        ("SET v = :v, n = n + :n", 3 + 19 + 1 + 19 + 1 + 34 + 1 + 14 + 1 + 2),
        ("SET v = if_not_exists(v, :v)", 3 + 19 + 1 + 39 + 1 + 14 + 1),
        ("SET m.a = :v", 3 + 19 + 1 + 4 + 1),
    ],
)
def test_what_an_update_brings_is_measured_with_its_expression(
    shared: Table, expression: str, beside: int
) -> None:
    # Recorded by the authors of ministack; dynoxide refuses at the same size.
    shared.put_item(Item=item(pk="u", n=1, m={}))
    numbers = {"n": 1} if ":n" in expression else {}

    def update(size: int) -> None:
        values = given(v="x" * size, **numbers)
        shared.update_item(Key=item(pk="u"), UpdateExpression=expression, **values)

    with refused(INVALID, match="(?i)item size to update has exceeded"):
        update(KB_400 - beside + 1)
    update(KB_400 - beside)
    shared.delete_item(Key=item(pk="u"))


KEY_SIZES = {"pk": 2048, "sk": 1024}


@pytest.mark.parametrize("kind", ["S", "B"])
@pytest.mark.parametrize("name", KEY_SIZES)
def test_a_key_has_a_largest_size(make_table: MakeTable, name: str, kind: str) -> None:
    limit = KEY_SIZES[name]
    table = make_table(f"pk:{kind} sk:{kind}")
    unit: Any = "k" if kind == "S" else b"k"
    fits = item({"pk": unit, "sk": unit, name: unit * limit})
    over = item({"pk": unit, "sk": unit, name: unit * (limit + 1)})
    table.put_item(Item=fits)
    assert table.get_item(Key=fits)["Item"] == fits
    with refused(INVALID, match="(?i)size"):
        table.put_item(Item=over)
    for method in ("get_item", "update_item", "delete_item"):
        with refused(INVALID, match="(?i)size"):
            getattr(table, method)(Key=over)


def test_key_sizes_are_counted_in_bytes(shared: Table) -> None:
    with refused(INVALID, match="(?i)size"):
        shared.put(pk="é" * 1025)
    shared.put(pk="é" * 1024)


@pytest.mark.parametrize(("name", "limit"), [("g", 2048), ("h", 1024)])
def test_an_index_key_has_a_largest_size(make_table: MakeTable, name: str, limit: int) -> None:
    table = make_table("pk:S", gsi=[Index("by_g", "g:S h:S")])
    table.put_item(Item=item({"pk": "a", "g": "g", "h": "h", name: "k" * limit}))
    with refused(INVALID, match="(?i)size"):
        table.put_item(Item=item({"pk": "a", "g": "g", "h": "h", name: "k" * (limit + 1)}))


def _nested(depth: int, kind: str) -> dict[str, Any]:
    shape = value("leaf")
    for _ in range(depth):
        shape = {"M": {"a": shape}} if kind == "M" else {"L": [shape]}
    return shape


@pytest.mark.parametrize("kind", ["M", "L"])
def test_values_may_be_nested_31_deep_in_an_attribute(shared: Table, kind: str) -> None:
    key = item(pk=unique_name())
    deep = _nested(31, kind)
    shared.put_item(Item=key | {"v": deep})
    assert shared.get_item(Key=key)["Item"]["v"] == deep
    for too_deep in (_nested(32, kind), _nested(60, kind)):
        with refused(INVALID, match="(?i)nesting levels"):
            shared.put_item(Item=key | {"v": too_deep})


def test_an_expression_may_have_4_kilobytes(shared: Table) -> None:
    key = item(pk=unique_name())

    def padded(size: int) -> str:
        expression = "SET a = :a"
        return expression + " " * (size - len(expression))

    shared.update_item(Key=key, UpdateExpression=padded(4096), **given(a=1))
    with refused(INVALID, match="(?i)expression size has exceeded"):
        shared.update_item(Key=key, UpdateExpression=padded(4097), **given(a=1))


@pytest.mark.parametrize(
    "member", ["ConditionExpression", "FilterExpression", "ProjectionExpression"]
)
def test_every_expression_has_that_limit(shared: Table, member: str) -> None:
    long = "a" * 4097
    members = {member: long if member == "ProjectionExpression" else f"{long} = :v"}
    values = {} if member == "ProjectionExpression" else given(v=1)
    with refused(INVALID, match="(?i)expression size has exceeded"):
        if member == "ConditionExpression":
            shared.put_item(Item=item(pk="x"), **members, **values)
        else:
            shared.scan(**members, **values)


def test_an_expression_may_have_300_operators(shared: Table) -> None:
    def sum_of(count: int) -> str:
        return " OR ".join(["absent=:v"] * count)

    assert shared.scan(FilterExpression=sum_of(150), **given(v=1))["Count"] == 0
    with refused(INVALID, match="(?i)operators"):
        shared.scan(FilterExpression=sum_of(160), **given(v=1))


@pytest.mark.parametrize(
    "word",
    ["name", "STATUS", "Size", "date", "year", "count", "value", "values", "table", "user", "order",
     "group", "hash", "range", "index", "timestamp", "ttl", "zone", "abort", "and", "between",
     "exists", "set", "remove", "add", "delete", "item", "items", "data", "comment", "role"],
)  # fmt: skip
def test_a_reserved_word_needs_a_placeholder(shared: Table, word: str) -> None:
    key = item(pk=unique_name())
    with refused(INVALID):
        shared.update_item(Key=key, UpdateExpression=f"SET {word} = :v", **given(v=1))
    shared.update_item(Key=key, UpdateExpression="SET #w = :v", **given({"#w": word}, v=1))


@pytest.mark.parametrize("word", ["pk", "named", "sizes", "status1", "a_name", "colour", "dated"])
def test_other_words_need_none(shared: Table, word: str) -> None:
    if word == "pk":
        shared.scan(ProjectionExpression=word)
    else:
        shared.update_item(
            Key=item(pk=unique_name()), UpdateExpression=f"SET {word} = :v", **given(v=1)
        )


def test_an_attribute_name_has_at_most_65535_bytes(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=item({"n" * 65535: 1}, pk=key))
    with refused(INVALID):
        shared.put_item(Item=item({"n" * 65536: 1}, pk=key))


def test_an_attribute_name_is_not_empty(shared: Table) -> None:
    with refused(INVALID):
        shared.put_item(Item=item({"": 1}, pk=unique_name()))


def test_a_path_may_be_32_deep(shared: Table) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"a": _nested(31, "M")})
    path = ".".join(["a"] * 32)
    found = shared.get_item(Key=key, ProjectionExpression=path)["Item"]
    assert found == {"a": _nested(31, "M")}
    with refused(INVALID, match="(?i)nesting"):
        shared.get_item(Key=key, ProjectionExpression=f"{path}.a")
