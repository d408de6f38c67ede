"""A secret: one that was given, or the data folder's own."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

from gotgan.errors import SettingsError
from gotgan.messages import text
from gotgan.settings import messages

_MIN_LENGTH: Final = 32


class Secret:
    """A text that is only shown by ``reveal``."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(hidden)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        import hmac  # noqa: PLC0415 - loads OpenSSL, which most commands need not

        return hmac.compare_digest(self._text.encode(), other._text.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._text))


def parse_secret(text: str) -> Secret:
    """A secret that is long enough to sign with."""
    if len(text) < _MIN_LENGTH:
        raise ValueError(messages.SECRET_LENGTH(minimum=_MIN_LENGTH))
    return Secret(text)


def file_secret(path: Path) -> Secret:
    """The secret in a file, which is created if it does not exist."""
    try:
        if not path.exists():
            _make_secret(path)
        refuse_open_to_others(path)
        return parse_secret(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise SettingsError(
            messages.SECRET_FILE(path=path, cause=text(str(error.strerror)))
        ) from error
    except ValueError:
        raise SettingsError(messages.BAD_SECRET_FILE(path=path)) from None


def _make_secret(path: Path) -> None:
    """Write a draft and link it into place: of two processes one wins, and both read the same."""
    import secrets  # noqa: PLC0415 - as above

    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def refuse_open_to_others(path: Path) -> None:
    """Raise SettingsError for a file with secrets that other users can read."""
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise SettingsError(messages.SECRET_FILE_OPEN(path=path))
