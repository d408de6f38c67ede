"""CreateTable, DescribeTable, DeleteTable, ListTables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import ask, create, index, keys, table
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]

_THROUGHPUT = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
_THREE = "pk:S sk:S g:S"
_GSI = index("gsi", keys("g"))
_RANGE = {"AttributeName": "pk", "KeyType": "RANGE"}


def _with_gsi(*indexes: dict[str, Any], **members: Any) -> dict[str, Any]:
    return table(_THREE, "sk", GlobalSecondaryIndexes=list(indexes), **members)


def _with_lsi(*indexes: dict[str, Any], attributes: str = _THREE) -> dict[str, Any]:
    return table(attributes, "sk", LocalSecondaryIndexes=list(indexes))


def _projected(**projection: Any) -> dict[str, Any]:
    return _with_gsi({**_GSI, "Projection": projection})


_REFUSED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "no name": table(TableName=None),
    "name of two letters": table(TableName="ab"),
    "name with a blank": table(TableName="a b c"),
    "name of 256 letters": table(TableName="a" * 256),
    "no key schema": table(KeySchema=None),
    "no definitions": table(AttributeDefinitions=None),
    "empty key schema": table(KeySchema=[]),
    "three keys": table("pk:S sk:S x:S", KeySchema=[*keys("pk", "sk"), _RANGE]),
    "two hash keys": table("pk:S sk:S", KeySchema=[*keys("pk"), *keys("sk")]),
    "range key first": table("pk:S sk:S", KeySchema=keys("pk", "sk")[::-1]),
    "range key alone": table(KeySchema=[_RANGE]),
    "one attribute as both keys": table("pk:S", "pk"),
    "definition too many": table("pk:S x:S"),
    "definition missing": table("pk:S", "sk"),
    "definition of another name": table("pk:S x:S", "sk"),
    "definition twice": table("pk:S sk:S sk:S", "sk"),
    "definition twice, two types": table("pk:S sk:S sk:N", "sk"),
    "type BOOL": table("pk:BOOL"),
    "unknown key type": table(KeySchema=[{"AttributeName": "pk", "KeyType": "HOSH"}]),
    "unknown billing": table(BillingMode="FREE"),
    "throughput on demand": table(ProvisionedThroughput=_THROUGHPUT),
    "no billing, no throughput": table(BillingMode=None),
    "provisioned without throughput": table(BillingMode="PROVISIONED"),
    "no throughput at all": table(
        BillingMode=None, ProvisionedThroughput={"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}
    ),
    "21 global indexes": _with_gsi(*(index(f"gsi{one}", keys("g")) for one in range(21))),
    "6 local indexes": _with_lsi(*(index(f"lsi{one}", keys("pk", "g")) for one in range(6))),
    "no global indexes": table(GlobalSecondaryIndexes=[]),
    "no local indexes": table(LocalSecondaryIndexes=[]),
    "local index without a range key": _with_lsi(index("lsi", keys("pk")), attributes="pk:S sk:S"),
    "local index of another hash key": _with_lsi(index("lsi", keys("g", "sk"))),
    "local index without the table's range key": table(
        "pk:S sk:S", LocalSecondaryIndexes=[index("lsi", keys("pk", "sk"))]
    ),
    "index name twice": _with_gsi(_GSI, index("gsi", keys("g", "sk"))),
    "index name twice, local and global": _with_gsi(
        _GSI, LocalSecondaryIndexes=[index("gsi", keys("pk", "g"))]
    ),
    "index key without definition": table(GlobalSecondaryIndexes=[_GSI]),
    "one attribute as both index keys": _with_gsi(index("gsi", keys("g", "g"))),
    "index name of two letters": _with_gsi(index("ab", keys("g"))),
    "no projection": _with_gsi({"IndexName": "gsi", "KeySchema": keys("g")}),
    "empty projection": _projected(),
    "INCLUDE of nothing said": _projected(ProjectionType="INCLUDE"),
    "INCLUDE of an empty list": _projected(ProjectionType="INCLUDE", NonKeyAttributes=[]),
    "INCLUDE of 21": _projected(
        ProjectionType="INCLUDE", NonKeyAttributes=[f"a{one}" for one in range(21)]
    ),
    "ALL with attributes": _projected(ProjectionType="ALL", NonKeyAttributes=["a"]),
    "KEYS_ONLY with attributes": _projected(ProjectionType="KEYS_ONLY", NonKeyAttributes=["a"]),
    "unknown projection": _projected(ProjectionType="SOME"),
    "index throughput on demand": _with_gsi({**_GSI, "ProvisionedThroughput": _THROUGHPUT}),
}
_ACCEPTED: dict[str, dict[str, Any]] = {
    "hash key": table(),
    "number key": table("pk:N"),
    "binary keys": table("pk:B sk:B", "sk"),
    "both kinds of index": table(
        "pk:S sk:S g:S l:N",
        "sk",
        GlobalSecondaryIndexes=[index("gsi", keys("g", "sk"), "INCLUDE", "a")],
        LocalSecondaryIndexes=[index("lsi", keys("pk", "l"), "KEYS_ONLY")],
    ),
    "provisioned": table(BillingMode=None, ProvisionedThroughput=_THROUGHPUT),
    "provisioned in words": table(BillingMode="PROVISIONED", ProvisionedThroughput=_THROUGHPUT),
    "provisioned with an index": _with_gsi(
        {**_GSI, "ProvisionedThroughput": _THROUGHPUT},
        BillingMode=None,
        ProvisionedThroughput=_THROUGHPUT,
    ),
    "20 global indexes": _with_gsi(*(index(f"gsi{one}", keys("g")) for one in range(20))),
    "protected": table(DeletionProtectionEnabled=True),
    "index on the table's own keys": table(
        "pk:S sk:S", "sk", GlobalSecondaryIndexes=[index("gsi", keys("sk", "pk"))]
    ),
}


def scenarios() -> Iterator[Scenario]:
    """Tables that are refused, tables that are made, and what is said of them."""
    refused = (Step("CreateTable", request, name) for name, request in _REFUSED.items())
    yield from each("no table", [], refused)
    for name, request in _ACCEPTED.items():
        described = ask("DescribeTable", "described")
        yield from together(
            f"table: {name}", [], [Step("CreateTable", request, "created"), described]
        )
    yield from each("table in use", [create()], [create()])
    yield from together("table deleted", [create()], _deletion())
    yield from together("table protected", [create(DeletionProtectionEnabled=True)], _protection())
    yield from together("tables listed", _several(), _listings())
    yield from each("tables listed wrongly", [], _wrong_listings())


def _deletion() -> list[Step]:
    return [ask("DeleteTable"), ask("DescribeTable"), ask("DeleteTable"), create()]


def _protection() -> list[Step]:
    unprotect = ask("UpdateTable", "unprotect", DeletionProtectionEnabled=False)
    return [ask("DeleteTable", "protected"), unprotect, ask("DeleteTable", "free")]


def _several() -> list[Step]:
    return [create(TableName=name) for name in ("t-b", "t-a", "t.C", "t_d")]


def _listings() -> list[Step]:
    return [
        Step("ListTables", {}, "all"),
        Step("ListTables", {"Limit": 2}, "two"),
        Step("ListTables", {"Limit": 4}, "as many as there are"),
        Step("ListTables", {"ExclusiveStartTableName": "t-a"}, "after one"),
        Step("ListTables", {"ExclusiveStartTableName": "t-aa"}, "after none"),
        Step("ListTables", {"ExclusiveStartTableName": "t_d"}, "after the last"),
    ]


def _wrong_listings() -> list[Step]:
    return [
        Step("ListTables", {"Limit": 0}, "limit 0"),
        Step("ListTables", {"Limit": 101}, "limit 101"),
        Step("ListTables", {"ExclusiveStartTableName": "a"}, "after a name too short"),
    ]
