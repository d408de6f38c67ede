"""Invariants that hold for any data: order, pages, and what comes back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .shapes import given as explained
from .shapes import item, plain_value, value
from .tables import MakeTable, Table, everything, unique_name

few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))

digits = st.integers(-(10**38) + 1, 10**38 - 1)
numbers = st.builds(lambda n, e: Decimal(n).scaleb(e), digits, st.integers(-130, 87))
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.one_of(st.none(), st.booleans(), text, numbers, st.binary(max_size=12))
sets = st.one_of(
    st.sets(text, min_size=1, max_size=4),
    st.sets(numbers, min_size=1, max_size=4),
    st.sets(st.binary(max_size=6), min_size=1, max_size=4),
)
documents = st.recursive(
    st.one_of(scalars, sets),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text("abc.#: ", min_size=1, max_size=4), inner, max_size=4),
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def by_number(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S sk:N")


@pytest.fixture(scope="module")
def by_text(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S sk:S")


@pytest.fixture(scope="module")
def by_bytes(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S sk:B")


def _filled(table: Table, keys: set[Any]) -> dict[str, Any]:
    """Put one item per key into a partition of its own; the query that reads it."""
    pk = unique_name()
    table.fill({"pk": pk, "sk": key} for key in keys)
    return {"KeyConditionExpression": "pk = :p", "ConsistentRead": True, **explained(p=pk)}


def _in_order(table: Table, keys: set[Any], limit: int, **members: Any) -> list[Any]:
    request = _filled(table, keys)
    return [found["sk"] for found in everything(table.query, **request, Limit=limit, **members)]


limits = st.integers(1, 9)


@few
@given(keys=st.sets(numbers, min_size=1, max_size=12), limit=limits)
def test_numbers_come_in_the_order_of_their_values(
    by_number: Table, keys: set[Decimal], limit: int
) -> None:
    assert _in_order(by_number, keys, limit) == sorted(keys)


@few
@given(keys=st.sets(text.filter(bool), min_size=1, max_size=12), limit=limits)
def test_strings_come_in_the_order_of_their_bytes(
    by_text: Table, keys: set[str], limit: int
) -> None:
    found = _in_order(by_text, keys, limit, ScanIndexForward=False)
    assert found == sorted(keys, key=lambda key: key.encode(), reverse=True)


@few
@given(keys=st.sets(st.binary(min_size=1, max_size=8), min_size=1, max_size=12), limit=limits)
def test_binary_comes_in_the_order_of_its_bytes(
    by_bytes: Table, keys: set[bytes], limit: int
) -> None:
    assert _in_order(by_bytes, keys, limit) == sorted(keys)


@few
@given(keys=st.sets(text.filter(bool), min_size=1, max_size=10), prefix=text.filter(bool))
def test_begins_with_finds_what_begins_so(by_text: Table, keys: set[str], prefix: str) -> None:
    keys |= {prefix, prefix + "\U0010ffff", prefix[:-1] + chr(ord(prefix[-1]) ^ 1)}
    request = _filled(by_text, keys)
    request["KeyConditionExpression"] += " AND begins_with(sk, :b)"
    request["ExpressionAttributeValues"] |= item({":b": prefix})
    found = {each["sk"] for each in everything(by_text.query, **request)}
    assert found == {key for key in keys if key.startswith(prefix)}


@few
@given(
    places=st.sets(st.integers(-50, 50), max_size=15),
    limit=limits,
    start=st.integers(-60, 60),
    forward=st.booleans(),
)
def test_a_query_goes_on_from_any_place(
    by_number: Table, places: set[int], limit: int, start: int, forward: bool
) -> None:
    request = _filled(by_number, places) | {"ScanIndexForward": forward, "Limit": limit}
    pk = request["ExpressionAttributeValues"][":p"]["S"]
    found = everything(by_number.query, **request, ExclusiveStartKey=item(pk=pk, sk=start))
    expected = [n for n in sorted(places, reverse=not forward) if (n > start) is forward]
    assert [each["sk"] for each in found] == [n for n in expected if n != start]


@few
@given(document=documents)
def test_any_document_comes_back_as_it_was(shared: Table, document: object) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"v": value(document)})
    found = shared.get_item(Key=key, ConsistentRead=True)["Item"]["v"]
    assert plain_value(found) == document


@few
@given(document=documents)
def test_any_document_equals_itself_in_a_condition(shared: Table, document: object) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"v": value(document)})
    shared.delete_item(Key=key, ConditionExpression="v = :v", **explained(v=document))
    assert "Item" not in shared.get_item(Key=key, ConsistentRead=True)


small = st.decimals(
    allow_nan=False, allow_infinity=False, places=10, min_value=-(10**15), max_value=10**15
)


@few
@given(a=small, b=small)
def test_adding_is_exact(shared: Table, a: Decimal, b: Decimal) -> None:
    key = unique_name()
    shared.put(pk=key, n=a)
    shared.update_item(
        Key=item(pk=key),
        UpdateExpression="SET summed = n + :b, differs = n - :b",
        **explained(b=b),
    )
    assert shared.get(pk=key) == {"pk": key, "n": a, "summed": a + b, "differs": a - b}
