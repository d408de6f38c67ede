"""Errors of the store."""

from __future__ import annotations

from typing import Any

from gotgan.errors.root import GotganError


class StoreError(GotganError):
    """The store could not do this."""

    code = "store"
    maybe_done: bool = False
    """Whether the call may have been carried out all the same: an answer to it was lost."""


class BadCursor(StoreError):
    """The cursor was changed, or belongs to another query or secret."""

    code = "store.cursor"


class BadDump(StoreError):
    """The file is not a valid dump of this table."""

    code = "store.dump"


class BadItem(StoreError):
    """A stored item does not match its entity. It is left unchanged."""

    code = "store.item"

    def __init__(self, message: str, item: Any = None) -> None:
        super().__init__(message)
        self.item = item
        """The item as DynamoDB has it, where it was read."""


class BadKeyPart(StoreError):
    """A value cannot be part of a key: it is empty, too long or contains the separator."""

    code = "store.key"


class NotRead(StoreError):
    """The index or projection does not include this field."""

    code = "store.not_read"


class StaleIndexKey(StoreError):
    """A change by key alone would leave a stale index key. Read the item and update it."""

    code = "store.stale_index_key"


class KeyCollision(StoreError):
    """Two different items have the same key. The stored one is kept."""

    code = "store.collision"


class ConditionFailed(StoreError):
    """The item is not in the expected state. Nothing was written."""

    code = "store.condition"

    def __init__(self, message: str, current: Any = None) -> None:
        super().__init__(message)
        self.current = current
        """The current item, or None."""


class ItemMissing(ConditionFailed):
    """There is no item to change."""

    code = "store.missing"


class VersionConflict(ConditionFailed):
    """The item was changed since it was read."""

    code = "store.version"


class LostRace(ConditionFailed):
    """Another worker has the claim."""

    code = "store.lost_race"

    def __init__(self, message: str, current: Any = None, winner: Any = None) -> None:
        super().__init__(message, current)
        self.winner = winner
        """Who has it, since when and until when."""


class TransactionFailed(StoreError):
    """The transaction was refused. Nothing was written."""

    code = "store.transaction"

    def __init__(self, message: str, reasons: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons
        """One for each write that was in the way."""


class OutcomeUnknown(StoreError):
    """The response to a write was lost. Check the item before you repeat the write."""

    code = "store.unknown"
    maybe_done = True


class StoreUnreachable(StoreError):
    """The database did not answer."""

    code = "store.unreachable"
    retry = True


class TableMissing(StoreError):
    """The table or index does not exist."""

    code = "store.table_missing"


class IndexMissing(StoreError):
    """The read needs an index that the table does not have yet."""

    code = "store.index_missing"


class StoreFileError(StoreError):
    """The file of the embedded engine cannot be used. It is left unchanged."""

    code = "store.file"


class StoreClosed(StoreFileError):
    """The engine is closed."""

    code = "store.closed"


class StoreCorrupt(StoreFileError):
    """SQLite reports that the file is damaged."""

    code = "store.corrupt"


class StoreForeign(StoreFileError):
    """The file is not a SQLite file, or not one of Gotgan's."""

    code = "store.foreign"


class StoreFull(StoreFileError):
    """The disk is full. What was written before is safe."""

    code = "store.full"
    retry = True


class StoreLocked(StoreFileError):
    """Another program held the lock of the file for too long."""

    code = "store.locked"
    retry = True


class StoreReadOnly(StoreFileError):
    """The file or its folder is read-only."""

    code = "store.readonly"


class StoreTooNew(StoreFileError):
    """The file was written by a later version of Gotgan."""

    code = "store.too_new"
