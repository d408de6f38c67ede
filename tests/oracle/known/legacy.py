"""Differences in the parameters from before expressions."""

from __future__ import annotations

from tests.oracle.compare import BODY, CODE, OUTCOME
from tests.oracle.explained import Explanation
from tests.oracle.known.claims import refuses

__all__ = ["ENTRIES"]

_ALL = frozenset({"dynoxide", "dynalite", "ministack", "moto"})
_REFUSALS = frozenset({OUTCOME, CODE})
_BODY = frozenset({BODY})

ENTRIES: tuple[Explanation, ...] = (
    Explanation(
        _ALL - {"dynalite"},
        "the values of one comparison may be of several types, or in the wrong order",
        "dynalite refuses both",
        kinds=_REFUSALS,
        scenario="^legacy (filter|comparison)",
        refusal="must be of same type|lower bound is greater than the upper bound",
    ),
    Explanation(
        _ALL,
        "Expected compares with values of any type",
        "the API reference names the types of each operator; filters are checked by dynalite too",
        kinds=_REFUSALS,
        scenario="^legacy comparison",
        refusal="ComparisonOperator .* is not valid for",
    ),
    Explanation(
        _ALL,
        "Expected compares with what is not a number",
        "a filter with the same value is refused by dynalite, ministack refuses both",
        kinds=_REFUSALS,
        scenario="^legacy comparison",
        refusal="cannot be converted to a numeric value",
    ),
    Explanation(
        _ALL,
        "ConditionalOperator is ignored where it joins nothing",
        "DynamoDB's API takes it only with two or more conditions; ministack has it for ScanFilter",
        kinds=_REFUSALS,
        scenario="^legacy (operator|query)",
        refusal="^ConditionalOperator",
    ),
    Explanation(
        frozenset({"dynalite", "ministack"}),
        "conditions that are joined by OR are not evaluated one by one",
        "the API reference: if at least one of the conditions is true, the whole is true",
        kinds=_BODY,
        scenario="^legacy query: filter or",
    ),
    Explanation(
        frozenset({"ministack"}),
        "ADD takes no lists",
        "measured: it appends them; dynalite and dynoxide do so too",
        kinds=_REFUSALS,
        scenario="^legacy update.*: add a list",
        claims=refuses,
    ),
    Explanation(
        _ALL,
        "DELETE makes an item that is not there",
        "the API reference of AttributeUpdates: it causes nothing to happen",
        kinds=_BODY,
        scenario="^legacy update missing: delete",
        path="^Item$",
        diverges=True,
    ),
    Explanation(
        _ALL - {"moto"},
        "Select=COUNT may name attributes",
        "all refuse it with a ProjectionExpression; moto refuses both",
        kinds=_REFUSALS,
        scenario="^legacy query: attributes counted",
        refusal="^Cannot specify the AttributesToGet",
    ),
)
