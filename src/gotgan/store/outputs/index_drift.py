"""Where the indexes of a live table are not what was declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gotgan.store.outputs.definition import projection
from gotgan.store.outputs.differences import BREAKS, DIFFERS, Difference, Severity, shown_keys
from gotgan.store.tables import ALL, Index, Names, Table

__all__ = ["index_drift", "missing_indexes"]

_BUSY: Final = frozenset({"CREATING", "DELETING"})
_REMAKE: Final = "remove it, then run gotgan tables create to have it made again"
_NEW_TABLE: Final = (
    "a local index is made with its table and never changed: name another table in GOTGAN_TABLES, "
    "create it, and load it from a dump of this one"
)


def index_drift(table: Table, description: Mapping[str, Any], names: Names) -> Iterator[Difference]:
    """The differences of all indexes; one that nobody declared only differs."""
    there = _found(description)
    for index in table.indexes.values():
        found = there.pop(names.of(index), None)
        if found is None:
            yield _missing(index, names)
        else:
            yield from _compared(index, found, names)
    for name in there:
        yield Difference(f"index {name}", "no such index", "an index", _undeclared(), DIFFERS)


def missing_indexes(table: Table, description: Mapping[str, Any], names: Names) -> list[Index]:
    """The declared global indexes that a live table lacks; they can be added to it."""
    there = _found(description)
    indexes = table.indexes.values()
    return [index for index in indexes if not index.local and names.of(index) not in there]


def _found(description: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The live indexes by name, each with whether it is local."""
    kinds = (("LocalSecondaryIndexes", True), ("GlobalSecondaryIndexes", False))
    return {
        index["IndexName"]: {**index, "local": local}
        for member, local in kinds
        for index in description.get(member) or ()
    }


def _missing(index: Index, names: Names) -> Difference:
    remedy = _NEW_TABLE if index.local else "add it with gotgan tables create"
    return Difference(f"index {names.of(index)}", _shown(index), "no such index", remedy, BREAKS)


def _undeclared() -> str:
    return "declare it, or remove it: every write to it is paid for"


def _compared(index: Index, found: Mapping[str, Any], names: Names) -> Iterator[Difference]:
    where = f"index {names.of(index)}"
    if index.local != found["local"]:
        remedy = _NEW_TABLE if index.local else _REMAKE
        yield Difference(where, _kind(index.local), _kind(found["local"]), remedy, BREAKS)
        return
    if found.get("IndexStatus") in _BUSY:
        remedy = "wait until it is ACTIVE; gotgan tables create waits for it"
        yield Difference(where, "ACTIVE", found["IndexStatus"], remedy, BREAKS)
    remedy = _NEW_TABLE if index.local else _REMAKE
    declared_keys, found_keys = shown_keys(index.keys), shown_keys(found["KeySchema"])
    if declared_keys != found_keys:
        yield Difference(where, declared_keys, found_keys, remedy, BREAKS)
    yield from _projection(index, found["Projection"], where, remedy)


def _projection(
    index: Index, found: Mapping[str, Any], where: str, remedy: str
) -> Iterator[Difference]:
    """An index that holds less than declared breaks reads; one that holds more only costs more."""
    wanted, there = _held(projection(index.project)), _held(found)
    if wanted != there:
        severity: Severity = DIFFERS if _covers(there, wanted) else BREAKS
        yield Difference(where, _shown_held(wanted), _shown_held(there), remedy, severity)


def _held(project: Mapping[str, Any]) -> frozenset[str] | None:
    """The attributes that a projection adds to the keys; None where it is all of them."""
    if project["ProjectionType"] == ALL:
        return None
    return frozenset(project.get("NonKeyAttributes") or ())


def _covers(found: frozenset[str] | None, declared: frozenset[str] | None) -> bool:
    """Whether everything that was declared is there."""
    return found is None or (declared is not None and declared <= found)


def _shown(index: Index) -> str:
    return f"{_kind(index.local)} on {shown_keys(index.keys)}"


def _kind(local: bool) -> str:  # noqa: FBT001 - it is the value that is said
    return "a local index" if local else "a global index"


def _shown_held(held: frozenset[str] | None) -> str:
    if held is None:
        return "a copy of all attributes"
    return f"a copy of {', '.join(sorted(held))}" if held else "the keys alone"
