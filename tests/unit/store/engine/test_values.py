"""Attribute values: cleaned and measured in one pass, compared, ordered, refused."""

from __future__ import annotations

from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.engine.faults import SerializationException, ValidationException
from gotgan.store.engine.values import (
    clean,
    clean_item,
    equal,
    less,
    size_of,
    size_of_item,
    type_of,
)

from .attributes import any_item, any_value


@given(any_item)
def test_the_size_of_the_one_pass_is_the_size_of_the_item(item: dict[str, Any]) -> None:
    cleaned, size = clean_item(item)
    assert size == size_of_item(cleaned)


@given(any_item)
def test_cleaning_twice_changes_nothing(item: dict[str, Any]) -> None:
    cleaned, size = clean_item(item)
    assert clean_item(cleaned) == (cleaned, size)


@given(any_item)
def test_cleaning_leaves_the_callers_item_as_it_was(item: dict[str, Any]) -> None:
    before = repr(item)
    clean_item(item)
    assert repr(item) == before


@given(any_value)
def test_every_value_equals_itself_and_knows_its_type(value: dict[str, Any]) -> None:
    cleaned, _ = clean(value)
    assert equal(cleaned, cleaned)
    assert equal(cleaned, clean(value)[0])
    assert type_of(cleaned) in value


@given(any_value, any_value)
def test_equality_asks_both_ways_alike(left: dict[str, Any], right: dict[str, Any]) -> None:
    one, other = clean(left)[0], clean(right)[0]
    assert equal(one, other) == equal(other, one)


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "abc"}, 3),
        ({"S": "한"}, 3),
        ({"N": "0"}, 1),
        ({"N": "1.2"}, 3),
        ({"N": "12"}, 2),
        ({"N": "123"}, 3),
        ({"N": "-123"}, 4),
        ({"N": "1E20"}, 2),
        ({"N": "9" * 38}, 20),
        ({"B": b"abc"}, 3),
        ({"BOOL": False}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["a", "bc"]}, 3),
        ({"NS": ["1", "22"]}, 4),
        ({"BS": [b"a", b"bc"]}, 3),
        ({"L": []}, 3),
        ({"L": [{"S": "ab"}, {"NULL": True}]}, 8),
        ({"M": {}}, 3),
        ({"M": {"name": {"S": "ab"}}}, 10),
    ],
    ids=repr,
)
def test_values_are_measured_as_they_are_billed(value: dict[str, Any], size: int) -> None:
    cleaned, measured = clean(value)
    assert measured == size == size_of(cleaned)


def test_names_count_in_their_utf_8_bytes() -> None:
    assert clean_item({"한": {"S": "x"}})[1] == 4


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ({"N": "1.50"}, {"N": "1.5"}),
        ({"NS": ["1.0", "2e1"]}, {"NS": ["1", "20"]}),
        ({"B": bytearray(b"x")}, {"B": b"x"}),
        pytest.param({"B": memoryview(b"x")}, {"B": b"x"}, id="memoryview"),
        ({"L": ({"N": "01"},)}, {"L": [{"N": "1"}]}),
        ({"S": "x", "N": None}, {"S": "x"}),
        (MappingProxyType({"S": "x"}), {"S": "x"}),
        (UserDict({"M": UserDict({"a": {"S": "x"}})}), {"M": {"a": {"S": "x"}}}),
    ],
    ids=repr,
)
def test_values_are_made_canonical(value: Any, cleaned: dict[str, Any]) -> None:
    assert clean(value)[0] == cleaned


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({}, "must contain exactly one of the supported datatypes"),
        ({"X": "x"}, "must contain exactly one of the supported datatypes"),
        ({"S": "x", "N": "1"}, "more than one datatypes"),
        ({"N": "one"}, "numeric value"),
        ({"NULL": False}, "must have the value of true"),
        ({"SS": []}, "may not be empty"),
        ({"NS": []}, "may not be empty"),
        ({"BS": []}, "should not be empty"),
        ({"SS": ["a", "a"]}, r"\[a, a\] contains duplicates"),
        ({"NS": ["1", "1.0"]}, "contains duplicates"),
        ({"BS": [b"a", b"a"]}, r"\[YQ==, YQ==\]of type BS contains duplicates"),
        ({"S": "\ud800"}, "not valid Unicode"),
        ({"SS": ["\ud800"]}, "not valid Unicode"),
        ({"M": {"\ud800": {"S": "x"}}}, "not valid Unicode"),
    ],
    ids=repr,
)
def test_values_that_break_a_rule_are_refused(value: Any, says: str) -> None:
    with pytest.raises(ValidationException, match=says):
        clean(value)


@pytest.mark.parametrize(
    "value",
    [
        "x",
        None,
        ["S", "x"],
        {"S": 1},
        {"N": 1},
        {"B": "eA=="},
        {"BOOL": "true"},
        {"NULL": 1},
        {"SS": "abc"},
        {"SS": [1]},
        {"NS": [1]},
        {"BS": ["x"]},
        {"L": {"S": "x"}},
        {"L": ["x"]},
        {"M": [1]},
    ],
    ids=repr,
)
def test_values_of_another_shape_are_refused(value: Any) -> None:
    with pytest.raises(SerializationException, match="Expected"):
        clean(value)


def _nested(kind: str, levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "x"}
    for _ in range(levels):
        value = {"L": [value]} if kind == "L" else {"M": {"a": value}}
    return value


@pytest.mark.parametrize("kind", ["L", "M"])
def test_nesting_has_a_limit(kind: str) -> None:
    clean_item({"a": _nested(kind, 31)})
    for levels in (32, 33, 500):
        with pytest.raises(ValidationException, match="Nesting Levels"):
            clean_item({"a": _nested(kind, levels)})


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}, True),
        ({"NS": ["1", "2"]}, {"NS": ["2"]}, False),
        ({"L": [{"N": "1"}, {"N": "2"}]}, {"L": [{"N": "2"}, {"N": "1"}]}, False),
        ({"L": [{"SS": ["a", "b"]}]}, {"L": [{"SS": ["b", "a"]}]}, True),
        ({"M": {"x": {"BS": [b"a", b"b"]}}}, {"M": {"x": {"BS": [b"b", b"a"]}}}, True),
        ({"M": {"x": {"S": "a"}}}, {"M": {"y": {"S": "a"}}}, False),
        ({"L": [{"S": "a"}]}, {"L": []}, False),
        ({"S": "1"}, {"N": "1"}, False),
        ({"BOOL": True}, {"NULL": True}, False),
    ],
    ids=repr,
)
def test_equality_forgets_the_order_of_sets_only(
    left: dict[str, Any], right: dict[str, Any], same: bool
) -> None:
    assert equal(left, right) is same


@given(st.text(), st.text())
def test_strings_are_ordered_by_their_utf_8_bytes(left: str, right: str) -> None:
    assert less({"S": left}, {"S": right}) == (left.encode() < right.encode())


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        ({"N": "9"}, {"N": "10"}, True),
        ({"N": "-9"}, {"N": "-10"}, False),
        ({"B": b"\xff"}, {"B": b"\x00\x00"}, False),
        ({"S": "1"}, {"N": "2"}, None),
        ({"BOOL": False}, {"BOOL": True}, None),
        ({"L": []}, {"L": []}, None),
    ],
    ids=repr,
)
def test_only_two_of_the_same_scalar_type_have_an_order(
    left: dict[str, Any], right: dict[str, Any], answer: bool | None
) -> None:
    assert less(left, right) is answer
