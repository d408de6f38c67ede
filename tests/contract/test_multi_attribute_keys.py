"""Global indexes with several attributes in their partition key or sort key.

The rules are those of AWS's developer guide ("Multi-attribute key schema" and "Multi-attribute keys
pattern"); moto's tests, which are run against AWS, show the same for queries, sorting, pages and
items that lack an attribute. The texts for a wrong KeySchema were recorded on AWS by two projects
independently (a controller for Kubernetes, and alchemy).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, everything, pages, table_request, unique_name

BY_ROUND = Index("by_round", "cup:S region:S / round:S court:N id:S")
IN_REGION = "cup = :cup AND #region = :region"
ROUNDS = ["FINAL", "QUARTER", "SEMI"]
COURTS = [-3, 5, 50, 500]
MATCHES: list[dict[str, Any]] = [
    {"id": f"{cup}-{region}-{turn}-{court}-{n}", "cup": cup, "region": region}
    | {"round": turn, "court": court}
    for cup in ("A", "AE")
    for region in ("EU", "U")
    for turn in ROUNDS
    for court in COURTS
    for n in range(2)
]


@pytest.fixture(scope="module")
def matches(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("id:S", gsi=[BY_ROUND])
    table.fill(MATCHES)
    return table


def _asked(condition: str = "", cup: str = "A", region: str = "EU", **values: Any) -> Any:
    expression = f"{IN_REGION} AND {condition}" if condition else IN_REGION
    return {
        "IndexName": "by_round",
        "KeyConditionExpression": expression,
        **given({"#region": "region"}, cup=cup, region=region, **values),
    }


def _in_order(**where: Any) -> list[dict[str, Any]]:
    found = [each for each in MATCHES if where.items() <= each.items()]
    return sorted(found, key=lambda each: (each["round"], each["court"], each["id"]))


Found = Callable[[dict[str, Any]], bool]
CONDITIONS: dict[str, tuple[dict[str, Any], Found]] = {
    "": ({}, lambda _: True),
    "round = :r": ({"r": "SEMI"}, lambda m: m["round"] == "SEMI"),
    "round > :r": ({"r": "FINAL"}, lambda m: m["round"] > "FINAL"),
    "round >= :r": ({"r": "QUARTER"}, lambda m: m["round"] >= "QUARTER"),
    "round < :r": ({"r": "SEMI"}, lambda m: m["round"] < "SEMI"),
    "round <= :r": ({"r": "QUARTER"}, lambda m: m["round"] <= "QUARTER"),
    "round BETWEEN :a AND :b": ({"a": "G", "b": "SEMI"}, lambda m: "G" <= m["round"] <= "SEMI"),
    "begins_with(round, :r)": ({"r": "QUA"}, lambda m: m["round"] == "QUARTER"),
    "round = :r AND court = :c": (
        {"r": "SEMI", "c": 50},
        lambda m: (m["round"], m["court"]) == ("SEMI", 50),
    ),
    "court > :c AND round = :r": (
        {"r": "SEMI", "c": 5},
        lambda m: m["round"] == "SEMI" and m["court"] > 5,
    ),
    "round = :r AND court <= :c": (
        {"r": "SEMI", "c": 5},
        lambda m: m["round"] == "SEMI" and m["court"] <= 5,
    ),
    "round = :r AND court BETWEEN :a AND :b": (
        {"r": "FINAL", "a": -3, "b": 50},
        lambda m: m["round"] == "FINAL" and -3 <= m["court"] <= 50,
    ),
    "round = :r AND court = :c AND begins_with(id, :i)": (
        {"r": "FINAL", "c": 5, "i": "A-EU"},
        lambda m: (m["round"], m["court"]) == ("FINAL", 5),
    ),
    "round = :r AND court = :c AND id = :i": (
        {"r": "FINAL", "c": 5, "i": "A-EU-FINAL-5-1"},
        lambda m: m["id"] == "A-EU-FINAL-5-1",
    ),
    "round = :r AND court = :c AND id > :i": (
        {"r": "FINAL", "c": 5, "i": "A-EU-FINAL-5-0"},
        lambda m: m["id"] == "A-EU-FINAL-5-1",
    ),
}


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("limit", [100, 3])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_query_uses_the_sort_key_from_the_left(
    matches: Table, condition: str, limit: int, forward: bool
) -> None:
    values, fits = CONDITIONS[condition]
    request = _asked(condition, **values) | {"Limit": limit, "ScanIndexForward": forward}
    expected = [each for each in _in_order(cup="A", region="EU") if fits(each)]
    assert expected
    found = everything(matches.query, **request)
    assert found == (expected if forward else expected[::-1])


def test_partition_keys_are_told_apart_by_each_attribute(matches: Table) -> None:
    # "A" + "EU" and "AE" + "U" are the same text.
    found = everything(matches.query, **_asked(cup="AE", region="U"))
    assert found == _in_order(cup="AE", region="U")
    assert everything(matches.query, **_asked(cup="AEU", region="EU")) == []


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("cup = :cup", {}),
        ("cup = :cup AND round = :r", {"r": "SEMI"}),
        ("cup = :cup AND #region > :region", {}),
        ("cup = :cup AND begins_with(#region, :region)", {}),
        (f"{IN_REGION} AND court = :c", {"c": 5}),
        (f"{IN_REGION} AND round = :r AND id = :i", {"r": "SEMI", "i": "x"}),
        (f"{IN_REGION} AND round > :r AND court = :c", {"r": "SEMI", "c": 5}),
        (f"{IN_REGION} AND begins_with(round, :r) AND court > :c", {"r": "S", "c": 5}),
        (f"{IN_REGION} AND round = :r AND other = :o", {"r": "SEMI", "o": "x"}),
        (f"{IN_REGION} AND court = :c AND round = :c", {"c": 5}),
    ],
    ids=[
        "half of the partition key",
        "half of it and a sort key",
        "a range of the partition key",
        "a prefix of the partition key",
        "the first is skipped",
        "the second is skipped",
        "a range before the last",
        "a prefix before the last",
        "not a key",
        "another type",
    ],
)
def test_other_key_conditions_are_refused(
    matches: Table, condition: str, values: dict[str, Any]
) -> None:
    named = {"#region": "region"} if "#region" in condition else {}
    values = {"cup": "A", "region": "EU", **values}
    members = given(named, **{name: v for name, v in values.items() if f":{name}" in condition})
    with refused(INVALID):
        matches.query(IndexName="by_round", KeyConditionExpression=condition, **members)


def test_a_key_that_is_missing_is_named(matches: Table) -> None:
    with refused(INVALID, match="missed key schema element: round"):
        matches.query(**_asked("court = :c", c=5))


def test_a_filter_cannot_be_on_any_of_the_key_attributes(matches: Table) -> None:
    for name in ("cup", "round", "court"):
        with refused(INVALID, match="non-primary key attributes"):
            matches.query(**_asked(), FilterExpression=f"{name} <> :cup")


@pytest.mark.parametrize("limit", [1, 7])
def test_a_page_ends_with_all_key_attributes(matches: Table, limit: int) -> None:
    answers = list(pages(matches.query, **_asked(), Limit=limit))
    names = {"id", "cup", "region", "round", "court"}
    keys = [answer["LastEvaluatedKey"] for answer in answers if "LastEvaluatedKey" in answer]
    assert keys
    assert all(key.keys() == names for key in keys)
    found = [plain(each) for answer in answers for each in answer["Items"]]
    assert found == _in_order(cup="A", region="EU")


def test_a_start_key_needs_all_attributes(matches: Table) -> None:
    start = item(id="x", cup="A", region="EU", round="SEMI", court=5)
    matches.query(**_asked(), ExclusiveStartKey=start)
    for name in start:
        with refused(INVALID, match="starting key is invalid"):
            some = {key: value for key, value in start.items() if key != name}
            matches.query(**_asked(), ExclusiveStartKey=some)
    with refused(INVALID, match="does not match the schema"):
        matches.query(**_asked(), ExclusiveStartKey=start | item(court="5"))
    with refused(INVALID, match="outside query boundaries"):
        matches.query(**_asked(), ExclusiveStartKey=start | item(region="U"))
    with refused(INVALID, match="range key predicate"):
        matches.query(**_asked("round = :r", r="FINAL"), ExclusiveStartKey=start)


@pytest.mark.parametrize("total", [1, 3])
def test_a_scan_finds_every_item_once(matches: Table, total: int) -> None:
    found = [
        each["id"]
        for segment in range(total)
        for each in everything(
            matches.scan, IndexName="by_round", Limit=5, Segment=segment, TotalSegments=total
        )
    ]
    assert sorted(found) == sorted(each["id"] for each in MATCHES)


def test_an_index_may_have_four_attributes_in_each_part(make_table: MakeTable) -> None:
    index = Index("wide", "a:S b:N c:B d:S / e:N f:S g:B h:N", "KEYS_ONLY")
    table = make_table("pk:S", gsi=[index])
    (described,) = table.settle()["GlobalSecondaryIndexes"]
    assert described["KeySchema"] == index.request()["KeySchema"]
    held = {"a": "a", "b": 2, "c": b"\0", "d": "d", "e": -1, "f": "\0", "g": b"\xff", "h": 0}
    table.put(pk="p", **held, more="x")
    condition = "a = :a AND b = :b AND c = :c AND d = :d AND e = :e AND f = :f AND g = :g"
    request = {
        "IndexName": "wide",
        "KeyConditionExpression": f"{condition} AND h >= :h",
        **given(**held),
    }
    assert everything(table.query, **request) == [{"pk": "p", **held}]
    table.put(pk="p", **held | {"h": -1})
    assert everything(table.query, **request) == []


def test_a_partition_key_of_several_attributes_needs_no_sort_key(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("by_day", "year:N month:N /")])
    table.put(pk="b", year=2026, month=1)
    table.put(pk="a", year=2026, month=1)
    table.put(pk="c", year=2026, month=2)
    request = {
        "IndexName": "by_day",
        "KeyConditionExpression": "#y = :y AND #m = :m",
        **given({"#y": "year", "#m": "month"}, y=2026, m=1),
    }
    assert sorted(each["pk"] for each in everything(table.query, **request)) == ["a", "b"]
    with refused(INVALID):
        table.query(**request | {"KeyConditionExpression": "#y = :y AND #m > :m"})


def test_an_item_that_lacks_one_attribute_is_not_in_the_index(make_table: MakeTable) -> None:
    table = make_table("id:S", gsi=[BY_ROUND])
    whole = {"id": "1", "cup": "A", "region": "EU", "round": "SEMI", "court": 1}
    table.put(**whole)
    for name in ("cup", "region", "round", "court"):
        table.put(**{key: v for key, v in whole.items() if key != name} | {"id": f"no {name}"})
    assert everything(table.scan, IndexName="by_round") == [whole]
    table.update_item(Key=item(id="1"), UpdateExpression="REMOVE court")
    assert everything(table.scan, IndexName="by_round") == []
    table.update_item(
        Key=item(id="no round"), UpdateExpression="SET round = :r", **given(r="FINAL")
    )
    assert [each["id"] for each in everything(table.query, **_asked())] == ["no round"]


@pytest.mark.parametrize("wrong", [{"region": 1}, {"court": "1"}, {"round": ""}, {"cup": None}])
def test_a_value_that_cannot_be_in_a_key_is_refused(
    matches: Table, wrong: dict[str, object]
) -> None:
    whole: dict[str, object] = {"cup": "A", "region": "X", "round": "SEMI", "court": 1}
    with refused(INVALID):
        matches.put(id="wrong", **whole | wrong)
    with refused(INVALID):
        matches.put(id="wrong", **wrong)


def test_a_changed_attribute_moves_the_entry_for_two_write_units(make_table: MakeTable) -> None:
    table = make_table("id:S", gsi=[BY_ROUND])
    table.put(id="1", cup="A", region="EU", round="SEMI", court=1, score=0)

    def units(expression: str, **value: object) -> float:
        answer = table.update_item(
            Key=item(id="1"),
            UpdateExpression=expression,
            ReturnConsumedCapacity="INDEXES",
            **given({"#r": "region"} if "#r" in expression else {}, **value),
        )
        indexes = answer["ConsumedCapacity"].get("GlobalSecondaryIndexes", {})
        return float(indexes.get("by_round", {"CapacityUnits": 0})["CapacityUnits"])

    assert units("SET court = :v", v=2) == 2
    assert units("SET #r = :v", v="U") == 2
    assert units("SET score = :v", v=1) == 1
    assert units("SET court = :v", v=2) == 0
    assert units("REMOVE court") == 1


@pytest.mark.parametrize("project", ["KEYS_ONLY", ("score",)], ids=["keys", "some"])
def test_a_projection_holds_all_key_attributes(make_table: MakeTable, project: Any) -> None:
    table = make_table("pk:S id:S", gsi=[Index("by_round", BY_ROUND.key, project)])
    keys = {"pk": "p", "id": "1", "cup": "A", "region": "EU", "round": "SEMI", "court": 1}
    table.put(**keys, score=3, other="x")
    expected = keys if project == "KEYS_ONLY" else {**keys, "score": 3}
    assert everything(table.query, **_asked()) == [expected]
    with refused(INVALID):
        table.query(**_asked(), ProjectionExpression="other")


def test_an_index_that_is_added_is_filled(make_table: MakeTable) -> None:
    table = make_table("id:S")
    table.fill(MATCHES)
    table.put(id="none", cup="A")
    request = table_request("id:S", gsi=[BY_ROUND])
    table.update_table(
        AttributeDefinitions=request["AttributeDefinitions"],
        GlobalSecondaryIndexUpdates=[{"Create": BY_ROUND.request()}],
    )
    description = table.settle()
    (described,) = description["GlobalSecondaryIndexes"]
    assert described["KeySchema"] == BY_ROUND.request()["KeySchema"]
    assert len(description["AttributeDefinitions"]) == 5
    assert everything(table.query, **_asked()) == _in_order(cup="A", region="EU")
    table.put(id="new", cup="A", region="EU", round="A", court=0)
    assert everything(table.query, **_asked(), Limit=1)[0]["id"] == "new"
    table.update_table(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_round"}}])
    assert table.settle()["AttributeDefinitions"] == [{"AttributeName": "id", "AttributeType": "S"}]


H, R = "HASH", "RANGE"
WRONG_SCHEMAS: list[tuple[list[tuple[str, str]], str]] = [
    ([(n, H) for n in "abcde"], "exceeds the maximum allowed number of HASH key attributes"),
    (
        [("a", H), *((n, R) for n in "bcdef")],
        "exceeds the maximum allowed number of RANGE key attributes",
    ),
    (
        [("a", H), ("b", R), ("c", H)],
        "All HASH key attributes must precede RANGE key attributes in the KeySchema",
    ),
    ([("a", R), ("b", H), ("c", R)], "The first KeySchemaElement is not a HASH key type"),
    ([("a", H), ("b", H), ("a", R)], "contains multiple key attributes with the same name"),
    ([("a", H), ("a", H)], "contains multiple key attributes with the same name"),
    ([("a", H), ("b", R), ("b", R)], "contains multiple key attributes with the same name"),
]


@pytest.mark.parametrize(("elements", "says"), WRONG_SCHEMAS, ids=repr)
def test_a_wrong_key_schema_of_an_index_is_refused(
    client: Any, make_table: MakeTable, elements: list[tuple[str, str]], says: str
) -> None:
    schema = [{"AttributeName": name, "KeyType": kind} for name, kind in elements]
    index = {"IndexName": "wrong", "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}
    names = sorted({"pk", *(name for name, _ in elements)})
    definitions = [{"AttributeName": name, "AttributeType": "S"} for name in names]
    request = table_request() | {"AttributeDefinitions": definitions}
    with refused(INVALID, match=says):
        client.create_table(TableName=unique_name(), **request, GlobalSecondaryIndexes=[index])
    with refused(INVALID, match=says):
        make_table().update_table(
            AttributeDefinitions=definitions, GlobalSecondaryIndexUpdates=[{"Create": index}]
        )


def test_each_attribute_of_an_index_needs_a_definition(client: Any) -> None:
    request = table_request("pk:S", gsi=[BY_ROUND])
    request["AttributeDefinitions"] = [
        each for each in request["AttributeDefinitions"] if each["AttributeName"] != "court"
    ]
    with refused(INVALID, match="not defined in AttributeDefinitions"):
        client.create_table(TableName=unique_name(), **request)


@pytest.mark.parametrize("key", ["a:S b:S / c:S", "a:S / b:S c:S"])
def test_tables_and_local_indexes_have_one_attribute_in_each_part(client: Any, key: str) -> None:
    limit = "Member must have length less than or equal to 2"
    with refused(INVALID, match=limit):
        client.create_table(TableName=unique_name(), **table_request(key))
    request = table_request("a:S sk:S", lsi=[Index("local", key)])
    with refused(INVALID, match=limit):
        client.create_table(TableName=unique_name(), **request)


def test_the_sizes_of_key_attributes_add_up(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("wide", "a:S b:S / c:S d:S")])
    fitting = {"a": "x" * 1024, "b": "x" * 1024, "c": "x" * 512, "d": "x" * 512}
    table.put(pk="p", **fitting)
    assert len(everything(table.scan, IndexName="wide")) == 1
    for name, value in fitting.items():
        with refused(INVALID):
            table.put(pk="p", **fitting | {name: value + "x"})


few = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
texts = st.text("\0\x01ab\xff", min_size=1, max_size=3)
blobs = st.binary(min_size=1, max_size=3).map(lambda raw: bytes(b % 3 * 127 for b in raw))
numbers = st.integers(-2, 2).map(Decimal)
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.fixture(scope="module")
def by_three(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S", gsi=[Index("by_three", "g:S h:B / s:S b:B n:N")])


@few
@drawn(
    keys=st.lists(st.tuples(texts, blobs, numbers), min_size=1, max_size=12),
    asked=st.tuples(texts, blobs, numbers),
    used=st.integers(0, 3),
    sign=st.sampled_from([*SIGNS, "begins_with"]),
    limit=st.integers(1, 5),
    forward=st.booleans(),
)
def test_any_query_finds_what_it_asks_for_in_order(
    by_three: Table,
    keys: list[tuple[Any, ...]],
    asked: tuple[Any, ...],
    used: int,
    sign: str,
    limit: int,
    forward: bool,
) -> None:
    group = unique_name()
    by_three.fill(
        {"pk": f"{group}{n}", "g": group, "h": b"\0", "s": s, "b": b, "n": number}
        for n, (s, b, number) in enumerate(keys)
    )
    sign = "=" if used == 3 and sign == "begins_with" else sign  # a number begins with nothing
    conditions = ["g = :g", "h = :h", *(f"{name} = :{name}" for name in "sbn"[: used - 1] if used)]
    if used:
        last = "sbn"[used - 1]
        conditions.append(
            f"begins_with({last}, :{last})" if sign == "begins_with" else f"{last} {sign} :{last}"
        )
    request = {
        "IndexName": "by_three",
        "KeyConditionExpression": " AND ".join(conditions),
        "Limit": limit,
        "ScanIndexForward": forward,
        **given(g=group, h=b"\0", **dict(zip("sbn"[:used], asked, strict=False))),
    }

    def fits(key: tuple[Any, ...]) -> bool:
        if not used or key[: used - 1] != asked[: used - 1]:
            return not used
        mine, other = _sortable(key)[used - 1], _sortable(asked)[used - 1]
        return mine.startswith(other) if sign == "begins_with" else SIGNS[sign](mine, other)

    expected = sorted((key for key in keys if fits(key)), key=_sortable, reverse=not forward)
    found = everything(by_three.query, **request)
    assert [(each["s"], each["b"], each["n"]) for each in found] == expected


def _sortable(key: tuple[Any, ...]) -> tuple[Any, ...]:
    text, blob, number = key
    return text.encode(), blob, number
