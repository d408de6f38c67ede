"""The root of all errors, and those that every part of Gotgan can raise."""

from __future__ import annotations

from typing import ClassVar


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


class DeclarationError(GotganError):
    """A table, an entity or an access pattern is declared so that it cannot work."""

    code = "declaration"


class Unauthenticated(GotganError):
    """Nobody stands behind the token: it is wrong, has expired, or was revoked."""

    code = "unauthenticated"


class Forbidden(GotganError):
    """The role is too small for what was asked."""

    code = "forbidden"


class Interrupted(GotganError):
    """The program ended before the work did; nothing is lost, ask again."""

    code = "interrupted"
    retry = True


class NotFound(GotganError):
    """There is nothing under that id."""

    code = "not_found"


class Conflict(GotganError):
    """What was asked goes against what is there; nothing was written."""

    code = "conflict"


class BadUpload(GotganError):
    """What was handed over to be stored is not what it should be; nothing was written."""

    code = "upload"


class BackupError(GotganError):
    """A backup could not be written or restored; earlier backups are kept."""

    code = "backup"


class BackupDamaged(BackupError):
    """The file is damaged or not a backup of Gotgan; nothing was restored."""

    code = "backup.damaged"


class BackupTooNew(BackupError):
    """The backup was made by a later version of Gotgan; nothing was restored."""

    code = "backup.too_new"
