"""Eight threads, or four processes, on one file or at one endpoint: who wins, wins alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from gotgan.lifecycle import State
from gotgan.store import Names, Store
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.store.crews import Crew, Processes, Threads
from tests.store.errands import BY_PLACE, ERRANDS, Errand, errands
from tests.store.library import LIBRARY, Account, Shelf
from tests.store.stored import in_index, stored
from tests.store.worker import opened


@dataclass(frozen=True)
class Amounts:
    """How much there is to race for; over HTTP less, because every call takes longer."""

    keys: int
    changes: int
    errands: int


AMOUNTS = {"file": Amounts(200, 40, 50), "http": Amounts(60, 12, 20)}
MAKERS = {"threads": (Threads, 8), "processes": (Processes, 4)}

_numbers = count(1)


@pytest.fixture(scope="module", params=["file", "http"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A file, or the URL of an endpoint that serves one."""
    path = tmp_path_factory.mktemp("races") / "races.sqlite3"
    if request.param == "file":
        yield str(path)
        return
    with Engine(path, synchronous="normal") as engine, background_server(engine) as url:
        yield url


@pytest.fixture
def amounts(place: str) -> Amounts:
    return AMOUNTS["http" if place.startswith("http:") else "file"]


@pytest.fixture(scope="module", params=list(MAKERS))
def crew(request: pytest.FixtureRequest, place: str) -> Iterator[Crew]:
    maker, workers = MAKERS[request.param]
    with ExitStack() as stack:
        yield maker(stack, place, workers)


@pytest.fixture(scope="module")
def database(place: str) -> Iterator[Store]:
    with opened(place) as store:
        yield store


@pytest.fixture
def store(database: Store) -> Store:
    """Tables of this test's own."""
    number = next(_numbers)
    store = database.named(
        Names({table.name: f"{table.name}-{number}" for table in (LIBRARY, ERRANDS)})
    )
    store.create(LIBRARY, ERRANDS)
    return store


@pytest.mark.parametrize("task", ["put_the_same", "put_the_same_at_once"])
def test_each_key_is_new_to_exactly_one(
    store: Store, crew: Crew, amounts: Amounts, task: str
) -> None:
    won = crew.work(store, task, amounts.keys)
    every = [f"s{number:03d}" for number in range(amounts.keys)]
    assert sorted(id_ for ids in won.values() for id_ in ids) == every
    kept = {each.id: each.room for each in store.scan(Shelf)}
    assert kept == {id_: name for name, ids in won.items() for id_ in ids}


def test_an_index_key_of_several_fields_never_goes_stale(
    store: Store, crew: Crew, amounts: Amounts
) -> None:
    store.put_new(Errand(id="e000", street="elm"))
    crew.work(store, "change_a_place", amounts.changes)
    item = stored(store, Errand.key(id="e000"))
    errand = store.get(Errand.key(id="e000"))
    assert item is not None
    assert errand is not None
    assert (item.get("place_pk"), item.get("place_sk")) == _place(errand)
    assert len(in_index(store, BY_PLACE)) == (item.get("place_pk") is not None)


def _place(errand: Errand) -> tuple[str | None, str | None]:
    if errand.region is None or errand.street is None:
        return None, None
    return f"{errand.region}#{errand.street}", f"{errand.house:04d}"


def test_no_change_of_a_version_is_lost(store: Store, crew: Crew, amounts: Amounts) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    crew.work(store, "count_up", amounts.changes)
    done = amounts.changes * len(crew.names)
    assert store.get(Account.key(id="a1")) == Account(
        id="a1", owner="kim", owed=done, version=done + 1
    )


def test_each_piece_of_work_is_done_once_a_round(
    store: Store, crew: Crew, amounts: Amounts
) -> None:
    everything = errands(amounts.errands)
    store.put_new_all(everything)
    start = datetime(2030, 1, 1, 8, 30, tzinfo=UTC)
    by: Counter[str] = Counter()
    for number in range(2):
        now = start + number * timedelta(hours=2)
        done = crew.work(store, "work_through", now.isoformat())
        assert sorted(id_ for ids in done.values() for id_ in ids) == [e.id for e in everything]
        by.update({name: len(ids) for name, ids in done.items()})
    found = list(store.scan(Errand))
    assert Counter(name for each in found for name in each.done_by) == +by
    for each in found:
        position = Errand.work.position(each)
        assert (position.state, position.fence, len(each.done_by)) == (State.DONE, 2, 2)
