"""Differences in requests that break constraints of their members."""

from __future__ import annotations

from tests.oracle.compare import CODE, OUTCOME
from tests.oracle.explained import Explanation

__all__ = ["ENTRIES"]

ENTRIES: tuple[Explanation, ...] = (
    Explanation(
        frozenset({"dynoxide", "ministack", "moto"}),
        "not all constraints of a request's members are checked",
        "AWS's service model declares them; dynalite, written against DynamoDB, checks them all",
        kinds=frozenset({OUTCOME, CODE}),
        scenario="^faults",
        refusal="^[0-9]+ validation errors? detected: Value",
    ),
    Explanation(
        frozenset({"dynoxide", "ministack", "moto"}),
        "another type of JSON is found after constraints, or never",
        "dynalite, written against DynamoDB, reads the whole request before it checks any member",
        kinds=frozenset({OUTCOME, CODE}),
        scenario="^faults",
        refusal="^(Start of structure|Unrecognized collection)",
    ),
)
