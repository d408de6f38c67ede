"""BatchExecuteStatement and ExecuteTransaction.

Rules without a source in a comment are from the Developer Guide and the API reference.
"""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import CANCELLED, INVALID, refused
from .shapes import item, plain
from .statements import entry
from .tables import Index, MakeTable, Table

Answer = dict[str, Any]
SHOWN = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
COUNTED = {"ReturnConsumedCapacity": "TOTAL"}


@pytest.fixture
def table(make_table: MakeTable) -> Table:
    """A table with the items 0 to 4."""
    made = make_table("pk:S", gsi=[Index("by_n", "n:N")])
    made.fill({"pk": str(number), "n": number} for number in range(5))
    return made


def _batch(table: Table, *statements: str | dict[str, Any], **members: Any) -> Answer:
    entries = [entry(table, one) if isinstance(one, str) else one for one in statements]
    answer: Answer = table.client.batch_execute_statement(Statements=entries, **members)
    return answer


def _transact(table: Table, *statements: str | dict[str, Any], **members: Any) -> Answer:
    entries = [entry(table, one) if isinstance(one, str) else one for one in statements]
    answer: Answer = table.client.execute_transaction(TransactStatements=entries, **members)
    return answer


def _select(pk: object, what: str = "*") -> str:
    return f"SELECT {what} FROM $t WHERE pk = '{pk}'"


def _insert(pk: object) -> str:
    return f"INSERT INTO $t VALUE {{'pk': '{pk}'}}"


def test_a_batch_reads_one_item_with_each_statement(table: Table) -> None:
    answer = _batch(
        table,
        _select(1),
        _select(2, "n"),
        _select("none"),
        f"{_select(3)} AND n = 4",
        _select(4, "nothing"),
        entry(table, "SELECT * FROM $t WHERE pk = ?", "0", ConsistentRead=True),
    )
    assert "ConsumedCapacity" not in answer
    assert {response["TableName"] for response in answer["Responses"]} == {table.name}
    items = [response.get("Item") for response in answer["Responses"]]
    # an empty projection: dynoxide and ministack
    expected = [item(pk="1", n=1), item(n=2), None, None, {}, item(pk="0", n=0)]
    assert items == expected


def test_a_failed_statement_returns_its_error(table: Table) -> None:
    answer = _batch(
        table,
        _select(1),
        "SELECT * FROM nothing_here WHERE pk = '1'",
        "SELECT * FROM $t WHERE n = 1",
        'SELECT * FROM $t."by_n" WHERE n = 1',
        "SELECT * FROM $t WHERE pk = 1",
        "SELECT * FROM $t WHERE pk = ?",
        "SELECT",
        _select(2),
    )
    responses = answer["Responses"]
    codes = [response.get("Error", {}).get("Code") for response in responses]
    assert codes == [None, "ResourceNotFound", *["ValidationError"] * 5, None]
    # the message: dynoxide and ministack
    for response in responses[2:4]:
        assert response["Error"]["Message"] == (
            "Select statements within BatchExecuteStatement must specify the primary key in the"
            " where clause."
        )
    assert [plain(responses[place]["Item"])["n"] for place in (0, -1)] == [1, 2]


def test_a_batch_runs_the_other_statements_if_one_fails(table: Table) -> None:
    answer = _batch(
        table,
        _insert("new"),
        _insert(0),
        entry(table, "UPDATE $t SET n = 9 WHERE pk = '1' AND n = 5", **SHOWN),
        "UPDATE $t SET m = 9 WHERE pk = '2' RETURNING ALL NEW *",
        "UPDATE $t SET m = 9 WHERE pk = 'none'",
        "DELETE FROM $t WHERE pk = '3' RETURNING ALL OLD *",
        "DELETE FROM $t WHERE pk = 'no'",
        "UPDATE $t SET n = 'x' WHERE pk = '4'",
        "DELETE FROM $t WHERE n = 1",
        "EXISTS(SELECT * FROM $t WHERE pk = '5' AND n = 1)",
    )
    responses = answer["Responses"]
    codes = [response.get("Error", {}).get("Code") for response in responses]
    failed, invalid = "ConditionalCheckFailed", "ValidationError"
    assert codes[:5] == [None, "DuplicateItem", failed, None, failed]
    assert codes[5:] == [None, None, invalid, invalid, invalid]
    assert responses[1]["Error"]["Message"] == "Duplicate primary key exists in table"
    assert plain(responses[2]["Error"]["Item"]) == {"pk": "1", "n": 1}
    assert "Item" not in responses[4]["Error"]
    assert plain(responses[3]["Item"]) == {"pk": "2", "n": 2, "m": 9}
    assert plain(responses[5]["Item"]) == {"pk": "3", "n": 3}
    assert "Item" not in responses[0]
    left = {found["pk"]["S"] for found in table.scan()["Items"]}
    assert left == {"0", "1", "2", "4", "new"}


def test_a_batch_consumes_the_capacity_of_its_operations(
    table: Table, make_table: MakeTable
) -> None:
    # One report for each table: dynoxide and ministack. A refused write costs its item.
    read = _batch(table, _select(1), _select(2), _select("none"), **COUNTED)
    assert read["ConsumedCapacity"] == [{"TableName": table.name, "CapacityUnits": 1.5}]
    other = make_table("pk:S")
    written = _batch(table, _insert("a"), _insert(0), entry(other, _insert("a")), **COUNTED)
    assert written["ConsumedCapacity"] == [
        {"TableName": table.name, "CapacityUnits": 2},
        {"TableName": other.name, "CapacityUnits": 1},
    ]


@pytest.mark.parametrize(
    "statements",
    [
        [_select(1), _insert("a")],
        [_select(1), "EXISTS(SELECT * FROM $t WHERE pk = '5' AND n = 1)"],
        [],
        [_select(number) for number in range(26)],
        [_select(1), _select(1, "n")],  # dynoxide, and as BatchGetItem
        [_insert("a"), "DELETE FROM $t WHERE pk = 'a'"],
    ],
)
def test_an_invalid_batch_is_refused_as_a_whole(table: Table, statements: list[str]) -> None:
    with refused(INVALID):
        _batch(table, *statements)
    assert table.get(pk="a") is None


def test_a_batch_has_at_most_25_statements(table: Table) -> None:
    answer = _batch(table, *(_insert(f"k{number}") for number in range(25)))
    assert answer["Responses"] == [{"TableName": table.name}] * 25
    assert len(table.scan()["Items"]) == 30


def test_a_transaction_reads_items(table: Table) -> None:
    answer = _transact(
        table,
        _select(1),
        _select(2, "n"),
        _select("none"),
        f"{_select(3)} AND n = 4",
        entry(table, "SELECT n FROM $t WHERE pk = ?", "4"),
        **COUNTED,
    )
    items = [response.get("Item") for response in answer["Responses"]]
    assert items == [item(pk="1", n=1), item(n=2), None, None, item(n=4)]
    [charged] = answer["ConsumedCapacity"]
    assert (charged["TableName"], charged["CapacityUnits"]) == (table.name, 10)


def test_a_transaction_writes_everything(table: Table) -> None:
    answer = _transact(
        table,
        _insert("new"),
        "UPDATE $t SET m = n + 1 REMOVE n WHERE pk = '1' AND n = 1",
        "DELETE FROM $t WHERE pk = '2'",
        "DELETE FROM $t WHERE pk = 'none' AND n = 1",
        "EXISTS(SELECT * FROM $t WHERE pk = '3' AND n = 3 AND m IS MISSING)",
    )
    assert answer["Responses"] == [{}] * 5  # dynoxide
    assert table.get(pk="new") == {"pk": "new"}
    assert table.get(pk="1") == {"pk": "1", "m": 2}
    assert table.get(pk="2") is None
    assert table.get(pk="3") == {"pk": "3", "n": 3}


def test_a_transaction_costs_double(make_table: MakeTable) -> None:
    table = make_table("pk:S")
    answer = _transact(table, _insert("a"), "DELETE FROM $t WHERE pk = 'b'", **COUNTED)
    [charged] = answer["ConsumedCapacity"]
    assert charged["CapacityUnits"] == charged["WriteCapacityUnits"] == 4


def test_a_failed_statement_cancels_the_transaction_with_reasons(table: Table) -> None:
    with refused(CANCELLED) as refusal:
        _transact(
            table,
            _insert("new"),
            _insert(0),
            entry(table, "UPDATE $t SET m = 1 WHERE pk = '1' AND n = 5", **SHOWN),
            "UPDATE $t SET m = 1 WHERE pk = 'none'",
            "DELETE FROM $t WHERE pk = '2' AND n = 5",
            "DELETE FROM $t WHERE pk = 'no' AND n = 5",
            "EXISTS(SELECT * FROM $t WHERE pk = '3' AND n = 5)",
            "EXISTS(SELECT * FROM $t WHERE pk = 'not' AND n IS MISSING)",
            "DELETE FROM $t WHERE pk = '4'",
        )
    failed = "ConditionalCheckFailed"
    expected = ["None", "DuplicateItem", failed, failed, failed, "None", failed, failed, "None"]
    assert refusal.reasons == expected
    reasons = refusal.response["CancellationReasons"]
    assert reasons[1]["Message"] == "Duplicate primary key exists in table"
    assert plain(reasons[2]["Item"]) == {"pk": "1", "n": 1}
    assert len(table.scan()["Items"]) == 5


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [_select(number) for number in range(101)],
        [_select(1), _insert("new")],
        [_select(1), "EXISTS(SELECT * FROM $t WHERE pk = '3' AND n = 3)"],
        ["SELECT * FROM $t WHERE n = 1"],
        ['SELECT * FROM $t."by_n" WHERE n = 1'],
        [_select(1), _select(1, "n")],
        [_insert("new"), "UPDATE $t SET m = 1 WHERE pk = 'new'"],
        [_insert("new"), "UPDATE $t SET m = 1"],
        [_insert("new"), "SELECT"],
        [_insert("new"), "DELETE FROM $t WHERE pk = ?"],
        [_insert("new"), "EXISTS(SELECT * FROM $t WHERE pk = '3')"],
        [_insert("new"), "EXISTS(SELECT * FROM $t WHERE n = 3)"],
        [_insert("new"), "EXISTS(SELECT * FROM $t.\"by_n\" WHERE n = 3 AND pk = '3')"],
        [_insert("new"), "EXISTS(DELETE FROM $t WHERE pk = '3')"],
        [_insert("new"), "EXISTS SELECT * FROM $t WHERE pk = '3' AND n = 3"],
    ],
)
def test_an_invalid_transaction_is_refused_as_a_whole(table: Table, statements: list[str]) -> None:
    with refused(INVALID):
        _transact(table, *statements)
    assert len(table.scan()["Items"]) == 5


def test_a_transaction_does_not_return_written_items(table: Table) -> None:
    # dynoxide and ministack
    sentence = r"TransactStatements\[1\]: RETURNING clause is not supported in ExecuteTransaction"
    with refused(INVALID, match=sentence):
        _transact(table, _insert("new"), "DELETE FROM $t WHERE pk = '1' RETURNING ALL OLD *")


def test_a_transaction_on_a_missing_table_is_refused(table: Table) -> None:
    for statement in ("SELECT * FROM nothing_here WHERE pk = '1'", "INSERT INTO no_no VALUE {}"):
        with refused("ResourceNotFoundException"):
            _transact(table, statement)


def test_a_token_makes_a_transaction_idempotent(table: Table) -> None:
    more = "UPDATE $t SET n = n + 1 WHERE pk = '1'"
    for _ in range(2):
        _transact(table, more, ClientRequestToken="token-of-one")
    assert table.get(pk="1") == {"pk": "1", "n": 2}
    with refused("IdempotentParameterMismatchException"):
        _transact(table, more.replace("1 W", "2 W"), ClientRequestToken="token-of-one")
    with refused("IdempotentParameterMismatchException"):
        _transact(table, f"{more} AND n = 2", ClientRequestToken="token-of-one")
    _transact(table, more, ClientRequestToken="token-of-two")
    assert table.get(pk="1") == {"pk": "1", "n": 3}


def test_a_token_with_other_parameters_is_refused(table: Table) -> None:
    more = "UPDATE $t SET n = n + ? WHERE pk = '1'"
    _transact(table, entry(table, more, 1), ClientRequestToken="token-of-three")
    with refused("IdempotentParameterMismatchException"):
        _transact(table, entry(table, more, 2), ClientRequestToken="token-of-three")
