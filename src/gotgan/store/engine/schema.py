"""Table and index definitions in requests, with AWS's rules for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gotgan.store.engine.catalog import (
    EngineIndex,
    EngineTable,
    IndexKind,
    IndexProjection,
    Throughput,
)
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.members import failure
from gotgan.store.engine.shapes import MAX_PROJECTED_ATTRIBUTES

MAX_GSIS = 20
MAX_LSIS = 5
MAX_KEY_ATTRIBUTES = 4
_MAX_CAPACITY_UNITS = 10**12
THROUGHPUT_NOT_ALLOWED = (
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode"
    " is PAY_PER_REQUEST"
)
_MEMBERS: dict[IndexKind, str] = {
    "local": "LocalSecondaryIndexes",
    "global": "GlobalSecondaryIndexes",
}


def refuse_vector_indexes(request: Mapping[str, Any]) -> None:
    """Refuse a request for an index that is not there, rather than answer without it."""
    for member in ("VectorIndexes", "VectorIndexUpdates"):
        if request.get(member):
            raise ValidationException(f"{member}: vector indexes are not supported")


def read_definitions(request: Mapping[str, Any]) -> tuple[KeySchemaElement, ...]:
    """Read AttributeDefinitions: the names and types of all key attributes."""
    return tuple(
        KeySchemaElement(entry["AttributeName"], entry["AttributeType"])
        for entry in request.get("AttributeDefinitions") or ()
    )


def read_new_definitions(request: Mapping[str, Any]) -> tuple[KeySchemaElement, ...]:
    """Read the AttributeDefinitions of a new table, each name once."""
    definitions = read_definitions(request)
    names: set[str] = set()
    for attribute in definitions:
        if attribute.name in names:
            raise ValidationException(f"Attribute Name is duplicated: {attribute.name}")
        names.add(attribute.name)
    return definitions


def check_definitions(request: Mapping[str, Any], definitions: Sequence[KeySchemaElement]) -> None:
    """Refuse AttributeDefinitions that neither the table's key nor an index has."""
    defined = [attribute.name for attribute in definitions]
    indexes = [entry for member in _MEMBERS.values() for entry in request.get(member) or ()]
    schemas = (request["KeySchema"], *(index["KeySchema"] for index in indexes))
    used = dict.fromkeys(element["AttributeName"] for schema in schemas for element in schema)
    if used.keys() >= set(defined):
        return
    if indexes:
        raise invalid_value(
            f"Some AttributeDefinitions are not used. AttributeDefinitions:"
            f" [{', '.join(defined)}], keys used: [{', '.join(used)}]"
        )
    raise invalid_value(
        "Number of attributes in KeySchema does not exactly match number of attributes"
        " defined in AttributeDefinitions"
    )


def read_key_schema(
    given: Sequence[Mapping[str, Any]],
    definitions: Iterable[KeySchemaElement],
    index: str | None = None,
    *,
    several: bool = False,
) -> KeySchema:
    """Read a KeySchema: HASH elements, then perhaps RANGE elements, all of them defined.

    ``several`` allows four of each, as in global indexes; otherwise there is one of each.
    """
    if several:
        _check_several(given)
    else:
        _check_pair(given)
    defined = {attribute.name: attribute for attribute in definitions}
    names = [element["AttributeName"] for element in given]
    if index is None and len(names) > len(defined):
        raise ValidationException("Invalid KeySchema: Some index key attribute have no definition")
    if not defined.keys() >= set(names):
        raise invalid_value(
            f"Some index key attributes are not defined in AttributeDefinitions."
            f" Keys: [{', '.join(names)}], AttributeDefinitions: [{', '.join(defined)}]"
        )
    _check_first(given)
    if not several and len(given) > 1 and given[1]["KeyType"] != "RANGE":
        raise ValidationException(
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"
        )
    count = sum(element["KeyType"] == "HASH" for element in given)
    [first, *more_hash], ranges = names[:count], names[count:]
    return KeySchema(
        defined[first],
        defined[ranges[0]] if ranges else None,
        tuple(defined[name] for name in more_hash),
        tuple(defined[name] for name in ranges[1:]),
    )


def _check_pair(given: Sequence[Mapping[str, Any]]) -> None:
    if len(given) > len(("HASH", "RANGE")):
        elements = ", ".join(
            f"KeySchemaElement(attributeName={element['AttributeName']},"
            f" keyType={element['KeyType']})"
            for element in given
        )
        broken = failure(
            f"'[{elements}]'", "keySchema", "Member must have length less than or equal to 2"
        )
        raise ValidationException(f"1 validation error detected: {broken}")


def _check_several(given: Sequence[Mapping[str, Any]]) -> None:
    kinds = [element["KeyType"] for element in given]
    for kind in ("HASH", "RANGE"):
        if kinds.count(kind) > MAX_KEY_ATTRIBUTES:
            raise invalid_value(
                f"The KeySchema exceeds the maximum allowed number of {kind} key attributes"
            )
    if kinds[0] == "HASH" and kinds != sorted(kinds):
        raise invalid_value(
            "All HASH key attributes must precede RANGE key attributes in the KeySchema"
        )


def _check_first(given: Sequence[Mapping[str, Any]]) -> None:
    if len({element["AttributeName"] for element in given}) < len(given):
        if len(given) == len(("HASH", "RANGE")) and given[1]["KeyType"] == "RANGE":
            raise ValidationException(
                "Both the Hash Key and the Range Key element in the KeySchema have the same name"
            )
        raise ValidationException(
            "The KeySchema contains multiple key attributes with the same name"
        )
    if given[0]["KeyType"] != "HASH":
        raise ValidationException(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"
        )


def read_billing(request: Mapping[str, Any]) -> tuple[bool, Throughput]:
    """Read BillingMode and ProvisionedThroughput; per request is (True, no throughput)."""
    given = request.get("ProvisionedThroughput")
    if request.get("BillingMode") == "PAY_PER_REQUEST":
        if given is not None:
            raise invalid_value(THROUGHPUT_NOT_ALLOWED)
        return True, Throughput()
    if given is None:
        raise invalid_value(
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when"
            " BillingMode is PROVISIONED"
        )
    return False, read_throughput(given)


def read_throughput(given: Mapping[str, Any]) -> Throughput:
    """Read a ProvisionedThroughput."""
    for member in ("ReadCapacityUnits", "WriteCapacityUnits"):
        if given[member] > _MAX_CAPACITY_UNITS:
            raise ValidationException(f"Given value {given[member]} for {member} is out of bounds")
    return Throughput(given["ReadCapacityUnits"], given["WriteCapacityUnits"])


def read_indexes(request: Mapping[str, Any], table: EngineTable) -> tuple[EngineIndex, ...]:
    """Read all indexes of a CreateTable request, numbering their slots."""
    indexes: list[EngineIndex] = []
    for kind, member in _MEMBERS.items():
        given = request.get(member)
        if given is None:
            continue
        if not given:
            raise invalid_value(f"List of {member} is empty")
        check_index_count(kind, len(given))
        for entry in given:
            index = read_index(entry, kind, table, slot=len(indexes) + 1)
            if any(other.name == index.name for other in indexes):
                raise invalid_value(f"Duplicate index name: {index.name}")
            indexes.append(index)
    check_projected_count(indexes)
    return tuple(indexes)


def check_projected_count(indexes: Iterable[EngineIndex]) -> None:
    """Refuse more included attributes than all indexes of a table may have together."""
    if sum(len(index.projection.attributes) for index in indexes) > MAX_PROJECTED_ATTRIBUTES:
        raise invalid_value(
            f"The number of included attributes over all indexes exceeds the per-table"
            f" limit of {MAX_PROJECTED_ATTRIBUTES}"
        )


def check_index_count(kind: IndexKind, count: int) -> None:
    """Refuse more indexes than a table can have."""
    if kind == "global" and count > MAX_GSIS:
        raise invalid_value(f"GlobalSecondaryIndex count exceeds the per-table limit of {MAX_GSIS}")
    if kind == "local" and count > MAX_LSIS:
        raise invalid_value(
            f"Number of LocalSecondaryIndexes exceeds per-table limit of {MAX_LSIS}"
        )


def read_index(
    entry: Mapping[str, Any],
    kind: IndexKind,
    table: EngineTable,
    slot: int,
    *,
    is_new: bool = True,
) -> EngineIndex:
    """Read one index definition; ``is_new`` says that its table is new, too."""
    name: str = entry["IndexName"]
    several = kind == "global"
    key = read_key_schema(entry["KeySchema"], table.attributes, index=name, several=several)
    if kind == "local":
        _check_local(table, key, name)
    return EngineIndex(
        name=name,
        kind=kind,
        key=key,
        projection=_projection(entry["Projection"]),
        slot=slot,
        throughput=_index_throughput(entry, kind, table, is_new=is_new),
    )


def _check_local(table: EngineTable, key: KeySchema, name: str) -> None:
    if table.key.range is None:
        raise invalid_value(
            "Table KeySchema does not have a range key, which is required when"
            " specifying a LocalSecondaryIndex"
        )
    if key.range is None:
        raise invalid_value(f"Index KeySchema does not have a range key for index: {name}")
    if key.hash.name != table.key.hash.name:
        raise invalid_value(
            f"Index KeySchema does not have the same leading hash key as table KeySchema"
            f" for index: {name}. index hash key: {key.hash.name},"
            f" table hash key: {table.key.hash.name}"
        )


def _projection(given: Mapping[str, Any]) -> IndexProjection:
    kind = given.get("ProjectionType")
    names = given.get("NonKeyAttributes")
    if kind is None:
        raise invalid_value("Unknown ProjectionType: null")
    seen: set[str] = set()
    for name in names or ():
        if name in seen:
            raise invalid_value(f"Duplicate element in NonKeyAttributes: {name}")
        seen.add(name)
    if (kind == "INCLUDE") != (names is not None):
        state = "not specified" if names is None else "specified"
        raise invalid_value(f"ProjectionType is {kind}, but NonKeyAttributes is {state}")
    return IndexProjection(kind, tuple(names or ()))


def _index_throughput(
    entry: Mapping[str, Any], kind: IndexKind, table: EngineTable, *, is_new: bool
) -> Throughput:
    given, name = entry.get("ProvisionedThroughput"), entry["IndexName"]
    if kind == "local":
        return Throughput()
    if table.per_request:
        if given is not None:
            rule = (
                "ProvisionedThroughput should not be specified for index:"
                if is_new
                else "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index:"
            )
            raise invalid_value(f"{rule} {name} when BillingMode is PAY_PER_REQUEST")
        return Throughput()
    if given is None:
        rule = (
            "ProvisionedThroughput is not specified for index:"
            if is_new
            else "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index:"
        )
        raise invalid_value(f"{rule} {name}")
    return read_throughput(given)
