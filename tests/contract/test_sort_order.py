"""The order of range keys: numbers by value, strings by their UTF-8 bytes, binary by byte."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, everything

NUMBERS = [
    "-9.9999999999999999999999999999999999999E125", "-1E125", "-12345678901234567890", "-1000",
    "-100.5", "-100", "-99", "-10", "-9.99", "-2", "-1.5", "-1.05", "-1", "-0.5", "-0.05",
    "-1E-10", "-1E-130", "0", "1E-130", "2E-130", "1E-129", "1E-10", "0.001", "0.01", "0.05",
    "0.0999", "0.1", "0.5", "0.99", "1", "1.0000000000000000000000000000000000001", "1.05",
    "1.5", "2", "9", "9.99", "10", "11", "99", "100", "100.5", "101", "999", "1000", "1001",
    "12345678901234567890", "12345678901234567890.000000000000000001", "12345678901234567891",
    "1E38", "9E124", "1E125", "9.9999999999999999999999999999999999999E125",
]  # fmt: skip

STRINGS = [
    "\u0000", "\u0000\u0000", "\u0001", " ", "!", "0", "00", "1", "10", "2", "A", "B", "a",
    "a\u0000", "a\u0000b", "a ", "aa", "ab", "b", "~", "\u007f", "\u0080", "ß", "é", "ÿ", "Ā",
    "\u07ff", "\u0800", "가", "힣", "\ue000", "\uffee", "\uffff", "\U00010000",
    "\U0001f600", "\U0001f600a", "\U0010ffff",
]  # fmt: skip

BINARIES = [
    b"\x00", b"\x00\x00", b"\x00\x01", b"\x00\xff", b"\x01", b"\x01\x00", b"\x7f", b"\x80",
    b"\x80\x00", b"\xfe", b"\xff", b"\xff\x00", b"\xff\xff",
]  # fmt: skip

KEYS: dict[str, list[Any]] = {"N": NUMBERS, "S": STRINGS, "B": BINARIES}


def _shape(kind: str, key: Any) -> dict[str, Any]:
    return {kind: key}


def _fill(table: Table, kind: str, attribute: str) -> list[int]:
    """Put one item per key, shuffled; the places in the right order."""
    places = list(range(len(KEYS[kind])))
    shuffled = random.Random(kind).sample(places, len(places))
    for place in shuffled:
        key = {attribute: _shape(kind, KEYS[kind][place])}
        table.put_item(Item=item(pk="p", place=place, sk=place) | key)
    return places


def _places(table: Table, **members: Any) -> list[int]:
    request = {"KeyConditionExpression": "pk = :p", **given(p="p"), **members}
    return [int(found["place"]) for found in everything(table.query, **request)]


@pytest.mark.parametrize("kind", KEYS)
def test_range_keys_are_in_order(make_table: MakeTable, kind: str) -> None:
    table = make_table(f"pk:S sk:{kind}")
    places = _fill(table, kind, "sk")
    assert _places(table) == places
    assert _places(table, ScanIndexForward=False) == places[::-1]
    assert _places(table, Limit=7) == places


@pytest.mark.parametrize("which", ["gsi", "lsi"])
@pytest.mark.parametrize("kind", KEYS)
def test_index_keys_are_in_order(make_table: MakeTable, kind: str, which: str) -> None:
    table = make_table("pk:S sk:N", **{which: [Index("by_at", f"pk:S at:{kind}")]})
    places = _fill(table, kind, "at")
    assert _places(table, IndexName="by_at") == places
    assert _places(table, IndexName="by_at", Limit=5, ScanIndexForward=False) == places[::-1]


@pytest.mark.parametrize("kind", KEYS)
def test_every_comparison_follows_the_order(make_table: MakeTable, kind: str) -> None:
    table = make_table(f"pk:S sk:{kind}")
    places = _fill(table, kind, "sk")
    for place in places[::3]:
        values = item({":p": "p"}) | {":v": _shape(kind, KEYS[kind][place])}
        for operator, expected in (
            ("<", places[:place]),
            ("<=", places[: place + 1]),
            ("=", [place]),
            (">=", places[place:]),
            (">", places[place + 1 :]),
        ):
            page = table.query(
                KeyConditionExpression=f"pk = :p AND sk {operator} :v",
                ExpressionAttributeValues=values,
            )
            assert [plain(found)["place"] for found in page["Items"]] == expected, operator


@pytest.mark.parametrize("kind", KEYS)
def test_filters_compare_as_keys_do(make_table: MakeTable, kind: str) -> None:
    table = make_table("pk:S sk:N")
    places = _fill(table, kind, "v")
    middle = len(places) // 2
    page = table.query(
        KeyConditionExpression="pk = :p",
        FilterExpression="v < :v",
        ExpressionAttributeValues=item({":p": "p"}) | {":v": _shape(kind, KEYS[kind][middle])},
    )
    assert [plain(found)["place"] for found in page["Items"]] == places[:middle]


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("a", ["a", "a\u0000", "a\u0000b", "a ", "aa", "ab"]),
        ("\U0001f600", ["\U0001f600", "\U0001f600a"]),
        ("\uffff", ["\uffff"]),
        ("\U0010ffff", ["\U0010ffff"]),
        ("\u0000", ["\u0000", "\u0000\u0000"]),
    ],
)
def test_begins_with_finds_every_continuation(
    make_shared_table: MakeTable, prefix: str, expected: list[str]
) -> None:
    table = make_shared_table("pk:S sk:S")
    _fill(table, "S", "sk")
    page = table.query(
        KeyConditionExpression="pk = :p AND begins_with(sk, :v)", **given(p="p", v=prefix)
    )
    assert [plain(found)["sk"] for found in page["Items"]] == expected
