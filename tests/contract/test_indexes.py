"""Secondary indexes: what they hold, in which order, and what may be asked of them."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, everything

BASE = {"pk": "a", "sk": 1, "state": "NEW", "at": 5, "x": "x", "y": ["y"]}
KEYS = {"pk": "a", "sk": 1, "at": 5}

PROJECTIONS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "global, all": ("gsi", "ALL", BASE),
    "global, keys": ("gsi", "KEYS_ONLY", {**KEYS, "state": "NEW"}),
    "global, some": ("gsi", ("x", "absent"), {**KEYS, "state": "NEW", "x": "x"}),
    "local, all": ("lsi", "ALL", BASE),
    "local, keys": ("lsi", "KEYS_ONLY", KEYS),
    "local, some": ("lsi", ("x", "absent"), {**KEYS, "x": "x"}),
}


def _index(which: str, project: Any) -> Index:
    return Index("by_at", "state:S at:N" if which == "gsi" else "pk:S at:N", project)


def _ask(which: str) -> dict[str, Any]:
    """The query for the partition of BASE in the index."""
    if which == "gsi":
        names, value = {"#h": "state"}, "NEW"
    else:
        names, value = {"#h": "pk"}, "a"
    return {
        "IndexName": "by_at",
        "KeyConditionExpression": "#h = :h",
        **given(names, h=value),
    }


def _make(make_table: MakeTable, which: str, project: Any = "ALL") -> Table:
    return make_table("pk:S sk:N", **{which: [_index(which, project)]})


@pytest.mark.parametrize("what", PROJECTIONS)
def test_an_index_gives_what_it_projects(make_table: MakeTable, what: str) -> None:
    which, project, expected = PROJECTIONS[what]
    table = _make(make_table, which, project)
    table.put(**BASE)
    assert everything(table.query, **_ask(which)) == [expected]
    assert everything(table.query, **_ask(which), Select="ALL_PROJECTED_ATTRIBUTES") == [expected]
    assert everything(table.scan, IndexName="by_at") == [expected]


@pytest.mark.parametrize("project", ["KEYS_ONLY", ("x",)], ids=["keys", "some"])
def test_a_local_index_fetches_what_it_does_not_project(
    make_table: MakeTable, project: Any
) -> None:
    table = _make(make_table, "lsi", project)
    table.put(**BASE)
    assert everything(table.query, **_ask("lsi"), Select="ALL_ATTRIBUTES") == [BASE]
    assert everything(table.query, **_ask("lsi"), ProjectionExpression="y, sk") == [
        {"y": ["y"], "sk": 1}
    ]


@pytest.mark.parametrize("project", ["KEYS_ONLY", ("x",)], ids=["keys", "some"])
def test_a_global_index_gives_nothing_that_it_does_not_project(
    make_table: MakeTable, project: Any
) -> None:
    table = _make(make_table, "gsi", project)
    table.put(**BASE)
    with refused(INVALID):
        table.query(**_ask("gsi"), Select="ALL_ATTRIBUTES")
    with refused(INVALID):
        table.query(**_ask("gsi"), ProjectionExpression="y")


def test_all_attributes_of_a_whole_global_index(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    table.put(**BASE)
    assert everything(table.query, **_ask("gsi"), Select="ALL_ATTRIBUTES") == [BASE]


@pytest.mark.parametrize("which", ["gsi", "lsi"])
def test_an_index_holds_only_items_with_its_keys(make_table: MakeTable, which: str) -> None:
    table = _make(make_table, which)
    table.put(**BASE)
    table.put(pk="a", sk=2, state="NEW")
    table.put(pk="a", sk=3)
    assert [found["sk"] for found in everything(table.query, **_ask(which))] == [1]
    assert [found["sk"] for found in everything(table.scan, IndexName="by_at")] == [1]
    assert table.scan(IndexName="by_at")["ScannedCount"] == 1


@pytest.mark.parametrize("which", ["gsi", "lsi"])
def test_an_item_enters_moves_in_and_leaves_an_index(make_table: MakeTable, which: str) -> None:
    table = _make(make_table, which)

    def held() -> list[Any]:
        return [found["at"] for found in everything(table.query, **_ask(which))]

    def update(expression: str, **values: object) -> None:
        table.update_item(
            Key=item(pk="a", sk=1), UpdateExpression=expression, **given({"#a": "at"}, **values)
        )

    table.put(pk="a", sk=1, state="NEW")
    assert held() == []
    update("SET #a = :v", v=3)
    assert held() == [3]
    update("SET #a = :v", v=-3)
    assert held() == [-3]
    update("REMOVE #a")
    assert held() == []
    table.put(**BASE)
    assert held() == [5]
    table.delete_item(Key=item(pk="a", sk=1))
    assert held() == []


def test_a_put_that_replaces_an_item_replaces_it_in_the_index(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    table.put(**BASE)
    table.put(**{**BASE, "state": "OLD"})
    assert everything(table.query, **_ask("gsi")) == []
    table.put(pk="a", sk=1, state="NEW", at=5)
    assert everything(table.query, **_ask("gsi")) == [{"pk": "a", "sk": 1, "state": "NEW", "at": 5}]


@pytest.mark.parametrize("which", ["gsi", "lsi"])
def test_items_with_the_same_index_key_are_all_there(make_table: MakeTable, which: str) -> None:
    table = _make(make_table, which)
    table.fill({"pk": "a", "sk": n, "state": "NEW", "at": 1} for n in range(8))
    found = everything(table.query, **_ask(which))
    assert sorted(each["sk"] for each in found) == list(range(8))


def test_one_partition_of_a_global_index_spans_partitions_of_the_table(
    make_table: MakeTable,
) -> None:
    table = _make(make_table, "gsi")
    table.fill({"pk": f"p{n}", "sk": n, "state": "NEW", "at": -n} for n in range(5))
    table.put(pk="p9", sk=9, state="OLD", at=9)
    found = everything(table.query, **_ask("gsi"))
    assert [each["pk"] for each in found] == ["p4", "p3", "p2", "p1", "p0"]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("at = :v", {"v": 2}, [2]),
        ("at < :v", {"v": 2}, [0, 1]),
        ("at >= :v", {"v": 3}, [3, 4]),
        ("at BETWEEN :v AND :w", {"v": 1, "w": 3}, [1, 2, 3]),
    ],
)
@pytest.mark.parametrize("which", ["gsi", "lsi"])
def test_key_conditions_work_on_an_index(
    make_table: MakeTable, which: str, condition: str, values: dict[str, Any], expected: list[int]
) -> None:
    table = _make(make_table, which)
    table.fill({"pk": "a", "sk": n, "state": "NEW", "at": 4 - n} for n in range(5))
    ask = _ask(which)
    page = table.query(
        IndexName="by_at",
        KeyConditionExpression=f"#h = :h AND #a{condition[2:]}",
        ExpressionAttributeNames=ask["ExpressionAttributeNames"] | {"#a": "at"},
        ExpressionAttributeValues=ask["ExpressionAttributeValues"]
        | given(**values)["ExpressionAttributeValues"],
    )
    assert [plain(found)["at"] for found in page["Items"]] == expected


def test_an_index_may_be_filtered_by_the_keys_of_the_table(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    table.fill({"pk": f"p{n}", "sk": n, "state": "NEW", "at": n} for n in range(4))
    ask = _ask("gsi")
    ask["ExpressionAttributeValues"] |= item({":n": 2})
    found = everything(table.query, **ask, FilterExpression="sk >= :n")
    assert [each["sk"] for each in found] == [2, 3]


def test_an_index_is_not_filtered_by_its_own_keys(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    ask = _ask("gsi")
    ask["ExpressionAttributeValues"] |= item({":n": 2})
    ask["ExpressionAttributeNames"] |= {"#a": "at"}
    with refused(INVALID, match="key attribute"):
        table.query(**ask, FilterExpression="#a >= :n")


def test_only_local_indexes_read_consistently(make_table: MakeTable) -> None:
    table = _make(make_table, "lsi")
    table.put(**BASE)
    assert everything(table.query, **_ask("lsi"), ConsistentRead=True) == [BASE]
    assert everything(table.scan, IndexName="by_at", ConsistentRead=True) == [BASE]
    other = _make(make_table, "gsi")
    for method, members in (("query", _ask("gsi")), ("scan", {"IndexName": "by_at"})):
        with refused(INVALID, match="(?i)consistent reads are not supported"):
            getattr(other, method)(**members, ConsistentRead=True)


def test_an_index_that_is_not_there_is_refused(make_table: MakeTable) -> None:
    table = make_table()
    missing = "does not have the specified index"
    with refused(INVALID, match=missing):
        table.scan(IndexName="absent")
    with refused(INVALID, match=missing):
        table.query(IndexName="absent", KeyConditionExpression="pk = :p", **given(p="a"))


def test_a_query_of_an_index_needs_the_key_of_the_index(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    with refused(INVALID):
        table.query(IndexName="by_at", KeyConditionExpression="pk = :p", **given(p="a"))


def test_the_key_to_go_on_from_must_be_of_the_index(make_table: MakeTable) -> None:
    table = _make(make_table, "gsi")
    with refused(INVALID):
        table.query(**_ask("gsi"), ExclusiveStartKey=item(pk="a", sk=1))


def test_an_index_may_have_a_number_or_binary_partition(make_table: MakeTable) -> None:
    table = make_table(
        "pk:S", gsi=[Index("by_n", "n:N"), Index("by_b", "b:B pk:S"), Index("by_pk", "pk:S n:N")]
    )
    table.put(pk="a", n=1, b=b"\xff")
    table.put(pk="b", n=1, b=b"\xfe")
    for name, key, value, expected in (
        ("by_n", "n", 1, ["a", "b"]),
        ("by_b", "b", b"\xff", ["a"]),
        ("by_pk", "pk", "b", ["b"]),
    ):
        found = everything(
            table.query,
            IndexName=name,
            KeyConditionExpression="#k = :k",
            **given({"#k": key}, k=value),
        )
        assert sorted(each["pk"] for each in found) == expected
