from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given
from .tables import Index, MakeTable, Table, everything

THROUGHPUT = {"ReadCapacityUnits": 3, "WriteCapacityUnits": 2}
BY_STATE = Index("by_state", "state:S at:N")


def _create(index: Index, kinds: str) -> dict[str, Any]:
    """An UpdateTable request that adds an index; ``kinds`` defines its key attributes."""
    definitions = [part.split(":") for part in kinds.split()]
    return {
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in definitions
        ],
        "GlobalSecondaryIndexUpdates": [{"Create": index.request()}],
    }


def _delete(name: str) -> dict[str, Any]:
    return {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": name}}]}


def _add(table: Table, index: Index = BY_STATE) -> None:
    table.update_table(**_create(index, index.key))
    table.settle()


def _in_state(table: Table, state: str) -> list[dict[str, Any]]:
    return everything(
        table.query,
        IndexName="by_state",
        KeyConditionExpression="#s = :s",
        **given({"#s": "state"}, s=state),
    )


def test_billing_changes_both_ways(make_table: MakeTable) -> None:
    table = make_table()
    table.update_table(BillingMode="PROVISIONED", ProvisionedThroughput=THROUGHPUT)
    description = table.settle()
    assert description.get("BillingModeSummary", {}).get("BillingMode") in {None, "PROVISIONED"}
    assert description["ProvisionedThroughput"]["ReadCapacityUnits"] == 3
    table.update_table(BillingMode="PAY_PER_REQUEST")
    description = table.settle()
    assert description["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert description["ProvisionedThroughput"]["WriteCapacityUnits"] == 0
    since = description["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"]
    assert since >= description["CreationDateTime"]


def test_throughput_changes(make_table: MakeTable) -> None:
    table = make_table(BillingMode="PROVISIONED", ProvisionedThroughput=THROUGHPUT)
    more = {"ReadCapacityUnits": 4, "WriteCapacityUnits": 4}
    answer = table.update_table(ProvisionedThroughput=more)
    assert answer["TableDescription"]["TableName"] == table.name
    throughput = table.settle()["ProvisionedThroughput"]
    assert {name: throughput[name] for name in more} == more


def test_the_throughput_of_an_index_changes(make_table: MakeTable) -> None:
    index = BY_STATE.request() | {"ProvisionedThroughput": THROUGHPUT}
    table = make_table(
        gsi=[BY_STATE],
        BillingMode="PROVISIONED",
        ProvisionedThroughput=THROUGHPUT,
        GlobalSecondaryIndexes=[index],
    )
    more = {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8}
    change = {"Update": {"IndexName": "by_state", "ProvisionedThroughput": more}}
    table.update_table(GlobalSecondaryIndexUpdates=[change])
    (described,) = table.settle()["GlobalSecondaryIndexes"]
    throughput = described["ProvisionedThroughput"]
    assert {name: throughput[name] for name in more} == more


def test_a_new_index_holds_the_items_that_were_there(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    table.fill({"pk": f"k{n:02}", "state": "NEW" if n % 2 else "OLD", "at": -n} for n in range(40))
    _add(table)
    assert [found["pk"] for found in _in_state(table, "OLD")] == [
        f"k{n:02}" for n in reversed(range(0, 40, 2))
    ]
    table.put(pk="later", state="NEW", at=5)
    assert _in_state(table, "NEW")[-1] == {"pk": "later", "state": "NEW", "at": 5}


def test_a_new_index_of_a_large_table_holds_all_of_it(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    table.fill({"pk": n, "state": "NEW", "at": n} for n in range(1050))
    _add(table)
    assert [found["at"] for found in _in_state(table, "NEW")] == list(range(1050))


def test_indexes_come_and_go_without_touching_each_other(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    table.put(pk="a", state="NEW", at=1, x="x", y="y")
    _add(table, Index("by_x", "x:S"))
    table.update_table(**_delete("by_state"))
    table.settle()
    _add(table, Index("by_y", "y:S"))
    table.put(pk="b", state="NEW", at=1, x="x", y="other")
    assert len(everything(table.scan, IndexName="by_x")) == 2
    for name, value, expected in (("x", "x", ["a", "b"]), ("y", "y", ["a"])):
        found = everything(
            table.query,
            IndexName=f"by_{name}",
            KeyConditionExpression=f"{name} = :v",
            **given(v=value),
        )
        assert sorted(each["pk"] for each in found) == expected


def test_backfill_passes_over_items_that_do_not_fit_the_index(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    table.put(pk="fits", state="NEW", at=1)
    table.put(pk="no state", at=1)
    table.put(pk="no at", state="NEW")
    table.put(pk="at is text", state="NEW", at="1")
    table.put(pk="state is a number", state=1, at=1)
    _add(table)
    assert [found["pk"] for found in _in_state(table, "NEW")] == ["fits"]
    assert len(everything(table.scan)) == 5


def test_a_new_index_is_described(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    answer = table.update_table(**_create(BY_STATE, "state:S at:N"))
    (creating,) = answer["TableDescription"]["GlobalSecondaryIndexes"]
    assert creating["IndexStatus"] in {"CREATING", "ACTIVE"}
    description = table.settle()
    (described,) = description["GlobalSecondaryIndexes"]
    assert described["IndexName"] == "by_state"
    assert described["Projection"] == {"ProjectionType": "ALL"}
    defined = {a["AttributeName"] for a in description["AttributeDefinitions"]}
    assert defined == {"pk", "state", "at"}


def test_a_new_index_checks_the_keys_of_later_writes(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    table.put(pk="a", state=1)
    _add(table)
    with refused(INVALID):
        table.put(pk="b", state=1)


def test_a_deleted_index_is_gone_and_its_items_stay(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    table.put(pk="a", state="NEW", at=1)
    table.update_table(**_delete("by_state"))
    description = table.settle()
    assert "GlobalSecondaryIndexes" not in description
    with refused(INVALID, match="does not have the specified index"):
        _in_state(table, "NEW")
    assert table.get(pk="a") == {"pk": "a", "state": "NEW", "at": 1}
    table.put(pk="b", state=1)


def test_one_index_may_be_deleted_and_made_again_otherwise(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    table.put(pk="a", state="NEW", at=1)
    table.update_table(**_delete("by_state"))
    table.settle()
    _add(table, Index("by_state", "state:S", "KEYS_ONLY"))
    assert _in_state(table, "NEW") == [{"pk": "a", "state": "NEW"}]


def test_an_index_that_is_there_is_not_created_again(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    with refused(INVALID):
        table.update_table(**_create(BY_STATE, "state:S at:N"))


def test_an_attribute_is_not_given_another_type(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    with refused(INVALID):
        table.update_table(**_create(Index("by_at", "at:S"), "at:S"))


def test_an_index_that_is_not_there_is_not_deleted(make_table: MakeTable) -> None:
    with refused("ResourceNotFoundException"):
        make_table("pk:S").update_table(**_delete("by_state"))


def test_only_one_index_is_created_at_a_time(make_table: MakeTable) -> None:
    request = _create(BY_STATE, "state:S at:N")
    request["GlobalSecondaryIndexUpdates"].append({"Create": Index("by_at", "at:N").request()})
    with refused("LimitExceededException"):
        make_table("pk:S").update_table(**request)


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param({}, id="nothing to change"),
        pytest.param({"GlobalSecondaryIndexUpdates": []}, id="an empty list of changes"),
        pytest.param({"GlobalSecondaryIndexUpdates": [{}]}, id="an empty change"),
        pytest.param({"ProvisionedThroughput": THROUGHPUT}, id="throughput on demand"),
        pytest.param({"BillingMode": "PROVISIONED"}, id="provisioned without throughput"),
        pytest.param({"BillingMode": "FREE"}, id="an unknown billing mode"),
        pytest.param(_create(BY_STATE, "state:S"), id="an undefined index key"),
        pytest.param(
            _create(Index("by_state", "state:S", ()), "state:S"), id="no attributes to include"
        ),
        pytest.param(_create(Index("x", "state:S"), "state:S"), id="a short index name"),
        pytest.param(
            {
                "AttributeDefinitions": [{"AttributeName": "state", "AttributeType": "S"}],
                "GlobalSecondaryIndexUpdates": [
                    {
                        "Create": Index("by_state", "state:S").request(),
                        "Delete": {"IndexName": "by_state"},
                    }
                ],
            },
            id="two changes in one entry",
        ),
        pytest.param(
            {"GlobalSecondaryIndexUpdates": [{"Create": Index("by_pk", "pk:S").request()}]},
            id="a key attribute that only the table defines",
        ),
        pytest.param(
            _create(Index("by_state", "state:S", ("a", "b", "a")), "state:S"),
            id="an attribute to include twice",
        ),
        pytest.param(
            _create(Index("by_state", "state:S", ("a" * 256,)), "state:S"),
            id="the name of an attribute to include that is too long",
        ),
    ],
)
def test_a_change_is_refused_for(make_shared_table: MakeTable, request_: dict[str, Any]) -> None:
    with refused(INVALID):
        make_shared_table().update_table(**request_)


def test_throughput_must_differ_from_what_it_is(make_table: MakeTable) -> None:
    table = make_table(BillingMode="PROVISIONED", ProvisionedThroughput=THROUGHPUT)
    with refused(INVALID, match="will not change"):
        table.update_table(ProvisionedThroughput=THROUGHPUT)
