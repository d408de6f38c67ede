"""Where a live table is not what was declared, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.store.outputs.definition import projection
from gotgan.store.tables import ALL, AS_DECLARED, Index, KeyAttribute, Names, Table

Severity = Literal["breaks", "differs"]
BREAKS: Final = "breaks"
"""What was declared cannot be kept: reads or writes fail, or items are lost."""
DIFFERS: Final = "differs"
"""It works, but it is not as declared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as declared, and what to do about it."""

    where: str
    """The part of the table: ``key``, ``index GSI1``, ``billing``."""
    declared: str
    found: str
    remedy: str
    severity: Severity

    def __str__(self) -> str:
        return (
            f"{self.where} {self.severity}: declared {self.declared}, found {self.found}; "
            f"{self.remedy}"
        )


def key_names(keys: Iterable[KeyAttribute] | Iterable[Mapping[str, Any]]) -> str:
    """The names of key attributes, the partition key first: ``pk, sk``."""
    return ", ".join(
        key.name if isinstance(key, KeyAttribute) else str(key["AttributeName"]) for key in keys
    )


_RECREATE_TABLE: Final = (
    "the key of a table cannot be changed: name another table in GOTGAN_TABLES, create it, and "
    "load it from a dump of this one"
)
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
        remedy = f"make it with gotgan tables create {table.name}"
        return (Difference("table", names.of(table), "no such table", remedy, BREAKS),)
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
        remedy = "the table cannot be used: see in the console of AWS what became of it"
        yield Difference("status", "ACTIVE", status, remedy, BREAKS)


def _keys(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    declared, found = key_names(table.keys), key_names(description["KeySchema"])
    if declared != found:
        yield Difference("key", declared, found, _RECREATE_TABLE, BREAKS)
    definitions = description["AttributeDefinitions"]
    types = {each["AttributeName"]: each["AttributeType"] for each in definitions}
    table_keys = {key.name for key in table.keys}
    for name, kind in table.attribute_types().items():
        if types.get(name, kind) != kind:  # one that is missing shows in the keys
            remedy = f"remove the indexes that use {name}, then run gotgan tables create"
            if name in table_keys:
                remedy = _RECREATE_TABLE
            yield Difference(f"type of {name}", kind, types[name], remedy, BREAKS)


def _ttl(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    on = description["TimeToLiveStatus"] in ("ENABLED", "ENABLING")
    found = description.get("AttributeName") if on else None
    if found == table.ttl:
        return
    if found is None:
        remedy = "turn it on with gotgan tables create; until then, what expires is only hidden"
        yield Difference("time to live", table.ttl or "", "off", remedy, DIFFERS)
        return
    remedy = (
        f"items vanish by {found}: declare ttl={found!r}, or turn it off with UpdateTimeToLive; "
        "it can be changed in place, once an hour"
    )
    yield Difference("time to live", table.ttl or "off", found, remedy, BREAKS)


def _billing(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    declared = found = "on demand"
    units = "provisioned, {} read and {} write units a second"
    if table.billing is not None:
        declared = units.format(table.billing.read, table.billing.write)
    if description.get("BillingModeSummary", {}).get("BillingMode") != "PAY_PER_REQUEST":
        live = description["ProvisionedThroughput"]
        found = units.format(live["ReadCapacityUnits"], live["WriteCapacityUnits"])
    if declared != found:
        remedy = "change the declaration, or the table in place with UpdateTable"
        yield Difference("billing", declared, found, remedy, DIFFERS)


def _stream(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    specification = description.get("StreamSpecification") or {}
    on = specification.get("StreamEnabled")
    found = specification.get("StreamViewType", "on") if on else "off"
    declared = table.stream or "off"
    if declared != found:
        remedy = (
            "change the declaration, or the table in place with UpdateTable; the embedded engine "
            "has no streams"
        )
        yield Difference("stream", declared, found, remedy, DIFFERS)


_BUSY: Final = frozenset({"CREATING", "DELETING"})
_REMAKE: Final = "remove it, then run gotgan tables create to have it made again"
_RECREATE_LOCAL: Final = (
    "a local index is made with its table and never changed: name another table in GOTGAN_TABLES, "
    "create it, and load it from a dump of this one"
)


def _indexes(table: Table, description: Mapping[str, Any], names: Names) -> Iterator[Difference]:
    """The differences of all indexes; one that nobody declared only differs."""
    there = _live_indexes(description)
    for index in table.indexes.values():
        found = there.pop(names.of(index), None)
        if found is None:
            remedy = _RECREATE_LOCAL if index.local else "add it with gotgan tables create"
            declared = f"{_kind(index.local)} on {key_names(index.keys)}"
            where = f"index {names.of(index)}"
            yield Difference(where, declared, "no such index", remedy, BREAKS)
        else:
            yield from _index_differences(index, found, names)
    for name in there:
        remedy = "declare it, or remove it: every write to it is paid for"
        yield Difference(f"index {name}", "no such index", "an index", remedy, DIFFERS)


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
    where = f"index {names.of(index)}"
    remedy = _RECREATE_LOCAL if index.local else _REMAKE
    if index.local != found["local"]:
        yield Difference(where, _kind(index.local), _kind(found["local"]), remedy, BREAKS)
        return
    if found.get("IndexStatus") in _BUSY:
        wait = "wait until it is ACTIVE; gotgan tables create waits for it"
        yield Difference(where, "ACTIVE", found["IndexStatus"], wait, BREAKS)
    declared_keys, found_keys = key_names(index.keys), key_names(found["KeySchema"])
    if declared_keys != found_keys:
        yield Difference(where, declared_keys, found_keys, remedy, BREAKS)
    wanted, there = _held(projection(index.project)), _held(found["Projection"])
    if wanted != there:
        # An index that holds less than declared breaks reads; one that holds more only costs more.
        covers = there is None or (wanted is not None and wanted <= there)
        severity: Severity = DIFFERS if covers else BREAKS
        yield Difference(where, _shown_held(wanted), _shown_held(there), remedy, severity)


def _held(project: Mapping[str, Any]) -> frozenset[str] | None:
    """The attributes that a projection adds to the keys; None where it is all of them."""
    if project["ProjectionType"] == ALL:
        return None
    return frozenset(project.get("NonKeyAttributes") or ())


def _kind(local: bool) -> str:  # noqa: FBT001 - it is the value that is said
    return "a local index" if local else "a global index"


def _shown_held(held: frozenset[str] | None) -> str:
    if held is None:
        return "a copy of all attributes"
    return f"a copy of {', '.join(sorted(held))}" if held else "the keys alone"
