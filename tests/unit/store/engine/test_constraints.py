"""The constraints of the shapes, beside those in AWS's own model of the service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest

from gotgan.store.engine.members import ListOf, MapOf, Member, Scalar, Structure
from gotgan.store.engine.shapes import SHAPES, STREAM_OPERATIONS

# AWS's servers demand what the model does not say, or look at it in another order.
ELSEWHERE = {
    "ResourceArn": "its absence has a message of its own",
    "Tags": "after the ARN",
    "TagKeys": "after the ARN",
}
UNTYPED = frozenset({"ReplicaUpdates", "SSESpecification", "TableClass", "Tags"})
"""Members that are not looked at, or whose refusals have messages of their own."""


def demanded(member: Member, shape: Any, path: str) -> Iterator[str]:
    """The members that AWS's model demands and ours does not."""
    if isinstance(member, ListOf):
        yield from demanded(member.element, shape.member, path)
    elif isinstance(member, MapOf) and shape.value.name != "AttributeValue":
        yield from demanded(member.element, shape.value, path)
    elif isinstance(member, Structure):
        for name in set(shape.required_members) & member.members.keys():
            named_first = not path and name == "TableName"
            if not (member.members[name].required or name in ELSEWHERE or named_first):
                yield f"{path}.{name}"
        for name, inner in member.members.items():
            if name in shape.members and name not in UNTYPED:
                yield from demanded(inner, shape.members[name], f"{path}.{name}")


def words(member: Member, shape: Any, path: str) -> Iterator[str]:
    """The members of which AWS's model lists the words otherwise than ours."""
    if isinstance(member, Scalar) and shape.metadata.get("enum"):
        listed = [c.rule for c in member.constraints if "enum value set" in c.rule]
        ours = set(listed[0].partition("[")[2].rstrip("]").split(", ")) if listed else set()
        if ours != set(shape.metadata["enum"]):
            yield path
    elif isinstance(member, ListOf):
        yield from words(member.element, shape.member, path)
    elif isinstance(member, MapOf) and shape.value.name != "AttributeValue":
        yield from words(member.element, shape.value, path)
    elif isinstance(member, Structure):
        for name, inner in member.members.items():
            if name in shape.members and name not in UNTYPED:
                yield from words(inner, shape.members[name], f"{path}.{name}")


@pytest.fixture(scope="module")
def inputs() -> dict[str, Any]:
    """What each operation takes, by AWS's models of both services."""
    session = botocore.session.get_session()
    items, streams = map(session.get_service_model, ("dynamodb", "dynamodbstreams"))
    return {
        name: (streams if name in STREAM_OPERATIONS else items).operation_model(name).input_shape
        for name in SHAPES
    }


def test_every_member_that_aws_demands_is_demanded(inputs: dict[str, Any]) -> None:
    for operation, shape in SHAPES.items():
        assert list(demanded(shape, inputs[operation], "")) == [], operation


def test_every_enumeration_has_the_words_of_aws(inputs: dict[str, Any]) -> None:
    for operation, shape in SHAPES.items():
        assert list(words(shape, inputs[operation], "")) == [], operation
