"""The work that the contestants are given."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from bench.store.contestants import BotoShaped
from bench.store.measure import rate
from bench.store.workload import TASKS, Task, item
from gotgan.store.engine import connect
from gotgan.store.engine.values import clean_item


@pytest.mark.parametrize("number", [0, 7, 999_999])
def test_an_item_has_about_400_bytes(number: int) -> None:
    _, size = clean_item(item("archive", number))
    assert 350 <= size <= 450


def test_every_task_can_be_done_twice_and_counts_what_it_did(tmp_path: Path) -> None:
    with connect(tmp_path / "data.sqlite3", synchronous="normal") as client:
        contestant = BotoShaped(client)
        contestant.fill()
        done = {
            task.name: [sum(task.counted(call()) for call in contestant.calls(task)) for _ in "12"]
            for task in TASKS.values()
        }
    assert done["put"] == [50, 50]
    assert done["get"] == [100, 100]
    assert done["batch"] == [100, 100]
    assert done["table_100"] == done["index_100"] == [500, 500]
    # One megabyte, the last item included.
    assert done["table_mb"] == done["index_mb"]
    assert 2400 <= done["table_mb"][0] < 3000


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_a_task_makes_the_same_request_of_the_same_number(task: Task) -> None:
    assert task.request(5) == task.request(5)


def test_a_rate_counts_what_the_calls_answer() -> None:
    rounds = count()

    def prepared() -> list[object]:
        next(rounds)
        return [lambda: 3, lambda: 4]

    assert rate(prepared, int, seconds=0.001) > 0  # type: ignore[arg-type]
    assert next(rounds) >= 1
