"""The state of a migration in a SQLite file: its progress, and a digest of each copied row."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import messages
from gotgan.errors import MigrationError, UsageError
from gotgan.messages import text
from gotgan.store import Store
from gotgan.store.data.atomic_files import lock_file, translated_os_errors
from gotgan.store.outputs.live import live_table

DONE: Final = "done"
"""The place behind the last row of a source."""
_FORMAT: Final = "gotgan-site-migration-1"
_KEYS_PER_QUERY: Final = 500
BUSY_TIMEOUT_S: Final = 5.0
"""Seconds to wait for another process that writes to the same file."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
    kind TEXT, old_id TEXT, run INTEGER, version INTEGER, digest BLOB,
    PRIMARY KEY (kind, old_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS authors (name TEXT PRIMARY KEY, user_id TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class KnownRow:
    """What is known of a row that was seen before."""

    old_id: str
    run: int
    version: int
    """Which version the copy had then; 0 where there was no copy of ours."""
    digest: bytes


def identity_of(store: Store) -> str:
    """What tells the new table from any other."""
    driver = store.calls.driver
    return f"{driver.name} {live_table(driver, store.calls.names.of(SITE)).identity}"


def state_file(folder: Path, target: str, sources: str) -> Path:
    """Where the state of a migration from these sources to this table is."""
    return folder / f"site-{_short(target)}-{_short(sources)}.sqlite3"


@contextmanager
def lock_target(folder: Path, target: str) -> Iterator[None]:
    """Keep other processes from migrating to the same table."""
    with translated_os_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with lock_file(folder / f"site-{_short(target)}", messages.MIGRATION()):
            yield


@contextmanager
def open_state(path: Path | None, *, keep: bool) -> Iterator[MigrationState]:
    """The state in a file; without ``keep`` a copy of it, which goes away."""
    at = str(path) if keep and path is not None else ""
    with _translated_errors(path), closing(_connect(at)) as connection:
        if not at and path is not None and path.exists():
            with closing(_connect(str(path))) as kept:
                kept.backup(connection)
        yield MigrationState(connection)


def _connect(at: str) -> sqlite3.Connection:
    return sqlite3.connect(at, timeout=BUSY_TIMEOUT_S, isolation_level=None)


@contextmanager
def _translated_errors(path: Path | None) -> Iterator[None]:
    """Say in a sentence what keeps a state from being read or written."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # what lies above tells it finer
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise UsageError(messages.STATE_LOCKED(path=path)) from None
        raise MigrationError(messages.STATE_UNUSABLE(path=path, cause=text(str(error)))) from None
    except sqlite3.DatabaseError as error:
        raise MigrationError(messages.STATE_FOREIGN(path=path, cause=text(str(error)))) from None


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class MigrationState:
    """The state of one migration."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_SCHEMA)
        if self.fact("format", _FORMAT) != _FORMAT:
            raise MigrationError(messages.STATE_OF_ANOTHER_VERSION())

    def begin(self, plan: str) -> bool:
        """Start a run, or resume an unfinished one of the same plan."""
        if self.fact("plan") == plan:
            return True
        with self._transaction():
            self.note(format=_FORMAT, plan=plan, run=self.run + 1, places={}, tally={})
        return False

    @property
    def run(self) -> int:
        """The number of the run."""
        return int(self.fact("run", 0))

    def place(self, kind: str) -> Any:
        """How far the rows of a kind were read; None where that has not started."""
        return self.fact("places", {}).get(kind)

    def fact(self, name: str, default: Any = None) -> Any:
        """Something that was noted."""
        found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,))
        row = found.fetchone()
        return default if row is None else orjson.loads(row[0])

    def checkpoint(self, kind: str, place: Any, known: Iterable[KnownRow], tally: Any) -> None:
        """Store the result of a batch and mark it as done."""
        rows = [(kind, each.old_id, each.run, each.version, each.digest) for each in known]
        with self._transaction():
            self._connection.executemany("REPLACE INTO rows VALUES (?, ?, ?, ?, ?)", rows)
            self.note(places={**self.fact("places", {}), kind: place}, tally=tally)

    def known_rows(self, kind: str, old_ids: Iterable[str]) -> dict[str, KnownRow]:
        """What is known of some rows."""
        wanted = list(old_ids)
        found: dict[str, KnownRow] = {}
        for start in range(0, len(wanted), _KEYS_PER_QUERY):
            some = wanted[start : start + _KEYS_PER_QUERY]
            marks = ",".join("?" * len(some))
            query = (
                "SELECT old_id, run, version, digest FROM rows "  # noqa: S608 - marks, not values
                f"WHERE kind = ? AND old_id IN ({marks})"
            )
            rows = self._connection.execute(query, (kind, *some))
            found |= {row[0]: KnownRow(*row) for row in rows}
        return found

    def unseen_ids(self, kind: str) -> Iterator[str]:
        """The rows that an earlier run copied and this one did not see."""
        query = "SELECT old_id FROM rows WHERE kind = ? AND run < ? AND version > 0 ORDER BY old_id"
        return (row[0] for row in self._connection.execute(query, (kind, self.run)))

    def author(self, name: str) -> str | None:
        """Which user a name was found to be."""
        query = "SELECT user_id FROM authors WHERE name = ?"
        row = self._connection.execute(query, (name,)).fetchone()
        return None if row is None else str(row[0])

    def note_author(self, name: str, user_id: str) -> None:
        """Note which user a name is, so that it stays so."""
        self._connection.execute("REPLACE INTO authors VALUES (?, ?)", (name, user_id))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def note(self, **facts: Any) -> None:
        """Write facts."""
        rows = [(name, orjson.dumps(value)) for name, value in facts.items()]
        self._connection.executemany("REPLACE INTO facts VALUES (?, ?)", rows)
