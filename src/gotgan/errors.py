"""Everything Gotgan raises on purpose, in one tree.

    GotganError
    ├── UsageError              a command or call was given words it cannot take
    ├── SettingsError           an environment variable holds a value that cannot be used
    └── StoreError              the store could not do what was asked
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

from typing import ClassVar

__all__ = [
    "GotganError",
    "SettingsError",
    "StoreClosed",
    "StoreCorrupt",
    "StoreError",
    "StoreFileError",
    "StoreForeign",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "UsageError",
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
