"""Where a live table is not what was declared, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gotgan.store.outputs.differences import BREAKS, DIFFERS, Difference, shown_keys
from gotgan.store.outputs.index_drift import index_drift
from gotgan.store.tables import AS_DECLARED, Names, Table

__all__ = ["drift"]

_NEW_TABLE: Final = (
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
    """Everything in which a table is not as declared, what breaks first.

    ``description`` is the ``Table`` of DescribeTable, None where there is none;
    ``ttl_description`` the ``TimeToLiveDescription`` of DescribeTimeToLive, None where it was not
    asked for.
    """
    if description is None:
        return (_missing(table, names),)
    found = [
        *_status(description),
        *_keys(table, description),
        *_types(table, description),
        *index_drift(table, description, names),
        *(() if ttl_description is None else _ttl(table, ttl_description)),
        *_billing(table, description),
        *_stream(table, description),
    ]
    return tuple(sorted(found, key=lambda difference: difference.severity != BREAKS))


def _missing(table: Table, names: Names) -> Difference:
    remedy = f"make it with gotgan tables create {table.name}"
    return Difference("table", names.of(table), "no such table", remedy, BREAKS)


def _status(description: Mapping[str, Any]) -> Iterator[Difference]:
    status = description["TableStatus"]
    if status in _GONE:
        remedy = "the table cannot be used: see in the console of AWS what became of it"
        yield Difference("status", "ACTIVE", status, remedy, BREAKS)


def _keys(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    declared, found = shown_keys(table.keys), shown_keys(description["KeySchema"])
    if declared != found:
        yield Difference("key", declared, found, _NEW_TABLE, BREAKS)


def _types(table: Table, description: Mapping[str, Any]) -> Iterator[Difference]:
    """Attributes that both sides know, with another type; one that is missing is a key's matter."""
    definitions = description["AttributeDefinitions"]
    found = {each["AttributeName"]: each["AttributeType"] for each in definitions}
    table_keys = {key.name for key in table.keys}
    for name, kind in table.attribute_types().items():
        if found.get(name, kind) != kind:
            remedy = _NEW_TABLE if name in table_keys else _retype(name)
            yield Difference(f"type of {name}", kind, found[name], remedy, BREAKS)


def _retype(name: str) -> str:
    return f"remove the indexes that use {name}, then run gotgan tables create"


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
    declared, found = _declared_billing(table), _found_billing(description)
    if declared != found:
        remedy = "change the declaration, or the table in place with UpdateTable"
        yield Difference("billing", declared, found, remedy, DIFFERS)


def _declared_billing(table: Table) -> str:
    if table.billing is None:
        return "on demand"
    return _shown_units(table.billing.read, table.billing.write)


def _found_billing(description: Mapping[str, Any]) -> str:
    mode = description.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED")
    if mode == "PAY_PER_REQUEST":
        return "on demand"
    units = description["ProvisionedThroughput"]
    return _shown_units(units["ReadCapacityUnits"], units["WriteCapacityUnits"])


def _shown_units(read: int, write: int) -> str:
    return f"provisioned, {read} read and {write} write units a second"


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
