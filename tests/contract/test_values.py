"""Attribute values: what is kept, in which form, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item
from .tables import MakeTable, Table, unique_name

KEPT: dict[str, dict[str, Any]] = {
    "string": {"S": "text"},
    "empty string": {"S": ""},
    "string of all planes": {"S": "a\u0000é한\U0001f600\uffff"},
    "number": {"N": "12.5"},
    "binary": {"B": bytes(range(256))},
    "empty binary": {"B": b""},
    "true": {"BOOL": True},
    "false": {"BOOL": False},
    "null": {"NULL": True},
    "list": {"L": [{"S": "a"}, {"N": "1"}, {"NULL": True}, {"L": []}]},
    "empty list": {"L": []},
    "map": {"M": {"a": {"M": {"b": {"L": [{"B": b"\x00"}]}}}}},
    "empty map": {"M": {}},
    "list of sets": {"L": [{"SS": ["a"]}, {"NS": ["1"]}, {"BS": [b"\xff"]}]},
}


@pytest.mark.parametrize("kind", KEPT)
def test_a_value_comes_back_as_it_was_put(shared: Table, kind: str) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"v": KEPT[kind]})
    assert shared.get_item(Key=key)["Item"] == key | {"v": KEPT[kind]}


@pytest.mark.parametrize(
    ("kind", "elements"),
    [
        ("SS", ["b", "a", "", "é"]),
        ("NS", ["3", "-1", "0.5"]),
        ("BS", [b"b", b"a", b"\x00"]),
    ],
)
def test_a_set_keeps_its_elements_and_not_their_order(
    shared: Table, kind: str, elements: list[Any]
) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"v": {kind: elements}})
    found = shared.get_item(Key=key)["Item"]["v"]
    assert sorted(found[kind]) == sorted(elements)


@pytest.mark.parametrize(
    ("given_as", "kept_as"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("0.0", "0"),
        ("007", "7"),
        ("+5", "5"),
        ("1.500", "1.5"),
        ("-.5", "-0.5"),
        ("1e3", "1000"),
        ("1E+3", "1000"),
        ("12.5e-1", "1.25"),
        ("1e-5", "0.00001"),
        ("-1e-2", "-0.01"),
        ("100000000000000000000", "100000000000000000000"),
        ("9" * 38, "9" * 38),
        ("-" + "1" * 38, "-" + "1" * 38),
        ("0." + "1" * 38, "0." + "1" * 38),
        ("1" * 19 + "." + "2" * 19, "1" * 19 + "." + "2" * 19),
        ("1" + "0" * 60, "1" + "0" * 60),
    ],
)
def test_a_number_is_kept_in_its_plain_form(shared: Table, given_as: str, kept_as: str) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"n": {"N": given_as}})
    assert shared.get_item(Key=key)["Item"]["n"] == {"N": kept_as}


@pytest.mark.parametrize(
    "number",
    ["9" * 38 + "E87", "-9.9E125", "1E125", "1E-130", "-1E-130", "1." + "1" * 37 + "E-130"],
)
def test_the_largest_and_smallest_numbers_are_exact(shared: Table, number: str) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key | {"n": {"N": number}})
    assert Decimal(shared.get_item(Key=key)["Item"]["n"]["N"]) == Decimal(number)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("1E126", "overflow"),
        ("-1E126", "overflow"),
        ("1E99999999999999999999", "overflow"),
        ("1E-131", "underflow"),
        ("-1E-131", "underflow"),
        ("1E-99999999999999999999", "underflow"),
        ("1" * 39, "38 significant digits"),
        ("0." + "1" * 39, "38 significant digits"),
        ("1" + "0" * 37 + "1", "38 significant digits"),
        ("", "cannot be converted to a numeric value"),
        (" ", "cannot be converted to a numeric value"),
        ("x", "cannot be converted to a numeric value"),
        ("1,5", "cannot be converted to a numeric value"),
        ("1e", "cannot be converted to a numeric value"),
        ("0x10", "cannot be converted to a numeric value"),
        ("1_000", "cannot be converted to a numeric value"),
        ("NaN", "cannot be converted to a numeric value"),
        ("Infinity", "cannot be converted to a numeric value"),
        ("\u0661", "cannot be converted to a numeric value"),
    ],
)
def test_a_number_is_refused(shared: Table, number: str, said: str) -> None:
    with refused(INVALID, match=said):
        shared.put_item(Item=item(pk="x") | {"n": {"N": number}})


REFUSED: dict[str, dict[str, Any]] = {
    "an empty string set": {"SS": []},
    "an empty number set": {"NS": []},
    "an empty binary set": {"BS": []},
    "a string twice in a set": {"SS": ["a", "b", "a"]},
    "a number twice in a set": {"NS": ["1", "2", "1"]},
    "a number twice in two forms": {"NS": ["1", "1.0"]},
    "a binary twice in a set": {"BS": [b"a", b"a"]},
    "a set with no number": {"NS": ["1", "x"]},
    "a null that is not true": {"NULL": False},
    "a value of two types": {"S": "a", "N": "1"},
    "a value of no type": {},
    "a fault in a list": {"L": [{"S": "a"}, {"SS": []}]},
    "a fault deep in a map": {"M": {"a": {"L": [{"M": {"b": {"N": "x"}}}]}}},
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_value_is_refused_for(shared: Table, fault: str) -> None:
    key = item(pk=unique_name())
    with refused(INVALID):
        shared.put_item(Item=key | {"v": REFUSED[fault]})
    with refused(INVALID):
        shared.update_item(
            Key=key,
            UpdateExpression="SET v = :v",
            ExpressionAttributeValues={":v": REFUSED[fault]},
        )
    assert "Item" not in shared.get_item(Key=key)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("S", {"S": "a"}),
        ("S", {"S": "\U0001f600"}),
        ("N", {"N": "-1.5"}),
        ("B", {"B": b"\x00\xff"}),
    ],
)
def test_a_key_may_be_a_string_a_number_or_binary(
    make_table: MakeTable, kind: str, key: dict[str, Any]
) -> None:
    table = make_table(f"pk:{kind} sk:{kind}")
    whole = {"pk": key, "sk": key}
    table.put_item(Item=whole | item(v=1))
    assert table.get_item(Key=whole)["Item"] == whole | item(v=1)


def test_a_number_key_is_found_in_any_form(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    table.put_item(Item={"pk": {"N": "1.0"}, "v": {"S": "first"}})
    table.put_item(Item={"pk": {"N": "10E-1"}, "v": {"S": "second"}})
    assert table.scan()["Items"] == [{"pk": {"N": "1"}, "v": {"S": "second"}}]
    assert table.get_item(Key={"pk": {"N": "001"}})["Item"]["v"] == {"S": "second"}


def test_strings_that_differ_in_case_or_composition_are_different_keys(shared: Table) -> None:
    base = unique_name()
    keys = [base + end for end in ("e\u0301", "\u00e9", "E", "e", "e ", "e\u0000")]
    for n, key in enumerate(keys):
        shared.put(pk=key, n=n)
    assert [shared.get(pk=key) for key in keys] == [
        {"pk": key, "n": n} for n, key in enumerate(keys)
    ]


@pytest.mark.parametrize("empty", ["", b""])
def test_a_key_is_never_empty(make_table: MakeTable, empty: object) -> None:
    table = make_table(f"pk:{'S' if empty == '' else 'B'}")
    key = item(pk=empty)
    for method, members in (
        ("put_item", {"Item": key}),
        ("get_item", {"Key": key}),
        ("update_item", {"Key": key}),
        ("delete_item", {"Key": key}),
        ("query", {"KeyConditionExpression": "pk = :p", **given(p=empty)}),
    ):
        with refused(INVALID, match="empty"):
            getattr(table, method)(**members)


def test_many_attributes_with_unusual_names_are_kept(shared: Table) -> None:
    names = ["size", "a.b", "a b", "#x", ":y", "[0]", "é", "\U0001f600", "null", "x" * 300]
    attributes = {name: n for n, name in enumerate(names)}
    key = unique_name()
    shared.put_item(Item=item(attributes, pk=key))
    assert shared.get(pk=key) == {"pk": key, **attributes}
