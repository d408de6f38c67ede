"""CreateTable: what a new table is, and what is refused.

The texts of refusals are those that ack-api-quirks recorded on AWS (findings DDB-TABLE-126 to
-129 and -442 of October 2026), and of capacity that is out of bounds, dynalite's and dynoxide's.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from .refusals import INVALID, refused
from .tables import Index, MakeTable, Table, table_request, unique_name

Request = dict[str, Any]

HASH = {"AttributeName": "pk", "KeyType": "HASH"}
RANGE = {"AttributeName": "sk", "KeyType": "RANGE"}
THROUGHPUT = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 2}


def _definitions(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def test_a_new_table_is_described_as_it_was_asked_for(make_table: MakeTable) -> None:
    description = make_table("pk:S sk:N").settle()
    assert description["TableStatus"] == "ACTIVE"
    assert description["KeySchema"] == [HASH, RANGE]
    assert {
        a["AttributeName"]: a["AttributeType"] for a in description["AttributeDefinitions"]
    } == {
        "pk": "S",
        "sk": "N",
    }
    assert description["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    assert description["ItemCount"] == 0
    assert description["TableSizeBytes"] == 0
    assert description["DeletionProtectionEnabled"] is False
    assert "GlobalSecondaryIndexes" not in description
    assert "LocalSecondaryIndexes" not in description


def test_a_new_table_has_an_identity(make_table: MakeTable) -> None:
    table = make_table()
    description = table.settle()
    assert description["TableName"] == table.name
    assert description["TableArn"].startswith("arn:aws:dynamodb:")
    assert description["TableArn"].endswith(f":table/{table.name}")
    assert len(description["TableId"]) == 36
    assert isinstance(description["CreationDateTime"], datetime)


def test_create_answers_with_the_description(client: Any) -> None:
    name = unique_name()
    answer = client.create_table(TableName=name, **table_request())
    table = Table(client, name)
    assert answer["TableDescription"]["TableName"] == name
    assert answer["TableDescription"]["TableStatus"] in {"CREATING", "ACTIVE"}
    table.settle()
    table.delete_table()


def test_a_provisioned_table_keeps_its_throughput(make_table: MakeTable) -> None:
    index = Index("by_state", "state:S").request() | {"ProvisionedThroughput": THROUGHPUT}
    table = make_table(
        AttributeDefinitions=_definitions("pk", "state"),
        BillingMode="PROVISIONED",
        ProvisionedThroughput=THROUGHPUT,
        GlobalSecondaryIndexes=[index],
    )
    description = table.settle()
    (described,) = description["GlobalSecondaryIndexes"]
    for throughput in (description["ProvisionedThroughput"], described["ProvisionedThroughput"]):
        assert throughput["ReadCapacityUnits"] == 3
        assert throughput["WriteCapacityUnits"] == 2
        assert throughput["NumberOfDecreasesToday"] == 0


def test_billing_is_provisioned_unless_said_otherwise(client: Any) -> None:
    request = table_request(ProvisionedThroughput=THROUGHPUT)
    del request["BillingMode"]
    table = Table(client, unique_name())
    table.create_table(**request)
    description = table.settle()
    assert description["ProvisionedThroughput"]["WriteCapacityUnits"] == 2
    assert description.get("BillingModeSummary", {}).get("BillingMode") in {None, "PROVISIONED"}
    table.delete_table()


def test_a_table_keeps_its_class(make_table: MakeTable) -> None:
    description = make_table(TableClass="STANDARD_INFREQUENT_ACCESS").settle()
    assert description["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"


@pytest.mark.parametrize(
    ("project", "projection"),
    [
        ("ALL", {"ProjectionType": "ALL"}),
        ("KEYS_ONLY", {"ProjectionType": "KEYS_ONLY"}),
        (("a", "b"), {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]}),
    ],
)
@pytest.mark.parametrize("kind", ["gsi", "lsi"])
def test_an_index_is_described_with_its_projection(
    make_table: MakeTable, kind: str, project: str, projection: Request
) -> None:
    index = Index("by_at", "pk:S at:N", project)
    table = make_table("pk:S sk:S", **{kind: [index]})
    member = {"gsi": "GlobalSecondaryIndexes", "lsi": "LocalSecondaryIndexes"}[kind]
    (described,) = table.settle()[member]
    assert described["IndexName"] == "by_at"
    assert described["KeySchema"] == index.request()["KeySchema"]
    assert described["Projection"]["ProjectionType"] == projection["ProjectionType"]
    assert set(described["Projection"].get("NonKeyAttributes", [])) == set(
        projection.get("NonKeyAttributes", [])
    )
    assert described["IndexArn"].endswith(f"{table.name}/index/by_at")
    assert described["ItemCount"] == 0
    assert described["IndexSizeBytes"] == 0


def test_a_table_may_have_five_local_and_twenty_global_indexes(make_table: MakeTable) -> None:
    table = make_table(
        "pk:S sk:S",
        lsi=[Index(f"local{n}", f"pk:S l{n}:S") for n in range(5)],
        gsi=[Index(f"global{n}", f"g{n}:S") for n in range(20)],
    )
    description = table.settle()
    assert len(description["LocalSecondaryIndexes"]) == 5
    assert len(description["GlobalSecondaryIndexes"]) == 20
    assert {index["IndexStatus"] for index in description["GlobalSecondaryIndexes"]} == {"ACTIVE"}


def test_vector_indexes_are_refused_by_name(client: Any, make_table: MakeTable) -> None:
    index = {"IndexName": "by_meaning", "Dimensions": 3, "DistanceFunction": "COSINE"}
    with refused(INVALID, match="VectorIndexes"):
        client.create_table(TableName=unique_name(), **table_request(), VectorIndexes=[index])
    with refused(INVALID, match="VectorIndexUpdates"):
        make_table().update_table(VectorIndexUpdates=[{"Create": index}])


def test_a_name_that_is_taken_is_refused(make_table: MakeTable) -> None:
    table = make_table()
    with refused("ResourceInUseException", match="Table already exists"):
        table.create_table(**table_request())


@pytest.mark.parametrize(
    "name", ["abc", "a" * 255, "A-Z_0.9"], ids=["shortest", "longest", "signs"]
)
def test_a_table_name_may_be_3_to_255_plain_characters(client: Any, name: str) -> None:
    table = Table(client, name)
    table.create_table(**table_request())
    table.settle()
    table.delete_table()


@pytest.mark.parametrize("name", ["ab", "", "a" * 256, "with space", "slash/es", "한글표"])
def test_any_other_table_name_is_refused(client: Any, name: str) -> None:
    with refused(INVALID):
        client.create_table(TableName=name, **table_request())


def _without(member: str) -> Callable[[Request], Request]:
    return lambda request: {key: value for key, value in request.items() if key != member}


def _with(**members: object) -> Callable[[Request], Request]:
    return lambda request: request | members


BROKEN_TABLES: dict[str, Callable[[Request], Request]] = {
    "no key schema": _without("KeySchema"),
    "no attribute definitions": _without("AttributeDefinitions"),
    "an empty key schema": _with(KeySchema=[]),
    "two hash keys": _with(KeySchema=[HASH, RANGE | {"KeyType": "HASH"}]),
    "the range key first": _with(KeySchema=[RANGE, HASH]),
    "only a range key": _with(KeySchema=[RANGE]),
    "three keys": _with(KeySchema=[HASH, RANGE, {"AttributeName": "x", "KeyType": "RANGE"}]),
    "one attribute as both keys": _with(KeySchema=[HASH, HASH | {"KeyType": "RANGE"}]),
    "an unknown key type": _with(KeySchema=[HASH, RANGE | {"KeyType": "SORT"}]),
    "an undefined key": _with(AttributeDefinitions=_definitions("pk")),
    "an unused definition": _with(AttributeDefinitions=_definitions("pk", "sk", "x")),
    "a definition twice": _with(AttributeDefinitions=_definitions("pk", "sk", "sk")),
    "a boolean key": _with(
        AttributeDefinitions=[
            *_definitions("pk"),
            {"AttributeName": "sk", "AttributeType": "BOOL"},
        ]
    ),
    "a key without a name": _with(KeySchema=[HASH, {"KeyType": "RANGE"}]),
    "an empty key name": lambda _: table_request(":S"),
    "a key name over 255 bytes": lambda _: table_request(f"{'k' * 256}:S"),
    "an unknown billing mode": _with(BillingMode="FREE"),
    "on demand with throughput": _with(ProvisionedThroughput=THROUGHPUT),
    "provisioned without throughput": _with(BillingMode="PROVISIONED"),
    "no billing at all": _without("BillingMode"),
    "throughput of nothing": _with(
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 0, "WriteCapacityUnits": 1},
    ),
}


@pytest.mark.parametrize("fault", BROKEN_TABLES)
def test_a_table_is_refused_for(client: Any, fault: str) -> None:
    request = BROKEN_TABLES[fault](table_request("pk:S sk:S"))
    with refused(INVALID):
        client.create_table(TableName=unique_name(), **request)


def _projecting(projection: Request) -> Request:
    index = Index("by_at", "pk:S at:S").request() | {"Projection": projection}
    request = table_request("pk:S sk:S", gsi=[Index("by_at", "pk:S at:S")])
    return request | {"GlobalSecondaryIndexes": [index]}


def _one(*, key: str = "pk:S sk:S", **members: Any) -> Request:
    return table_request(key, **members)


AT = Index("by_at", "pk:S at:S")

BROKEN_INDEXES: dict[str, Request] = {
    "no global indexes in the list": _one(GlobalSecondaryIndexes=[]),
    "no local indexes in the list": _one(LocalSecondaryIndexes=[]),
    "a local index without range keys": _one(key="pk:S", lsi=[AT]),
    "a local index with its own hash": _one(lsi=[Index("by_at", "other:S at:S")]),
    "a local index without a range": _one(lsi=[Index("by_pk", "pk:S")]),
    "two global indexes of one name": _one(gsi=[AT, AT]),
    "two local indexes of one name": _one(lsi=[AT, AT]),
    "one name, global and local": _one(gsi=[AT], lsi=[AT]),
    "six local indexes": _one(lsi=[Index(f"local{n}", f"pk:S l{n}:S") for n in range(6)]),
    "twenty-one global indexes": _one(gsi=[Index(f"global{n}", f"g{n}:S") for n in range(21)]),
    "an index name too short": _one(gsi=[Index("by", "at:S")]),
    "an index name with other signs": _one(gsi=[Index("by at; --", "at:S")]),
    "an index name too long": _one(gsi=[Index("b" * 256, "at:S")]),
    "an undefined index key": _one(gsi=[AT], AttributeDefinitions=_definitions("pk", "sk")),
    "an unknown projection": _projecting({"ProjectionType": "SOME"}),
    "no projection type": _projecting({}),
    "included attributes missing": _projecting({"ProjectionType": "INCLUDE"}),
    "included attributes with ALL": _projecting(
        {"ProjectionType": "ALL", "NonKeyAttributes": ["a"]}
    ),
    "included attributes with KEYS_ONLY": _projecting(
        {"ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["a"]}
    ),
    "no included attributes in the list": _projecting(
        {"ProjectionType": "INCLUDE", "NonKeyAttributes": []}
    ),
    "over 100 included attributes": _one(
        gsi=[Index(f"by_{n}", "at:S", tuple(f"a{n}-{m}" for m in range(20))) for n in range(6)]
    ),
}


@pytest.mark.parametrize("fault", BROKEN_INDEXES)
def test_an_index_is_refused_for(client: Any, fault: str) -> None:
    with refused(INVALID):
        client.create_table(TableName=unique_name(), **BROKEN_INDEXES[fault])


def test_a_refused_table_does_not_exist(client: Any) -> None:
    table = Table(client, unique_name())
    with refused(INVALID):
        table.create_table(**BROKEN_INDEXES["two global indexes of one name"])
    with refused("ResourceNotFoundException"):
        table.describe_table()


BILLED: Request = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": THROUGHPUT}
MANY = {"ReadCapacityUnits": 10**12 + 1, "WriteCapacityUnits": 1}


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        pytest.param(
            _one(gsi=[AT], AttributeDefinitions=_definitions("pk", "sk", "at", "x")),
            r"Some AttributeDefinitions are not used. AttributeDefinitions: \[pk, sk, at, x\],"
            r" keys used: \[",
            id="a definition without use",
        ),
        pytest.param(
            _projecting({}) | {"AttributeDefinitions": _definitions("pk", "sk", "at", "x")},
            "Some AttributeDefinitions are not used",
            id="a definition without use, before a projection",
        ),
        pytest.param(
            _projecting({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b", "a"]}),
            "Duplicate element in NonKeyAttributes: a$",
            id="an attribute to include twice",
        ),
        pytest.param(
            _projecting(
                {"ProjectionType": "INCLUDE", "NonKeyAttributes": list("abcdefghijklmnopqrstu")}
            ),
            "nonKeyAttributes' failed to satisfy constraint: Member must have length less than or"
            " equal to 20",
            id="twenty-one attributes to include",
        ),
        pytest.param(
            _one() | {"TableClass": "CHEAP"},
            r"^Invalid table-class parameter provided. Please try again with a valid table-class"
            r" value: \[STANDARD, STANDARD_INFREQUENT_ACCESS\].$",
            id="a class that is not there",
        ),
        pytest.param(
            _one(gsi=[AT]) | BILLED,
            "ProvisionedThroughput is not specified for index: by_at$",
            id="a provisioned table with an index that is not",
        ),
        pytest.param(
            _one() | BILLED | {"ProvisionedThroughput": MANY},
            "^Given value 1000000000001 for ReadCapacityUnits is out of bounds$",
            id="too much capacity",
        ),
    ],
)
def test_an_invalid_table_is_refused_with_the_message_of_aws(
    client: Any, request_: Request, message: str
) -> None:
    with refused(INVALID, match=message):
        client.create_table(TableName=unique_name(), **request_)
