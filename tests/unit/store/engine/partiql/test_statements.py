from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.store.engine import Engine
from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.faults import DynamoDBError, ValidationException
from gotgan.store.engine.partiql.lexer import MAX_NESTING
from gotgan.store.engine.partiql.parser import parse_statement
from gotgan.store.engine.partiql.statements import SelectStatement

_WORD_TEXT = """
SELECT FROM WHERE INSERT INTO VALUE UPDATE SET REMOVE DELETE RETURNING EXISTS AND OR NOT IN BETWEEN
IS MISSING NULL ORDER BY ALL OLD size contains list_append set_add begins_with pk sk tab "tab"
* ( ) [ ] { } << >> = <> + - , . : ? ; 'x' 'it''s' 1 2.5e3 ' "
"""
_WORDS = _WORD_TEXT.split()
_STARTS = (
    "",
    "SELECT * FROM tab WHERE ",
    "UPDATE tab SET ",
    "INSERT INTO tab VALUE ",
    "DELETE FROM tab WHERE pk = 'x' AND ",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(None) as opened:
        _fill(opened)
        yield opened


def _create(engine: Engine, key: str) -> None:
    engine.execute(
        "CreateTable",
        {
            "TableName": "tab",
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )


def _fill(engine: Engine) -> None:
    _create(engine, "pk")
    engine.execute("PutItem", {"TableName": "tab", "Item": {"pk": {"S": "x"}, "sk": {"N": "1"}}})


@settings(max_examples=500, deadline=None)
@given(
    start=st.sampled_from(_STARTS),
    words=st.lists(st.sampled_from(_WORDS), max_size=14),
    space=st.sampled_from([" ", ""]),
)
def test_any_statement_is_carried_out_or_refused(
    engine: Engine, start: str, words: list[str], space: str
) -> None:
    statement = start + space.join(words)
    if statement:
        parameters = [{"S": "x"}] * words.count("?")
        request = {"Statement": statement, **({"Parameters": parameters} if parameters else {})}
        with suppress(DynamoDBError):
            assert "Items" in engine.execute("ExecuteStatement", request)


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with suppress(ValidationException):
        parse_statement(text)


def test_a_statement_is_parsed_once() -> None:
    text = "SELECT * FROM tab WHERE pk = ?"
    assert parse_statement(text) is parse_statement(text)


@pytest.mark.parametrize(("opened", "closed"), [("(", ")"), ("NOT ", "")])
def test_conditions_nest_as_deep_as_allowed(opened: str, closed: str) -> None:
    def nested(levels: int) -> str:
        return f"SELECT * FROM tab WHERE {opened * levels}a = 1{closed * levels}"

    assert isinstance(parse_statement(nested(MAX_NESTING)), SelectStatement)
    with pytest.raises(ValidationException):
        parse_statement(nested(MAX_NESTING + 1))


def test_a_value_may_stand_before_the_path() -> None:
    one, two = (parse_statement(f"SELECT * FROM tab WHERE {text}") for text in ("1 < a", "a > 1"))
    assert one == two
    assert isinstance(one, SelectStatement)
    assert one.where == nodes.Comparison(">", nodes.Path(("a",)), nodes.Value(":0"))


def test_a_batch_sees_a_table_that_another_process_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    statement = {"Statement": "UPDATE tab SET n = 1 WHERE id = 'x'"}
    with Engine(path) as one, Engine(path) as two:
        _create(one, "pk")
        two.execute("DescribeTable", {"TableName": "tab"})
        one.execute("DeleteTable", {"TableName": "tab"})
        _create(one, "id")
        one.execute("PutItem", {"TableName": "tab", "Item": {"id": {"S": "x"}}})
        answer = two.execute("BatchExecuteStatement", {"Statements": [statement]})
        assert answer == {"Responses": [{"TableName": "tab"}]}
