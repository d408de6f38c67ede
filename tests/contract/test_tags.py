"""TagResource, UntagResource, ListTagsOfResource, and other calls of infrastructure tools.

Sources: AWS's API reference (limits, idempotence), and for the texts, dynalite and ack-api-quirks,
whose authors recorded them (findings DDB-TABLE-107, -110, -372 and -442 of October 2026).
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


def test_tags_survive_a_change_of_the_table_but_not_its_deletion(
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
def test_only_the_arn_of_an_existing_table_is_accepted(
    client: Any, make_table: MakeTable, method: str, members: dict[str, Any]
) -> None:
    call = getattr(client, method)
    arn = _arn(client, make_table)
    for other, message in (
        ("a:b:c:d:e:f/g", "ARNs must start with 'arn:': a:b:c:d:e:f/g$"),
        (
            "arn:aws:s3:::folder",
            "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::folder$",
        ),
        (
            f"{arn}/index/by_state",
            "Invalid resource arn provided, only table or stream is accepted",
        ),
        (f"{arn}/nothing", "^Invalid TableArn: Invalid ResourceArn provided as input arn:"),
    ):
        with refused(INVALID, match=message):
            call(ResourceArn=other, **members)
    with refused(MISSING):
        call(ResourceArn=arn + "x", **members)


def test_an_empty_list_of_tags_is_refused(client: Any, make_table: MakeTable) -> None:
    arn = _arn(client, make_table)
    with refused(INVALID, match="Atleast one Tag needs to be provided as Input"):
        client.tag_resource(ResourceArn=arn, Tags=[])
    with refused(INVALID, match="Atleast one Tag Key needs to be provided as Input"):
        client.untag_resource(ResourceArn=arn, TagKeys=[])


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ({"Value": "a"}, "^The Tag Key provided is invalid, Key: null$"),
        ({"Key": "", "Value": "a"}, "^The Tag Key provided is invalid, Key: $"),
        ({"Key": "k" * 129, "Value": "a"}, "^The Tag Key provided is invalid, Key: kkk"),
        ({"Key": "a#b", "Value": "a"}, "^The Tag Key provided is invalid"),
        ({"Key": "k"}, "^The Tag Value provided is invalid, Value: null$"),
        ({"Key": "k", "Value": "v" * 257}, "^The Tag Value provided is invalid, Value: vvv"),
        ({"Key": "k", "Value": "100%"}, "^The Tag Value provided is invalid, Value: "),
        ({"Key": "k", "Value": "🔑"}, "^The Tag Value provided is invalid"),
        ({"Key": "aws:k", "Value": "a"}, "^Tag Key cannot be prefixed with aws:, Key: aws:k$"),
    ],
    ids=["no key", "empty key", "long key", "#", "no value", "long value", "%", "emoji", "aws:"],
)
def test_an_invalid_tag_is_refused(
    client: Any, make_table: MakeTable, tag: dict[str, str], message: str
) -> None:
    arn = _arn(client, make_table)
    with refused(INVALID, match=message):
        client.tag_resource(ResourceArn=arn, Tags=[*_given(good="a"), tag])
    assert _tags(client, arn) == {}
    with refused(INVALID, match=message):
        client.create_table(TableName=unique_name(), **table_request(Tags=[tag]))


def test_a_tag_may_have_letters_digits_spaces_and_a_few_signs(
    client: Any, make_table: MakeTable
) -> None:
    arn = _arn(client, make_table)
    tags = {"ключ": "café 表", "a+b-c=d.e_f:g/h@i": "x\u3000y\u00a0z", "k" * 128: "v" * 256}
    client.tag_resource(ResourceArn=arn, Tags=_given(**tags))
    assert _tags(client, arn) == tags


def test_two_tags_with_the_same_key_are_refused(client: Any, make_table: MakeTable) -> None:
    twice = [{"Key": "a", "Value": "b"}, {"Key": "a", "Value": "c"}]
    message = "^Duplicate Tag Keys provided as input: Duplicate Tag Key found a$"
    with refused(INVALID, match=message):
        client.tag_resource(ResourceArn=_arn(client, make_table), Tags=twice)
    with refused(INVALID, match=message):
        client.create_table(TableName=unique_name(), **table_request(Tags=twice))


def test_a_table_has_at_most_fifty_tags(client: Any, make_table: MakeTable) -> None:
    arn = _arn(client, make_table)
    message = "^Number of Tags exceed the current limit for the provided ResourceArn$"
    client.tag_resource(ResourceArn=arn, Tags=_given(**{f"k{n}": "v" for n in range(50)}))
    with refused(INVALID, match=message):
        client.tag_resource(ResourceArn=arn, Tags=_given(more="v"))
    with refused(INVALID, match=message):
        client.untag_resource(ResourceArn=arn, TagKeys=[f"k{n}" for n in range(51)])
    with refused(INVALID, match="^The Tag Key provided is invalid, Key: $"):
        client.untag_resource(ResourceArn=arn, TagKeys=["k1", ""])
    client.tag_resource(ResourceArn=arn, Tags=_given(k0="w"))
    assert (len(_tags(client, arn)), _tags(client, arn)["k0"]) == (50, "w")


def test_account_limits_are_the_initial_quotas_of_aws(client: Any) -> None:
    limits = client.describe_limits()
    assert limits["AccountMaxReadCapacityUnits"] == limits["AccountMaxWriteCapacityUnits"] == 80_000
    assert limits["TableMaxReadCapacityUnits"] == limits["TableMaxWriteCapacityUnits"] == 40_000


def test_the_endpoint_is_on_this_machine(client: Any) -> None:
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
