"""Reading table and index definitions out of requests, with AWS's rules for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.requests import (
    check_length,
    check_name,
    choice,
    constraint,
    required,
)
from gotgan.store.engine.tables import (
    EngineIndex,
    EngineTable,
    IndexKind,
    IndexProjection,
    Throughput,
)

__all__ = [
    "check_index_count",
    "check_projected",
    "read_billing",
    "read_definitions",
    "read_index",
    "read_indexes",
    "read_key_schema",
    "read_throughput",
]

MOST_GLOBAL = 20
MOST_LOCAL = 5
MOST_PROJECTED = 100
MOST_NAME_BYTES = 255
_INVALID = "One or more parameter values were invalid: "
_MEMBERS: dict[IndexKind, str] = {
    "local": "LocalSecondaryIndexes",
    "global": "GlobalSecondaryIndexes",
}


def read_definitions(request: Mapping[str, Any]) -> tuple[KeySchemaElement, ...]:
    """Read AttributeDefinitions: the names and types of all key attributes."""
    given = required(request, "AttributeDefinitions")
    return tuple(_definition(entry, number) for number, entry in enumerate(given, 1))


def _definition(entry: Mapping[str, Any], number: int) -> KeySchemaElement:
    where = f"attributeDefinitions.{number}.member"
    name = entry.get("AttributeName")
    kind = entry.get("AttributeType")
    check_length(f"{where}.attributeName", name, 1, MOST_NAME_BYTES)
    if kind not in {"S", "N", "B"}:
        rule = "Member must satisfy enum value set: [B, N, S]"
        raise constraint(f"{where}.attributeType", kind, rule)
    return KeySchemaElement(str(name), kind)


def read_key_schema(
    given: Sequence[Mapping[str, Any]],
    definitions: Iterable[KeySchemaElement],
    index: str | None = None,
) -> KeySchema:
    """Read a KeySchema: a HASH element, then perhaps a RANGE element, both defined."""
    _check_key_elements(given)
    defined = {attribute.name: attribute for attribute in definitions}
    names = [element["AttributeName"] for element in given]
    undefined = [name for name in names if name not in defined]
    if undefined and index is None:
        raise ValidationException("Invalid KeySchema: Some index key attribute have no definition")
    if undefined:
        raise ValidationException(
            f"{_INVALID}Some index key attributes are not defined in AttributeDefinitions."
            f" Keys: [{', '.join(names)}], AttributeDefinitions: [{', '.join(defined)}]",
        )
    return KeySchema(*(defined[name] for name in names))


def _check_key_elements(given: Sequence[Mapping[str, Any]]) -> None:
    if not given:
        raise constraint("keySchema", "[]", "Member must have length greater than or equal to 1")
    if len(given) > len(("HASH", "RANGE")):
        rule = "Member must have length less than or equal to 2"
        raise constraint("keySchema", _shown(given), rule)
    for number, element in enumerate(given, 1):
        name = element.get("AttributeName")
        check_length(f"keySchema.{number}.member.attributeName", name, 1, MOST_NAME_BYTES)
        kind = element.get("KeyType")
        if kind not in {"HASH", "RANGE"}:
            rule = "Member must satisfy enum value set: [HASH, RANGE]"
            raise constraint(f"keySchema.{number}.member.keyType", kind, rule)
    if given[0]["KeyType"] != "HASH":
        raise ValidationException(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        )
    if len(given) > 1 and given[1]["KeyType"] != "RANGE":
        raise ValidationException(
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        )
    if len(given) > 1 and given[0]["AttributeName"] == given[1]["AttributeName"]:
        raise ValidationException(
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        )


def _shown(given: Sequence[Mapping[str, Any]]) -> str:
    elements = (
        f"KeySchemaElement(attributeName={element.get('AttributeName')},"
        f" keyType={element.get('KeyType')})"
        for element in given
    )
    return f"[{', '.join(elements)}]"


def read_billing(request: Mapping[str, Any]) -> tuple[bool, Throughput]:
    """Read BillingMode and ProvisionedThroughput; per request is (True, no throughput)."""
    mode = choice(
        request,
        "BillingMode",
        ("PROVISIONED", "PAY_PER_REQUEST"),
        default="PROVISIONED",
    )
    given = request.get("ProvisionedThroughput")
    if mode == "PAY_PER_REQUEST":
        if given is not None:
            raise ValidationException(
                f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when"
                " BillingMode is PAY_PER_REQUEST",
            )
        return True, Throughput()
    if given is None:
        raise ValidationException(
            f"{_INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when"
            " BillingMode is PROVISIONED",
        )
    return False, read_throughput(given)


def read_throughput(
    given: Mapping[str, Any],
    where: str = "provisionedThroughput",
) -> Throughput:
    """Read a ProvisionedThroughput: both numbers, at least 1."""
    for member in ("WriteCapacityUnits", "ReadCapacityUnits"):
        value = given.get(member)
        path = f"{where}.{member[0].lower()}{member[1:]}"
        if value is None:
            raise constraint(path, None, "Member must not be null")
        if value < 1:
            raise constraint(path, value, "Member must have value greater than or equal to 1")
    return Throughput(given["ReadCapacityUnits"], given["WriteCapacityUnits"])


def read_indexes(request: Mapping[str, Any], table: EngineTable) -> tuple[EngineIndex, ...]:
    """Read all indexes of a CreateTable request, numbering their slots."""
    indexes: list[EngineIndex] = []
    for kind, member in _MEMBERS.items():
        given = request.get(member)
        if given is None:
            continue
        if not given:
            raise ValidationException(f"{_INVALID}List of {member} is empty")
        check_index_count(kind, len(given))
        for number, entry in enumerate(given, 1):
            where = f"{member[0].lower()}{member[1:]}.{number}.member"
            index = read_index(entry, kind, table, slot=len(indexes) + 1, where=where)
            if any(other.name == index.name for other in indexes):
                raise ValidationException(f"{_INVALID}Duplicate index name: {index.name}")
            indexes.append(index)
    check_projected(indexes)
    return tuple(indexes)


def check_projected(indexes: Iterable[EngineIndex]) -> None:
    """Refuse more included attributes than all indexes of a table may have together."""
    if sum(len(index.projection.attributes) for index in indexes) > MOST_PROJECTED:
        raise ValidationException(
            f"{_INVALID}The number of included attributes over all indexes exceeds the per-table"
            f" limit of {MOST_PROJECTED}",
        )


def check_index_count(kind: IndexKind, count: int) -> None:
    """Refuse more indexes than a table can have."""
    if kind == "global" and count > MOST_GLOBAL:
        raise ValidationException(
            f"{_INVALID}GlobalSecondaryIndex count exceeds the per-table limit of {MOST_GLOBAL}",
        )
    if kind == "local" and count > MOST_LOCAL:
        raise ValidationException(
            f"{_INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of {MOST_LOCAL}",
        )


def read_index(
    entry: Mapping[str, Any],
    kind: IndexKind,
    table: EngineTable,
    slot: int,
    where: str,
) -> EngineIndex:
    """Read one index definition."""
    name = _index_name(entry, where)
    if entry.get("KeySchema") is None:
        raise constraint(f"{where}.keySchema", None, "Member must not be null")
    key = read_key_schema(entry["KeySchema"], table.attributes, index=name)
    if kind == "local":
        _check_local(table, key, name)
    return EngineIndex(
        name=name,
        kind=kind,
        key=key,
        projection=_projection(entry.get("Projection"), where),
        slot=slot,
        throughput=_index_throughput(entry, kind, table, name, where),
    )


def _index_name(entry: Mapping[str, Any], where: str) -> str:
    name = entry.get("IndexName")
    check_name(f"{where}.indexName", name)
    return str(name)


def _check_local(table: EngineTable, key: KeySchema, name: str) -> None:
    if table.key.range is None:
        raise ValidationException(
            f"{_INVALID}Table KeySchema does not have a range key, which is required when"
            " specifying a LocalSecondaryIndex",
        )
    if key.range is None:
        raise ValidationException(
            f"{_INVALID}Index KeySchema does not have a range key for index: {name}",
        )
    if key.hash.name != table.key.hash.name:
        raise ValidationException(
            f"{_INVALID}Index KeySchema does not have the same leading hash key as table KeySchema"
            f" for index: {name}. index hash key: {key.hash.name},"
            f" table hash key: {table.key.hash.name}",
        )


def _projection(given: Mapping[str, Any] | None, where: str) -> IndexProjection:
    if given is None:
        raise constraint(f"{where}.projection", None, "Member must not be null")
    kind = given.get("ProjectionType")
    names = given.get("NonKeyAttributes")
    if kind is None:
        raise ValidationException(f"{_INVALID}Unknown ProjectionType: null")
    if kind not in {"ALL", "INCLUDE", "KEYS_ONLY"}:
        rule = "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"
        raise constraint(f"{where}.projection.projectionType", kind, rule)
    if names is not None:
        check_length(f"{where}.projection.nonKeyAttributes", names, 1, MOST_PROJECTED)
    if kind == "INCLUDE" and names is None:
        raise ValidationException(
            f"{_INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        )
    if kind != "INCLUDE" and names is not None:
        raise ValidationException(
            f"{_INVALID}ProjectionType is {kind}, but NonKeyAttributes is specified",
        )
    return IndexProjection(kind, tuple(names or ()))


def _index_throughput(
    entry: Mapping[str, Any],
    kind: IndexKind,
    table: EngineTable,
    name: str,
    where: str,
) -> Throughput:
    given = entry.get("ProvisionedThroughput")
    if kind == "local":
        return Throughput()
    if table.per_request:
        if given is not None:
            raise ValidationException(
                f"{_INVALID}ProvisionedThroughput should not be specified for index: {name} when"
                " BillingMode is PAY_PER_REQUEST",
            )
        return Throughput()
    if given is None:
        raise ValidationException(
            f"{_INVALID}ProvisionedThroughput is not specified for index: {name}",
        )
    return read_throughput(given, f"{where}.provisionedThroughput")
