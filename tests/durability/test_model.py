"""The engine against a dictionary: whatever is done, in whatever order, and however often reopened.

The two agree after every step, and the file is closed and opened again between steps.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gotgan.store.engine import Client, StreamsClient, connect
from tests.contract.shapes import given, item
from tests.contract.stream_reader import stream_of
from tests.contract.tables import Table, create_table, everything
from tests.durability.child import add_index, drop_index
from tests.durability.invariants import check_file, check_indexes, check_stream

NAME = "model"

keys = st.tuples(st.sampled_from(["a", "b", "é"]), st.integers(-2, 2))
attributes = st.fixed_dictionaries(
    {},
    optional={
        "group": st.sampled_from(["x", "y"]),
        "rank": st.integers(-3, 3),
        "data": st.one_of(st.binary(max_size=4), st.text(max_size=4), st.none(), st.booleans()),
        "many": st.frozensets(st.integers(-9, 9), min_size=1, max_size=3),
        "deep": st.lists(st.dictionaries(st.sampled_from("uv"), st.integers()), max_size=2),
    },
)
Key = tuple[str, int]


def _whole(key: Key, held: dict[str, Any]) -> dict[str, Any]:
    return {"pk": key[0], "sk": key[1], **held}


class StoreMachine(RuleBasedStateMachine):
    """Every rule does the same to the store and to a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.model: dict[Key, dict[str, Any]] = {}
        self.indexed = False
        self.before_stream: list[dict[str, Any]] | None = None

    @initialize()
    def make(self) -> None:
        self._open()
        create_table(self.client, "pk:S sk:N", name=NAME)

    def _open(self) -> None:
        self.client: Client = connect(self.folder / "store.db", synchronous="normal")
        self.table = Table(self.client, NAME)

    @rule()
    def reopen(self) -> None:
        self.client.close()
        check_file(self.folder / "store.db")
        self._open()

    @rule(key=keys, held=attributes)
    def put(self, key: Key, held: dict[str, Any]) -> None:
        self.table.put(**_whole(key, held))
        self.model[key] = held

    @rule(key=keys, held=attributes)
    def put_if_missing(self, key: Key, held: dict[str, Any]) -> None:
        request = {"ConditionExpression": "attribute_not_exists(pk)"}
        try:
            self.table.put_item(Item=item(_whole(key, held)), **request)
        except self.client.exceptions.ConditionalCheckFailedException:
            assert key in self.model
        else:
            assert key not in self.model
            self.model[key] = held

    @rule(key=keys, rank=st.integers(-3, 3))
    def add(self, key: Key, rank: int) -> None:
        self.table.update_item(
            Key=item(_whole(key, {})),
            UpdateExpression="ADD #r :n",
            **given({"#r": "rank"}, n=rank),
        )
        held = self.model.setdefault(key, {})
        self.model[key] = {**held, "rank": held.get("rank", 0) + rank}

    @rule(key=keys)
    def remove_group(self, key: Key) -> None:
        change = {"UpdateExpression": "REMOVE #g", **given({"#g": "group"})}
        self.table.update_item(Key=item(_whole(key, {})), **change)
        if key in self.model:
            self.model[key] = {k: v for k, v in self.model[key].items() if k != "group"}

    @rule(key=keys)
    def delete(self, key: Key) -> None:
        answer = self.table.delete_item(Key=item(_whole(key, {})), ReturnValues="ALL_OLD")
        assert ("Attributes" in answer) == (key in self.model)
        self.model.pop(key, None)

    @rule(changes=st.dictionaries(keys, st.one_of(st.none(), attributes), min_size=1, max_size=4))
    def transact(self, changes: dict[Key, dict[str, Any] | None]) -> None:
        entries: list[dict[str, Any]] = []
        for key, held in changes.items():
            if held is None:
                entries.append({"Delete": {"TableName": NAME, "Key": item(_whole(key, {}))}})
                self.model.pop(key, None)
            else:
                entries.append({"Put": {"TableName": NAME, "Item": item(_whole(key, held))}})
                self.model[key] = held
        self.client.transact_write_items(TransactItems=entries)

    @rule(key=keys, other=keys, held=attributes)
    def transact_in_vain(self, key: Key, other: Key, held: dict[str, Any]) -> None:
        if key == other:
            return
        put = {"Put": {"TableName": NAME, "Item": item(_whole(key, held))}}
        exists = "attribute_exists(pk)" if other not in self.model else "attribute_not_exists(pk)"
        check = {"TableName": NAME, "Key": item(_whole(other, {})), "ConditionExpression": exists}
        try:
            self.client.transact_write_items(TransactItems=[put, {"ConditionCheck": check}])
        except self.client.exceptions.TransactionCanceledException:
            return
        raise AssertionError("a transaction went through although its condition was false")

    @precondition(lambda self: not self.indexed)
    @rule()
    def make_index(self) -> None:
        add_index(self.table)
        self.indexed = True

    @precondition(lambda self: self.indexed)
    @rule()
    def remove_index(self) -> None:
        drop_index(self.table)
        self.indexed = False

    @precondition(lambda self: self.before_stream is None)
    @rule()
    def enable_stream(self) -> None:
        view = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
        self.table.update_table(StreamSpecification=view)
        self.before_stream = everything(self.table.scan)

    @precondition(lambda self: self.before_stream is not None)
    @rule()
    def disable_stream(self) -> None:
        self.table.update_table(StreamSpecification={"StreamEnabled": False})
        self.before_stream = None

    @invariant()
    def the_stream_leads_to_the_items(self) -> None:
        if self.before_stream is not None:
            stream = stream_of(self.table, StreamsClient(self.client.engine))
            check_stream(self.table, stream, self.before_stream)

    @invariant()
    def the_items_are_those_of_the_model(self) -> None:
        found = {(each["pk"], int(each["sk"])): each for each in everything(self.table.scan)}
        assert found == {key: _whole(key, held) for key, held in self.model.items()}

    @invariant()
    def a_partition_is_in_order(self) -> None:
        request = {"KeyConditionExpression": "pk = :pk", **given(pk="a")}
        found = [int(each["sk"]) for each in everything(self.table.query, **request)]
        assert found == sorted(number for name, number in self.model if name == "a")

    @invariant()
    def the_index_agrees(self) -> None:
        check_indexes(self.table)

    def teardown(self) -> None:
        self.client.close()
        shutil.rmtree(self.folder)


StoreMachine.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestStoreMachine = StoreMachine.TestCase
