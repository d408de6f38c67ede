"""Errors of the store."""

from __future__ import annotations

from typing import Any

from gotgan.errors.root import GotganError


class StoreError(GotganError):
    """The store could not do what was asked."""

    code = "store"
    maybe_done: bool = False
    """Whether the call may have been carried out all the same: an answer to it was lost."""


class BadCursor(StoreError):
    """A page's cursor was changed, was made with another secret, or belongs to another query."""

    code = "store.cursor"


class BadDump(StoreError):
    """A file to load is not a dump, or not of this table."""

    code = "store.dump"


class BadItem(StoreError):
    """What is stored does not fit the entity that it should be; it is left as it was found."""

    code = "store.item"

    def __init__(self, message: str, item: Any = None) -> None:
        super().__init__(message)
        self.item = item
        """The item as DynamoDB has it, where it was read."""


class BadKeyPart(StoreError):
    """A value cannot be part of a key: it is empty, too long, or holds the separator."""

    code = "store.key"


class NotRead(StoreError):
    """A field was asked for that an index or a projection left out."""

    code = "store.not_read"


class StaleIndexKey(StoreError):
    """A change by key alone would leave an index key behind; read the item and update it."""

    code = "store.stale_index_key"


class KeyCollision(StoreError):
    """Two different things have the same key; the one that is stored was kept."""

    code = "store.collision"


class ConditionFailed(StoreError):
    """The item was not as it had to be; nothing was written."""

    code = "store.condition"

    def __init__(self, message: str, current: Any = None) -> None:
        super().__init__(message)
        self.current = current
        """The item as it is now; None where there is none."""


class ItemMissing(ConditionFailed):
    """There is no item to change."""

    code = "store.missing"


class VersionConflict(ConditionFailed):
    """The item was changed by somebody else since it was read."""

    code = "store.version"


class LostRace(ConditionFailed):
    """Somebody else has the claim."""

    code = "store.lost_race"

    def __init__(self, message: str, current: Any = None, winner: Any = None) -> None:
        super().__init__(message, current)
        self.winner = winner
        """Who has it, since when and until when."""


class TransactionFailed(StoreError):
    """A transaction was refused; nothing of it was written."""

    code = "store.transaction"

    def __init__(self, message: str, reasons: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons
        """One for each write that was in the way."""


class OutcomeUnknown(StoreError):
    """The answer to a write was lost, and it must not be sent twice: look before you repeat it."""

    code = "store.unknown"
    maybe_done = True


class StoreUnreachable(StoreError):
    """The database did not answer."""

    code = "store.unreachable"
    retry = True


class TableMissing(StoreError):
    """There is no such table or index where the store looks for it."""

    code = "store.table_missing"


class IndexMissing(StoreError):
    """A read needs an index that the table does not have yet."""

    code = "store.index_missing"


class StoreFileError(StoreError):
    """The file of the embedded engine cannot be used; it is left as it was found."""

    code = "store.file"


class StoreClosed(StoreFileError):
    """The engine was closed before this call."""

    code = "store.closed"


class StoreCorrupt(StoreFileError):
    """SQLite says that the file is damaged."""

    code = "store.corrupt"


class StoreForeign(StoreFileError):
    """The file is not a SQLite file, or a SQLite file that Gotgan did not make."""

    code = "store.foreign"


class StoreFull(StoreFileError):
    """There is no space left on the disk; what was written before is safe."""

    code = "store.full"
    retry = True


class StoreLocked(StoreFileError):
    """Another program has held the file's lock for longer than we wait."""

    code = "store.locked"
    retry = True


class StoreReadOnly(StoreFileError):
    """The file, or the folder that it lies in, cannot be written."""

    code = "store.readonly"


class StoreTooNew(StoreFileError):
    """The file was written by a later version of Gotgan."""

    code = "store.too_new"
