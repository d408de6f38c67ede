"""Any sequence of item operations leaves what a plain dictionary would hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from .refusals import refused
from .shapes import given as explained
from .shapes import item
from .tables import Index, MakeTable, Table, everything, unique_name

FEW = settings(
    max_examples=15,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

ranges = st.integers(-3, 3)
numbers = st.decimals(
    allow_nan=False, allow_infinity=False, places=3, min_value=-(10**6), max_value=10**6
)
states = st.sampled_from(["NEW", "DONE"])
scalars = st.one_of(st.none(), st.booleans(), st.text(max_size=5), numbers, st.binary(max_size=5))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("ab", min_size=1, max_size=2), inner)
    ),
    max_leaves=5,
)
items = st.fixed_dictionaries(
    {}, optional={"n": numbers, "v": values, "state": states, "tags": st.sets(ranges, min_size=1)}
)


class Items(RuleBasedStateMachine):
    """The items of one partition, in the table and in a dictionary by range key."""

    table: ClassVar[Table]

    def __init__(self) -> None:
        super().__init__()
        self.pk = unique_name()
        self.model: dict[int, dict[str, Any]] = {}

    def key(self, sk: int) -> dict[str, Any]:
        return item(pk=self.pk, sk=sk)

    def whole(self, sk: int) -> dict[str, Any]:
        return {"pk": self.pk, "sk": sk, **self.model[sk]}

    @rule(sk=ranges, attributes=items)
    def put(self, sk: int, attributes: dict[str, Any]) -> None:
        self.table.put_item(Item=self.key(sk) | item(attributes))
        self.model[sk] = attributes

    @rule(sk=ranges, attributes=items)
    def put_if_absent(self, sk: int, attributes: dict[str, Any]) -> None:
        request = {
            "Item": self.key(sk) | item(attributes),
            "ConditionExpression": "attribute_not_exists(pk)",
        }
        if sk in self.model:
            with refused("ConditionalCheckFailedException"):
                self.table.put_item(**request)
        else:
            self.table.put_item(**request)
            self.model[sk] = attributes

    @rule(sk=ranges)
    def delete(self, sk: int) -> None:
        self.table.delete_item(Key=self.key(sk))
        self.model.pop(sk, None)

    @rule(sk=ranges, amount=numbers)
    def add(self, sk: int, amount: Decimal) -> None:
        self.table.update_item(Key=self.key(sk), UpdateExpression="ADD n :n", **explained(n=amount))
        attributes = self.model.get(sk, {})
        self.model[sk] = {**attributes, "n": attributes.get("n", Decimal(0)) + amount}

    @rule(sk=ranges, value=values)
    def set_value(self, sk: int, value: object) -> None:
        self.table.update_item(
            Key=self.key(sk),
            UpdateExpression="SET v = :v, seen = if_not_exists(seen, :s)",
            **explained(v=value, s=sk),
        )
        self.model[sk] = {"seen": sk, **self.model.get(sk, {}), "v": value}

    @rule(sk=ranges, state=states)
    def change_state(self, sk: int, state: str) -> None:
        self.table.update_item(
            Key=self.key(sk),
            UpdateExpression="SET #s = :s",
            **explained({"#s": "state"}, s=state),
        )
        self.model[sk] = {**self.model.get(sk, {}), "state": state}

    @rule(sk=ranges)
    def forget(self, sk: int) -> None:
        if sk in self.model:
            self.table.update_item(
                Key=self.key(sk),
                UpdateExpression="REMOVE #s, v",
                **explained({"#s": "state"}),
            )
            kept = {"n", "tags", "seen"}
            self.model[sk] = {k: v for k, v in self.model[sk].items() if k in kept}

    @rule(sk=ranges, tags=st.sets(ranges, min_size=1))
    def drop_tags(self, sk: int, tags: set[int]) -> None:
        if sk in self.model:
            self.table.update_item(
                Key=self.key(sk), UpdateExpression="DELETE tags :t", **explained(t=tags)
            )
            left = self.model[sk].get("tags", set()) - tags
            others = {k: v for k, v in self.model[sk].items() if k != "tags"}
            self.model[sk] = {**others, **({"tags": left} if left else {})}

    @rule(sk=ranges)
    def get(self, sk: int) -> None:
        expected = self.whole(sk) if sk in self.model else None
        assert self.table.get(pk=self.pk, sk=sk) == expected

    @rule(low=ranges, high=ranges, forward=st.booleans(), limit=st.integers(1, 8))
    def query(self, low: int, high: int, forward: bool, limit: int) -> None:
        low, high = sorted((low, high))
        found = everything(
            self.table.query,
            KeyConditionExpression="pk = :p AND sk BETWEEN :l AND :h",
            ScanIndexForward=forward,
            ConsistentRead=True,
            Limit=limit,
            **explained(p=self.pk, l=low, h=high),
        )
        expected = [self.whole(sk) for sk in sorted(self.model) if low <= sk <= high]
        assert found == (expected if forward else expected[::-1])

    @invariant()
    def the_index_agrees(self) -> None:
        found = everything(
            self.table.query,
            IndexName="by_state",
            KeyConditionExpression="pk = :p AND #s = :s",
            **explained({"#s": "state"}, p=self.pk, s="NEW"),
        )
        expected = [self.whole(sk) for sk in self.model if self.model[sk].get("state") == "NEW"]
        assert sorted(found, key=lambda each: each["sk"]) == sorted(
            expected, key=lambda each: each["sk"]
        )


def test_the_table_agrees_with_a_dictionary(make_shared_table: MakeTable) -> None:
    class Bound(Items):
        table = make_shared_table("pk:S sk:N", gsi=[Index("by_state", "pk:S state:S")])

    run_state_machine_as_test(Bound, settings=FEW)
