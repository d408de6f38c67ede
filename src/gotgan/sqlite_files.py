"""How SQLite files are opened: for their owner alone, and only for reading where that is allowed.

A file is never opened by other means than SQLite's: closing it would drop the locks that this
process has on it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from urllib.parse import quote

__all__ = ["address", "is_read_only", "make_private", "stranded_log"]

_OF_OTHERS = 0o007
_PRIVATE = 0o600


def make_private(path: Path) -> None:
    """Create a file that only its owner may read; one that everyone may read is restricted so.

    SQLite gives the files beside it the same mode. A mode without access for others, such as 0640,
    was chosen on purpose and is kept. Whatever fails here, SQLite reports when it opens the file.
    """
    with contextlib.suppress(OSError):
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with contextlib.suppress(OSError):  # not there, or another user's
            mode = each.stat().st_mode
            if stat.S_ISREG(mode) and mode & _OF_OTHERS:
                each.chmod(_PRIVATE)


def is_read_only(path: Path) -> bool:
    """Whether there is a file that this process can read, and it or its folder cannot be written.

    SQLite needs to write to both: its log is beside the file.
    """
    return os.access(path, os.R_OK) and not (
        os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    )


def stranded_log(path: Path) -> Path | None:
    """A log with writes that can only be read with write access; None where there is none."""
    journal, log = (path.with_name(path.name + end) for end in ("-journal", "-wal"))
    if _has_content(journal):
        return journal
    return log if _has_content(log) and not _has_log(path) else None


def address(path: Path) -> str:
    """The URI that opens a file for reading only.

    Where the log and its index are there, SQLite reads them. Where they are not, it would want to
    create them; but then no process has the file open, and it can be read as one that does not
    change. That ignores a log, so ``stranded_log`` must be asked first.
    """
    return f"file:{quote(str(path))}?mode=ro{'' if _has_log(path) else '&immutable=1'}"


def _has_log(path: Path) -> bool:
    return all(os.access(path.with_name(path.name + end), os.R_OK) for end in ("-wal", "-shm"))


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
