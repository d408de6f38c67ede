"""What instances were read from, where the database is in the same process."""

from __future__ import annotations

import copy
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import BadItem, StoreCorrupt
from gotgan.settings import Secret
from gotgan.store import Entity, Id, IndexKey, Key, Store, Table, attr
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine

TABLE = Table("cellar", pk="pk", sk="sk")
BY_GROWER = TABLE.index("by-grower", pk="grower", sk="sk")


class Wine(Entity, table=TABLE):
    key = Key("CELLAR#{cellar}", "WINE#{name}")
    by_grower = IndexKey(BY_GROWER, "{grower}", "WINE#{name}")
    cellar: Id
    name: Id
    grower: Id
    region: str
    bottles: int
    notes: tuple[str, ...] = ()


WINE = Wine(cellar="c", name="Riesling", grower="g", region="r", bottles=12, notes=("dry", "cold"))
FOREIGN: dict[str, Any] = {"label": {"B": b"\x00\xff"}, "shelf": {"N": "3"}}

READS: dict[str, Callable[[Store], Any]] = {
    "query": lambda store: store.first(Wine.key.query(cellar="c")),
    "index": lambda store: store.first(Wine.by_grower.query(grower="g")),
    "filter": lambda store: store.first(Wine.key.query(cellar="c").filtered(attr("bottles") > 1)),
    "keep": lambda store: store.query(Wine.key.query(cellar="c"), keep=bool).items[0],
    "iterate": lambda store: next(store.iterate(Wine.key.query(cellar="c"), at_most=None)),
    "scan": lambda store: next(store.scan(Wine)),
}
each_way = pytest.mark.parametrize("read", READS.values(), ids=READS)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        store.create(TABLE)
        store.put_new(WINE, others={"label": b"\x00\xff", "shelf": 3})
        yield store


def stored_item(store: Store) -> Any:
    request = {"TableName": TABLE.name, "Key": WINE.key.item}
    return store.calls.driver.call("GetItem", request)["Item"]


@each_way
def test_an_instance_knows_the_whole_item_that_it_was_read_from(
    store: Store, read: Callable[[Store], Wine]
) -> None:
    wine = read(store)
    assert wine == WINE
    assert wine.origin is not None
    assert wine.origin.item == stored_item(store)
    assert wine.origin.item.items() >= FOREIGN.items()
    assert wine.origin is wine.origin
    assert wine.key == WINE.key


@each_way
def test_attributes_without_a_field_survive_a_change(
    store: Store, read: Callable[[Store], Wine]
) -> None:
    before = stored_item(store)
    store.update(read(store), bottles=11)
    store.put(read(store))
    assert stored_item(store) == {**before, "bottles": {"N": "11"}}


def pickled(wine: Wine) -> Wine:
    read: Wine = pickle.loads(pickle.dumps(wine))  # noqa: S301 - it is our own
    return read


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, Wine.model_copy, pickled],
    ids=["copy", "deepcopy", "model_copy", "pickle"],
)
def test_a_copy_is_of_the_same_item(store: Store, copied: Callable[[Wine], Wine]) -> None:
    made = copied(READS["query"](store))
    assert made == WINE
    assert made.origin is not None
    assert made.origin.item == stored_item(store)


@pytest.mark.parametrize(
    ("attribute", "value", "problem"),
    [
        ("region", {"N": "5"}, "region: Input should be a valid string"),
        ("region", None, "region: Field required"),
        ("bottles", {"S": "many"}, "bottles: Input should be a valid integer"),
        ("notes", {"M": {}}, "notes: Input should be a valid tuple"),
    ],
)
def test_an_attribute_of_another_type_is_named(
    store: Store, attribute: str, value: Any, problem: str
) -> None:
    item = {name: each for name, each in stored_item(store).items() if name != attribute}
    item |= {} if value is None else {attribute: value}
    store.calls.driver.call("PutItem", {"TableName": TABLE.name, "Item": item})
    with pytest.raises(BadItem, match=problem):
        list(store.query(Wine.key.query(cellar="c")))


def test_a_damaged_item_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cellar.db"
    with Store(Embedded(Engine(path)), secret=Secret("of this test")) as store:
        store.create(TABLE)
        store.put(WINE)
        with closing(sqlite3.connect(path)) as file, file:
            [[rows]] = file.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%item BLOB%'")
            file.execute(f"UPDATE {rows} SET item = substr(item, 1, 20)")
        for read in ("query", "index", "iterate", "scan"):
            with pytest.raises(StoreCorrupt, match=r"cellar\.db is damaged"):
                READS[read](store)
