"""The typed store's contest: that everybody does the same work, and what is made of the results."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from bench.store.boards import Board
from bench.store.contestants import boto3_client
from bench.store.goals import Goal
from bench.store.measure import Pace
from bench.store.typed.bulk import (
    Bulk,
    ConditionalPuts,
    Done,
    PutNewAll,
    Units,
    Writer,
    measure_bulk,
)
from bench.store.typed.contest import Reading, Typed, filled, read_tasks
from bench.store.typed.goals import BULK_GOALS, LABELS, READ_GOALS
from bench.store.typed.model import Article, article
from bench.store.typed.readers import PynamoReader, Reader, ResourceReader, TypedReader
from bench.store.typed.report import typed_as_json, typed_as_text
from gotgan.store import Store
from gotgan.store.drivers.aws import Aws
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from gotgan.store.engine.values import clean_item
from gotgan.store.schema import schema_of

_ITEMS = 300


@dataclass(frozen=True)
class _Scene:
    endpoint: str
    store: Store


@pytest.fixture(scope="module")
def scene() -> Iterator[_Scene]:
    with (
        Engine(None) as engine,
        background_server(engine) as url,
        filled(Aws(url), _ITEMS) as store,
    ):
        yield _Scene(url, store)


@pytest.fixture(params=["typed", "resource", "pynamodb"])
def reader(request: pytest.FixtureRequest, scene: _Scene) -> Reader:
    if request.param == "typed":
        return TypedReader(scene.store, _ITEMS)
    kind = ResourceReader if request.param == "resource" else PynamoReader
    return kind(scene.endpoint, _ITEMS)


def test_an_article_has_ten_attributes_and_about_400_bytes() -> None:
    item, size = clean_item(schema_of(Article).item(article("archive", 7)))
    assert len(item) == 10
    assert 350 <= size <= 450


def test_every_reader_finds_what_it_is_asked_for(reader: Reader) -> None:
    contestant = Reading(reader)
    done = {
        task.name: sum(task.counted(call()) for call in contestant.calls(task))
        for task in read_tasks(_ITEMS).values()
    }
    assert done == {"get": 100, "page": 500, "index_page": 500}


def test_the_pages_of_every_reader_are_the_same_articles(reader: Reader) -> None:
    for read in (reader.page, reader.index_page):
        ranks = [_rank(found) for number in range(3) for found in read(number)]
        assert ranks == list(range(_ITEMS))


def test_both_ways_to_write_tell_known_items_from_new_ones(scene: _Scene) -> None:
    client = boto3_client(scene.endpoint)
    writers: dict[str, Writer] = {
        "typed_http": PutNewAll(scene.store),
        "loop": ConditionalPuts(client),
    }
    found = measure_bulk(writers, _ITEMS, Pace(1, 0.0, time.monotonic()))
    client.close()
    assert found.units["loop"] == {"known": Units(0, 1), "new": Units(0, 3)}
    assert found.units["typed_http"]["known"] == Units(0.5, 0)
    assert found.units["typed_http"]["new"].writes == 3
    assert all(rate > 0 for rates in found.rates.values() for rate in rates.values())


def test_a_turn_that_wrote_something_else_is_no_result() -> None:
    class Careless:
        slices = 1

        def prepared(self, source: str, places: range) -> list[str]:
            return [f"{source}{place}" for place in places]

        def write(self, prepared: list[str]) -> Done:
            return Done(len(prepared), Units(0, 0))

    with pytest.raises(RuntimeError, match="10 of 10 items were new, and not 0"):
        measure_bulk({"careless": Careless()}, 10, Pace(1, 0.0, time.monotonic()))


def test_the_best_turn_counts() -> None:
    bulk = Bulk()
    for rate in (1.0, 3.0, 2.0):
        bulk.file("loop", "new", rate, Units(0, 3))
    assert bulk.rates == {"loop": {"new": 3.0}}


@pytest.mark.parametrize(
    "goal", [*READ_GOALS, *BULK_GOALS], ids=lambda goal: f"{goal.label} {goal.task}"
)
def test_a_goal_names_contestants_that_have_labels(goal: Goal) -> None:
    assert {goal.ours, goal.theirs} <= set(LABELS)
    assert goal.task in {*read_tasks(_ITEMS), "known", "new"}


def test_the_report_has_the_units_and_the_money_of_all_items() -> None:
    lines = typed_as_text(_typed()).splitlines()
    known = [line for line in lines if line.startswith("| 10,000 known items: ")]
    assert [_cells(line) for line in known[-2:]] == [
        ["5,000", "0", "$0.00063"],
        ["0", "10,000", "$0.0063"],
    ]
    assert _cells(known[0]) == ["25.00 ×", "10 ×", "10 ×", "met"]


def test_the_json_of_the_typed_store_has_its_rates_and_its_bill() -> None:
    found = json.loads(json.dumps(typed_as_json(_typed())))
    assert found["bulk_rates"]["loop"]["known"] == 400.0
    assert found["bulk_ratios"][0]["ratio"] == 25.0
    assert found["bill"][0] == {
        "writer": "typed_http",
        "task": "known",
        "reads": 5000.0,
        "writes": 0.0,
        "money": "$0.00063",
    }


def _rank(found: Any) -> int:
    return int(found["rank"] if isinstance(found, dict) else found.rank)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[2:-1]]


def _typed() -> Typed:
    bulk = {"typed_http": {"known": 10_000.0, "new": 800.0}, "loop": {"known": 400.0, "new": 400.0}}
    units = {
        "typed_http": {"known": Units(0.5, 0.0), "new": Units(0.08, 3.0)},
        "loop": {"known": Units(0.0, 1.0), "new": Units(0.0, 3.0)},
    }
    tasks = {"known": "10,000 known items", "new": "10,000 new items"}
    reads = Board(LABELS, {"get": "get"}, {"resource": {"get": 500.0}}, READ_GOALS)
    return Typed(10_000, reads, Board(LABELS, tasks, bulk, BULK_GOALS), units)
