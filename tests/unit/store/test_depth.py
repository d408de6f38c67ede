"""How deep the stack is between the store and SQLite: each frame costs time and hides the path."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.store.library import LIBRARY, book, books

MAX_FRAMES = 16
"""From ``Store.put_new_all`` to the function that calls SQLite, both included."""


@pytest.fixture(params=["file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "store.db" if request.param == "file" else None
    engine = Engine(path, synchronous="normal")
    with Store(Embedded(engine), secret=Secret("of these tests")) as store:
        store.create(LIBRARY)
        yield store


def _depths(call: Callable[[], Any]) -> list[int]:
    """The number of frames at each statement that SQLite runs, from ``Store.put_new_all`` on."""
    found = []

    def count(frame: FrameType, event: str, function: Any) -> None:
        if event == "c_call" and function.__qualname__ == "Connection.execute":
            depth, caller = 1, frame
            while caller.f_code is not Store.put_new_all.__code__ and caller.f_back is not None:
                depth, caller = depth + 1, caller.f_back
            found.append(depth)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("probe", [True, False])
def test_bulk_writes_reach_the_database_through_few_frames(store: Store, *, probe: bool) -> None:
    store.put_new_all([book(1)])
    depths = _depths(lambda: store.put_new_all(books(3), probe=probe))
    assert 0 < max(depths) <= MAX_FRAMES
