"""Everything Gotgan raises on purpose, in one tree.

    GotganError
    ├── UsageError              a command or call was given words it cannot take
    ├── SettingsError           an environment variable holds a value that cannot be used
    ├── DeclarationError        a table, entity or access pattern is declared so that it cannot work
    ├── Unauthenticated         nobody stands behind the token, or nobody any more
    ├── Forbidden               the role is too small for what was asked
    ├── NotFound                there is nothing under that id
    ├── Conflict                what was asked goes against what is there
    │   ├── IdTaken             there is something under that id already
    │   ├── SlugTaken           another category has that slug
    │   ├── CategoryHasPosts    a category with posts or drafts cannot be deleted
    │   └── OwnAccount          nobody takes away their own account or role
    ├── SlugImmutable           the slug of a category is never changed
    ├── VersionRequired         a change does not say for which version of the record it is
    ├── RateLimited             somebody wrote too often; they may write again later
    ├── MailFailed              a mail could not be sent; it stays queued
    │   └── MailUnreachable     the mail server did not answer, or did not let us in
    ├── MigrationError          old tables cannot be read, matched or removed
    └── StoreError              the store could not do what was asked
        ├── BadCursor           a page's cursor was changed, or belongs to another query
        ├── BadDump             a file to load is not what it should be
        ├── BadItem             what is stored does not fit the entity that it should be
        ├── BadKeyPart          a value cannot be part of a key
        ├── NotRead             a field was asked for that an index or a projection left out
        ├── StaleIndexKey       a change by key alone would leave an index key behind
        ├── KeyCollision        two different things have the same key
        ├── ConditionFailed     the item was not as it had to be; nothing was written
        │   ├── ItemMissing     there is no item to change
        │   ├── LostRace        somebody else has the claim
        │   └── VersionConflict the item was changed by somebody else since it was read
        ├── TransactionFailed   a transaction was refused; nothing of it was written
        ├── OutcomeUnknown      the answer to a write was lost, and it must not be sent twice
        ├── StoreUnreachable    the database did not answer
        ├── TableMissing        there is no such table or index where the store looks for it
        ├── StoreFileError      the file of the embedded engine cannot be used
        │   ├── StoreClosed     the engine was closed
        │   ├── StoreCorrupt    SQLite says the file is damaged
        │   ├── StoreForeign    a SQLite file, but not one of ours; or no SQLite file at all
        │   ├── StoreFull       there is no space left on the disk
        │   ├── StoreLocked     another program has held the file's lock for too long
        │   ├── StoreReadOnly   the file or its folder cannot be written
        │   └── StoreTooNew     written by a later version of Gotgan
        └── DynamoDBError       what DynamoDB's API answers, under AWS's own codes
                                (one class per code, in gotgan.store.engine.faults)

Each class has a ``code`` that programs can compare, and says with ``retry`` whether the same call
may succeed later without anybody changing anything.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "BadCursor",
    "BadDump",
    "BadItem",
    "BadKeyPart",
    "CategoryHasPosts",
    "ConditionFailed",
    "Conflict",
    "DeclarationError",
    "Forbidden",
    "GotganError",
    "IdTaken",
    "ItemMissing",
    "KeyCollision",
    "LostRace",
    "MailFailed",
    "MailUnreachable",
    "MigrationError",
    "NotFound",
    "NotRead",
    "OutcomeUnknown",
    "OwnAccount",
    "RateLimited",
    "SettingsError",
    "SlugImmutable",
    "SlugTaken",
    "StaleIndexKey",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "StoreFileError",
    "StoreForeign",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreUnreachable",
    "TableMissing",
    "TransactionFailed",
    "Unauthenticated",
    "UsageError",
    "VersionConflict",
    "VersionRequired",
]


class GotganError(Exception):
    """The root: catch this to catch everything that Gotgan raises on purpose."""

    code: ClassVar[str] = "gotgan"
    retry: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(GotganError):
    """A command or call was given words it cannot take."""

    code = "usage"


class SettingsError(GotganError):
    """An environment variable holds a value that cannot be used."""

    code = "settings"


class StoreError(GotganError):
    """The store could not do what was asked."""

    code = "store"
    maybe_done: bool = False
    """Whether the call may have been carried out all the same: an answer to it was lost."""


class DeclarationError(GotganError):
    """A table, an entity or an access pattern is declared so that it cannot work."""

    code = "declaration"


class Unauthenticated(GotganError):
    """Nobody stands behind the token: it is wrong, has expired, or was revoked."""

    code = "unauthenticated"


class Forbidden(GotganError):
    """The role is too small for what was asked."""

    code = "forbidden"


class NotFound(GotganError):
    """There is nothing under that id."""

    code = "not_found"


class Conflict(GotganError):
    """What was asked goes against what is there; nothing was written."""

    code = "conflict"


class IdTaken(Conflict):
    """There is something under that id already; it stays as it is."""

    code = "id_taken"


class SlugTaken(Conflict):
    """Another category has that slug."""

    code = "slug_taken"


class CategoryHasPosts(Conflict):
    """A category with posts or drafts cannot be deleted; move or delete them first."""

    code = "category_has_posts"


class OwnAccount(Conflict):
    """Nobody takes away their own account or role, so that there is always somebody left."""

    code = "own_account"


class SlugImmutable(GotganError):
    """The slug of a category is never changed, because addresses hold it."""

    code = "slug_immutable"


class VersionRequired(GotganError):
    """A change must say for which version of the record it is."""

    code = "version_required"


class RateLimited(GotganError):
    """Somebody wrote too often; they may write again later."""

    code = "rate_limited"
    retry = True

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds
        """How long to wait."""


class MailFailed(GotganError):
    """A mail could not be sent; it stays queued and is tried again."""

    code = "mail"
    retry = True


class MailUnreachable(MailFailed):
    """The mail server did not answer, or did not let us in: no other mail gets through either."""

    code = "mail.unreachable"


class MigrationError(GotganError):
    """Old tables cannot be read, matched or removed; what was copied stays."""

    code = "migration"


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
