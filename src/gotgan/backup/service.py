"""What backups can do; ``docs/backup.md`` says how to use it.

A backup is written under another name and renamed when it is complete and on disk. A restore
unpacks into a working folder, checks everything there, and only then moves the files into place.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from gotgan.backup import messages
from gotgan.backup.archive import (
    DATABASES,
    BackupManifest,
    OnProgress,
    copy_databases,
    create_private,
    integrity,
    pack,
    unpack,
)
from gotgan.clock import Clock, SystemClock
from gotgan.errors import BackupError, Conflict, UsageError
from gotgan.events import emit
from gotgan.messages import Message, Template, text
from gotgan.settings import (
    CONFIG_FILE,
    DYNAMODB_FILE,
    RESTORING_FOLDER,
    SECRET_FILE,
    SQLITE_FILE,
    Settings,
)
from gotgan.store.engine import fileformat

_NAME: Final = re.compile(r"gotgan-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:-(\d+))?\.zip")
_WORK: Final = ".gotgan-backup"
_LOCK: Final = ".gotgan-backup.lock"


@dataclass(frozen=True)
class Backup:
    """A backup that was written."""

    path: Path
    moment: datetime
    """All files are as they were then."""
    bytes: int
    files: Mapping[str, int]
    """The size of each file before compression."""
    left_out: tuple[Message, ...]
    """What is stored elsewhere, and how to back that up."""
    removed: tuple[str, ...]
    """Older backups that were deleted."""

    @property
    def words(self) -> Message:
        """The result in one sentence."""
        return messages.WRITTEN(name=self.path.name, count=self.bytes)


@dataclass(frozen=True)
class RestoreReport:
    """A folder that was restored."""

    folder: Path
    moment: datetime
    files: Mapping[str, int]


def _no_progress(_done: int, _total: int, _name: str, /) -> None:
    """Report nothing."""


def back_up(
    settings: Settings,
    target: Path | None = None,
    *,
    keep: int | None = None,
    clock: Clock | None = None,
    on_progress: OnProgress = _no_progress,
) -> Backup:
    """Write a backup into a folder while Gotgan runs, then delete all but the newest ``keep``.

    Without a target this is the scheduled backup: ``GOTGAN_BACKUP`` and ``GOTGAN_BACKUP_KEEP``.
    """
    if target is None:
        target, keep = settings.backup, keep or settings.backup_keep
    if target is None:
        raise UsageError(messages.NO_TARGET())
    files, left_out = _contents(settings)
    with _explained_errors(partial(messages.NOT_WRITTEN, folder=target)):
        target.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(target / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        with _exclusive_lock(lock, messages.BACKUP_RUNNING, target):
            with _empty_folder(target / _WORK) as work:
                moment = _copy_all(files, work, clock or SystemClock(), on_progress)
                copies = [work / name for name in files]
                manifest = pack(
                    work / _WORK,
                    copies,
                    moment,
                    lambda done, total, name: on_progress(total + done, 2 * total, name),
                )
                path = _free_path(target, moment)
                (work / _WORK).rename(path)
                _sync(target)
            removed = () if keep is None else _prune(path, keep)
            size = path.stat().st_size
    emit("backup.written", path=str(path), bytes=size, removed=len(removed))
    return Backup(path, moment, size, manifest.sizes, left_out, removed)


def restore(backup: Path, folder: Path, *, on_progress: OnProgress = _no_progress) -> RestoreReport:
    """Restore a backup into an empty or absent folder, after everything in it was checked.

    As long as the working folder exists, ``Settings.folder`` refuses to use the files beside it:
    a restore that was killed is never taken for a complete one.
    """
    was_there = folder.exists()
    with _explained_errors(partial(messages.NOT_RESTORED, backup=backup, folder=folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with _exclusive_lock(os.open(folder, os.O_RDONLY), messages.RESTORE_RUNNING, folder):
                _refuse_occupied(folder)
                manifest = _restore_into(folder, backup, on_progress)
        except BaseException:
            if not was_there:
                with suppress(OSError):  # not empty: another program has put something there
                    folder.rmdir()
            raise
    emit("backup.restored", path=str(backup), folder=str(folder))
    return RestoreReport(folder, manifest.moment, manifest.sizes)


def _restore_into(folder: Path, backup: Path, on_progress: OnProgress) -> BackupManifest:
    with _empty_folder(folder / RESTORING_FOLDER) as work:
        try:
            manifest = unpack(backup, work, on_progress)
            for entry in manifest.files:
                (work / entry.name).rename(folder / entry.name)
            _sync(folder)
        except BaseException:
            for name in (
                *DATABASES,
                SECRET_FILE,
                CONFIG_FILE,
            ):  # the folder was empty: they are ours
                (folder / name).unlink(missing_ok=True)
            raise
    _sync(folder)
    return manifest


def _contents(settings: Settings) -> tuple[dict[str, Path], tuple[Message, ...]]:
    """The files to back up, and what is left out."""
    elsewhere = {
        DYNAMODB_FILE: settings.dynamodb != "embedded"
        and messages.DYNAMODB(place=settings.dynamodb),
        SQLITE_FILE: settings.database is not None and messages.POSTGRESQL(),
        SECRET_FILE: settings.given_secret is not None and messages.SECRET(),
    }
    local = {name: settings.data / name for name, words in elsewhere.items() if not words}
    files = {name: path for name, path in local.items() if path.is_file()}
    left_out = (
        *(words for words in elsewhere.values() if words),
        *(messages.NOT_THERE(name=name) for name in local if name not in files),
    )
    if not files:
        raise BackupError(messages.NOTHING(folder=settings.data, left_out=left_out))
    config = settings.data / CONFIG_FILE
    return files | ({CONFIG_FILE: config} if config.is_file() else {}), left_out


def _copy_all(
    files: Mapping[str, Path], work: Path, clock: Clock, on_progress: OnProgress
) -> datetime:
    """Copy all files as of one moment, and check the copies: damage must not replace a backup."""
    databases = {name: path for name, path in files.items() if name in DATABASES}
    first_half = lambda done, total, name: on_progress(done, 2 * total, name)  # noqa: E731
    moment = copy_databases(databases, work, clock, first_half)
    # The secret comes last, so that it is there if anything was signed before the moment.
    for name in files.keys() - DATABASES:
        with create_private(work / name) as copy:
            copy.write(files[name].read_bytes())
    for name, path in databases.items():
        if (found := integrity(work / name)) != "ok":
            raise fileformat.corrupt_error(path, sqlite3.DatabaseError(found))
    return moment


def _free_path(target: Path, moment: datetime) -> Path:
    """A path that no backup has; the second backup of a second gets a number."""
    stem, number = f"gotgan-{moment:%Y-%m-%dT%H-%M-%SZ}", 1
    path = target / f"{stem}.zip"
    while os.path.lexists(path):
        number += 1
        path = target / f"{stem}-{number}.zip"
    return path


def _prune(newest: Path, keep: int) -> tuple[str, ...]:
    """Delete the oldest complete backups, so that ``keep`` are left with the newest."""
    paths = newest.parent.iterdir()
    named = [(found, path) for path in paths if (found := _NAME.fullmatch(path.name))]
    named.sort(key=lambda pair: (pair[0][1], int(pair[0][2] or 1)))
    others = [path for _, path in named if path != newest and zipfile.is_zipfile(path)]
    removed = others[: max(0, len(others) - keep + 1)]
    for path in removed:
        path.unlink(missing_ok=True)
    return tuple(path.name for path in removed)


def _refuse_occupied(folder: Path) -> None:
    found = {path.name for path in folder.iterdir()}
    if not found - {RESTORING_FOLDER, "lost+found"}:
        return
    if RESTORING_FOLDER in found:
        raise Conflict(messages.RESTORE_INTERRUPTED(folder=folder))
    raise Conflict(messages.NOT_EMPTY(folder=folder))


@contextmanager
def _exclusive_lock(descriptor: int, busy: Template, folder: Path) -> Iterator[None]:
    """Hold the lock of an open file; the system releases it when the process dies."""
    import fcntl  # noqa: PLC0415 - not on Windows, where the rest of Gotgan can be imported

    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(busy(folder=folder)) from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _empty_folder(folder: Path) -> Iterator[Path]:
    """An empty private folder; with the lock held, what is in it was left by a killed process."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _sync(folder: Path) -> None:
    """Wait until the names in a folder are on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # from network file systems that do not support it
            raise
    finally:
        os.close(descriptor)


@contextmanager
def _explained_errors(explain: Callable[..., Message]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupError(explain(cause=text(error.strerror or str(error)))) from error
