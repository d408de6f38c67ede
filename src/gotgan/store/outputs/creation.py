"""Making a declared table where it is missing, and leaving it alone where it fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from gotgan.errors import StoreError
from gotgan.events import emit
from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import (
    LimitExceededException,
    ResourceInUseException,
    UnknownOperationException,
    ValidationException,
)
from gotgan.store.outputs.definition import create_request, index_request, ttl_request
from gotgan.store.outputs.differences import BREAKS, Difference
from gotgan.store.outputs.drift import drift
from gotgan.store.outputs.index_drift import missing_indexes
from gotgan.store.outputs.live import TableWait, await_active, describe, describe_ttl
from gotgan.store.tables import AS_DECLARED, Index, Names, Table

__all__ = ["Backfill", "Created", "create"]

_PATIENT: Final = TableWait()
_UNIT_BYTES: Final = 1024
_TRIES: Final = 5
"""For one index: others may be adding theirs, and DynamoDB makes one at a time."""


@dataclass(frozen=True, slots=True)
class Backfill:
    """What filling a new index from the items of its table takes, as far as is known before."""

    table: str
    index: str
    items: int
    """As the table last counted them; AWS does so about every six hours."""
    writes: int
    """Write units, at most: an item without the index's keys, or with few attributes, costs less.
    Reading the table is free."""


@dataclass(frozen=True, slots=True)
class Created:
    """What was done to have a table, and in what it still differs."""

    name: str
    new: bool
    """Whether this call made it; of two at once, one did."""
    indexes: tuple[str, ...] = ()
    """The indexes that this call added to a table that was there."""
    expires: bool = False
    """Whether this call turned the time to live on."""
    differences: tuple[Difference, ...] = ()
    """What is not as declared, but works."""


def create(
    driver: Driver,
    table: Table,
    names: Names = AS_DECLARED,
    *,
    add_indexes: bool = False,
    patience: TableWait = _PATIENT,
    on_index: Callable[[Backfill], None] = lambda _: None,
) -> Created:
    """Have the table as declared: make it, or see that the one that is there fits.

    A table that does not fit is not touched; the error says in what, and what to do. With
    ``add_indexes``, global indexes that it lacks are added, one after the other, and ``on_index``
    is called before each. Without it they are left out: only reads that need one fail.
    """
    site = _Site(driver, table, names, patience)
    new = describe(driver, site.name) is None and _made(site)
    site.ready()
    _refuse_unfit(site)
    added: list[str] = []
    for index in site.lacking():
        name = names.of(index)
        if not add_indexes:
            emit("store.index.missing", level="warning", table=site.name, index=name)
            continue
        on_index(site.backfill(name))
        added += [name] if _added(site, index) else []
    expires = _turned_ttl_on(site)
    return Created(site.name, new, tuple(added), expires, site.differences())


@dataclass(frozen=True)
class _Site:
    """A declared table and the place where it is to be."""

    driver: Driver
    table: Table
    names: Names
    patience: TableWait

    @property
    def name(self) -> str:
        return self.names.of(self.table)

    def ready(self, index: str | None = None) -> dict[str, Any]:
        return await_active(self.driver, self.name, self.patience, index=index)

    def lacking(self) -> list[Index]:
        """The indexes that could be added."""
        return missing_indexes(self.table, self.ready(), self.names)

    def backfill(self, index: str) -> Backfill:
        """What adding an index takes."""
        description = self.ready()
        items, size = description.get("ItemCount", 0), description.get("TableSizeBytes", 0)
        each = max(1, ceil(size / items / _UNIT_BYTES)) if items else 0
        return Backfill(self.name, index, items, items * each)

    def expires(self) -> bool:
        status = describe_ttl(self.driver, self.name)["TimeToLiveStatus"]
        return status in ("ENABLED", "ENABLING")

    def differences(self) -> tuple[Difference, ...]:
        ttl = describe_ttl(self.driver, self.name)
        return drift(self.table, describe(self.driver, self.name), ttl, self.names)


def _made(site: _Site) -> bool:
    """Make the table; whoever was faster has made the same, or the drift will tell."""
    try:
        site.driver.call("CreateTable", create_request(site.table, site.names))
    except ResourceInUseException:
        return False
    return True


def _refuse_unfit(site: _Site) -> None:
    """Stop at what breaks, unless it is an index that can be added."""
    coming = {f"index {site.names.of(index)}" for index in site.lacking()}
    breaking = [each for each in site.differences() if each.severity == BREAKS]
    unfit = [str(each) for each in breaking if each.where not in coming]
    if unfit:
        raise StoreError(f"{site.name} is there and does not fit: {'. '.join(unfit)}")


def _added(site: _Site, index: Index, tries: int = _TRIES) -> bool:
    """Add an index and wait until it is filled; False where somebody else has added it."""
    try:
        site.driver.call("UpdateTable", index_request(index, site.names))
    except (ResourceInUseException, LimitExceededException, ValidationException) as fault:
        if index not in site.lacking():
            return False
        if tries == 1 or isinstance(fault, ValidationException):
            raise
        return _added(site, index, tries - 1)
    site.ready(site.names.of(index))
    return True


def _turned_ttl_on(site: _Site) -> bool:
    """Let items expire as declared; False where they did, or somebody else was faster.

    An endpoint that knows no expiry is left as it is: the store hides what has expired.
    """
    request = ttl_request(site.table, site.names)
    if request is None or site.expires():
        return False
    try:
        site.driver.call("UpdateTimeToLive", request)
    except UnknownOperationException:
        return False
    except ValidationException:
        if not site.expires():
            raise
        return False
    return True
