"""Creates a declared table if it is missing; a table that matches is not changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from gotgan.errors import StoreError
from gotgan.events import emit
from gotgan.store import messages
from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import (
    LimitExceededException,
    ResourceInUseException,
    UnknownOperationException,
    ValidationException,
)
from gotgan.store.outputs.definition import create_request, index_request, ttl_request
from gotgan.store.outputs.drift import BREAKS, Difference, drift, missing_indexes
from gotgan.store.outputs.live import TableWait, await_active, describe_table, describe_ttl
from gotgan.store.tables import AS_DECLARED, Index, Names, Table

_DEFAULT_WAIT: Final = TableWait()
_UNIT_BYTES: Final = 1024
_MAX_ATTEMPTS: Final = 5
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
class CreateReport:
    """The changes made to create a table, and the differences that are left."""

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
    patience: TableWait = _DEFAULT_WAIT,
    on_index: Callable[[Backfill], None] = lambda _: None,
) -> CreateReport:
    """Make the table, or see that it fits; ``add_indexes`` adds global indexes that it lacks."""
    site = _Site(driver, table, names, patience)
    new = describe_table(driver, site.name) is None
    if new:
        try:
            driver.call("CreateTable", create_request(table, names))
        except ResourceInUseException:  # created meanwhile: the same one, or the drift shows it
            new = False
    coming = {messages.PART_INDEX(name=names.of(index)) for index in site.lacking()}
    breaking = [each for each in site.differences() if each.severity == BREAKS]
    unfit = [each.message for each in breaking if each.where not in coming]
    if unfit:
        raise StoreError(messages.TABLE_DIFFERS(table=site.name, differences=unfit))
    added: list[str] = []
    for index in site.lacking():
        name = names.of(index)
        if not add_indexes:
            emit("store.index.missing", level="warning", table=site.name, index=name)
            continue
        on_index(site.backfill(name))
        added += [name] if _add_index(site, index) else []
    expires = _enable_ttl(site)
    return CreateReport(site.name, new, tuple(added), expires, site.differences())


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
        return missing_indexes(self.table, self.ready(), self.names)

    def backfill(self, index: str) -> Backfill:
        description = self.ready()
        items, size = description.get("ItemCount", 0), description.get("TableSizeBytes", 0)
        each = max(1, ceil(size / items / _UNIT_BYTES)) if items else 0
        return Backfill(self.name, index, items, items * each)

    def expires(self) -> bool:
        status = describe_ttl(self.driver, self.name)["TimeToLiveStatus"]
        return status in ("ENABLED", "ENABLING")

    def differences(self) -> tuple[Difference, ...]:
        ttl = describe_ttl(self.driver, self.name)
        return drift(self.table, describe_table(self.driver, self.name), ttl, self.names)


def _add_index(site: _Site, index: Index, tries: int = _MAX_ATTEMPTS) -> bool:
    """Add an index and wait until it is filled; False where another process has added it."""
    try:
        site.driver.call("UpdateTable", index_request(index, site.names))
    except (ResourceInUseException, LimitExceededException, ValidationException) as fault:
        if index not in site.lacking():
            return False
        if tries == 1 or isinstance(fault, ValidationException):
            raise
        return _add_index(site, index, tries - 1)
    site.ready(site.names.of(index))
    return True


def _enable_ttl(site: _Site) -> bool:
    """Let items expire as declared; False where they did, or where it cannot be turned on."""
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
