from __future__ import annotations

import pytest

from gotgan.store.engine.expressions.parser import check_values, parse_condition
from gotgan.store.engine.faults import ValidationException
from tests.unit.store.engine.expressions.items import NAMES, VALUES

SYNTAX = [
    ("a x b", "x", "a x b"),
    ("a and n", "and", "a and n"),
    ("a", "<EOF>", "a"),
    (":a", "<EOF>", ":a"),
    ("(a)", "<EOF>", ")"),
    ("NOT a", "<EOF>", "a"),
    ("NOT", "<EOF>", "NOT"),
    ("a = ", "<EOF>", "= "),
    ("a = :a AND", "<EOF>", "AND"),
    ("a = :a b", "b", ":a b"),
    ("a == :a", "=", "== :a"),
    ("a != :a", "!", "a !="),
    ("a =< :a", "<", "=< :a"),
    ("a = 5", "5", "= 5"),
    ("a = 007", "0", "= 00"),
    ('a = "x y" AND b = :a', '"x y"', '= "x y" AND'),
    ("a = 'x'", "'x'", "= 'x'"),
    ('a = "open', '"', '= "open'),
    ("a = :a )", ")", ":a )"),
    ("( a = :a", "<EOF>", ":a"),
    ("(a AND b)", "AND", "a AND b"),
    ("a = :a AND (", "<EOF>", "("),
    ("()", ")", "()"),
    ("attribute_exists()", ")", "()"),
    ("a IN ()", ")", "()"),
    ("a IN :a", ":a", "IN :a"),
    ("a IN (:a,)", ")", ",)"),
    ("a BETWEEN :a", "<EOF>", ":a"),
    ("a BETWEEN :a, :b", ",", ":a, :b"),
    ("a[-1] = :a", "-", "[-1"),
    ("a[x] = :a", "x", "[x]"),
    ("a[01] = :a", "1", "01]"),
    ("a[] = :a", "]", "[] ="),
    ("a[0 = :a", "=", "0 = :a"),
    ("a. = :a", "=", ". = :a"),
    ("a..b = :a", ".", "..b"),
    ("_a = :a", "_", "_a"),
    ("1a = :a", "1", "1a"),
    ("a-b = :a", "-", "a-b"),
    ("é = :a", "é", "é ="),
    ("# = :a", "#", "# ="),
    (": = :a", ":", ": ="),
    ("not = :a", "=", "not = :a"),
    ("a.in = :a", "in", ".in ="),
    ("set = :a", "set", "set ="),
    ("a = :a OR OR b = :a", "OR", "OR OR b"),
    ("a = :one + :one", "+", ":one + :one"),
]

REFUSED = [
    ("", "The expression can not be empty;"),
    ("a" * 4097, "Expression size has exceeded the maximum allowed size;"),
    ("((a = :a))", "The expression has redundant parentheses;"),
    ("NOT ((a = :a))", "The expression has redundant parentheses;"),
    ("((a)) = :a", "The expression has redundant parentheses;"),
    ("a = ((:a))", "The expression has redundant parentheses;"),
    ("name = :a AND ((a = :a))", "The expression has redundant parentheses;"),
    ("foo(a)", "Invalid function name; function: foo"),
    ("Size(a) > :one", "Invalid function name; function: Size"),
    ("ATTRIBUTE_EXISTS(a)", "Invalid function name; function: ATTRIBUTE_EXISTS"),
    (
        "list_append(a, b)",
        "The function is not allowed in a condition expression; function: list_append",
    ),
    ("size(a)", "The function is not allowed to be used this way in an expression; function: size"),
    (
        "attribute_exists(a) = :a",
        (
            "The function is not allowed to be used this way in an expression; "
            "function: attribute_exists"
        ),
    ),
    (
        "a IN (contains(a, :a))",
        "The function is not allowed to be used this way in an expression; function: contains",
    ),
    ("name = :a", "Attribute name is a reserved keyword; reserved keyword: name"),
    ("a.Status = :a", "Attribute name is a reserved keyword; reserved keyword: Status"),
    ("#none = :a AND name = :a", "Attribute name is a reserved keyword; reserved keyword: name"),
    (
        "#none = :a",
        (
            "An expression attribute name used in the document path is not defined; "
            "attribute name: #none"
        ),
    ),
    (
        "a = :none",
        "An expression attribute value used in expression is not defined; attribute value: :none",
    ),
    (
        "begins_with(a)",
        (
            "Incorrect number of operands for operator or function; "
            "operator or function: begins_with, number of operands: 1"
        ),
    ),
    (
        "attribute_exists(a, b)",
        (
            "Incorrect number of operands for operator or function; "
            "operator or function: attribute_exists, number of operands: 2"
        ),
    ),
    (
        "attribute_exists(:a)",
        "Operator or function requires a document path; operator or function: attribute_exists",
    ),
    (
        "a = a",
        (
            "The first operand must be distinct from the remaining operands for this operator or "
            "function; operator: =, first operand: [a]"
        ),
    ),
    (
        "m.x[0] IN (:a, m.x[0])",
        (
            "The first operand must be distinct from the remaining operands for this operator or "
            "function; operator: IN, first operand: [m, x, [0]]"
        ),
    ),
    (
        "contains(a, a)",
        (
            "The first operand must be distinct from the remaining operands for this operator or "
            "function; operator: contains, first operand: [a]"
        ),
    ),
    (
        "begins_with(a, :one)",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N"
        ),
    ),
    (
        "begins_with(size(a), :a)",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N"
        ),
    ),
    (
        "a < :true",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: <, operand type: BOOL"
        ),
    ),
    (
        "a BETWEEN :list AND :list",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: BETWEEN, operand type: L"
        ),
    ),
    (
        "size(:one) = :one",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: size, operand type: N"
        ),
    ),
    (
        "attribute_type(a, :one)",
        (
            "Incorrect operand type for operator or function; "
            "operator or function: attribute_type, operand type: N"
        ),
    ),
    (
        "attribute_type(a, b)",
        (
            "Incorrect operand type for operator or function; operator or function: "
            "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
        ),
    ),
    (
        "attribute_type(a, :a)",
        "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
    ),
    (
        "a BETWEEN :b AND :a",
        (
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
            "lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"
        ),
    ),
    (
        "a BETWEEN :ten AND :nine",
        (
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
            "lower bound operand: AttributeValue: {N:10}, "
            "upper bound operand: AttributeValue: {N:9}"
        ),
    ),
    (
        "a BETWEEN :one AND :a",
        (
            "The BETWEEN operator requires same data type for lower and upper bounds; "
            "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"
        ),
    ),
    (
        f"{'.'.join('a' * 33)} = :a",
        "The document path has too many nesting levels; nesting levels: 33",
    ),
    ("a[2147483648] = :a", "List index is not within the allowable range; index: [2147483648]"),
    (
        f"a IN ({', '.join([':a'] * 101)})",
        "The IN operator is provided with too many operands; number of operands: 102",
    ),
    (
        " AND ".join(["a = :a"] * 151),
        "The expression contains too many operators; operator count: 301",
    ),
    ("NOT " * 1000 + "a = :a", "The expression contains too many operators; operator count: 301"),
    (
        "size(" * 670 + "a" + ")" * 670 + " = :one",
        "The expression contains too many operators; operator count: 301",
    ),
]

ACCEPTED = [
    f"{'.'.join('a' * 32)} = :a",
    "a[2147483647] = :a",
    f"a IN ({', '.join([':a'] * 100)})",
    " AND ".join(["a = :a"] * 150),
    "size(a) = size(a)",
    "contains = :a",
    "a1_b = :a",
]


def refusal_of(text: str) -> str:
    with pytest.raises(ValidationException) as refused:
        check_values(parse_condition(text, NAMES), VALUES)
    return refused.value.message


@pytest.mark.parametrize(("text", "token", "near"), SYNTAX)
def test_a_syntax_error_shows_the_token_between_its_neighbours(
    text: str,
    token: str,
    near: str,
) -> None:
    expected = f'Invalid ConditionExpression: Syntax error; token: "{token}", near: "{near}"'
    assert refusal_of(text) == expected


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_condition_is_refused_with_the_words_of_aws(text: str, reason: str) -> None:
    assert refusal_of(text) == f"Invalid ConditionExpression: {reason}"


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_condition_at_the_edge_of_a_limit_is_accepted(text: str) -> None:
    check_values(parse_condition(text, NAMES), VALUES)


def test_a_refusal_names_the_kind_of_expression() -> None:
    with pytest.raises(ValidationException, match="Invalid FilterExpression: Syntax error"):
        parse_condition("a b", kind="FilterExpression")


def test_a_condition_tells_what_it_uses() -> None:
    condition = parse_condition("#m.x = :a AND size(s) > :one AND m.#name = :a", NAMES)
    assert condition.names == {"#m", "#name"}
    assert condition.values == {":a", ":one"}
    assert condition.attributes == {"m", "s"}


def test_the_same_text_with_the_same_names_is_parsed_once() -> None:
    first = parse_condition("#s = :a", {"#s": "one"})
    assert parse_condition("#s = :a", {"#s": "one"}) is first
    assert parse_condition("#s = :a", {"#s": "two"}).attributes == {"two"}


def test_a_refused_text_is_accepted_once_its_name_is_given() -> None:
    with pytest.raises(ValidationException, match="not defined"):
        parse_condition("#late = :a", {})
    assert parse_condition("#late = :a", {"#late": "x"}).attributes == {"x"}
