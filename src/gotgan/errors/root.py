"""The root of all errors, and those that every part of Gotgan can raise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gotgan.messages import Message, message_values


class GotganError(Exception):
    """The root: catch it to catch everything that Gotgan raises on purpose."""

    code: ClassVar[str] = "gotgan"
    retry: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def reason(self) -> str | None:
        """The code of the message, such as ``shops.no_shop``; None for a plain text."""
        return self.message.code if isinstance(self.message, Message) else None

    @property
    def values(self) -> Mapping[str, Any]:
        """The values of the message, for JSON."""
        return message_values(self.message)


class UsageError(GotganError):
    """An argument, option or call is invalid."""

    code = "usage"


class SettingsError(GotganError):
    """A setting has an invalid value."""

    code = "settings"


class DeclarationError(GotganError):
    """A table, entity, access pattern or domain is declared incorrectly."""

    code = "declaration"


class Unauthenticated(GotganError):
    """The token is missing, wrong, expired or revoked."""

    code = "unauthenticated"


class Forbidden(GotganError):
    """Your role does not allow this."""

    code = "forbidden"


class Interrupted(GotganError):
    """The program stopped before the work finished. Nothing is lost; try again."""

    code = "interrupted"
    retry = True


class NotFound(GotganError):
    """There is nothing with this ID."""

    code = "not_found"


class Conflict(GotganError):
    """The request conflicts with what is stored or running. Nothing was written."""

    code = "conflict"


class BadUpload(GotganError):
    """The uploaded data is invalid. Nothing was written."""

    code = "upload"


class BackupError(GotganError):
    """A backup could not be written or restored. Earlier backups are kept."""

    code = "backup"


class BackupDamaged(BackupError):
    """The file is damaged or not a Gotgan backup. Nothing was restored."""

    code = "backup.damaged"


class BackupTooNew(BackupError):
    """The backup was made by a later version of Gotgan. Nothing was restored."""

    code = "backup.too_new"


class ExportError(GotganError):
    """An export could not be completed. Written files are complete."""

    code = "export"
