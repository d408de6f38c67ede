"""UpdateTable: indexes that come and go, with their contents, billing, and streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import ask, create, definitions, index, keys, n, put, s
from tests.oracle.scenario import ANY_ORDER, Scenario, Step, each, together

__all__ = ["scenarios"]

_THROUGHPUT = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
_SETUP = [
    create("pk:S g:S", GlobalSecondaryIndexes=[index("gsi", keys("g"))]),
    put({"pk": s("a"), "g": s("x"), "h": n(1), "v": s("1")}),
    put({"pk": s("b"), "g": s("x"), "h": n(1), "v": s("2")}),
    put({"pk": s("c"), "h": n(2)}),
    put({"pk": s("d"), "h": s("not a number")}),
]
_PROVISIONED = [create(BillingMode=None, ProvisionedThroughput=_THROUGHPUT)]


def scenarios() -> Iterator[Scenario]:
    """Changes that are made and changes that are refused."""
    yield from together("index made and filled", _SETUP, _made())
    yield from together("index deleted", _SETUP, _deleted())
    yield from each("index change refused", _SETUP, _refused())
    yield from together("billing", _PROVISIONED, _billing())
    yield from each("billing refused", _PROVISIONED, _billing_refused())
    yield from together("stream", [create()], _streamed())
    yield from each("stream refused", [create()], _stream_refused())
    yield from each(
        "change of a missing table", [], [ask("UpdateTable", BillingMode="PROVISIONED")]
    )


def _changed(note: str, *changes: dict[str, Any], attributes: str = "") -> Step:
    members: dict[str, Any] = {"GlobalSecondaryIndexUpdates": list(changes)}
    if attributes:
        members["AttributeDefinitions"] = definitions(attributes)
    return ask("UpdateTable", note, **members)


def _query(name: str, key: str, value: dict[str, Any]) -> Step:
    request = {
        "TableName": "oracle",
        "IndexName": name,
        "KeyConditionExpression": f"{key} = :k",
        "ExpressionAttributeValues": {":k": value},
    }
    return Step("Query", request, f"query of {name}", order=ANY_ORDER)


def _made() -> list[Step]:
    made = {"Create": index("made", keys("h"), "INCLUDE", "v")}
    return [
        _changed("made", made, attributes="pk:S g:S h:N"),
        ask("DescribeTable", "described"),
        _query("made", "h", n(1)),
        put({"pk": s("e"), "h": n(1), "v": s("3"), "w": s("4")}, "put later"),
        _query("made", "h", n(1)),
        put({"pk": s("f"), "h": s("x")}, "put of another type"),
        ask("Scan", "scan of it", IndexName="made"),
    ]


def _deleted() -> list[Step]:
    return [
        _changed("deleted", {"Delete": {"IndexName": "gsi"}}),
        ask("DescribeTable", "described"),
        _query("gsi", "g", s("x")),
        put({"pk": s("z"), "g": n(1)}, "put of another type"),
        _changed("made again", {"Create": index("gsi", keys("g"))}, attributes="pk:S g:S"),
        _query("gsi", "g", s("x")),
    ]


def _refused() -> list[Step]:
    made = {"Create": index("made", keys("h"))}
    other = {"Create": index("other", keys("h"))}
    gone = {"Delete": {"IndexName": "gsi"}}
    return [
        _changed("there already", {"Create": index("gsi", keys("g"))}, attributes="pk:S g:S"),
        _changed("no definition", made),
        _changed("two at once", made, other, attributes="pk:S g:S h:N"),
        _changed("not there", {"Delete": {"IndexName": "nope"}}),
        _changed("made and deleted at once", made, gone, attributes="pk:S g:S h:N"),
        _changed("nothing in it", {}),
        _changed("name of two letters", {"Create": index("ab", keys("g"))}, attributes="g:S"),
        ask("UpdateTable", "nothing"),
        ask("UpdateTable", "throughput on demand", ProvisionedThroughput=_THROUGHPUT),
        _changed("throughput of an index on demand", _throughput("gsi")),
        _changed("throughput of no index", _throughput("nope")),
    ]


def _throughput(name: str) -> dict[str, Any]:
    return {"Update": {"IndexName": name, "ProvisionedThroughput": _THROUGHPUT}}


def _billing() -> list[Step]:
    more = {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8}
    provisioned = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": _THROUGHPUT}
    return [
        ask("UpdateTable", "more", ProvisionedThroughput=more),
        ask("DescribeTable", "more"),
        ask("UpdateTable", "on demand", BillingMode="PAY_PER_REQUEST"),
        ask("DescribeTable", "on demand"),
        ask("UpdateTable", "provisioned", **provisioned),
        ask("DescribeTable", "provisioned"),
    ]


def _billing_refused() -> list[Step]:
    demand = {"BillingMode": "PAY_PER_REQUEST"}
    return [
        ask("UpdateTable", "the same", ProvisionedThroughput=_THROUGHPUT),
        ask("UpdateTable", "on demand with units", ProvisionedThroughput=_THROUGHPUT, **demand),
        ask("UpdateTable", "unknown", BillingMode="FREE"),
        ask("UpdateTable", "half", ProvisionedThroughput={"ReadCapacityUnits": 1}),
    ]


def _stream(note: str, **specification: Any) -> Step:
    return ask("UpdateTable", note, StreamSpecification=specification)


def _streamed() -> list[Step]:
    off = _stream("disabled", StreamEnabled=False)
    described = ask("DescribeTable", "described")
    return [
        _stream("enabled", StreamEnabled=True, StreamViewType="NEW_IMAGE"),
        described,
        _stream("enabled twice", StreamEnabled=True, StreamViewType="NEW_IMAGE"),
        _stream("another view type", StreamEnabled=True, StreamViewType="KEYS_ONLY"),
        _stream("disabled with a view type", StreamEnabled=False, StreamViewType="KEYS_ONLY"),
        off,
        described,
        off,
        _stream("enabled again", StreamEnabled=True, StreamViewType="KEYS_ONLY"),
    ]


def _stream_refused() -> list[Step]:
    return [
        _stream("disabled before it was enabled", StreamEnabled=False),
        _stream("empty"),
        _stream("without a view type", StreamEnabled=True),
        _stream("without StreamEnabled", StreamViewType="NEW_IMAGE"),
        _stream("unknown view type", StreamEnabled=True, StreamViewType="IMAGES"),
    ]
