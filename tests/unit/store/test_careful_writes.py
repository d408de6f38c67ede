"""Writes that could go wrong in silence, and do not."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field, field_validator

from gotgan.clock import FixedClock
from gotgan.errors import (
    BadItem,
    ConditionFailed,
    DeclarationError,
    ItemMissing,
    TransactionFailed,
    UsageError,
    VersionConflict,
)
from gotgan.lifecycle import Lifecycle
from gotgan.settings import Secret
from gotgan.store import (
    Entity,
    Id,
    IndexKey,
    Key,
    Store,
    Table,
    append,
    attr,
    derived,
    increment,
    writes,
)
from gotgan.store.attributes import encode
from gotgan.store.engine.faults import ConditionalCheckFailedException

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
SHOP = Table("workshop", pk="pk", sk="sk")
BY_STATE = SHOP.index("by_state", pk="state_pk", sk="state_sk")
WORK = SHOP.index("work", pk="work_pk", sk="work_sk", project=("name",))


class Tool(Entity, table=SHOP):
    key = Key("BENCH#{bench}", "TOOL#{id}")
    by_state = IndexKey(BY_STATE, "STATE#{state}", "{name}")
    bench: Id
    id: Id
    name: Id = "hammer"
    state: Id = "new"
    uses: int = 10
    notes: tuple[int, ...] = ()

    @field_validator("uses")
    @classmethod
    def _not_negative(cls, uses: int) -> int:
        if uses < 0:
            raise ValueError("a tool is not used less than never")
        return uses

    @derived("name", "state")
    def label(self) -> str:
        return f"{self.name} ({self.state})"


class Order(Entity, table=SHOP, version="version"):
    key = Key("ORDER#{id}", "METADATA")
    work = Lifecycle(WORK, "{yard}")
    id: Id
    yard: Id = "y1"
    name: str = "chair"
    version: int = 1


class Offer(Entity, table=SHOP, version="version"):
    key = Key("OFFER#{id}", "METADATA")
    id: Id
    name: str
    version: int = 1


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as store:
        store.create(SHOP)
        yield store


def tool(store: Store, **values: Any) -> Tool:
    store.put_new(Tool(bench="b1", id="t1", **values))
    found = store.get(Tool.key(bench="b1", id="t1"))
    assert found is not None
    return found


def order(store: Store, **values: Any) -> Order:
    store.put_new(Order(id="o1", **values))
    found = store.get(Order.key(id="o1"))
    assert found is not None
    return found


def behind_its_back(store: Store, ref: Any, **attributes: Any) -> None:
    """Write attributes as a program would that knows nothing of entities."""
    names = {f"#{name}": name for name in attributes}
    sets = ", ".join(f"#{name} = :{name}" for name in attributes)
    request = {
        "TableName": SHOP.name,
        "Key": ref.item,
        "UpdateExpression": f"SET {sets}",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {f":{name}": encode(v) for name, v in attributes.items()},
    }
    store.calls.driver.call("UpdateItem", request)


def stored(store: Store, ref: Any) -> dict[str, Any]:
    request = {"TableName": SHOP.name, "Key": ref.item}
    item: dict[str, Any] = store.calls.driver.call("GetItem", request)["Item"]
    return item


def test_what_is_named_is_written_even_if_it_was_read_so(store: Store) -> None:
    read = tool(store, uses=3)
    store.patch(read.key, uses=8)
    assert store.update(read, uses=3).item.uses == 3


def test_a_condition_is_asked_although_nothing_changes(store: Store) -> None:
    read = tool(store)
    with pytest.raises(ConditionFailed):
        store.update(read, only_if=attr("state") == "old")
    with pytest.raises(TransactionFailed):
        store.transact(
            [
                writes.update(read, only_if=attr("state") == "old"),
                writes.put_new(Tool(bench="b1", id="t2")),
            ]
        )
    assert store.get(Tool.key(bench="b1", id="t2")) is None


def test_an_update_of_something_that_was_deleted_is_told(store: Store) -> None:
    read = tool(store)
    store.delete(read.key)
    with pytest.raises(ItemMissing):
        store.update(read, uses=10)


def test_a_derived_attribute_may_read_only_what_it_names() -> None:
    table = Table("loose", pk="pk")

    class Loose(Entity, table=table):
        key = Key("{id}")
        id: Id
        other: str = "x"

        @derived("id")
        def both(self) -> str:
            return self.id + self.other

    with pytest.raises(DeclarationError, match="reads other, which it does not name"):
        _ = Loose(id="a").both


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda read: pickle.loads(pickle.dumps(read))],  # noqa: S301
)
def test_a_copy_of_what_was_read_brings_along_what_nobody_knows(store: Store, copied: Any) -> None:
    read = tool(store)
    behind_its_back(store, read.key, foreign="kept")
    again = store.get(read.key)
    store.put(copied(again))
    assert stored(store, read.key)["foreign"] == {"S": "kept"}


@pytest.mark.parametrize("verb", ["put", "put_new"])
def test_a_value_that_a_model_copy_let_in_is_refused_before_it_is_written(
    store: Store, verb: str
) -> None:
    read = tool(store)
    wrong = read.model_copy(update={"uses": "many"})
    with pytest.raises(UsageError, match="uses: Input should be a valid integer"):
        getattr(store, verb)(wrong)
    assert stored(store, read.key)["uses"] == {"N": "10"}


def test_a_patch_is_checked_as_the_entity_checks_itself(store: Store) -> None:
    read = tool(store)
    with pytest.raises(UsageError, match="not used less than never"):
        store.patch(read.key, uses=-5)
    with pytest.raises(UsageError, match="notes"):
        store.patch(read.key, notes=append("text"))
    assert store.patch(read.key, notes=append(1, 2)).item.notes == (1, 2)


def test_a_count_begins_where_the_field_does(store: Store) -> None:
    read = tool(store)
    request = {
        "TableName": SHOP.name,
        "Key": read.key.item,
        "UpdateExpression": "REMOVE uses",
    }
    store.calls.driver.call("UpdateItem", request)
    assert store.patch(read.key, uses=increment(Decimal(2))).item.uses == 12


def test_a_patch_knows_what_the_key_says(store: Store) -> None:
    table = Table("ledger", pk="pk")
    index = table.index("by_state", pk="state_pk", sk="state_sk")

    class Entry(Entity, table=table):
        key = Key("{id}")
        by_state = IndexKey(index, "{state}", "{id}")
        id: Id
        state: Id = "open"

    store.create(table)
    store.put_new(Entry(id="e1"))
    store.patch(Entry.key(id="e1"), state="shut")
    assert [entry.id for entry in store.query(Entry.by_state.query(state="shut"))] == ["e1"]


def test_only_a_number_can_be_added_to(store: Store) -> None:
    with pytest.raises(UsageError, match="notes of Tool is no number"):
        store.patch(tool(store).key, notes=increment())


def test_a_copy_with_another_number_can_still_be_added_to(store: Store) -> None:
    read = tool(store, uses=1)
    assert store.update(read.model_copy(update={"uses": 5}), uses=increment()).item.uses == 2


def test_a_field_may_be_called_what_the_verb_calls_its_argument(store: Store) -> None:
    table = Table("clash", pk="pk")

    class Clash(Entity, table=table):
        key = Key("{id}")
        id: Id
        instance: str = ""
        ref: str = ""

    store.create(table)
    made = store.put_new(Clash(id="a")).item
    assert store.patch(made.key, ref="r").item.ref == "r"
    assert store.update(made, instance="i").item.instance == "i"


def test_a_delete_does_not_run_over_somebodys_claim(store: Store) -> None:
    read = order(store)
    Order.work.claim(store, read)
    with pytest.raises(ConditionFailed):
        store.delete(read)
    assert store.delete(Order.key(id="o1")).existed


def test_a_move_takes_everything_along_and_counts(store: Store) -> None:
    read = tool(store, name="saw")
    behind_its_back(store, read.key, foreign="kept")
    again = store.get(read.key)
    assert again is not None
    store.transact(writes.move(again, bench="b2"))
    assert store.get(read.key) is None
    there = stored(store, Tool.key(bench="b2", id="t1"))
    assert there["foreign"] == {"S": "kept"}
    assert there["state_sk"] == {"S": "saw"}


def test_a_move_can_make_another_kind_of_it(store: Store) -> None:
    read = order(store, name="table")
    store.transact(writes.move(read, Offer))
    offer = store.get(Offer.key(id="o1"))
    assert offer == Offer(id="o1", name="table", version=2)
    assert not set(stored(store, Offer.key(id="o1"))) & {"work_pk", "work_sk"}


def test_a_move_of_what_was_changed_since_moves_nothing(store: Store) -> None:
    read = tool(store)
    store.patch(read.key, uses=99)
    with pytest.raises(TransactionFailed):
        store.transact(writes.move(read, bench="b2"))
    assert store.get(Tool.key(bench="b2", id="t1")) is None


def test_a_put_of_an_old_version_says_so(store: Store) -> None:
    read = order(store)
    store.update(read, name="stool")
    with pytest.raises(VersionConflict, match="version 2"):
        store.put(read.model_copy(update={"name": "bench"}))


def test_a_claim_that_cannot_be_read_is_shown_as_stuck(store: Store, clock: FixedClock) -> None:
    read = order(store)
    Order.work.claim(store, read)
    behind_its_back(store, read.key, work_lease_until="soon")
    [shown] = Order.work.stuck(store, "y1")
    with pytest.raises(BadItem, match="work_lease_until contains the invalid value 'soon'"):
        Order.work.position(shown)
    clock.advance(timedelta(hours=3))


def test_a_batch_writes_what_it_can_and_names_the_rest(store: Store) -> None:
    good = [Tool(bench="b1", id=f"t{number}") for number in range(30)]
    no_key = good[0].model_copy(update={"bench": ""})
    too_large = Tool.model_construct(**{**good[1].__dict__, "id": "big", "name": "n" * 450_000})
    report = store.put_all([*good, no_key, too_large])
    assert report.done == 30
    assert len(report.undone) == 2


def test_an_item_too_large_does_not_take_its_batch_with_it(store: Store) -> None:
    table = Table("loads", pk="pk")

    class Load(Entity, table=table):
        key = Key("{id}")
        id: Id
        text: str

    store.create(table)
    loads = [Load(id=str(number), text="x") for number in range(10)]
    report = store.put_all([*loads, Load(id="big", text="x" * 450_000)])
    assert report.done == 10
    [undone] = report.undone
    assert undone.target == Load.key(id="big")
    assert "size" in str(undone.error)


def test_something_else_under_the_key_is_a_duplicate_with_and_without_a_probe(store: Store) -> None:
    ref = Tool.key(bench="b1", id="t1")
    behind_its_back(store, ref, uses="not a number")
    for probe in (True, False):
        report = store.put_new_all([Tool(bench="b1", id="t1")], probe=probe)
        assert (len(report.new), len(report.duplicates), len(report.failed)) == (0, 1, 0)


def test_the_report_has_the_cost_of_what_was_refused(store: Store) -> None:
    tool(store)
    report = store.put_new_all([Tool(bench="b1", id="t1")], probe=False)
    assert report.cost.writes == 1


class Thing(Entity, table=Table("things", pk="pk"), identity="name"):
    key = Key("{id}")
    id: Annotated[str, Field(max_length=10)]
    name: str


def test_the_report_has_the_cost_of_collisions(store: Store) -> None:
    store.create(Thing.key(id="a").table)
    store.put_new(Thing(id="a", name="one"))
    report = store.put_new_all([Thing(id="a", name="other")], probe=False)
    assert len(report.failed) == 1
    assert report.cost.writes == 1


class _Refusing:
    """A database that refuses every condition, whatever is there."""

    name = "refusing"
    parallel = 1

    def call(self, operation: str, _request: dict[str, Any]) -> dict[str, Any]:
        if operation == "PutItem":
            raise ConditionalCheckFailedException("The conditional request failed")
        return {}

    def close(self) -> None:
        """Nothing is open."""


def test_a_database_that_refuses_without_a_reason_is_not_asked_for_ever() -> None:
    store = Store(_Refusing(), secret=Secret("of these tests"))
    with pytest.raises(ConditionFailed, match="keep creating and deleting"):
        store.put_new(Tool(bench="b1", id="t1"))
