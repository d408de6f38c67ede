"""Atomic files: whole after a power cut or ``kill -9``, and written by one process at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gotgan.errors import StoreFull, UsageError
from gotgan.messages import text
from gotgan.store.data import messages
from gotgan.store.messages import DISK_FULL

if sys.platform != "win32":
    import fcntl


_DRAFT = ".draft"
_LOCK = ".lock"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically: readers see the old content or the new, never a part."""
    draft = path.with_name(path.name + _DRAFT)
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on the disk, where the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_leftover(name: str, of: str) -> bool:
    """Whether a file of this name is what a killed process left of writing another."""
    return name in {of + _DRAFT, of + _LOCK}


@contextmanager
def translated_os_errors(path: Path) -> Iterator[None]:
    """The error of the operating system, as a sentence about the file or folder."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.ENOSPC:
            raise StoreFull(DISK_FULL(path=path)) from error
        raise UsageError(
            messages.UNUSABLE(path=error.filename or path, cause=text(reason))
        ) from error


@contextmanager
def lock_file(path: Path, what: str) -> Iterator[None]:
    """Keep other processes from a file, where the system has locks; a dead process holds none."""
    if sys.platform == "win32":
        yield
        return
    lock = path.with_name(path.name + _LOCK)
    descriptor = _open_lock(lock, what)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            lock.unlink()
        os.close(descriptor)


def _open_lock(lock: Path, what: str) -> int:
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise UsageError(messages.IN_USE(what=what)) from None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)  # the one who held it has just removed it
