"""Two answers to one request: what counts as a difference, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.compare import ABSENT, BODY, CODE, MESSAGE, NUMBER, OUTCOME, Difference
from tests.oracle.compare import differences as compared
from tests.oracle.scenario import ANY_ORDER, Step
from tests.oracle.wire import Answer

GET = Step("GetItem", {})


def ok(**body: Any) -> Answer:
    return Answer(200, body)


def refused(code: str, message: str = "", **members: Any) -> Answer:
    return Answer(400, {"__type": f"com.amazonaws#{code}", "message": message, **members})


def kinds(found: list[Difference]) -> list[str]:
    return [difference.kind for difference in found]


def test_equal_answers_have_no_difference() -> None:
    assert compared(GET, ok(Item={"pk": {"S": "a"}}), ok(Item={"pk": {"S": "a"}})) == []


def test_a_refusal_differs_from_a_success_whatever_else_they_say() -> None:
    found = compared(GET, refused("ValidationException"), ok(Item={}))
    assert found == [Difference(OUTCOME, "", "refused: ValidationException", "accepted")]


def test_codes_are_compared_without_their_namespace() -> None:
    other = Answer(400, {"__type": "com.amazon.coral.validate#ValidationException"})
    assert compared(GET, refused("ValidationException"), other) == []
    assert kinds(compared(GET, refused("LimitExceededException"), other)) == [CODE]


def test_messages_differ_as_a_kind_of_their_own() -> None:
    found = compared(GET, refused("ValidationException", "a"), refused("ValidationException", "b"))
    assert kinds(found) == [MESSAGE]


def test_a_member_that_is_missing_is_named_by_its_path() -> None:
    found = compared(GET, ok(Item={"m": {"M": {"a": {"S": "x"}}}}), ok(Item={"m": {"M": {}}}))
    assert found == [Difference(BODY, "Item.m.M.a", {"S": "x"}, ABSENT)]


def test_one_number_in_two_words_is_no_difference_of_value() -> None:
    found = compared(GET, ok(Item={"n": {"N": "1"}}), ok(Item={"n": {"N": "1.0"}}))
    assert found == [Difference(NUMBER, "Item.n.N", "1", "1.0")]
    assert kinds(compared(GET, ok(Item={"n": {"N": "1"}}), ok(Item={"n": {"N": "2"}}))) == [BODY]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}),
        ({"NS": ["10", "9"]}, {"NS": ["9", "10"]}),
        ({"L": [{"BS": ["YQ==", "Yg=="]}]}, {"L": [{"BS": ["Yg==", "YQ=="]}]}),
    ],
)
def test_sets_have_no_order(one: Any, other: Any) -> None:
    assert compared(GET, ok(Item={"v": one}), ok(Item={"v": other})) == []


def test_lists_have_an_order() -> None:
    one, other = {"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}
    assert kinds(compared(GET, ok(Item={"v": one}), ok(Item={"v": other}))) == [BODY, BODY]


def items(*keys: str) -> Answer:
    return ok(Items=[{"sk": {"S": key[0]}, "id": {"S": key}} for key in keys], Count=len(keys))


def test_the_items_of_a_query_come_in_order_and_those_of_a_scan_do_not() -> None:
    assert compared(Step("Scan", {}), items("a", "b"), items("b", "a")) == []
    assert compared(Step("Query", {}), items("a", "b"), items("b", "a")) != []
    assert compared(Step("Query", {}, order=ANY_ORDER), items("a", "b"), items("b", "a")) == []


def test_ties_of_an_index_are_free_and_its_order_is_not() -> None:
    step = Step("Query", {}, order="sk")
    assert compared(step, items("a1", "a2", "b1"), items("a2", "a1", "b1")) == []
    assert compared(step, items("a1", "a2", "b1"), items("b1", "a1", "a2")) != []


def test_names_and_times_of_the_machine_do_not_count() -> None:
    one = ok(Table={"TableName": "t", "TableArn": "x", "CreationDateTime": 1, "ItemCount": 3})
    other = ok(Table={"TableName": "t", "TableArn": "y"})
    assert compared(Step("DescribeTable", {}), one, other) == []


def test_an_attribute_of_such_a_name_does_count() -> None:
    one, other = ok(Item={"TableArn": {"S": "x"}}), ok(Item={"TableArn": {"S": "y"}})
    assert kinds(compared(GET, one, other)) == [BODY]


def test_the_reasons_of_a_cancellation_are_compared_by_code_and_item() -> None:
    def cancelled(code: str, message: str) -> Answer:
        reasons = [{"Code": code, "Message": message}]
        return refused("TransactionCanceledException", CancellationReasons=reasons)

    step = Step("TransactWriteItems", {})
    assert compared(step, cancelled("None", "a"), cancelled("None", "b")) == []
    assert kinds(compared(step, cancelled("None", ""), cancelled("ValidationError", ""))) == [BODY]
