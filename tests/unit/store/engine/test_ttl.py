"""The thread that sweeps: it goes on after trouble, and ends when it should."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import StoreClosed, StoreLocked
from gotgan.store.engine import Client, Engine
from gotgan.store.engine.ttl import Sweeper
from tests.contract.tables import create_table, everything

SHORT = 0.001


class Owner:
    """Something with a sweep: each call takes the next outcome, the last one for ever."""

    def __init__(self, *outcomes: int | Exception) -> None:
        self._outcomes = list(outcomes)
        self._called = threading.Condition()
        self.calls = 0

    def sweep(self) -> int:
        with self._called:
            outcome = self._outcomes[min(self.calls, len(self._outcomes) - 1)]
            self.calls += 1
            self._called.notify_all()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def wait_for(self, calls: int) -> bool:
        with self._called:
            return self._called.wait_for(lambda: self.calls >= calls, timeout=10)


@pytest.fixture
def sweeper_of() -> Iterator[Callable[[Owner], Sweeper]]:
    made: list[Sweeper] = []

    def make(owner: Owner) -> Sweeper:
        made.append(Sweeper(owner.sweep, SHORT))
        return made[-1]

    yield make
    for sweeper in made:
        sweeper.stop()


MakeSweeper = Callable[[Owner], Sweeper]


@pytest.fixture
def threads() -> Callable[[], list[threading.Thread]]:
    """Names the sweepers of this test; engines of other tests may have theirs."""
    others = set(threading.enumerate())

    def ours() -> list[threading.Thread]:
        found = set(threading.enumerate()) - others
        return [thread for thread in found if thread.name == "gotgan-ttl"]

    return ours


Threads = Callable[[], list[threading.Thread]]


def test_it_sweeps_again_and_again(sweeper_of: MakeSweeper) -> None:
    owner = Owner(0)
    sweeper_of(owner).start()
    assert owner.wait_for(calls=3)


def test_it_does_nothing_before_it_is_started(sweeper_of: MakeSweeper, threads: Threads) -> None:
    owner = Owner(0)
    sweeper_of(owner)
    assert threads() == []
    assert owner.calls == 0


def test_it_runs_once_however_often_it_is_started(
    sweeper_of: MakeSweeper, threads: Threads
) -> None:
    owner = Owner(0)
    sweeper = sweeper_of(owner)
    for _ in range(3):
        sweeper.start()
    assert len(threads()) == 1
    assert owner.wait_for(1)


def test_it_goes_on_after_a_sweep_that_failed(sweeper_of: MakeSweeper) -> None:
    owner = Owner(StoreLocked("locked"), 0)
    sweeper_of(owner).start()
    assert owner.wait_for(calls=3)


def test_it_ends_when_the_store_is_closed(sweeper_of: MakeSweeper, threads: Threads) -> None:
    owner = Owner(StoreClosed("closed"))
    sweeper_of(owner).start()
    assert owner.wait_for(calls=1)
    for thread in threads():
        thread.join(timeout=10)
    assert threads() == []


def test_stopping_ends_the_thread(sweeper_of: MakeSweeper, threads: Threads) -> None:
    sweeper = sweeper_of(Owner(0))
    sweeper.start()
    sweeper.stop()
    assert threads() == []


def test_it_does_not_keep_its_owner_alive(threads: Threads) -> None:
    owner = Owner(0)
    Sweeper(owner.sweep, SHORT).start()
    gone = weakref.ref(owner)
    del owner
    for thread in threads():
        thread.join(timeout=10)
    gc.collect()
    assert gone() is None
    assert threads() == []


def test_an_engine_sweeps_by_itself_once_a_table_has_expiry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: Threads
) -> None:
    monkeypatch.setattr("gotgan.store.engine.engine.Sweeper", partial(Sweeper, seconds=SHORT))
    swept = threading.Event()

    class Watched(Engine):
        def sweep(self) -> int:
            removed = super().sweep()
            if removed:
                swept.set()
            return removed

    with Watched(tmp_path / "store.db", synchronous="normal") as engine:
        table = create_table(Client(engine))
        assert threads() == []
        ttl = {"AttributeName": "expires", "Enabled": True}
        table.update_time_to_live(TimeToLiveSpecification=ttl)
        table.put(pk="old", expires=int(time.time()) - 100)
        table.put(pk="new", expires=int(time.time()) + 100_000)
        assert swept.wait(timeout=10)
        assert [found["pk"] for found in everything(table.scan)] == ["new"]
    assert threads() == []
    with Engine(tmp_path / "store.db"):
        assert len(threads()) == 1
    assert threads() == []


def test_an_engine_sweeps_as_long_as_there_is_a_stream(tmp_path: Path, threads: Threads) -> None:
    path, clock = tmp_path / "store.db", FixedClock(datetime(2025, 6, 1, tzinfo=UTC))
    stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    with Engine(path, clock=clock) as engine:
        table = create_table(Client(engine))
        assert threads() == []
        table.update_table(StreamSpecification=stream)
        assert len(threads()) == 1
        table.delete_table()
    with Engine(path, clock=clock) as engine:
        assert len(threads()) == 1
        clock.advance(timedelta(days=1))
        engine.sweep()
    with Engine(path, clock=clock):
        assert threads() == []
