"""Differences in PartiQL."""

from __future__ import annotations

from typing import Any

from tests.oracle.compare import BODY, CODE, OUTCOME
from tests.oracle.explained import Explanation
from tests.oracle.known.claims import accepts, lacks, refuses

__all__ = ["ENTRIES"]

_DYNOXIDE = frozenset({"dynoxide"})
_MINISTACK = frozenset({"ministack"})
_MOTO = frozenset({"moto"})
_STATEMENT = frozenset({"ExecuteStatement"})
_BATCH = frozenset({"BatchExecuteStatement"})
_TRANSACTION = frozenset({"ExecuteTransaction"})
_BODY = frozenset({BODY})
_OUTCOME = frozenset({OUTCOME})


def _longer_code(subject: Any, peer: Any) -> bool:
    return bool(peer == f"{subject}Exception")


ENTRIES: tuple[Explanation, ...] = (
    Explanation(
        _DYNOXIDE,
        "a write that returns nothing has no Items",
        "ministack and moto answer with an empty list",
        operations=_STATEMENT,
        kinds=_BODY,
        path=r"^Items$",
        claims=lacks,
    ),
    Explanation(
        _DYNOXIDE,
        "size, attribute_type, IS NULL, set_add, set_delete and a second SET are not known",
        "the Developer Guide has them, with examples",
        operations=_STATEMENT,
        kinds=_OUTCOME,
        request=r"size\(|attribute_type\(|IS NULL|set_add|set_delete|SET x = 1 SET",
        claims=refuses,
    ),
    Explanation(
        _DYNOXIDE,
        "ORDER BY is ignored",
        "the Developer Guide has it: DESC is the descending order of a key",
        operations=_STATEMENT,
        kinds=_BODY,
        request="ORDER BY sk DESC",
        path="^Items",
    ),
    Explanation(
        _DYNOXIDE,
        "a failed condition does not show the item",
        "ReturnValuesOnConditionCheckFailure is in the API reference; ministack shows it",
        operations=_STATEMENT,
        kinds=_BODY,
        path="^Item$",
        claims=lacks,
    ),
    Explanation(
        _DYNOXIDE,
        "a SELECT in a transaction need not have the whole key",
        "ministack refuses it: what is read is one item (Developer Guide: transactions)",
        operations=_TRANSACTION,
        kinds=_OUTCOME,
        refusal="must specify the primary key",
        claims=accepts,
    ),
    Explanation(
        _DYNOXIDE | _MINISTACK,
        "a parameter without a question mark is ignored",
        "ministack refuses a question mark without a parameter in the words of ours",
        operations=_STATEMENT,
        kinds=_OUTCOME,
        refusal="Number of parameters",
        claims=accepts,
    ),
    Explanation(
        _DYNOXIDE | _MINISTACK,
        "an UPDATE can change a key",
        "UpdateItem cannot (API reference: primary key attributes cannot be changed)",
        operations=_STATEMENT,
        kinds=_OUTCOME,
        refusal="part of the key",
        claims=accepts,
        diverges=True,
    ),
    Explanation(
        _DYNOXIDE,
        "there is no LastEvaluatedKey beside NextToken",
        "the API reference has it",
        operations=_STATEMENT,
        kinds=_BODY,
        path="^LastEvaluatedKey$",
        claims=lacks,
    ),
    Explanation(
        _MINISTACK,
        "Limit and NextToken are ignored",
        "they are in the API reference; dynoxide agrees with ours",
        operations=_STATEMENT,
        kinds=frozenset({BODY, OUTCOME}),
        request="Limit|NextToken",
    ),
    Explanation(
        _MINISTACK,
        "an element of a list is shown under the name of the list",
        "dynoxide names it with its index",
        operations=_STATEMENT,
        kinds=_BODY,
        request=r"SELECT m\.l\[1\]",
        path=r"^Items",
    ),
    Explanation(
        _MINISTACK,
        "a missing attribute IS NULL",
        "it is not: users ask for IS MISSING OR IS NULL",
        operations=_STATEMENT,
        kinds=_BODY,
        request="nothing IS NULL",
        path=r"^Items",
    ),
    Explanation(
        _MINISTACK,
        "an attribute alone is a condition",
        "dynoxide refuses it too",
        operations=_STATEMENT,
        kinds=_OUTCOME,
        request=r'WHERE pk"',
        claims=accepts,
    ),
    Explanation(
        _MINISTACK,
        "list_append does not take a path",
        "the Developer Guide has such an example",
        operations=_STATEMENT,
        kinds=_OUTCOME,
        request="list_append",
        claims=refuses,
    ),
    Explanation(
        _MINISTACK,
        "units leave the indexes and the sizes out, and those of reads are called writes",
        "a statement costs what its operation costs; dynoxide agrees with ours",
        scenario="^partiql",
        kinds=_BODY,
        path=r"^ConsumedCapacity",
    ),
    Explanation(
        _MINISTACK,
        "reads and writes, or statements on one item, go together",
        "the API reference forbids the former; dynoxide refuses both",
        operations=_BATCH | _TRANSACTION,
        kinds=_OUTCOME,
        refusal="[Rr]ead and write|duplicates|multiple operations",
        claims=accepts,
    ),
    Explanation(
        _MINISTACK,
        "the reasons of a cancelled transaction are the long codes",
        "they are the short ones in TransactWriteItems; dynoxide agrees with ours",
        operations=_TRANSACTION,
        kinds=_BODY,
        path=r"^CancellationReasons.*Code$",
        claims=_longer_code,
    ),
    Explanation(
        _MINISTACK,
        "a transaction that writes has no Responses",
        "there is at least one (API reference: ExecuteTransaction); dynoxide agrees with ours",
        operations=_TRANSACTION,
        kinds=_BODY,
        path=r"^Responses$",
    ),
    Explanation(
        _MINISTACK,
        "the answer to a statement on a missing table does not name it",
        "dynoxide names it; TableName is of a failed statement (API reference)",
        operations=_BATCH,
        kinds=_BODY,
        path=r"TableName$",
        claims=lacks,
    ),
    Explanation(
        _MOTO,
        "much of the language is not understood: paths, lists, functions, indexes, conditions",
        "the Developer Guide has it; dynoxide or ministack understands each",
        scenario="^partiql",
        kinds=frozenset({OUTCOME, CODE, BODY}),
        diverges=True,
    ),
)
