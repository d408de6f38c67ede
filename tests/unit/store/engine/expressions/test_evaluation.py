from __future__ import annotations

import pytest

from tests.unit.store.engine.expressions.items import holds

TRUE = [
    "s = :abc",
    "s <> :ab",
    "#s = :abc",
    "n = :five",
    "n > :three",
    "n >= :five",
    "n < :ten",
    "n <= :five",
    "s > :ab",
    "bin > :bytes",
    "ss = :ba",
    "m.x <> :x",
    "m.parts[0] > :five",
    "#m.#name <> :x",
    "l[2].deep <> :x",
    ":abc = s",
    ":one < n",
    "s <> :five",
    "s <> :list",
    "absent <> :a",
    "absent <> another",
    "n BETWEEN :one AND :ten",
    "n BETWEEN :five AND :five",
    "s BETWEEN :a AND :b",
    "size(s) BETWEEN :one AND :three",
    "s IN (:a, :abc)",
    "n IN (:one, n2, :five)",
    "attribute_exists(s)",
    "attribute_exists(m.parts[0])",
    "attribute_exists(nothing)",
    "attribute_not_exists(absent)",
    "attribute_not_exists(m.absent)",
    "attribute_not_exists(l[9])",
    "attribute_not_exists(s.x)",
    "attribute_not_exists(s[0])",
    "begins_with(s, :ab)",
    "begins_with(s, :abc)",
    "begins_with(bin, :bytes)",
    "begins_with(:abc, :a)",
    "contains(s, :b)",
    "contains(ss, :a)",
    "contains(ns, :one)",
    "contains(l, :one)",
    "contains(l, :x)",
    "contains(bin, :bytes)",
    "size(s) = :three",
    "size(bin) = :three",
    "size(ss) < :three",
    "size(l) = :three",
    "size(m) = :three",
    "size(wide) = :four",
    "size(:abc) = :three",
    "NOT s = :a",
    "NOT NOT s = :abc",
    "NOT (s = :a OR n = :one)",
    "s = :a OR n = :five AND s = :abc",
    "NOT s = :a AND n = :five",
    "(s = :abc)",
    "(s) = (:abc)",
    "(size(s)) = :three",
    "((s = :abc) AND (n = :five))",
    "s = :abc and n = :five Or n = :one",
    "not s = :a",
    "n between :one And :ten",
    "s in (:abc)",
    "s=:abc",
    " s\t=\n:abc ",
    "m . x <> :x",
    "l [ 0 ] = :x",
    "attribute_exists (s)",
    "yes = :true",
    "nothing = :null",
]

FALSE = [
    "s = :a",
    "s = :five",
    "n = :one",
    "s < :five",
    "n > :ten",
    "yes <> :true",
    "absent = :a",
    "absent < :a",
    "absent = another",
    "NOT absent <> :a",
    "absent BETWEEN :a AND :b",
    "n BETWEEN :a AND :b",
    "s BETWEEN absent AND :b",
    "absent IN (:a, another)",
    "s IN (:five, :list)",
    "attribute_exists(absent)",
    "attribute_not_exists(s)",
    "begins_with(s, :b)",
    "begins_with(n, :a)",
    "begins_with(s, :bytes)",
    "begins_with(absent, :a)",
    "contains(s, :one)",
    "contains(n, :five)",
    "contains(ss, :one)",
    "contains(l, :ab)",
    "contains(m, :x)",
    "contains(absent, :x)",
    "contains(s, absent)",
    "size(n) = :one",
    "size(yes) = :one",
    "size(absent) = :one",
    "size(s) = :a",
    "ss = :justa",
    "s = :abc AND n = :one",
    "s = :a OR n = :one",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_condition_holds(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize("text", FALSE)
def test_a_condition_does_not_hold(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize("kind", ["S", "N", "B", "SS", "NS", "BS", "L", "M", "BOOL", "NULL"])
def test_an_attribute_has_its_own_type_and_no_other(kind: str) -> None:
    names = ["s", "n", "bin", "ss", "ns", "bs", "l", "m", "yes", "nothing"]
    of_the_kind = [name for name in names if holds(f"attribute_type({name}, :{kind})")]
    assert len(of_the_kind) == 1
    assert not holds(f"attribute_type(absent, :{kind})")


def test_where_there_is_no_item_nothing_exists() -> None:
    assert holds("attribute_not_exists(pk)", None)
    assert not holds("attribute_exists(pk)", None)
    assert not holds("pk = :a", None)


def test_equal_numbers_within_lists_and_maps_are_equal() -> None:
    assert holds("m2 = :map", {"m2": {"M": {"x": {"S": "q"}}}})
    assert not holds("m2 = :map", {"m2": {"M": {"x": {"S": "q"}, "y": {"S": "q"}}}})


@pytest.mark.parametrize("opening", ["NOT ", "(NOT "])
def test_three_hundred_nested_operators_are_no_trouble(opening: str) -> None:
    depth = 298
    text = opening * depth + "s = :abc" + ")" * (depth if "(" in opening else 0)
    assert holds(text)
