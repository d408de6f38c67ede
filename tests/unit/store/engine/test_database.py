"""The file, its connections and group commit: a write that fails harms nobody else."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import StoreClosed, StoreLocked
from gotgan.store.engine import fileformat
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.faults import ConditionalCheckFailedException
from gotgan.store.engine.fileformat import StaleCatalog
from tests.durability.crowd import at_once, restless
from tests.patience import PATIENCE

Work = Callable[[sqlite3.Connection], Any]


@pytest.fixture(params=["file", "memory"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineDatabase]:
    path = None if request.param == "memory" else tmp_path / "store.db"
    database = EngineDatabase(path, "normal")
    database.write(_NOTES)
    yield database
    database.close()


def _run(sql: str, *parameters: object) -> Work:
    return lambda connection: connection.execute(sql, parameters).fetchall()


_NOTES = _run("CREATE TABLE notes (name TEXT UNIQUE, times INTEGER DEFAULT 0)")


def _note(name: str) -> Work:
    return _run("INSERT INTO notes (name, times) VALUES (?, 1)", name)


def _count(name: str) -> Work:
    sql = "INSERT INTO notes VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET times = times + 1"
    return _run(sql, name)


def _noted(database: EngineDatabase) -> dict[str, int]:
    rows: list[tuple[str, int]] = database.read(_run("SELECT name, times FROM notes"))
    return dict(rows)


def _waiting(database: EngineDatabase) -> int:
    return len(database._queue.waiting)  # noqa: SLF001 - to go on when they wait, and not before


def _in_one_batch(database: EngineDatabase, works: list[Work]) -> list[Any]:
    """Let threads write while another write is still under way: theirs become one batch."""
    inside = threading.Event()
    outcomes: list[Any] = [None] * len(works)

    def hold_on(_connection: sqlite3.Connection) -> None:
        inside.set()
        while _waiting(database) < len(works):
            time.sleep(0)

    def write(number: int) -> None:
        inside.wait()
        try:
            outcomes[number] = database.write(works[number])
        except BaseException as error:  # noqa: BLE001 - what was raised is the outcome
            outcomes[number] = error

    threads = [threading.Thread(target=write, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    database.write(hold_on)
    for thread in threads:
        thread.join()
    return outcomes


def test_a_write_returns_what_its_work_returns(database: EngineDatabase) -> None:
    assert database.write(lambda _connection: "done") == "done"


def test_a_failing_write_leaves_nothing_behind(database: EngineDatabase) -> None:
    def fail_late(connection: sqlite3.Connection) -> None:
        _note("bad")(connection)
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        database.write(fail_late)
    assert _noted(database) == {}


@pytest.mark.parametrize("error", [ArithmeticError, sqlite3.IntegrityError], ids=repr)
def test_a_failing_write_does_not_harm_its_neighbours(
    database: EngineDatabase, error: type[Exception]
) -> None:
    def fail_late(connection: sqlite3.Connection) -> None:
        _note("bad")(connection)
        raise error

    works = [_note("a"), fail_late, _note("b"), fail_late, _note("c")]
    outcomes = _in_one_batch(database, works)
    assert [type(outcome) for outcome in outcomes] == [list, error, list, error, list]
    assert _noted(database) == {"a": 1, "b": 1, "c": 1}


@pytest.mark.parametrize(
    "refusal", [ConditionalCheckFailedException("no"), StaleCatalog("old")], ids=repr
)
def test_a_refusal_reaches_its_owner_alone(database: EngineDatabase, refusal: Exception) -> None:
    def refuse(_connection: sqlite3.Connection) -> None:
        raise refusal

    outcomes = _in_one_batch(database, [_note("a"), refuse, _note("b")])
    assert outcomes == [[], refusal, []]
    assert _noted(database) == {"a": 1, "b": 1}


def test_every_write_is_carried_out_once_whatever_its_neighbours_do(
    database: EngineDatabase,
) -> None:
    def fail(_connection: sqlite3.Connection) -> None:
        raise ArithmeticError

    def write(worker: int) -> None:
        for number in range(30):
            if (number + worker) % 7 == 0:
                with pytest.raises(ArithmeticError):
                    database.write(fail)
            database.write(_count(f"worker-{worker}"))

    with restless():
        at_once([partial(write, worker) for worker in range(6)])
    assert _noted(database) == {f"worker-{worker}": 30 for worker in range(6)}


def test_an_interrupt_in_a_leader_leaves_the_followers_writes_to_be_done(
    database: EngineDatabase,
) -> None:
    interrupts = [KeyboardInterrupt]
    names = ["a", "b", "c", "d"]

    def interrupt_once(connection: sqlite3.Connection) -> Any:
        result = _count("b")(connection)
        while interrupts:
            raise interrupts.pop()
        return result

    works = [_count("a"), interrupt_once, _count("c"), _count("d")]
    outcomes = dict(zip(names, _in_one_batch(database, works), strict=True))
    [leader] = [name for name in names if isinstance(outcomes[name], KeyboardInterrupt)]
    assert _noted(database) == {name: 1 for name in names if name != leader}
    assert database.write(_count("after")) == []


class InterruptedCommit:
    """A connection whose next COMMIT is carried out, and then Ctrl-C arrives."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.armed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        cursor = self._connection.execute(sql, *parameters)
        if sql == "COMMIT" and self.armed:
            self.armed = False
            raise KeyboardInterrupt
        return cursor


def test_an_interrupt_after_the_commit_does_not_repeat_the_followers_writes(
    database: EngineDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = InterruptedCommit(database._writer)  # type: ignore[arg-type]  # noqa: SLF001 - the fault is put where it happens
    monkeypatch.setattr(database, "_writer", connection)
    names = ["a", "b", "c", "d"]

    def count_and_arm(name: str, held: sqlite3.Connection) -> Any:
        connection.armed = connection.armed or name == "b"
        return _count(name)(held)

    outcomes = _in_one_batch(database, [partial(count_and_arm, name) for name in names])
    assert sum(isinstance(outcome, KeyboardInterrupt) for outcome in outcomes) == 1
    assert _noted(database) == dict.fromkeys(names, 1)


class SlowCommit:
    """A connection whose COMMIT takes until every thread that is not part of it writes again."""

    def __init__(self, connection: sqlite3.Connection, waiting: Callable[[], int]) -> None:
        self._connection, self._waiting = connection, waiting
        self.running: list[int] = []
        self.writes: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql.startswith("BEGIN"):
            self.writes.append(0)
        self.writes[-1] += sql.startswith("INSERT")
        deadline = time.monotonic() + PATIENCE
        while sql == "COMMIT" and self._waiting() < len(self.running) - self.writes[-1]:
            assert time.monotonic() < deadline, "threads wait for a commit that is not theirs"
            time.sleep(0)
        return self._connection.execute(sql, *parameters)


def test_threads_whose_writes_are_on_disk_write_again_during_the_next_commit(
    database: EngineDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = SlowCommit(database._writer, partial(_waiting, database))  # type: ignore[arg-type]  # noqa: SLF001 - the disk is slow there
    monkeypatch.setattr(database, "_writer", connection)
    threads, times = 6, 20
    connection.running = list(range(threads))

    def write(worker: int) -> None:
        for _ in range(times):
            database.write(_count(f"worker-{worker}"))
        connection.running.pop()

    at_once([partial(write, worker) for worker in range(threads)])
    assert _noted(database) == {f"worker-{worker}": times for worker in range(threads)}
    assert sum(connection.writes) == threads * times
    assert len(connection.writes) <= 2 * times + threads, "they share their commits"


def test_writes_made_together_are_there_once_the_block_has_ended(tmp_path: Path) -> None:
    with closing(EngineDatabase(tmp_path / "store.db")) as database:
        database.write(_NOTES)
        with database.batch():
            database.write(_note("a"))
            assert database.write(_run("SELECT name FROM notes")) == [("a",)]
            database.write(_note("b"))
            assert _noted(database) == {}, "others see nothing of it yet"
        assert _noted(database) == {"a": 1, "b": 1}


def test_a_block_that_fails_leaves_nothing_of_its_writes(database: EngineDatabase) -> None:
    def fail() -> None:
        with database.batch():
            database.write(_note("a"))
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fail()
    assert _noted(database) == {}
    database.write(_note("b"))
    assert _noted(database) == {"b": 1}, "the next write is not held up by it"


def test_a_refusal_within_a_block_leaves_its_neighbours_alone(database: EngineDatabase) -> None:
    def refuse(_connection: sqlite3.Connection) -> None:
        raise ConditionalCheckFailedException("no")

    with database.batch():
        database.write(_note("a"))
        with pytest.raises(ConditionalCheckFailedException):
            database.write(refuse)
        with pytest.raises(StaleCatalog):
            database.write(_run("SELECT * FROM nowhere"))
        database.write(_note("b"))
    assert _noted(database) == {"a": 1, "b": 1}


@pytest.mark.parametrize("error", [ArithmeticError, sqlite3.IntegrityError], ids=repr)
def test_a_failing_write_spoils_the_block_that_it_is_in(
    database: EngineDatabase, error: type[Exception]
) -> None:
    def fail_late(connection: sqlite3.Connection) -> None:
        _note("bad")(connection)
        raise error

    def fail_in_the_middle() -> None:
        with database.batch():
            database.write(_note("a"))
            for work in (fail_late, _note("b")):
                with pytest.raises(error):
                    database.write(work)

    with pytest.raises(error):
        fail_in_the_middle()
    assert _noted(database) == {}


def test_other_threads_wait_until_a_block_has_ended(database: EngineDatabase) -> None:
    other = threading.Thread(target=database.write, args=(_count("it"),))
    with database.batch():
        other.start()
        while not _waiting(database):
            time.sleep(0)
        database.write(_note("it"))
        assert database.write(_run("SELECT times FROM notes")) == [(1,)]
    other.join()
    assert _noted(database) == {"it": 2}


def test_readers_take_connections_from_each_other_without_quarrel(database: EngineDatabase) -> None:
    database.write(_note("a"))

    def read() -> None:
        for _ in range(150):
            assert _noted(database) == {"a": 1}

    with restless():
        at_once([read] * 8)


def test_a_snapshot_sees_one_moment(tmp_path: Path) -> None:
    database = EngineDatabase(tmp_path / "store.db", "normal")
    database.write(_run("CREATE TABLE notes (name TEXT UNIQUE, times INTEGER)"))

    def look_twice(connection: sqlite3.Connection) -> tuple[Any, Any]:
        look = _run("SELECT count(*) FROM notes")
        first = look(connection)
        database.write(_note("meanwhile"))
        return first, look(connection)

    assert database.read(look_twice, begin=True) == ([(0,)], [(0,)])
    assert database.read(_run("SELECT count(*) FROM notes")) == [(1,)]
    database.close()


def test_a_read_that_failed_does_not_keep_later_reads_in_its_moment(
    database: EngineDatabase,
) -> None:
    database.write(_note("a"))

    def fail_amid_rows(connection: sqlite3.Connection) -> None:
        for _row in connection.execute("SELECT name FROM notes"):
            raise ArithmeticError

    with pytest.raises(ArithmeticError) as held:
        database.read(fail_amid_rows)
    database.write(_note("b"))
    assert _noted(database) == {"a": 1, "b": 1}
    del held


def test_a_closed_database_says_so(database: EngineDatabase) -> None:
    database.close()
    for use in (database.read, database.write, partial(database.read, begin=True)):
        with pytest.raises(StoreClosed, match=r"closed\. Open it again"):
            use(_run("SELECT 1"))


def test_closing_twice_is_no_error(database: EngineDatabase) -> None:
    database.close()
    database.close()


def test_writes_that_wait_while_the_database_is_closed_are_told(database: EngineDatabase) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def hold_on(_connection: sqlite3.Connection) -> None:
        inside.set()
        go_on.wait()

    def write() -> bool:
        inside.wait()
        go_on.set()
        try:
            database.write(_count("a"))
        except StoreClosed:
            return False
        return True

    def close() -> bool:
        inside.wait()
        database.close()
        return False

    outcomes = at_once([lambda: database.write(hold_on) is None, write, write, close])
    assert outcomes[0] is True
    with pytest.raises(StoreClosed):
        database.write(_count("a"))


def test_a_reader_that_is_under_way_when_the_database_is_closed_finishes(tmp_path: Path) -> None:
    database = EngineDatabase(tmp_path / "store.db", "normal")

    def close_amid(connection: sqlite3.Connection) -> Any:
        database.close()
        return _run("SELECT 1")(connection)

    assert database.read(close_amid) == [(1,)]
    assert [each.name for each in tmp_path.iterdir()] == ["store.db"]


@pytest.mark.parametrize(("synchronous", "level"), [("full", 2), ("normal", 1)])
def test_the_setting_reaches_sqlite(tmp_path: Path, synchronous: Any, level: int) -> None:
    database = EngineDatabase(tmp_path / "store.db", synchronous)
    assert database.write(_run("PRAGMA journal_mode")) == [("wal",)]
    asked = EngineDatabase(tmp_path / "store.db", synchronous)
    for use in (asked.read, _outside_transactions(asked)):
        assert use(_run("PRAGMA synchronous")) == [(level,)]
    asked.close()
    database.close()


def _outside_transactions(database: EngineDatabase) -> Callable[[Work], Any]:
    writer = database._writer  # noqa: SLF001 - what the writer was told cannot be seen from outside
    assert writer is not None
    return lambda work: work(writer)


def test_writes_that_wait_for_a_locked_file_are_all_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    monkeypatch.setattr(fileformat, "BUSY_TIMEOUT_S", 0.05)
    database = EngineDatabase(path, "normal")
    database.write(_run("CREATE TABLE notes (name TEXT UNIQUE, times INTEGER)"))
    program = sqlite3.connect(path, isolation_level=None)
    program.execute("BEGIN IMMEDIATE")

    def write() -> type[BaseException] | None:
        try:
            database.write(_count("a"))
        except StoreLocked as error:
            return type(error)
        return None

    assert at_once([write] * 4) == [StoreLocked] * 4
    program.execute("ROLLBACK")
    program.close()
    assert database.write(_count("a")) == []
    assert _noted(database) == {"a": 1}
    database.close()
