"""TagResource, UntagResource and ListTagsOfResource; what infrastructure tools ask beside them.

Sources: AWS's API reference (limits, idempotence), and dynalite for the texts, whose authors
recorded them.
"""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .tables import MakeTable, table_request, unique_name

MISSING = "ResourceNotFoundException"


def _tags(client: Any, arn: str) -> dict[str, str]:
    listed = client.list_tags_of_resource(ResourceArn=arn)["Tags"]
    return {tag["Key"]: tag["Value"] for tag in listed}


def _given(**tags: str) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def _arn(client: Any, make_table: MakeTable) -> str:
    arn: str = client.describe_table(TableName=make_table().name)["Table"]["TableArn"]
    return arn


def test_tags_are_added_changed_and_removed(client: Any, make_table: MakeTable) -> None:
    arn = _arn(client, make_table)
    assert _tags(client, arn) == {}
    client.tag_resource(ResourceArn=arn, Tags=_given(team="data", stage="test"))
    client.tag_resource(ResourceArn=arn, Tags=_given(stage="production", empty=""))
    assert _tags(client, arn) == {"team": "data", "stage": "production", "empty": ""}
    client.untag_resource(ResourceArn=arn, TagKeys=["stage", "not there"])
    assert _tags(client, arn) == {"team": "data", "empty": ""}


def test_a_table_can_be_created_with_tags(client: Any) -> None:
    name = unique_name("tagged")
    created = client.create_table(TableName=name, **table_request(Tags=_given(team="data")))
    assert _tags(client, created["TableDescription"]["TableArn"]) == {"team": "data"}
    client.delete_table(TableName=name)


def test_tags_survive_a_change_of_the_table_and_not_its_end(
    client: Any, make_table: MakeTable
) -> None:
    table = make_table()
    arn = client.describe_table(TableName=table.name)["Table"]["TableArn"]
    client.tag_resource(ResourceArn=arn, Tags=_given(team="data"))
    client.update_table(TableName=table.name, DeletionProtectionEnabled=False)
    assert _tags(client, arn) == {"team": "data"}
    client.delete_table(TableName=table.name)
    with refused(MISSING, match="ResourcArn"):
        client.list_tags_of_resource(ResourceArn=arn)


@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("tag_resource", {"Tags": _given(team="data")}),
        ("untag_resource", {"TagKeys": ["team"]}),
        ("list_tags_of_resource", {}),
    ],
)
def test_only_a_table_of_an_arn_has_tags(
    client: Any, make_table: MakeTable, method: str, members: dict[str, Any]
) -> None:
    call = getattr(client, method)
    with refused(INVALID, match="Invalid TableArn: Invalid ResourceArn provided as input a:b"):
        call(ResourceArn="a:b:c:d:e:f/g", **members)
    arn = _arn(client, make_table)
    with refused(MISSING):
        call(ResourceArn=arn + "x", **members)


def test_nothing_is_no_tag(client: Any, make_table: MakeTable) -> None:
    arn = _arn(client, make_table)
    with refused(INVALID, match="Atleast one Tag needs to be provided as Input"):
        client.tag_resource(ResourceArn=arn, Tags=[])
    with refused(INVALID, match="Atleast one Tag Key needs to be provided as Input"):
        client.untag_resource(ResourceArn=arn, TagKeys=[])


@pytest.mark.parametrize(
    ("key", "value"), [("", "a"), ("k" * 129, "a"), ("k", "v" * 257), ("aws:k", "a")]
)
def test_a_tag_has_limits(client: Any, make_table: MakeTable, key: str, value: str) -> None:
    arn = _arn(client, make_table)
    with refused(INVALID):
        client.tag_resource(ResourceArn=arn, Tags=[{"Key": key, "Value": value}])
    assert _tags(client, arn) == {}


def test_a_table_has_at_most_fifty_tags(client: Any, make_table: MakeTable) -> None:
    arn = _arn(client, make_table)
    client.tag_resource(ResourceArn=arn, Tags=_given(**{f"k{n}": "v" for n in range(50)}))
    with refused(INVALID):
        client.tag_resource(ResourceArn=arn, Tags=_given(more="v"))
    client.tag_resource(ResourceArn=arn, Tags=_given(k0="w"))
    assert (len(_tags(client, arn)), _tags(client, arn)["k0"]) == (50, "w")


def test_the_limits_of_an_account_are_those_of_aws(client: Any) -> None:
    limits = client.describe_limits()
    assert limits["AccountMaxReadCapacityUnits"] == limits["AccountMaxWriteCapacityUnits"] == 80_000
    assert limits["TableMaxReadCapacityUnits"] == limits["TableMaxWriteCapacityUnits"] == 40_000


def test_an_endpoint_is_never_one_of_aws(client: Any) -> None:
    (endpoint,) = client.describe_endpoints()["Endpoints"]
    assert endpoint["Address"].partition(":")[0] in {"localhost", "127.0.0.1"}
    assert endpoint["CachePeriodInMinutes"] > 0


def test_point_in_time_recovery_is_disabled(client: Any, make_table: MakeTable) -> None:
    answer = client.describe_continuous_backups(TableName=make_table().name)
    backups = answer["ContinuousBackupsDescription"]
    assert backups["ContinuousBackupsStatus"] == "ENABLED"
    recovery = backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
    assert recovery == "DISABLED"
    with refused("TableNotFoundException"):
        client.describe_continuous_backups(TableName=unique_name())
