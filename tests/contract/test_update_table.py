"""UpdateTable: billing, protection, indexes.

The texts of refusals, and what may not be changed at once, are as ack-api-quirks recorded them on
AWS (findings DDB-TABLE-015, -137, -152, -160, -162, -164, -174, -359, -382 and -442 of October
2026).
"""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given
from .tables import Index, MakeTable, Table, everything, unique_name

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


NOTHING = "^At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSec"
STREAM = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
BY_AT = Index("by_at", "at:N")


def _update(name: str, **members: Any) -> dict[str, Any]:
    return {"GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": name, **members}}]}


def _provisioned(make_table: MakeTable, **members: Any) -> Table:
    """A provisioned table with one global index and one local index."""
    index = BY_STATE.request() | {"ProvisionedThroughput": THROUGHPUT}
    return make_table(
        "pk:S sk:S",
        gsi=[BY_STATE],
        lsi=[Index("by_size", "pk:S size:N")],
        BillingMode="PROVISIONED",
        ProvisionedThroughput=THROUGHPUT,
        GlobalSecondaryIndexes=[index],
        **members,
    )


def test_an_empty_change_is_refused_even_for_a_missing_table(client: Any) -> None:
    definitions = [{"AttributeName": "pk", "AttributeType": "S"}]
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"GlobalSecondaryIndexUpdates": []},
        {"AttributeDefinitions": definitions},
    )
    for members in changes:
        with refused(INVALID, match=f"{NOTHING}.*WarmThroughput or TableClass is required$"):
            client.update_table(TableName=unique_name(), **members)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        pytest.param(
            {"GlobalSecondaryIndexUpdates": [], "DeletionProtectionEnabled": True},
            "List of GlobalSecondaryIndexUpdates is empty$",
            id="an empty list beside a change",
        ),
        pytest.param(
            {"GlobalSecondaryIndexUpdates": [{}]},
            "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
            " GlobalSecondaryIndexUpdate.Delete must not be null$",
            id="an empty entry",
        ),
        pytest.param(
            {
                "GlobalSecondaryIndexUpdates": [
                    {
                        "Update": {"IndexName": "by_state", "ProvisionedThroughput": THROUGHPUT},
                        "Delete": {"IndexName": "by_state"},
                    }
                ]
            },
            "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate"
            " object$",
            id="two actions in one entry",
        ),
        pytest.param(
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "by_state"}}] * 2},
            "Only one global secondary index update per index is allowed simultaneously."
            " Index: by_state$",
            id="one index twice",
        ),
        pytest.param(
            {"GlobalSecondaryIndexUpdates": [{"Create": BY_AT.request()}]},
            "AttributeDefinitions is not specified for index: by_at$",
            id="a new index without definitions",
        ),
        pytest.param(
            _create(BY_STATE, BY_STATE.key),
            "^Attempting to create an index which already exists$",
            id="an index that is there",
        ),
        pytest.param(
            _create(BY_AT, BY_AT.key),
            "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: by_at$",
            id="a new index without throughput",
        ),
        pytest.param(
            _delete("by_size"),
            "^Cannot delete an index that is not a GlobalSecondaryIndex: by_size$",
            id="a local index deleted",
        ),
        pytest.param(
            _update("by_size", ProvisionedThroughput=THROUGHPUT),
            "^Cannot update an index that is not a GlobalSecondaryIndex: by_size$",
            id="a local index updated",
        ),
        pytest.param(
            _update("by_state", ProvisionedThroughput=THROUGHPUT),
            "^The provisioned throughput for the index by_state will not change. The requested"
            " value equals the current value. Current ReadCapacityUnits provisioned for index"
            " by_state: 3. Requested ReadCapacityUnits: 3. Current WriteCapacityUnits",
            id="the throughput that an index has",
        ),
        pytest.param(_update("by_state"), "by_state", id="no throughput for an index"),
        pytest.param(
            {"BillingMode": "PROVISIONED"},
            "ProvisionedThroughput must be specified when BillingMode is PROVISIONED$",
            id="provisioned without throughput",
        ),
        pytest.param(
            {"DeletionProtectionEnabled": False, "BillingMode": "PAY_PER_REQUEST"},
            "DeletionProtection modification must be the only operation in the request$",
            id="protection and billing",
        ),
        pytest.param(
            {"SSESpecification": {"Enabled": True}, "DeletionProtectionEnabled": True},
            "Server-Side Encryption modification must be the only operation in the request$",
            id="encryption and protection",
        ),
        pytest.param(
            {"TableClass": "STANDARD", **_delete("by_state")},
            "TableClass modification must be the only operation in the request$",
            id="class and index",
        ),
        pytest.param(
            {
                "StreamSpecification": STREAM,
                "ProvisionedThroughput": {"ReadCapacityUnits": 9, "WriteCapacityUnits": 9},
            },
            "You cannot modify stream status while updating table IOPS$",
            id="stream and throughput",
        ),
        pytest.param(
            {
                **_delete("by_state"),
                "ProvisionedThroughput": {"ReadCapacityUnits": 9, "WriteCapacityUnits": 9},
            },
            "You cannot create or delete index while updating table IOPS$",
            id="index and throughput",
        ),
        pytest.param(
            {"StreamSpecification": STREAM, **_delete("by_state")},
            "You cannot create or delete index while changing stream status$",
            id="stream and index",
        ),
    ],
)
def test_an_invalid_change_is_refused_with_the_message_of_aws(
    make_table: MakeTable, request_: dict[str, Any], message: str
) -> None:
    table = _provisioned(make_table)
    with refused(INVALID, match=message):
        table.update_table(**request_)
    description = table.settle()
    assert description["DeletionProtectionEnabled"] is False
    assert [index["IndexName"] for index in description["GlobalSecondaryIndexes"]] == ["by_state"]


def test_an_index_on_demand_has_no_throughput(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    rule = (
        "The only Updates for index: by_state when TableThroughputMode is PAY_PER_REQUEST can be to"
    )
    for members in ({}, {"ProvisionedThroughput": THROUGHPUT}):
        with refused(INVALID, match=f"{rule} OnDemandThroughput, WarmThroughput$"):
            table.update_table(**_update("by_state", **members))
    table.update_table(**_update("by_state", OnDemandThroughput={"MaxReadRequestUnits": 5}))
    new = BY_AT.request() | {"ProvisionedThroughput": THROUGHPUT}
    request = _create(BY_AT, BY_AT.key) | {"GlobalSecondaryIndexUpdates": [{"Create": new}]}
    with refused(INVALID, match="nor WriteCapacityUnits can be specified for index: by_at when"):
        table.update_table(**request)


def test_a_table_becomes_provisioned_with_all_its_indexes(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[BY_STATE])
    request = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": THROUGHPUT}
    with refused(INVALID, match="ProvisionedThroughput must be specified for index: by_state$"):
        table.update_table(**request)
    assert table.settle()["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    table.update_table(**request, **_update("by_state", ProvisionedThroughput=THROUGHPUT))
    (described,) = table.settle()["GlobalSecondaryIndexes"]
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 3
