"""INSERT, UPDATE and DELETE. Rules without a source in a comment are from the Developer Guide."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import plain
from .statements import execute, found
from .tables import Index, MakeTable, Table

FAILED = "ConditionalCheckFailedException"
SHOWN = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
KEY = "WHERE pk = 'k' AND sk = 1"


@pytest.fixture
def table(make_table: MakeTable) -> Table:
    """A table with one item, the one that ``KEY`` selects."""
    made = make_table("pk:S sk:N", gsi=[Index("by_g", "g:S", "KEYS_ONLY")])
    made.put(pk="k", sk=1, n=1, m={"l": [1, 2], "x": "y"}, s={"p", "q"}, t="t")
    return made


def test_insert_writes_every_type(table: Table) -> None:
    answer = execute(
        table,
        "INSERT INTO $t VALUE {'pk': ?, 'sk': -1.50, 'yes': true, 'no': FALSE, 'null': NULL,"
        " 'list': [1, 'x', [?]], 'map': {'a b': {}}, 'ss': <<'b', 'a'>>, 'ns': <<1e2, -3>>,"
        " 'bytes': ?, 'quoted': 'it''s'}",
        "new",
        "inner",
        b"\x00",
    )
    # moto and ministack
    assert answer["Items"] == []
    assert table.get(pk="new", sk=Decimal("-1.5")) == {
        "pk": "new",
        "sk": Decimal("-1.5"),
        "yes": True,
        "no": False,
        "null": None,
        "list": [1, "x", ["inner"]],
        "map": {"a b": {}},
        "ss": {"a", "b"},
        "ns": {100, -3},
        "bytes": b"\x00",
        "quoted": "it's",
    }


def test_insert_does_not_replace_an_item(table: Table) -> None:
    # the message: dynoxide and ministack
    for members in ({}, SHOWN):
        with refused("DuplicateItemException", match="^Duplicate primary key exists in table$"):
            execute(table, "INSERT INTO $t VALUE {'pk': 'k', 'sk': 1, 'n': 9}", **members)
    item = table.get(pk="k", sk=1)
    assert item is not None
    assert item["n"] == 1


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO $t VALUE {'pk': 'a'}",
        "INSERT INTO $t VALUE {'pk': 1, 'sk': 1}",
        "INSERT INTO $t VALUE {'pk': '', 'sk': 1}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 'g': 5}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 's': <<>>}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 's': <<1, 'a'>>}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 's': <<'a', 'a'>>}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 'pk': 'b'}",
        "INSERT INTO $t VALUE {\"pk\": 'a', 'sk': 1}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': x}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': MISSING}",
        "INSERT INTO $t VALUE 'a'",
        "INSERT INTO $t VALUES {'pk': 'a', 'sk': 1}",
        "INSERT INTO $t (pk, sk) VALUES ('a', 1)",
        "INSERT INTO $t.\"by_g\" VALUE {'pk': 'a', 'sk': 1}",
        "INSERT INTO $t VALUE {'pk': 'a', 'sk': 1} RETURNING ALL NEW *",
        "INSERT $t VALUE {'pk': 'a', 'sk': 1}",
    ],
)
def test_an_invalid_insert_is_refused(table: Table, statement: str) -> None:
    with refused(INVALID):
        execute(table, statement)
    assert len(found(table, "SELECT * FROM $t")) == 1


@pytest.mark.parametrize(
    ("actions", "changed"),
    [
        ("SET n = 5", {"n": 5}),
        ("SET n = 5, t = 'u'", {"n": 5, "t": "u"}),
        ("SET n = 5 SET t = 'u'", {"n": 5, "t": "u"}),
        ("SET n = n + 4", {"n": 5}),
        ("SET n = n - 4", {"n": -3}),
        ("SET n = 10 - n", {"n": 9}),
        ("SET n = -1", {"n": -1}),
        ("SET other = t", {"other": "t"}),
        ("SET new = {'a': [1]}", {"new": {"a": [1]}}),
        ("SET m.x = 'z'", {"m": {"l": [1, 2], "x": "z"}}),
        ("SET m.l[1] = 3", {"m": {"l": [1, 3], "x": "y"}}),
        ("SET m.l = list_append(m.l, [3, 4])", {"m": {"l": [1, 2, 3, 4], "x": "y"}}),
        ("SET m.l = LIST_APPEND([0], m.l)", {"m": {"l": [0, 1, 2], "x": "y"}}),
        ("SET s = set_add(s, <<'r'>>)", {"s": {"p", "q", "r"}}),
        ("SET fresh = set_add(fresh, <<1>>)", {"fresh": {1}}),
        ("SET s = set_delete(s, <<'p', 'z'>>)", {"s": {"q"}}),
        ("SET s = set_delete(s, <<'p', 'q'>>)", {"s": None}),
        ("REMOVE t", {"t": None}),
        ("REMOVE t, n", {"t": None, "n": None}),
        ("REMOVE m.l[0] REMOVE m.x", {"m": {"l": [2]}}),
        ("REMOVE nothing", {}),
        ("SET n = 2 REMOVE t SET u = 3", {"n": 2, "t": None, "u": 3}),
        ('SET "n" = 7', {"n": 7}),
    ],
)
def test_update_changes_an_item(table: Table, actions: str, changed: dict[str, Any]) -> None:
    before = table.get(pk="k", sk=1)
    assert before is not None
    assert execute(table, f"UPDATE $t {actions} {KEY}")["Items"] == []
    expected = {name: now for name, now in (before | changed).items() if now is not None}
    assert table.get(pk="k", sk=1) == expected


@pytest.mark.parametrize(
    ("returning", "items"),
    [
        ("ALL OLD", [{"pk": "p", "sk": 1, "a": 1, "m": {"x": 1, "y": 2}}]),
        ("ALL NEW", [{"pk": "p", "sk": 1, "b": 5, "m": {"x": 7, "y": 2}}]),
        ("MODIFIED OLD", [{"a": 1, "m": {"x": 1}}]),
        ("MODIFIED NEW", [{"b": 5, "m": {"x": 7}}]),
    ],
)
def test_update_returns_old_or_new_values(
    table: Table, returning: str, items: list[dict[str, Any]]
) -> None:
    table.put(pk="p", sk=1, a=1, m={"x": 1, "y": 2})
    statement = "UPDATE $t SET m.x = 7, b = 5 REMOVE a WHERE sk = 1 AND pk = 'p'"
    assert found(table, f"{statement} RETURNING {returning} *") == items


def test_update_returns_no_item_if_nothing_is_left_to_show(table: Table) -> None:
    # as UpdateItem, which then answers without Attributes
    assert found(table, f"UPDATE $t SET new = 1 {KEY} RETURNING MODIFIED OLD *") == []


def test_update_of_a_missing_item_fails(table: Table) -> None:
    # measured, by dynoxide's authors
    for actions in ("SET n = 1", "REMOVE n"):
        with refused(FAILED, match="^The conditional request failed$"):
            execute(table, f"UPDATE $t {actions} WHERE pk = 'none' AND sk = 1")
    assert table.get(pk="none", sk=1) is None


def test_update_checks_conditions_beside_the_key(table: Table) -> None:
    execute(table, f"UPDATE $t SET n = 2 {KEY} AND n = 1 AND contains(s, 'p')")
    with refused(FAILED) as refusal:
        execute(table, f"UPDATE $t SET n = 3 {KEY} AND (n = 1 OR t IS MISSING)")
    assert "Item" not in refusal.response
    with refused(FAILED) as refusal:
        execute(table, f"UPDATE $t SET n = 3 {KEY} AND n = ?", 1, **SHOWN)
    assert plain(refusal.response["Item"]) == table.get(pk="k", sk=1)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE $t SET n = 1",
        "UPDATE $t SET n = 1 WHERE pk = 'k'",
        "UPDATE $t SET n = 1 WHERE sk = 1",
        "UPDATE $t SET n = 1 WHERE pk = 'k' AND sk > 0",
        "UPDATE $t SET n = 1 WHERE pk = 'k' OR sk = 1",
        "UPDATE $t SET n = 1 WHERE pk IN ['k'] AND sk = 1",
        "DELETE FROM $t",
        "DELETE FROM $t WHERE pk = 'k'",
        "DELETE FROM $t WHERE NOT (pk = 'k' AND sk = 1)",
    ],
)
def test_a_write_needs_the_whole_key(table: Table, statement: str) -> None:
    # the message: dynoxide and ministack
    sentence = "^Where clause does not contain a mandatory equality on all key attributes$"
    with refused(INVALID, match=sentence):
        execute(table, statement)
    assert len(found(table, "SELECT * FROM $t WHERE n = 1")) == 1


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE $t {KEY}",
        f"UPDATE $t SET {KEY}",
        f"UPDATE $t SET n {KEY}",
        f"UPDATE $t SET n = {KEY}",
        f"UPDATE $t SET n = 1, {KEY}",
        f"UPDATE $t ADD n 1 {KEY}",
        f"UPDATE $t SET pk = 'z' {KEY}",
        f"UPDATE $t REMOVE sk {KEY}",
        f"UPDATE $t SET n = 1, n = 2 {KEY}",
        f"UPDATE $t SET m.x = 1 REMOVE m {KEY}",
        f"UPDATE $t SET n = t + 1 {KEY}",
        f"UPDATE $t SET n = nothing + 1 {KEY}",
        f"UPDATE $t SET n = 1 + 'x' {KEY}",
        f"UPDATE $t SET nothing.x = 1 {KEY}",
        f"UPDATE $t SET g = 1 {KEY}",
        f"UPDATE $t SET s = set_add(t, <<'r'>>) {KEY}",
        f"UPDATE $t SET s = set_add(s, 'r') {KEY}",
        f"UPDATE $t SET n = set_add(n, 1) {KEY}",
        f"UPDATE $t SET s = set_add(s, <<1>>) {KEY}",
        f"UPDATE $t SET s = set_add(s, t) {KEY}",
        f"UPDATE $t SET m.l = list_append(m.l, 3) {KEY}",
        f"UPDATE $t SET m.l = list_append(m.l) {KEY}",
        f"UPDATE $t SET n = lower(t) {KEY}",
        f"UPDATE $t SET n = 5 {KEY} RETURNING *",
        f"UPDATE $t SET n = 5 {KEY} RETURNING ALL NEW",
        f"UPDATE $t SET n = 5 {KEY} RETURNING OLD *",
        f'UPDATE $t."by_g" SET n = 5 {KEY}',
        "UPDATE $t SET n = 5 WHERE pk = 5 AND sk = 1",
    ],
)
def test_an_invalid_update_is_refused(table: Table, statement: str) -> None:
    before = table.get(pk="k", sk=1)
    with refused(INVALID):
        execute(table, statement)
    assert table.get(pk="k", sk=1) == before


def test_set_functions_take_parameters(table: Table) -> None:
    execute(table, f"UPDATE $t SET s = set_add(s, ?) {KEY}", {"r"})
    execute(table, f"UPDATE $t SET m.l = list_append(m.l, ?) {KEY}", [3])
    item = table.get(pk="k", sk=1)
    assert item is not None
    assert (item["s"], item["m"]["l"]) == ({"p", "q", "r"}, [1, 2, 3])
    with refused(INVALID):
        execute(table, f"UPDATE $t SET n = set_add(n, ?) {KEY}", 1)


def test_delete_removes_an_item(table: Table) -> None:
    assert execute(table, f"DELETE FROM $t {KEY}")["Items"] == []
    assert table.get(pk="k", sk=1) is None


def test_delete_returns_the_old_item(table: Table) -> None:
    before = table.get(pk="k", sk=1)
    assert found(table, f"DELETE FROM $t {KEY} RETURNING ALL OLD *") == [before]
    assert found(table, f"DELETE FROM $t {KEY} RETURNING ALL OLD *") == []


@pytest.mark.parametrize("returning", ["MODIFIED OLD", "ALL NEW", "MODIFIED NEW"])
def test_delete_refuses_other_forms_of_returning(table: Table, returning: str) -> None:
    # dynoxide and ministack
    sentence = rf"RETURNING {returning} \*. Only RETURNING ALL OLD \* is allowed in DELETE"
    with refused(INVALID, match=sentence):
        execute(table, f"DELETE FROM $t {KEY} RETURNING {returning} *")


def test_delete_of_a_missing_item_does_nothing(table: Table) -> None:
    for condition in ("", "AND n = 1"):
        execute(table, f"DELETE FROM $t WHERE pk = 'none' AND sk = 1 {condition}")


def test_delete_checks_conditions_beside_the_key(table: Table) -> None:
    before = table.get(pk="k", sk=1)
    with refused(FAILED) as refusal:
        execute(table, f"DELETE FROM $t {KEY} AND n > 1", **SHOWN)
    assert plain(refusal.response["Item"]) == before
    execute(table, f"DELETE FROM $t {KEY} AND n = 1")
    assert table.get(pk="k", sk=1) is None


@pytest.mark.parametrize(
    ("statement", "units"),
    [
        ("INSERT INTO $t VALUE {'pk': 'a', 'sk': 1}", 1),
        ("INSERT INTO $t VALUE {'pk': 'a', 'sk': 1, 'g': 'x'}", 2),
        (f"UPDATE $t SET n = 2 {KEY}", 1),
        (f"UPDATE $t SET g = 'x' {KEY}", 2),
        (f"DELETE FROM $t {KEY}", 1),
        ("DELETE FROM $t WHERE pk = 'none' AND sk = 1", 1),
    ],
)
def test_a_write_consumes_the_capacity_of_its_operation(
    table: Table, statement: str, units: int
) -> None:
    answer = execute(table, statement, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"]["CapacityUnits"] == units
    assert answer["ConsumedCapacity"]["Table"] == {"CapacityUnits": 1}
    assert "ConsumedCapacity" not in execute(table, "DELETE FROM $t WHERE pk = 'b' AND sk = 1")


def test_a_large_item_costs_its_size(table: Table) -> None:
    answer = execute(
        table,
        "INSERT INTO $t VALUE {'pk': 'large', 'sk': 1, 'x': ?}",
        "x" * 2500,
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3


def test_invalid_options_of_a_write_are_refused(table: Table) -> None:
    with refused(INVALID, match="1 validation error detected"):
        statement = f"UPDATE $t SET n = 1 {KEY}"
        execute(table, statement, ReturnValuesOnConditionCheckFailure="ALL_NEW")


def test_changing_a_result_does_not_change_the_statement(table: Table) -> None:
    statement = "UPDATE $t SET l = [1, {'a': 'b'}] WHERE pk = 'k' AND sk = 1 RETURNING ALL NEW *"
    first = execute(table, statement)["Items"][0]
    first["l"]["L"].append({"S": "changed by the caller"})
    assert found(table, statement)[0]["l"] == [1, {"a": "b"}]
