from __future__ import annotations

import copy

import pytest

from gotgan.store.engine.expressions.operands import pick
from gotgan.store.engine.expressions.parser import check_values, parse_update
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue
from tests.unit.store.engine.expressions.items import ITEM, NAMES, VALUES, changed

BAD_PATH = "The document path provided in the update expression is invalid for update"
BAD_TYPE = "An operand in the update expression has an incorrect data type"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"

# The update, the attribute to look at, and what it is afterwards.
CHANGES: list[tuple[str, str, AttributeValue | None]] = [
    ("SET s = :x", "s", {"S": "x"}),
    ("set s = :x", "s", {"S": "x"}),
    ("SET fresh = :x", "fresh", {"S": "x"}),
    ("SET fresh = s", "fresh", {"S": "abc"}),
    ("SET fresh = m.x", "fresh", {"S": "q"}),
    ("SET #odd = :x", "a.b c", {"S": "x"}),
    ("SET m.y = :x REMOVE m.x, m.parts, m.#name", "m", {"M": {"y": {"S": "x"}}}),
    ("SET n = n + :one", "n", {"N": "6"}),
    ("SET n = :ten - n", "n", {"N": "5"}),
    ("SET n = n-n", "n", {"N": "0"}),
    ("SET n = (n + :one)", "n", {"N": "6"}),
    ("SET n = (n) + (:one)", "n", {"N": "6"}),
    ("SET n = if_not_exists(n, :ten) + :one", "n", {"N": "6"}),
    ("SET fresh = if_not_exists(fresh, :ten) + :one", "fresh", {"N": "11"}),
    ("SET fresh = if_not_exists(a1, if_not_exists(a2, :x))", "fresh", {"S": "x"}),
    ("SET s = if_not_exists(s, :x)", "s", {"S": "abc"}),
    ("SET fresh = list_append(:list, :list)", "fresh", {"L": [{"S": "new"}, {"S": "new"}]}),
    ("SET fresh = list_append(if_not_exists(fresh, :empty), :list)", "fresh",
     {"L": [{"S": "new"}]}),
    ("SET m.parts = list_append(:list, m.parts) REMOVE m.x, m.#name", "m",
     {"M": {"parts": {"L": [{"S": "new"}, {"N": "7"}]}}}),
    ("REMOVE s", "s", None),
    ("REMOVE absent", "absent", None),
    ("REMOVE l[0]", "l", {"L": [{"N": "1"}, {"M": {"deep": {"S": "y"}}}]}),
    ("REMOVE l[0], l[1]", "l", {"L": [{"M": {"deep": {"S": "y"}}}]}),
    ("REMOVE l[0], l[1], l[2]", "l", {"L": []}),
    ("REMOVE l[9]", "l", ITEM["l"]),
    ("SET l[0] = :one REMOVE l[1], l[2]", "l", {"L": [{"N": "1"}]}),
    ("SET l[0] = :a, l[1] = :b, l[2] = :x", "l", {"L": [{"S": "a"}, {"S": "b"}, {"S": "x"}]}),
    ("SET l[9] = :b, l[5] = :a REMOVE l[0], l[1]", "l",
     {"L": [{"M": {"deep": {"S": "y"}}}, {"S": "a"}, {"S": "b"}]}),
    ("SET l[2].deep = :x REMOVE l[0], l[1]", "l", {"L": [{"M": {"deep": {"S": "x"}}}]}),
    ("ADD n :one", "n", {"N": "6"}),
    ("ADD fresh :one", "fresh", {"N": "1"}),
    ("ADD fresh :ba", "fresh", {"SS": ["b", "a"]}),
    ("ADD ss :ba", "ss", {"SS": ["a", "b"]}),
    ("ADD ns :ones", "ns", {"NS": ["1", "2"]}),
    ("ADD m.parts[0] :one REMOVE m.x, m.#name", "m", {"M": {"parts": {"L": [{"N": "8"}]}}}),
    ("DELETE ss :justa", "ss", {"SS": ["b"]}),
    ("DELETE ss :ba", "ss", None),
    ("DELETE bs :xs", "bs", {"BS": [b"y"]}),
    ("DELETE absent :ba", "absent", None),
]  # fmt: skip

FAILURES = [
    ("SET fresh = absent", NO_ATTRIBUTE),
    ("SET fresh = l[9]", NO_ATTRIBUTE),
    ("SET fresh = absent + :one", NO_ATTRIBUTE),
    ("SET fresh = list_append(absent, :list)", NO_ATTRIBUTE),
    ("SET fresh = if_not_exists(absent, another)", NO_ATTRIBUTE),
    ("SET fresh = s + :one", BAD_TYPE),
    ("SET fresh = list_append(s, :list)", BAD_TYPE),
    ("ADD s :one", BAD_TYPE),
    ("ADD ss :ones", BAD_TYPE),
    ("DELETE ss :ones", BAD_TYPE),
    ("DELETE n :ba", BAD_TYPE),
    ("SET absent.x = :x", BAD_PATH),
    ("SET absent[0] = :x", BAD_PATH),
    ("SET s.x = :x", BAD_PATH),
    ("SET l.x = :x", BAD_PATH),
    ("SET m[0] = :x", BAD_PATH),
    ("SET l[9].x = :x", BAD_PATH),
    ("REMOVE absent.x", BAD_PATH),
    ("REMOVE s[0]", BAD_PATH),
    ("ADD absent.x :one", BAD_PATH),
    ("DELETE absent.x :ba", BAD_PATH),
]

REFUSED = [
    ("", "The expression can not be empty;"),
    ("a = :x", 'Syntax error; token: "a", near: "a ="'),
    ("SET", 'Syntax error; token: "<EOF>", near: "SET"'),
    ("SET a", 'Syntax error; token: "<EOF>", near: "a"'),
    ("SET a = :x,", 'Syntax error; token: "<EOF>", near: ","'),
    ("SET a = :x REMOVE", 'Syntax error; token: "<EOF>", near: "REMOVE"'),
    ("SET a = :x, REMOVE b", 'Syntax error; token: "REMOVE", near: ", REMOVE b"'),
    ("SET set = :x", 'Syntax error; token: "set", near: "SET set ="'),
    ("SET a = n - :one - :one", 'Syntax error; token: "-", near: ":one - :one"'),
    ("SET a = (:one + :one) + :one", 'Syntax error; token: "+", near: ") + :one"'),
    ("SET a = n * :one", 'Syntax error; token: "*", near: "n * :one"'),
    ("SET (a) = :x", 'Syntax error; token: "(", near: "SET (a"'),
    ("REMOVE a n", 'Syntax error; token: "n", near: "a n"'),
    ("REMOVE :x", 'Syntax error; token: ":x", near: "REMOVE :x"'),
    ("ADD n n", 'Syntax error; token: "n", near: "n n"'),
    ("ADD n = :one", 'Syntax error; token: "=", near: "n = :one"'),
    ("SET a = ((:x))", "The expression has redundant parentheses;"),
    ("SET a = foo(b)", "Invalid function name; function: foo"),
    ("SET a = size(b)", "The function is not allowed in an update expression; function: size"),
    (
        "SET a = list_append(list_append(b, c), d)",
        "The function is not allowed to be used this way in an expression; function: list_append",
    ),
    (
        "SET a = list_append(b, c) + :one",
        "The function is not allowed to be used this way in an expression; function: list_append",
    ),
    ("SET name = :x", "Attribute name is a reserved keyword; reserved keyword: name"),
    (
        "SET a = :x SET name = :x",
        "Attribute name is a reserved keyword; reserved keyword: name",
    ),
    ("SET a = :x SET b = :x", 'The "SET" section can only be used once in an update expression;'),
    (
        "SET a = :x, a = :x, #none = :x",
        (
            "An expression attribute name used in the document path is not defined; "
            "attribute name: #none"
        ),
    ),
    (
        "SET #none = :x",
        (
            "An expression attribute name used in the document path is not defined; "
            "attribute name: #none"
        ),
    ),
    (
        "SET a = :none",
        "An expression attribute value used in expression is not defined; attribute value: :none",
    ),
    (
        "SET a = :x, a.b = :x",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [a], path two: [a, b]"
        ),
    ),
    (
        "SET a[1].b = :x REMOVE a[1].b",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these "
            "paths; path one: [a, [1], b], path two: [a, [1], b]"
        ),
    ),
    (
        "SET a.b = :x ADD a[0] :one",
        (
            "Two document paths conflict with each other; must remove or rewrite one of these "
            "paths; path one: [a, b], path two: [a, [0]]"
        ),
    ),
    (
        "SET a = if_not_exists(b)",
        (
            "Incorrect number of operands for operator or function; "
            "operator or function: if_not_exists, number of operands: 1"
        ),
    ),
    (
        "SET a = if_not_exists(b, b)",
        (
            "The first operand must be distinct from the remaining operands for this operator or "
            "function; operator: if_not_exists, first operand: [b]"
        ),
    ),
    (
        "SET a = if_not_exists(:x, b)",
        "Operator or function requires a document path; operator or function: if_not_exists",
    ),
    (
        "SET a = n + :x",
        "Incorrect operand type for operator or function; operator or function: +, operand type: S",
    ),
    (
        "SET a = list_append(l, :x)",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: list_append, operand type: S"
        ),
    ),
    (
        "ADD n :x",
        (
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, "
            "typeSet: ALLOWED_FOR_ADD_OPERAND"
        ),
    ),
    (
        "DELETE ss :one",
        (
            "Incorrect operand type for operator or function; operator: DELETE, "
            "operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"
        ),
    ),
]


@pytest.mark.parametrize(("text", "name", "value"), CHANGES)
def test_an_update_changes_an_attribute(
    text: str,
    name: str,
    value: AttributeValue | None,
) -> None:
    assert changed(text).get(name) == value


@pytest.mark.parametrize(("text", "message"), FAILURES)
def test_an_update_that_does_not_fit_the_item_fails(text: str, message: str) -> None:
    with pytest.raises(ValidationException) as refused:
        changed(text)
    assert refused.value.message == message


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_an_update_is_refused_with_the_words_of_aws(text: str, reason: str) -> None:
    with pytest.raises(ValidationException) as refused:
        check_values(parse_update(text, NAMES), VALUES)
    assert refused.value.message == f"Invalid UpdateExpression: {reason}"


@pytest.mark.parametrize("text", [text for text, _, _ in CHANGES])
def test_an_update_leaves_the_item_before_as_it_was(text: str) -> None:
    before = copy.deepcopy(ITEM)
    changed(text)
    assert before == ITEM


def test_every_operand_reads_the_item_before_the_update() -> None:
    after = changed("SET s = n, n = s, fresh = l[0] REMOVE l[0]")
    assert (after["s"], after["n"], after["fresh"]) == (ITEM["n"], ITEM["s"], {"S": "x"})


def test_the_sections_may_stand_in_any_order() -> None:
    after = changed("DELETE ss :justa ADD n :one REMOVE s SET fresh = :x")
    assert after["ss"] == {"SS": ["b"]}
    assert after["n"] == {"N": "6"}
    assert after["fresh"] == {"S": "x"}
    assert "s" not in after


def test_an_update_makes_an_item_of_nothing() -> None:
    assert changed("SET a = :x ADD b :one", {}) == {"a": {"S": "x"}, "b": {"N": "1"}}


def test_an_update_tells_what_it_uses_and_where_it_writes() -> None:
    update = parse_update("SET #m.x = :a, s = n REMOVE l[0]", NAMES)
    assert update.names == {"#m"}
    assert update.values == {":a"}
    assert [path.steps for path in update.paths] == [("m", "x"), ("s",), ("l", 0)]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("SET s = :x", {"s": {"S": "abc"}}, {"s": {"S": "x"}}),
        ("SET fresh = :x", {}, {"fresh": {"S": "x"}}),
        ("REMOVE s", {"s": {"S": "abc"}}, {}),
        ("SET m.x = :x", {"m": {"M": {"x": {"S": "q"}}}}, {"m": {"M": {"x": {"S": "x"}}}}),
        ("SET m.y = :x", {}, {"m": {"M": {"y": {"S": "x"}}}}),
        ("SET l[1] = :x", {"l": {"L": [{"N": "1"}]}}, {"l": {"L": [{"S": "x"}]}}),
        ("SET l[9] = :x", {}, {}),
    ],
)
def test_what_was_updated_is_picked_before_and_after(
    text: str,
    before: dict[str, AttributeValue],
    after: dict[str, AttributeValue],
) -> None:
    update = parse_update(text)
    assert pick(update.plan.root, ITEM) == before
    assert pick(update.plan.root, changed(text)) == after
