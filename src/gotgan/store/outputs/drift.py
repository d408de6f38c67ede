"""Differences between a live table and its declaration, and how to resolve them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.messages import Message
from gotgan.store import messages
from gotgan.store.outputs.definition import key_schema, projection
from gotgan.store.tables import ALL, AS_DECLARED, Index, Names, Table

Severity = Literal["breaks", "differs"]
BREAKS: Final = "breaks"
"""What was declared cannot be kept: reads or writes fail, or items are lost."""
DIFFERS: Final = "differs"
"""It works, but it is not as declared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as declared, and what to do about it."""

    where: Message
    """The part of the table: ``key``, ``index GSI1``, ``billing``."""
    declared: str
    found: str
    remedy: Message
    severity: Severity

    @property
    def message(self) -> Message:
        """The difference in one sentence."""
        severity = messages.BREAKS if self.severity == BREAKS else messages.DIFFERS
        return messages.DIFFERENCE(
            where=self.where,
            severity=severity(),
            declared=self.declared,
            found=self.found,
            remedy=self.remedy,
        )

    def __str__(self) -> str:
        return str(self.message)


def key_names(schema: Iterable[Mapping[str, str]]) -> str:
    """The names in a KeySchema: ``pk, sk``, or ``a, b / c`` where a part has several attributes."""
    parts: dict[str, list[str]] = {}
    for element in schema:
        parts.setdefault(element["KeyType"], []).append(element["AttributeName"])
    several = any(len(part) > 1 for part in parts.values())
    return (" / " if several else ", ").join(", ".join(part) for part in parts.values())


_GONE: Final = frozenset(
    {"ARCHIVED", "ARCHIVING", "DELETING", "INACCESSIBLE_ENCRYPTION_CREDENTIALS"}
)


def drift(
    table: Table,
    description: Mapping[str, Any] | None,
    ttl_description: Mapping[str, Any] | None,
    names: Names = AS_DECLARED,
) -> tuple[Difference, ...]:
    """Differences of the answers of DescribeTable and DescribeTimeToLive, what breaks first."""
    if description is None:
        where, remedy = messages.PART_TABLE(), messages.CREATE_TABLE()
        return (Difference(where, names.of(table), messages.NO_SUCH_TABLE(), remedy, BREAKS),)
    found = [
        *_status(description),
        *_keys(table, description),
        *_indexes(table, description, names),
        *(() if ttl_description is None else _ttl(table, ttl_description)),
        *_billing(table, description),
        *_stream(table, description),
    ]
    return tuple(sorted(found, key=lambda difference: difference.severity != BREAKS))


def _status(description: Mapping[str, Any]) -> Iterator[Difference]:
    status = description["TableStatus"]
    if status in _GONE:
        remedy = messages.CHECK_TABLE()
        yield Difference(messages.PART_STATUS(), "ACTIVE", status, remedy, BREAKS)


def _keys(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    declared, found = key_names(key_schema(table)), key_names(description["KeySchema"])
    if declared != found:
        remedy = messages.RECREATE_TABLE()
        yield Difference(messages.PART_KEY(), declared, found, remedy, BREAKS)
    definitions = description["AttributeDefinitions"]
    types = {each["AttributeName"]: each["AttributeType"] for each in definitions}
    table_keys = {key.name for key in table.keys}
    for name, kind in table.attribute_types().items():
        if types.get(name, kind) != kind:  # one that is missing shows in the keys
            remedy = messages.REMOVE_INDEXES(name=name)
            if name in table_keys:
                remedy = messages.RECREATE_TABLE()
            yield Difference(messages.PART_TYPE(name=name), kind, types[name], remedy, BREAKS)


def _ttl(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    on = description["TimeToLiveStatus"] in ("ENABLED", "ENABLING")
    found = description.get("AttributeName") if on else None
    if found == table.ttl:
        return
    if found is None:
        remedy, off = messages.TURN_TTL_ON(), messages.OFF()
        yield Difference(messages.PART_TTL(), table.ttl or "", off, remedy, DIFFERS)
        return
    remedy = messages.WRONG_TTL(found=found, declared=repr(found))
    yield Difference(messages.PART_TTL(), table.ttl or messages.OFF(), found, remedy, BREAKS)


def _billing(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    declared = found = messages.ON_DEMAND()
    units = messages.PROVISIONED
    if table.billing is not None:
        declared = units(reads=table.billing.read, writes=table.billing.write)
    if description.get("BillingModeSummary", {}).get("BillingMode") != "PAY_PER_REQUEST":
        live = description["ProvisionedThroughput"]
        found = units(reads=live["ReadCapacityUnits"], writes=live["WriteCapacityUnits"])
    if declared != found:
        remedy = messages.CHANGE_TABLE()
        yield Difference(messages.PART_BILLING(), declared, found, remedy, DIFFERS)


def _stream(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    specification = description.get("StreamSpecification") or {}
    on = specification.get("StreamEnabled")
    found = specification.get("StreamViewType", messages.ON()) if on else messages.OFF()
    declared = table.stream or messages.OFF()
    if declared != found:
        remedy = messages.CHANGE_TABLE()
        yield Difference(messages.PART_STREAM(), declared, found, remedy, DIFFERS)


_BUSY: Final = frozenset({"CREATING", "DELETING"})


def _indexes(table: Table, description: Mapping[str, Any], names: Names) -> Iterator[Difference]:
    """The differences of all indexes; an undeclared one only differs."""
    there = _live_indexes(description)
    for index in table.indexes.values():
        found = there.pop(names.of(index), None)
        if found is None:
            remedy = messages.RECREATE_LOCAL() if index.local else messages.ADD_INDEX()
            kind = messages.LOCAL_INDEX_ON if index.local else messages.GLOBAL_INDEX_ON
            declared, missing = kind(keys=key_names(key_schema(index))), messages.NO_SUCH_INDEX()
            where = messages.PART_INDEX(name=names.of(index))
            yield Difference(where, declared, missing, remedy, BREAKS)
        else:
            yield from _index_differences(index, found, names)
    for name in there:
        where, remedy = messages.PART_INDEX(name=name), messages.UNDECLARED_INDEX()
        there_is = messages.AN_INDEX()
        yield Difference(where, messages.NO_SUCH_INDEX(), there_is, remedy, DIFFERS)


def missing_indexes(table: Table, description: Mapping[str, Any], names: Names) -> list[Index]:
    """The declared global indexes that a live table lacks; they can be added to it."""
    there = _live_indexes(description)
    indexes = table.indexes.values()
    return [index for index in indexes if not index.local and names.of(index) not in there]


def _live_indexes(description: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The live indexes by name, each with whether it is local."""
    kinds = (("LocalSecondaryIndexes", True), ("GlobalSecondaryIndexes", False))
    return {
        index["IndexName"]: {**index, "local": local}
        for member, local in kinds
        for index in description.get(member) or ()
    }


def _index_differences(
    index: Index, found: Mapping[str, Any], names: Names
) -> Iterator[Difference]:
    where = messages.PART_INDEX(name=names.of(index))
    remedy = messages.RECREATE_LOCAL() if index.local else messages.RECREATE_INDEX()
    if index.local != found["local"]:
        yield Difference(where, _kind(index.local), _kind(found["local"]), remedy, BREAKS)
        return
    if found.get("IndexStatus") in _BUSY:
        wait = messages.WAIT_FOR_INDEX()
        yield Difference(where, "ACTIVE", found["IndexStatus"], wait, BREAKS)
    declared_keys = key_names(key_schema(index))
    found_keys = key_names(found["KeySchema"])
    if declared_keys != found_keys:
        yield Difference(where, declared_keys, found_keys, remedy, BREAKS)
    wanted, there = (
        _projected_attributes(projection(index.project)),
        _projected_attributes(found["Projection"]),
    )
    if wanted != there:
        # An index that holds less than declared breaks reads; one that holds more only costs more.
        covers = there is None or (wanted is not None and wanted <= there)
        severity: Severity = DIFFERS if covers else BREAKS
        yield Difference(where, _copy_text(wanted), _copy_text(there), remedy, severity)


def _projected_attributes(project: Mapping[str, Any]) -> frozenset[str] | None:
    """The attributes that a projection adds to the keys; None if all are projected."""
    if project["ProjectionType"] == ALL:
        return None
    return frozenset(project.get("NonKeyAttributes") or ())


def _kind(local: bool) -> Message:  # noqa: FBT001 - it is the value that is said
    return messages.LOCAL_INDEX() if local else messages.GLOBAL_INDEX()


def _copy_text(held: frozenset[str] | None) -> Message:
    if held is None:
        return messages.COPY_OF_ALL()
    return messages.COPY_OF(names=sorted(held)) if held else messages.KEYS_ALONE()
