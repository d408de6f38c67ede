"""How SQLite files are opened: private to their owner, and read-only where they must be.

A file is opened by SQLite alone: closing it by other means would drop this process's locks on it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gotgan.errors import GotganError
from gotgan.messages import Template

_UNREAD_LOG: Final = Template(
    "sqlite.unread_log",
    "{path} is read-only, and its newest writes are still in {log}, which cannot be read without "
    "write access. Copy the folder to a writable place.",
)
_OTHERS_MODE = 0o007
_RETRY_PAUSE_S = 0.01
_PRIVATE_MODE = 0o600


def make_private(path: Path) -> None:
    """Create a file that only its owner may read; one that everyone may read is restricted so.

    SQLite gives the files beside it the same mode. A mode without access for others, such as 0640,
    was chosen on purpose and is kept. Whatever fails here, SQLite reports when it opens the file.
    """
    with contextlib.suppress(OSError):
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_MODE))
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with contextlib.suppress(OSError):  # not there, or another user's
            mode = each.stat().st_mode
            if stat.S_ISREG(mode) and mode & _OTHERS_MODE:
                each.chmod(_PRIVATE_MODE)


def is_read_only(path: Path) -> bool:
    """Whether there is a file that this process can read, and it or its folder cannot be written.

    SQLite needs to write to both: its log is beside the file.
    """
    return os.access(path, os.R_OK) and not (
        os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    )


def read_only_uri(path: Path, error: type[GotganError]) -> str:
    """The URI that opens a file for reading only, or the error that it cannot be read.

    Where the log and its index are there, SQLite reads them. Where they are not, it would want to
    create them; but then no process has the file open, and it can be read as one that does not
    change. That ignores a log, so a file with one cannot be read without write access.
    """
    journal, log = (path.with_name(path.name + end) for end in ("-journal", "-wal"))
    has_log = all(os.access(path.with_name(path.name + end), os.R_OK) for end in ("-wal", "-shm"))
    stranded = journal if _has_content(journal) else log
    if _has_content(journal) or (_has_content(log) and not has_log):
        raise error(_UNREAD_LOG(path=path, log=stranded.name))
    return f"file:{quote(str(path))}?mode=ro{'' if has_log else '&immutable=1'}"


def enable_wal(connection: sqlite3.Connection, timeout_s: float) -> None:
    """Switch to the write-ahead log; SQLite itself does not wait here for other connections."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_PAUSE_S)
        else:
            return


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
