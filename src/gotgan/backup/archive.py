"""The file of a backup, and consistent copies of the SQLite files in it.

A backup is a zip file with a manifest that has the size and checksum of each file. Members are read
by the names that are listed here, never by names that an archive brings along.

The SQLite files are copied while other programs write to them. The write locks of all files are
held together for an instant. A read transaction that starts meanwhile keeps its snapshot in the
write-ahead log when the locks are released, so writers wait only for that instant and the files are
copied from the snapshots. Until the copy is complete the log cannot be reset, and grows with what
is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, Literal
from urllib.parse import quote

from pydantic import BaseModel, Field

from gotgan.backup import messages
from gotgan.clock import Clock
from gotgan.errors import BackupDamaged, BackupError, BackupTooNew, StoreLocked, StoreReadOnly
from gotgan.messages import Message, text
from gotgan.settings import DYNAMODB_FILE, SQLITE_FILE
from gotgan.sql.migrations import LATEST, VERSION_TABLE
from gotgan.sqlite_files import is_read_only
from gotgan.store.engine import fileformat

FORMAT: Final = 1
"""The layout of a backup; a larger number is a later one."""
DATABASES: Final = {DYNAMODB_FILE: fileformat.FORMAT, SQLITE_FILE: int(LATEST)}
"""The SQLite files, and the latest version of each that this code can read."""
_VERSIONS: Final = {
    DYNAMODB_FILE: "PRAGMA user_version",
    SQLITE_FILE: f"SELECT version_num FROM {VERSION_TABLE}",  # noqa: S608 - a name of ours
}
_MANIFEST: Final = "manifest.json"
_MAX_MANIFEST_BYTES: Final = 1 << 20
_CHUNK_BYTES: Final = 1 << 20
OnProgress = Callable[[int, int, str], None]
"""Called with the bytes done, the bytes in total, and the name of the current file."""

_LOCK_WAIT_S: Final = 60.0
"""How long to try to get the write locks of all files at once."""
_FIRST_LOCK_TIMEOUT_MS: Final = 10_000
_OTHER_LOCK_TIMEOUT_MS: Final = 200
_PROGRESS_PAGES: Final = 2_048
"""How many pages are copied between two reports of progress."""


def copy_databases(
    sources: Mapping[str, Path], folder: Path, clock: Clock, on_progress: OnProgress
) -> datetime:
    """Copy files into a folder, under their names, as of one moment; return the moment."""
    with ExitStack() as stack:
        readers, moment = _open_snapshots(stack, sources, clock)
        size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        sizes = {name: int(each.execute(size).fetchone()[0]) for name, each in readers.items()}
        total, done = sum(sizes.values()), 0
        for name, reader in readers.items():
            report = partial(_report_progress, on_progress, done, total, folder / name)
            with _copy_errors(sources[name], folder):
                _copy(reader, folder / name, sizes[name], report)
            done += sizes[name]
    return moment


def integrity(path: Path) -> str:
    """What SQLite says about a file that is not in use; ``ok`` where it finds no damage."""
    try:
        return str(first_value(path, "PRAGMA integrity_check(1)"))
    except sqlite3.DatabaseError as error:
        return str(error)


def first_value(path: Path, query: str) -> object:
    """The first value that a query finds in a file that is not in use."""
    with closing(_connect(path, "mode=ro&immutable=1")) as connection:
        return connection.execute(query).fetchone()[0]


def _open_snapshots(
    stack: ExitStack, sources: Mapping[str, Path], clock: Clock
) -> tuple[dict[str, sqlite3.Connection], datetime]:
    """A connection to each file, all in transactions that see the same moment."""
    with ExitStack() as locks:
        writers, readers = {}, {}
        for name, path in sources.items():
            if is_read_only(path):
                raise StoreReadOnly(messages.NEEDS_WRITE_ACCESS(path=path))
            with _translated_errors(path):
                writers[path] = locks.enter_context(closing(_connect(path, "mode=rw")))
                readers[name] = stack.enter_context(closing(_connect(path, "mode=rw")))
        _lock_all(writers)
        moment = clock.now()
        for name, reader in readers.items():
            with _translated_errors(sources[name]):
                reader.execute("BEGIN")
                # Reading takes the snapshot.
                reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return readers, moment


def _lock_all(connections: Mapping[Path, sqlite3.Connection]) -> None:
    """Take the write locks of all files.

    A lock is waited for only while no other is held: a writer of one file never waits for another
    file, and two programs never wait for each other.
    """
    deadline = time.monotonic() + _LOCK_WAIT_S
    order = deque(connections.items())
    while (busy := _first_busy(order)) is not None:
        if time.monotonic() > deadline:
            raise StoreLocked(messages.LOCKED(path=busy, seconds=round(_LOCK_WAIT_S)))
        order.rotate(1)


def _first_busy(order: Sequence[tuple[Path, sqlite3.Connection]]) -> Path | None:
    """Lock all files; where one is busy, release the others and return its path."""
    for number, (path, connection) in enumerate(order):
        wait = _OTHER_LOCK_TIMEOUT_MS if number else _FIRST_LOCK_TIMEOUT_MS
        with _translated_errors(path):
            connection.execute(f"PRAGMA busy_timeout = {wait}")
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                for _, locked in list(order)[:number]:
                    locked.execute("ROLLBACK")
                return path
    return None


def _copy(reader: sqlite3.Connection, path: Path, size: int, report: Callable[[int], None]) -> None:
    """Copy the snapshot that a connection sees."""
    create_private(path).close()
    with closing(sqlite3.connect(path)) as target:
        target.execute("PRAGMA journal_mode = OFF")  # an incomplete copy is deleted anyway
        target.execute("PRAGMA synchronous = OFF")
        reader.backup(
            target,
            pages=_PROGRESS_PAGES,
            progress=lambda _, left, pages: report(int((1 - left / max(pages, 1)) * size)),
        )


def _connect(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True, isolation_level=None)


@contextmanager
def _translated_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise fileformat.translate_error(error, path) from error


@contextmanager
def _copy_errors(source: Path, folder: Path) -> Iterator[None]:
    """Blame the right one of the two files for an error."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise fileformat.corrupt_error(source, error) from error
        raise BackupError(
            messages.NOT_COPIED(path=source, folder=folder.parent, cause=text(str(error)))
        ) from error


class BackupFile(BaseModel):
    """A file in a backup."""

    name: Literal["dynamodb.sqlite3", "gotgan.sqlite3", "secret", "gotgan.toml"]
    bytes: int = Field(ge=0)
    sha256: str
    version: int | None = None


class BackupManifest(BaseModel):
    """What a backup contains."""

    format: int
    gotgan: str
    moment: datetime
    files: tuple[BackupFile, ...] = Field(min_length=1)

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each file before compression."""
        return {entry.name: entry.bytes for entry in self.files}


def pack(
    path: Path, files: list[Path], moment: datetime, on_progress: OnProgress
) -> BackupManifest:
    """Write files into a new archive, and wait until it is on disk."""
    total, done = sum(file.stat().st_size for file in files), 0
    entries: list[BackupFile] = []
    with create_private(path) as whole:
        with zipfile.ZipFile(whole, "w") as archive:
            for file in files:
                member = _member(file.name, moment)
                report = partial(_report_progress, on_progress, done, total, file)
                with file.open("rb") as source, archive.open(member, "w", force_zip64=True) as to:
                    size, sha256 = _copy_stream(source, to, report)
                done += size
                facts = {"bytes": size, "sha256": sha256, "version": _file_version(file)}
                entries.append(BackupFile.model_validate({"name": file.name, **facts}))
            manifest = BackupManifest(
                format=FORMAT, gotgan=version("gotgan"), moment=moment, files=tuple(entries)
            )
            archive.writestr(_member(_MANIFEST, moment), manifest.model_dump_json(indent=2))
        _sync(whole)
    return manifest


def unpack(path: Path, folder: Path, on_progress: OnProgress) -> BackupManifest:
    """Write the files of an archive into a folder and wait for the disk; each is checked."""
    with _translated_damage(path), zipfile.ZipFile(path) as archive:
        manifest = _read_manifest(path, archive)
        total, done = sum(manifest.sizes.values()), 0
        for entry in manifest.files:
            file = folder / entry.name
            with archive.open(entry.name) as source, create_private(file) as to:
                report = partial(_report_progress, on_progress, done, total, file)
                copied = _copy_stream(source, to, report, max_bytes=entry.bytes)
                _sync(to)
            if copied != (entry.bytes, entry.sha256):
                raise _damaged_backup(path, messages.WRONG_CHECKSUM(name=entry.name))
            if entry.name in DATABASES and (found := integrity(file)) != "ok":
                raise _damaged_backup(
                    path, messages.DAMAGED_FILE(name=entry.name, cause=text(found))
                )
            done += entry.bytes
    return manifest


def create_private(path: Path) -> IO[bytes]:
    """A new file, which only its owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> BackupManifest:
    with archive.open(_MANIFEST) as file:
        content = json.loads(file.read(_MAX_MANIFEST_BYTES))
    if content["format"] > FORMAT:
        raise BackupTooNew(
            messages.FORMAT_TOO_NEW(path=path, found=content["format"], latest=FORMAT)
        )
    manifest = BackupManifest.model_validate(content)
    for entry in manifest.files:
        if entry.version is not None and entry.version > DATABASES[entry.name]:
            raise BackupTooNew(
                messages.FILE_TOO_NEW(
                    path=path,
                    version=manifest.gotgan,
                    name=entry.name,
                    found=entry.version,
                    latest=DATABASES[entry.name],
                )
            )
    return manifest


def _file_version(file: Path) -> int | None:
    """The version of a SQLite file; None where it has none."""
    if file.name not in DATABASES:
        return None
    try:
        return int(str(first_value(file, _VERSIONS[file.name])))
    except sqlite3.OperationalError:  # no such table: it is still empty
        return None


def _member(name: str, moment: datetime) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, moment.timetuple()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16  # for those who unpack it with other programs
    return member


def _copy_stream(
    source: IO[bytes],
    target: IO[bytes],
    report: Callable[[int], None],
    max_bytes: int | None = None,
) -> tuple[int, str]:
    """Copy until the end, or until it is more than ``max_bytes``; return size and checksum."""
    size, digest = 0, hashlib.sha256()
    while (max_bytes is None or size <= max_bytes) and (chunk := source.read(_CHUNK_BYTES)):
        target.write(chunk)
        digest.update(chunk)
        size += len(chunk)
        report(size)
    return size, digest.hexdigest()


def _report_progress(
    on_progress: OnProgress, before: int, total: int, file: Path, done: int
) -> None:
    on_progress(before + done, total, file.name)


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _translated_damage(path: Path) -> Iterator[None]:
    """Turn everything that damaged bytes can raise into one error."""
    try:
        yield
    except (
        EOFError,
        KeyError,
        RuntimeError,  # a member that says it is encrypted, or compressed in an unknown way
        TypeError,
        ValueError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise _damaged_backup(path, text(str(error).partition("\n")[0])) from error


def _damaged_backup(path: Path, cause: Message) -> BackupDamaged:
    return BackupDamaged(messages.DAMAGED(path=path, cause=cause))
