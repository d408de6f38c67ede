"""Upserts that would make an item nobody can read are refused before they are sent."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from gotgan.errors import BadKeyPart, UsageError
from gotgan.lifecycle import Lifecycle
from gotgan.store import Entity, Id, IndexKey, Key, KeyOnly, Ref, Table, derived, increment, writes

YARD = Table("yard", pk="pk", sk="sk")
BY_KIND = YARD.index("by_kind", pk="kind_pk", sk="kind_sk")
WORK = YARD.index("work", pk="work_pk", sk="work_sk")


class Gate(Entity, table=YARD):
    key = Key("GATE#{id}", "{day}")
    id: Annotated[Id, KeyOnly()]
    day: Id
    keeper: Id
    opened: int = 0


class Counted(Entity, table=YARD, version="version"):
    key = Key("COUNTED#{id}", "META")
    id: Id
    version: int = 1
    size: int = 0


class Sorted(Entity, table=YARD):
    key = Key("SORTED#{id}", "META")
    by_kind = IndexKey(BY_KIND, "KIND#{kind}", "{id}")
    id: Id
    kind: Id | None = None
    size: int = 0


class Derived(Entity, table=YARD):
    key = Key("DERIVED#{id}", "META")
    id: Id
    size: int = 0

    @derived("size")
    def label(self) -> str:
        return str(self.size)


class Worked(Entity, table=YARD):
    key = Key("WORKED#{id}", "META")
    work = Lifecycle(WORK, "{id}")
    id: Id
    size: int = 0


GATE = Gate.key(id="g1", day="monday")


def sent(**changes: Any) -> dict[str, Any]:
    return writes.upsert(GATE, **changes).body


@pytest.mark.parametrize("kind", [Counted, Sorted, Derived, Worked])
def test_what_is_counted_indexed_or_derived_is_not_made_in_passing(kind: Any) -> None:
    ref: Ref[Any] = kind.key(id="x")
    with pytest.raises(UsageError, match=f"{kind.__name__} has a version, an index key"):
        writes.upsert(ref, size=1)


def test_what_a_new_item_needs_must_be_given() -> None:
    with pytest.raises(UsageError, match="it would lack keeper; give that too"):
        writes.upsert(GATE, opened=increment())
    assert writes.upsert(GATE, opened=increment(), keeper="kim").action == "Update"


def test_nothing_is_asked_of_the_item_unless_somebody_does() -> None:
    assert "ConditionExpression" not in sent(keeper="kim")
    assert "attribute_exists" in writes.patch(GATE, keeper="kim").body["ConditionExpression"]


def test_the_fields_of_the_key_are_written_but_for_those_that_are_only_there() -> None:
    named = set(sent(keeper="kim")["ExpressionAttributeNames"].values())
    assert named == {"keeper", "day"}


def test_an_upsert_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="changes something"):
        sent()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"keeper": "kim", "colour": "red"}, "no field"),
        ({"keeper": "kim", "day": "tuesday"}, "part of the key"),
        ({"keeper": None}, "cannot be removed"),
        ({"keeper": ""}, "keeper"),
    ],
)
def test_what_a_patch_refuses_an_upsert_refuses(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sent(**changes)


def test_a_key_is_checked_as_any_other() -> None:
    with pytest.raises(BadKeyPart):
        Gate.key(id="g1", day="")


def test_a_count_is_not_sent_twice_and_a_value_may_be() -> None:
    assert not writes.upsert(GATE, keeper="kim", opened=increment()).repeatable
    assert writes.upsert(GATE, keeper="kim").repeatable
