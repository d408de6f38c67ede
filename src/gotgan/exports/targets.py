"""Where exports are written: a folder, or a prefix of an S3 bucket.

A file is written under another name first, and takes the place of the one before when it is
complete. Readers never see an incomplete file, whatever ends the export.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, Protocol

from gotgan.errors import Conflict, ExportError, UsageError
from gotgan.exports import messages
from gotgan.messages import text

_DRAFT_SUFFIX: Final = ".draft"
_LOCK: Final = ".gotgan-export.lock"
_S3: Final = "s3://"


class Target(Protocol):
    """A place for the files of an export; paths are relative, with slashes."""

    name: str

    def lock(self, data_set: str) -> AbstractContextManager[None]:
        """Keep other exports of a data set out, or raise Conflict."""

    def files(self, data_set: str) -> Mapping[str, str]:
        """The files of a data set, each with a stamp that changes with its content."""

    def read(self, path: str) -> bytes | None:
        """The content of a small file; None if there is none."""

    def draft(self, path: str) -> AbstractContextManager[Path]:
        """A local file to write, which is gone in the end."""

    def publish(self, draft: Path, path: str) -> str:
        """Put a complete draft in its place; return its stamp."""

    def delete(self, path: str) -> None:
        """Delete a file."""


def open_target(to: str) -> Target:
    """The target that an address names."""
    if to.startswith(_S3):
        from gotgan.exports.s3 import S3Target  # noqa: PLC0415 - boto3 is an extra, and heavy

        return S3Target(to.removeprefix(_S3))
    if "://" in to:
        raise UsageError(messages.OTHER_SCHEME(url=to))
    return FolderTarget(Path(to).expanduser())


class FolderTarget:
    """A folder; it is created if it does not exist."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder

    @contextmanager
    def lock(self, data_set: str) -> Iterator[None]:
        """Hold a lock file, which the system releases when the process dies."""
        import fcntl  # noqa: PLC0415 - not on Windows, where the rest of Gotgan can be imported

        with self._explained_errors():
            folder = self._folder / data_set
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Conflict(messages.RUNNING(name=data_set, target=self.name)) from None
            for left in folder.rglob(f".*{_DRAFT_SUFFIX}"):  # by an export that was killed
                left.unlink(missing_ok=True)
            yield
        finally:
            os.close(descriptor)

    def files(self, data_set: str) -> Mapping[str, str]:
        """The files of a data set with their sizes: only the holder of the lock changes them."""
        with self._explained_errors():
            return {
                path.relative_to(self._folder).as_posix(): str(path.stat().st_size)
                for path in (self._folder / data_set).rglob("*.parquet")
            }

    def read(self, path: str) -> bytes | None:
        """The content of a small file; None if there is none."""
        with self._explained_errors():
            try:
                return (self._folder / path).read_bytes()
            except FileNotFoundError:
                return None

    @contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """A hidden file beside the one that it will replace."""
        place = self._folder / path
        draft = place.with_name(f".{place.name}{_DRAFT_SUFFIX}")
        with self._explained_errors():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                yield draft
            finally:
                draft.unlink(missing_ok=True)

    def publish(self, draft: Path, path: str) -> str:
        """Rename a draft when it is on disk."""
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(self._folder / path)
        return str((self._folder / path).stat().st_size)

    def delete(self, path: str) -> None:
        """Delete a file, and its folder if that is empty then."""
        place = self._folder / path
        with self._explained_errors():
            place.unlink(missing_ok=True)
            if not any(place.parent.iterdir()):
                place.parent.rmdir()

    @contextmanager
    def _explained_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            cause = text(error.strerror or str(error))
            raise ExportError(messages.NOT_WRITTEN(target=self.name, cause=cause)) from error
