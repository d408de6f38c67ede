"""Query by key: conditions, order, filters, Select and what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain, used
from .tables import MakeTable, Table

NUMBERS = [-20, -3, 0, 1, 2, 10, 20]
WORDS = ["", "a", "aa", "ab", "b", "ba", "é"]


@pytest.fixture(scope="module")
def numbers(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S sk:N")
    table.fill({"pk": "p", "sk": n, "even": n % 2 == 0} for n in NUMBERS)
    table.fill({"pk": other, "sk": 1} for other in ("o", "pp", "P"))
    return table


@pytest.fixture(scope="module")
def words(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S sk:S")
    table.fill({"pk": "p", "sk": word} for word in WORDS if word)
    return table


@pytest.fixture(scope="module")
def binaries(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:B sk:B")
    table.fill({"pk": b"p", "sk": bytes(each)} for each in ([0], [0, 1], [1], [127], [128], [255]))
    return table


def _found(table: Table, condition: str, values: dict[str, Any], **members: Any) -> list[Any]:
    page = table.query(KeyConditionExpression=condition, **given(**values), **members)
    assert page["Count"] == page["ScannedCount"] == len(page["Items"])
    return [plain(found)["sk"] for found in page["Items"]]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("pk = :p", {}, NUMBERS),
        ("pk = :p AND sk = :v", {"v": 2}, [2]),
        ("pk = :p AND sk = :v", {"v": Decimal("2.0")}, [2]),
        ("pk = :p AND sk = :v", {"v": 5}, []),
        ("pk = :p AND sk < :v", {"v": 1}, [-20, -3, 0]),
        ("pk = :p AND sk <= :v", {"v": 1}, [-20, -3, 0, 1]),
        ("pk = :p AND sk > :v", {"v": -3}, [0, 1, 2, 10, 20]),
        ("pk = :p AND sk >= :v", {"v": -3}, [-3, 0, 1, 2, 10, 20]),
        ("pk = :p AND sk BETWEEN :v AND :w", {"v": -3, "w": 2}, [-3, 0, 1, 2]),
        ("pk = :p AND sk BETWEEN :v AND :w", {"v": 2, "w": 2}, [2]),
        ("pk = :p AND sk BETWEEN :v AND :w", {"v": 3, "w": 9}, []),
        ("sk > :v AND pk = :p", {"v": 2}, [10, 20]),
        ("(pk = :p) AND (sk > :v)", {"v": 2}, [10, 20]),
        ("(pk = :p AND sk > :v)", {"v": 2}, [10, 20]),
        (":p = pk", {}, NUMBERS),
        ("pk = :p and sk between :v and :w", {"v": 1, "w": 2}, [1, 2]),
    ],
)
def test_a_key_condition_finds(
    numbers: Table, condition: str, values: dict[str, Any], expected: list[int]
) -> None:
    assert _found(numbers, condition, {"p": "p", **values}) == expected
    backwards = _found(numbers, condition, {"p": "p", **values}, ScanIndexForward=False)
    assert backwards == expected[::-1]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("begins_with(sk, :v)", {"v": "a"}, ["a", "aa", "ab"]),
        ("begins_with(sk, :v)", {"v": "aa"}, ["aa"]),
        ("begins_with(sk, :v)", {"v": "c"}, []),
        ("sk > :v", {"v": "aa"}, ["ab", "b", "ba", "é"]),
        ("sk BETWEEN :v AND :w", {"v": "aa", "w": "b"}, ["aa", "ab", "b"]),
        ("sk < :v", {"v": "b"}, ["a", "aa", "ab"]),
    ],
)
def test_strings_are_found_by(
    words: Table, condition: str, values: dict[str, Any], expected: list[str]
) -> None:
    assert _found(words, f"pk = :p AND {condition}", {"p": "p", **values}) == expected


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("begins_with(sk, :v)", {"v": b"\x00"}, [b"\x00", b"\x00\x01"]),
        ("begins_with(sk, :v)", {"v": b"\xff"}, [b"\xff"]),
        ("sk > :v", {"v": b"\x01"}, [b"\x7f", b"\x80", b"\xff"]),
        ("sk <= :v", {"v": b"\x01"}, [b"\x00", b"\x00\x01", b"\x01"]),
    ],
)
def test_binary_is_found_by(
    binaries: Table, condition: str, values: dict[str, Any], expected: list[bytes]
) -> None:
    assert _found(binaries, f"pk = :p AND {condition}", {"p": b"p", **values}) == expected


def test_key_names_may_be_placeholders(numbers: Table) -> None:
    page = numbers.query(
        KeyConditionExpression="#p = :p AND #s = :s", **given({"#p": "pk", "#s": "sk"}, p="p", s=1)
    )
    assert page["Count"] == 1


def test_an_empty_partition_has_an_empty_answer(numbers: Table) -> None:
    page = numbers.query(KeyConditionExpression="pk = :p", **given(p="nobody"))
    assert (page["Items"], page["Count"], page["ScannedCount"]) == ([], 0, 0)
    assert "LastEvaluatedKey" not in page


def test_a_table_without_a_range_key_is_queried_by_its_hash(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    table.fill({"pk": n} for n in range(3))
    page = table.query(KeyConditionExpression="pk = :p", **given(p=1))
    assert page["Items"] == [item(pk=1)]


def test_a_filter_is_applied_after_the_items_are_counted(numbers: Table) -> None:
    page = numbers.query(
        KeyConditionExpression="pk = :p AND sk > :s",
        FilterExpression="even = :t",
        **given(p="p", s=0, t=True),
    )
    assert [plain(found)["sk"] for found in page["Items"]] == [2, 10, 20]
    assert (page["Count"], page["ScannedCount"]) == (3, 4)


def test_a_projection_gives_only_its_attributes(numbers: Table) -> None:
    page = numbers.query(
        KeyConditionExpression="pk = :p AND sk = :s",
        ProjectionExpression="even",
        **given(p="p", s=1),
    )
    assert page["Items"] == [item(even=False)]


def test_a_filter_may_use_attributes_that_are_not_projected(numbers: Table) -> None:
    page = numbers.query(
        KeyConditionExpression="pk = :p",
        FilterExpression="even = :f",
        ProjectionExpression="sk",
        **given(p="p", f=False),
    )
    assert [plain(found) for found in page["Items"]] == [{"sk": -3}, {"sk": 1}]


@pytest.mark.parametrize("select", ["COUNT", "ALL_ATTRIBUTES", None])
def test_select(numbers: Table, select: str | None) -> None:
    members = {"Select": select} if select else {}
    page = numbers.query(KeyConditionExpression="pk = :p", **members, **given(p="p"))
    assert page["Count"] == page["ScannedCount"] == len(NUMBERS)
    assert ("Items" in page) is (select != "COUNT")


def test_specific_attributes_go_with_a_projection(numbers: Table) -> None:
    page = numbers.query(
        KeyConditionExpression="pk = :p AND sk = :s",
        Select="SPECIFIC_ATTRIBUTES",
        ProjectionExpression="sk",
        **given(p="p", s=1),
    )
    assert page["Items"] == [item(sk=1)]


@pytest.mark.parametrize(
    "members",
    [
        {"Select": "SPECIFIC_ATTRIBUTES"},
        {"Select": "ALL_PROJECTED_ATTRIBUTES"},
        {"Select": "SOME"},
        {"Select": "COUNT", "ProjectionExpression": "sk"},
        {"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "sk"},
        {"Limit": 0},
        {"Limit": -1},
        {"IndexName": "absent"},
        {"FilterExpression": "sk > :p"},
        {"FilterExpression": "even = :p AND pk = :p"},
        {"ExclusiveStartKey": item(pk="p")},
        {"ExclusiveStartKey": item(pk="p", sk="text")},
        {"ExclusiveStartKey": item(pk="p", sk=1, more=1)},
        {"ExclusiveStartKey": item(pk="another", sk=1)},
        {"ExclusiveStartKey": {}},
    ],
    ids=str,
)
def test_a_query_is_refused_with(numbers: Table, members: dict[str, Any]) -> None:
    with refused(INVALID):
        numbers.query(KeyConditionExpression="pk = :p", **members, **given(p="p"))


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("", "can not be empty"),
        ("pk", "Syntax error"),
        ("pk = :p AND", "Syntax error"),
        ("sk = :n", "missed key schema element: pk"),
        ("pk > :p", "(?i)not supported"),
        ("pk <> :p", "(?i)operator"),
        ("begins_with(pk, :p)", "(?i)not supported"),
        ("pk = :p OR sk = :n", "(?i)operator"),
        ("NOT pk = :p", "(?i)operator"),
        ("pk IN (:p)", "(?i)operator"),
        ("pk = :p AND sk <> :n", "(?i)operator"),
        ("pk = :p AND sk IN (:n)", "(?i)operator"),
        ("pk = :p AND colour = :n", "(?i)schema element|not supported"),
        ("pk = :p AND sk > :n AND sk < :m", "(?i)one condition per key"),
        ("pk = :p AND pk = :q", "(?i)one condition per key"),
        ("pk = :p AND attribute_exists(sk)", "(?i)operator|function"),
        ("pk = :p AND size(sk) = :n", ""),
        ("pk = :p AND sk = :q", "(?i)type"),
        ("pk = :n", "(?i)type"),
        ("pk = :p AND begins_with(sk, :n)", "(?i)operand type"),
        ("pk = :p AND sk BETWEEN :m AND :n", "(?i)upper bound"),
        ("pk = :p AND sk = pk", ""),
        ("pk.x = :p", ""),
        ("pk = :p AND :n BETWEEN sk AND :m", ""),
        (":p = :q", ""),
    ],
)
def test_a_key_condition_is_refused(numbers: Table, condition: str, said: str) -> None:
    values = used(condition, {"p": "p", "q": "q", "n": 1, "m": 2})
    with refused(INVALID, match=said):
        numbers.query(KeyConditionExpression=condition, **values)


def test_a_query_needs_a_key_condition(numbers: Table) -> None:
    with refused(INVALID):
        numbers.query()
