"""Differences that are one peer's own."""

from __future__ import annotations

from tests.oracle.compare import BODY, CODE, NUMBER, OUTCOME
from tests.oracle.explained import Explanation
from tests.oracle.known.claims import accepts, code, lacks, shows

__all__ = ["ENTRIES"]

_DYNOXIDE = frozenset({"dynoxide"})
_DYNALITE = frozenset({"dynalite"})
_MINISTACK = frozenset({"ministack"})
_MOTO = frozenset({"moto"})
_BODY = frozenset({BODY})
_TRANSACT_WRITE = frozenset({"TransactWriteItems"})
_TRANSACT_GET = frozenset({"TransactGetItems"})

ENTRIES: tuple[Explanation, ...] = (
    Explanation(
        _MOTO,
        "numbers come back as they were sent",
        "leading and trailing zeros are trimmed (Developer Guide: Number)",
        kinds=frozenset({NUMBER}),
    ),
    Explanation(
        _MOTO,
        "capacity is returned unasked, and is not computed",
        "ReturnConsumedCapacity is NONE by default; units follow sizes (Developer Guide)",
        kinds=_BODY,
        path=r"^ConsumedCapacity",
    ),
    Explanation(
        _MOTO,
        "ItemCollectionMetrics are returned unasked, and empty when asked for",
        "they are returned on request, for tables with local indexes (API reference)",
        kinds=_BODY,
        path=r"^ItemCollectionMetrics",
    ),
    Explanation(
        _MOTO,
        "UPDATED_NEW shows the key of an item that was made",
        "measured: it shows attributes that are no keys",
        operations=frozenset({"UpdateItem"}),
        kinds=_BODY,
        request='"ReturnValues": "UPDATED_NEW"',
        path=r"^Attributes\.(pk|sk)$",
        claims=shows,
    ),
    Explanation(
        _MOTO,
        "a transaction's invalid action is a ValidationException, or is accepted",
        "it cancels the transaction with the reason ValidationError (API reference)",
        operations=_TRANSACT_WRITE | _TRANSACT_GET,
        refusal=r"\[.*ValidationError",
    ),
    Explanation(
        _MOTO,
        "transactions are hardly validated",
        "the API reference has these limits and required members",
        operations=_TRANSACT_WRITE | _TRANSACT_GET,
        kinds=frozenset({OUTCOME}),
        claims=accepts,
    ),
    Explanation(
        _MOTO,
        "TransactGetItems ignores projections",
        "Get has a ProjectionExpression (API reference)",
        operations=_TRANSACT_GET,
        kinds=_BODY,
        request="ProjectionExpression",
        path=r"^Responses",
    ),
    Explanation(
        _MINISTACK,
        "an invalid action does not cancel a transaction",
        "it cancels it with the reason ValidationError (API reference)",
        operations=_TRANSACT_WRITE | _TRANSACT_GET,
        refusal=r"\[.*ValidationError",
    ),
    Explanation(
        _MINISTACK,
        "transactions are hardly validated",
        "the API reference has these required members and types",
        operations=_TRANSACT_WRITE | _TRANSACT_GET,
        kinds=frozenset({OUTCOME, CODE}),
        scenario="^transaction",
    ),
    Explanation(
        _MINISTACK,
        "arithmetic takes operands that are no numbers",
        "dynalite and moto refuse it too",
        operations=_TRANSACT_WRITE | {"UpdateItem"},
        kinds=frozenset({OUTCOME, CODE}),
        request=r'"UpdateExpression": "[^"]*[+-]',
    ),
    Explanation(
        _DYNOXIDE,
        "a transaction's malformed request is a cancellation",
        "what is wrong with the request itself is a ValidationException (API reference)",
        operations=_TRANSACT_WRITE | _TRANSACT_GET,
        kinds=frozenset({CODE}),
        claims=code("ValidationException", "TransactionCanceledException"),
    ),
    Explanation(
        _DYNOXIDE,
        "TransactGetItems adds the key to a projection",
        "a projection is what is named (API reference)",
        operations=_TRANSACT_GET,
        kinds=_BODY,
        path=r"^Responses.*\.pk$",
    ),
    Explanation(
        _DYNALITE,
        "a failed condition does not show the item",
        "ReturnValuesOnConditionCheckFailure came in 2023, after dynalite",
        kinds=_BODY,
        path=r"^Item$",
        claims=lacks,
    ),
    Explanation(
        _DYNALITE,
        "capacity leaves the indexes out, and letters count once",
        "index writes cost units, strings are their UTF-8 bytes (Developer Guide)",
        kinds=_BODY,
        path=r"^ConsumedCapacity",
        scenario="^capacity|^size: letters",
    ),
    Explanation(
        _DYNALITE,
        "a new index needs ProvisionedThroughput, also on demand",
        "it must not be given on demand (API reference)",
        operations=frozenset({"UpdateTable"}),
        kinds=frozenset({OUTCOME, CODE}),
    ),
    Explanation(
        _DYNALITE,
        "the definition of an attribute outlives its index",
        "definitions are those of the keys of the table and its indexes (API reference)",
        operations=frozenset({"DescribeTable", "UpdateTable"}),
        kinds=_BODY,
        path=r"AttributeDefinitions",
    ),
    Explanation(
        _DYNALITE,
        "a description has BillingMode",
        "TableDescription has BillingModeSummary instead (API reference)",
        kinds=_BODY,
        path=r"^Table(Description)?\.BillingMode$",
    ),
    Explanation(
        _DYNOXIDE,
        "units for an index that is not there are a ValidationException",
        "ministack agrees with ours: the index is not found",
        operations=frozenset({"UpdateTable"}),
        scenario="throughput of no index",
    ),
    Explanation(
        _DYNOXIDE,
        "ALL_OLD shows the key of an item that was not there",
        "measured: there is no Attributes then",
        operations=frozenset({"UpdateItem"}),
        kinds=_BODY,
        request='"ReturnValues": "ALL_OLD"',
        path=r"^Attributes$",
        claims=shows,
    ),
    Explanation(
        _MINISTACK,
        "a transaction's WriteCapacityUnits leave the indexes out",
        "dynoxide agrees with ours: they are the sum, as CapacityUnits",
        operations=_TRANSACT_WRITE,
        kinds=_BODY,
        path=r"^ConsumedCapacity\[0\]\.(Table|WriteCapacityUnits)$",
    ),
    Explanation(
        _MINISTACK,
        "size has a value for booleans and nulls, begins_with refuses what it finds",
        "both are false for such an attribute (Developer Guide: functions); dynoxide agrees",
        scenario=r"^random",
        kinds=frozenset({BODY, OUTCOME, CODE}),
        request=r"size\(|begins_with\(",
    ),
    Explanation(
        _MINISTACK,
        "a filter on an index sees what the index does not hold",
        "a filter sees the attributes that are projected; dynoxide and dynalite agree",
        operations=frozenset({"Query", "Scan"}),
        kinds=_BODY,
        request=r"(?=.*IndexName)(?=.*FilterExpression)",
        path=r"^(Count|Items)",
    ),
    Explanation(
        _MOTO,
        "a missing attribute is None in conditions: equal to NULL, in any order, of no size",
        "a comparison with a missing attribute is false, <> apart (measured)",
        scenario=r"^random",
        kinds=frozenset({BODY, OUTCOME, CODE}),
        request=r'(Condition|Filter)Expression"',
        path=r"^(Count|ScannedCount|Items.*|CancellationReasons.*|Item|)$",
    ),
    Explanation(
        _MOTO,
        "UPDATED_NEW leaves out what was set to the value it had",
        "measured: writing the same value again is an update",
        operations=frozenset({"UpdateItem"}),
        kinds=_BODY,
        request='"ReturnValues": "UPDATED_NEW"',
        path=r"^Attributes",
        claims=lacks,
    ),
    Explanation(
        _MOTO,
        "a refused update leaves what it did before it was refused",
        "a write happens whole or not at all (Developer Guide)",
        scenario=r"^random",
        kinds=_BODY,
        path=r"^(Attributes|Count|Item|Items|Responses|ScannedCount)",
        diverges=True,
    ),
    Explanation(
        frozenset({"dynoxide", "ministack", "moto"}),
        "SET goes through a parent that is not there, or takes operands of a wrong type",
        "dynalite refuses both, and dynoxide too unless the item is missing",
        operations=frozenset({"UpdateItem"}),
        kinds=frozenset({OUTCOME}),
        refusal="document path provided|incorrect data type",
        claims=accepts,
    ),
    Explanation(
        _MINISTACK,
        "transactions and batches keep the text of a number",
        "leading and trailing zeros are trimmed (Developer Guide: Number)",
        kinds=frozenset({NUMBER}),
    ),
)
