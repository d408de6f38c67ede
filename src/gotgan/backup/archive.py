"""The file of a backup: a zip file with a manifest that has the size and checksum of each file.

Members are read by the names that are listed here, never by names that an archive brings along.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, Literal

from pydantic import BaseModel, Field

from gotgan.backup.snapshot import first_value, integrity
from gotgan.errors import BackupDamaged, BackupTooNew
from gotgan.settings import DYNAMODB_FILE, SQLITE_FILE
from gotgan.sql.migrations import LATEST, VERSION_TABLE
from gotgan.store.engine import fileformat

__all__ = [
    "DATABASES",
    "FORMAT",
    "BackupFile",
    "BackupManifest",
    "OnProgress",
    "created",
    "pack",
    "unpack",
]

FORMAT: Final = 1
"""The layout of a backup; a larger number is a later one."""
DATABASES: Final = {DYNAMODB_FILE: fileformat.FORMAT, SQLITE_FILE: int(LATEST)}
"""The SQLite files, and the latest version of each that this code can read."""
_VERSIONS: Final = {
    DYNAMODB_FILE: "PRAGMA user_version",
    SQLITE_FILE: f"SELECT version_num FROM {VERSION_TABLE}",  # noqa: S608 - a name of ours
}
_MANIFEST: Final = "manifest.json"
_LARGEST_MANIFEST: Final = 1 << 20
_CHUNK: Final = 1 << 20

OnProgress = Callable[[int, int, str], None]
"""Called with the bytes done, the bytes in total, and the name of the current file."""


class BackupFile(BaseModel):
    """A file in a backup."""

    name: Literal["dynamodb.sqlite3", "gotgan.sqlite3", "secret"]
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
    with created(path) as whole:
        with zipfile.ZipFile(whole, "w") as archive:
            for file in files:
                member = _member(file.name, moment)
                with file.open("rb") as source, archive.open(member, "w", force_zip64=True) as to:
                    size, sha256 = _pour(source, to, partial(_told, on_progress, done, total, file))
                done += size
                facts = {"bytes": size, "sha256": sha256, "version": _version(file)}
                entries.append(BackupFile.model_validate({"name": file.name, **facts}))
            manifest = BackupManifest(
                format=FORMAT, gotgan=version("gotgan"), moment=moment, files=tuple(entries)
            )
            archive.writestr(_member(_MANIFEST, moment), manifest.model_dump_json(indent=2))
        _sync(whole)
    return manifest


def unpack(path: Path, folder: Path, on_progress: OnProgress) -> BackupManifest:
    """Write the files of an archive into a folder and wait for the disk; each is checked."""
    with _readable(path), zipfile.ZipFile(path) as archive:
        manifest = _read_manifest(path, archive)
        total, done = sum(manifest.sizes.values()), 0
        for entry in manifest.files:
            file = folder / entry.name
            with archive.open(entry.name) as source, created(file) as to:
                tell = partial(_told, on_progress, done, total, file)
                poured = _pour(source, to, tell, most=entry.bytes)
                _sync(to)
            if poured != (entry.bytes, entry.sha256):
                raise _damaged(path, f"the checksum of {entry.name} does not match")
            if entry.name in DATABASES and (found := integrity(file)) != "ok":
                raise _damaged(path, f"{entry.name}: {found}")
            done += entry.bytes
    return manifest


def created(path: Path) -> IO[bytes]:
    """A new file, which only its owner may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> BackupManifest:
    with archive.open(_MANIFEST) as file:
        content = json.loads(file.read(_LARGEST_MANIFEST))
    if content["format"] > FORMAT:
        raise BackupTooNew(
            f"{path} has backup format {content['format']}; this version of Gotgan reads up to "
            f"{FORMAT}. Upgrade Gotgan."
        )
    manifest = BackupManifest.model_validate(content)
    for entry in manifest.files:
        if entry.version is not None and entry.version > DATABASES[entry.name]:
            raise BackupTooNew(
                f"{path} was made by Gotgan {manifest.gotgan}: {entry.name} has version "
                f"{entry.version}; this version of Gotgan reads up to {DATABASES[entry.name]}. "
                "Upgrade Gotgan."
            )
    return manifest


def _version(file: Path) -> int | None:
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


def _pour(
    source: IO[bytes], target: IO[bytes], tell: Callable[[int], None], most: int | None = None
) -> tuple[int, str]:
    """Copy until the end, or until it is more than ``most``; return size and checksum."""
    size, digest = 0, hashlib.sha256()
    while (most is None or size <= most) and (chunk := source.read(_CHUNK)):
        target.write(chunk)
        digest.update(chunk)
        size += len(chunk)
        tell(size)
    return size, digest.hexdigest()


def _told(on_progress: OnProgress, before: int, total: int, file: Path, done: int) -> None:
    on_progress(before + done, total, file.name)


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _readable(path: Path) -> Iterator[None]:
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
        raise _damaged(path, str(error).partition("\n")[0]) from error


def _damaged(path: Path, why: str) -> BackupDamaged:
    return BackupDamaged(f"{path} is damaged or not a backup of Gotgan: {why}. Use another backup.")
