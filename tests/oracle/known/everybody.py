"""Differences that several peers share."""

from __future__ import annotations

from typing import Any

from tests.oracle.compare import BODY, CODE, OUTCOME
from tests.oracle.explained import Explanation
from tests.oracle.known.claims import accepts, lacks, refuses, shows, shows_nothing

__all__ = ["ENTRIES"]

_ALL = frozenset({"dynoxide", "dynalite", "ministack", "moto"})
_BUT_DYNALITE = _ALL - {"dynalite"}
_REFUSALS = frozenset({OUTCOME, CODE})
_BODY = frozenset({BODY})
_UPDATE = frozenset({"UpdateItem"})
_CHANGES = frozenset({"CreateTable", "UpdateTable", "DeleteTable"})
_PASSING = ("CREATING", "UPDATING", "DELETING")


def _at_once(subject: Any, peer: Any) -> bool:
    return subject in _PASSING and peer in ("ACTIVE", *_PASSING)


def _refused(what: str, why: str, refusal: str, peers: frozenset[str] = _ALL, **more: Any) -> Any:
    return Explanation(peers, what, why, kinds=_REFUSALS, refusal=refusal, **more)


ENTRIES: tuple[Explanation, ...] = (
    Explanation(
        _BUT_DYNALITE,
        "StreamSpecification is hardly checked, or with ResourceInUseException",
        "enabling or disabling a stream twice is a ValidationException, and a stream has a view"
        " type (API reference: UpdateTable, StreamSpecification)",
        operations=frozenset({"UpdateTable"}),
        kinds=_REFUSALS,
        request='"StreamSpecification"',
        refusal="[Ss]tream",
    ),
    Explanation(
        _ALL,
        "a table or index is in its last state at once",
        "the API reference has CREATING, UPDATING and DELETING in the answer to a change",
        operations=_CHANGES,
        kinds=_BODY,
        path=r"(TableStatus|IndexStatus)$",
        claims=_at_once,
    ),
    Explanation(
        _ALL,
        "the answer to DeleteTable has the keys of the table",
        "measured: it has neither KeySchema, AttributeDefinitions nor CreationDateTime",
        operations=frozenset({"DeleteTable"}),
        kinds=_BODY,
        path=r"TableDescription\.(AttributeDefinitions|KeySchema|CreationDateTime)$",
        claims=shows,
    ),
    Explanation(
        frozenset({"dynalite", "moto"}),
        "REMOVE below an attribute of an item that is not there is refused",
        "measured: it does nothing; the path must be valid only in an item that is there",
        operations=_UPDATE,
        kinds=_REFUSALS,
        request="REMOVE",
        claims=refuses,
    ),
    Explanation(
        frozenset({"dynoxide", "dynalite"}),
        "DeletionProtectionEnabled is not in every description",
        "it is a member of TableDescription; DescribeTable of dynoxide shows it too",
        kinds=_BODY,
        path=r"DeletionProtectionEnabled$",
        claims=lacks,
    ),
    Explanation(
        frozenset({"ministack", "moto"}),
        "BillingModeSummary of a provisioned table",
        "DynamoDB shows the summary once a table has been on demand (API reference)",
        kinds=_BODY,
        path=r"BillingModeSummary$",
    ),
    _refused(
        "several indexes may be made or deleted at once",
        "one global index is made or deleted by an UpdateTable (API reference)",
        "Only 1 online index",
    ),
    _refused(
        "an index of a table on demand may have throughput",
        "recorded: it may not, and a table becomes provisioned with all its indexes"
        " (ack-api-quirks DDB-TABLE-152)",
        "The only Updates for index|ProvisionedThroughput must be specified for index",
        operations=frozenset({"UpdateTable"}),
    ),
    _refused(
        "an index may include more than 20 attributes",
        "AWS's model of the service: a projection has at most 20 NonKeyAttributes",
        "nonKeyAttributes' failed to satisfy constraint: Member must have length less",
        operations=frozenset({"CreateTable"}),
    ),
    _refused(
        "keys of indexes may be too long",
        "the limits of 2048 and 1024 bytes hold for index keys (Developer Guide, quotas)",
        "Size of hashkey|size of all range keys",
        scenario="index",
    ),
    _refused(
        "a constant of any type may be compared by order",
        "measured for lists; we take maps, sets, booleans and nulls to be refused alike",
        r"Incorrect operand type.*operator or function: (<|<=|>|>=|BETWEEN)",
    ),
    _refused(
        "a name may begin with an underscore",
        'measured: Syntax error; token: "_"',
        'Syntax error; token: "_"',
    ),
    _refused(
        "IN takes any number of operands", "at most 100 (Developer Guide)", "too many operands"
    ),
    _refused(
        "an expression may have any number of operators",
        "at most 300 (Developer Guide, quotas)",
        "too many operators",
    ),
    _refused(
        "ReturnValuesOnConditionCheckFailure may be any word",
        "it is ALL_OLD or NONE (API reference); measured",
        "at 'returnValuesOnConditionCheckFailure'",
    ),
    _refused(
        "the two operands of a comparison may be one path",
        "dynalite refuses it too: the first operand must be distinct",
        "first operand must be distinct",
        _BUT_DYNALITE,
        scenario="=|begins_with|contains",
    ),
    _refused(
        "the name of an attribute may be empty",
        "at least one character (Developer Guide, quotas); DynamoDB Local, AWS's own, refuses it",
        "Empty attribute name",
    ),
    _refused(
        "IN may name its first operand again",
        "DynamoDB Local, AWS's own, refuses it: the first operand must be distinct",
        "first operand must be distinct.*operator: IN",
    ),
    _refused(
        "an index of a list may begin with zeros",
        'DynamoDB Local, AWS\'s own, refuses it: Syntax error; token: "0"',
        r'Syntax error; token: "0", near: "00',
    ),
    _refused(
        "REMOVE may go through a parent that is not there",
        "measured: the document path is invalid; only the last step of the path may be missing",
        "document path provided in the update expression is invalid",
        request="REMOVE",
    ),
    _refused(
        "attribute_type takes any string",
        "dynalite refuses it too: invalid attribute type name",
        "Invalid attribute type name|operator or function: attribute_type",
        _BUT_DYNALITE,
    ),
    _refused(
        "a global index may be asked for attributes that it does not project",
        "fetches from the table are for local indexes only (Developer Guide)",
        "Global secondary index .* does not project",
    ),
    _refused(
        "time to live may be switched to what it is, or for another attribute",
        "DynamoDB refuses both: TimeToLive is already enabled, or active on a different name",
        "TimeToLive is (already|active)",
    ),
    _refused(
        "the attribute of time to live may have 256 letters",
        "at most 255 (API reference)",
        "at 'timeToLiveSpecification.attributeName'",
    ),
    _refused(
        "a write request may be a put and a delete",
        "it is one of the two (API reference: WriteRequest)",
        "more than one datatypes",
        scenario="batch write: put and delete in one",
    ),
    _refused(
        "a transaction may update a key attribute, or do two things in one action",
        "UpdateItem refuses the first, the API reference the second",
        "Cannot update attribute pk|can only contain one of",
        operations=frozenset({"TransactWriteItems"}),
    ),
    Explanation(
        _ALL,
        "an update that only removes makes an item",
        "measured: REMOVE and DELETE on a missing item leave it missing",
        kinds=_BODY,
        scenario=r"^update of nothing: (REMOVE|DELETE)",
        path=r"^(Attributes|Item)$",
        diverges=True,
    ),
    Explanation(
        _ALL,
        "REMOVE of several list elements shifts the places of the later ones",
        "the Developer Guide removes RelatedItems[1] and [2] as they were before",
        kinds=_BODY,
        scenario=r"REMOVE l\[0\], l\[",
        path=r"^(Attributes|Item)\.l",
        diverges=True,
    ),
    Explanation(
        _ALL,
        "places beyond the end of a list are filled or ordered otherwise",
        "elements are added at the end in the order of their places (Developer Guide)",
        kinds=_BODY,
        scenario=r"SET l\[7\] = :v, l\[5\]",
        path=r"^(Attributes|Item)\.l",
        diverges=True,
    ),
    Explanation(
        _ALL,
        "UPDATED_OLD and UPDATED_NEW of list elements show more, or an empty member",
        "measured: the changed elements alone, nothing beyond the end, no empty Attributes",
        operations=_UPDATE,
        kinds=_BODY,
        request=r'(?=.*"ReturnValues": "UPDATED_)(?=.*"UpdateExpression": "[^"]*\[)',
        path=r"^Attributes",
    ),
    Explanation(
        _ALL,
        "Attributes is an empty map where nothing is to be shown",
        "measured: there is no Attributes then",
        operations=_UPDATE,
        kinds=_BODY,
        path=r"^Attributes$",
        claims=shows_nothing,
    ),
    Explanation(
        _BUT_DYNALITE,
        "members of number sets are compared by their text",
        "numbers are compared by value: 2 and 2.0 are one member",
        operations=_UPDATE | {"GetItem"},
        scenario=r"(ADD|DELETE) ns ",
        path=r"^$|\.ns",
        diverges=True,
    ),
    Explanation(
        _ALL,
        "a local index gives nothing that it does not project",
        "DynamoDB fetches the other attributes from the table (Developer Guide)",
        operations=frozenset({"Query", "Scan"}),
        kinds=_BODY,
        scenario=r"^select on lsi|local index, all attributes",
        path=r"^Items",
    ),
    Explanation(
        _BUT_DYNALITE,
        "a page ends before the item that passes one megabyte",
        "dynalite agrees with ours; nothing that was measured on DynamoDB is known",
        scenario="pages of a megabyte",
        kinds=_BODY,
        path=r"^(Count|ScannedCount|Items|LastEvaluatedKey)",
    ),
    Explanation(
        _BUT_DYNALITE,
        "a read costs the same whatever is read",
        "units are those of the item's size, before the projection (Developer Guide)",
        scenario="^size of an item",
        kinds=_BODY,
        path=r"^ConsumedCapacity",
    ),
    Explanation(
        _ALL,
        "transactions and batches give no ItemCollectionMetrics",
        "they do for tables with local indexes (API reference)",
        kinds=_BODY,
        path=r"^ItemCollectionMetrics",
        scenario="^collection metrics",
    ),
    Explanation(
        frozenset({"dynoxide", "ministack"}),
        "function names in any case, no parentheses round operands, no size of a constant",
        "dynalite agrees with ours",
        kinds=_REFUSALS,
        scenario=r"^condition: (\(n\) =|n = \(:v\)|size\(:v\)|Size\(|ATTRIBUTE_EXISTS)",
    ),
    Explanation(
        frozenset({"dynoxide", "ministack"}),
        "an index made later holds items whose key has another type",
        "such items stay out of the index (Developer Guide: backfilling)",
        kinds=_BODY,
        scenario="^index made and filled",
        diverges=True,
    ),
    Explanation(
        _BUT_DYNALITE,
        "a starting key with an empty hash key is taken",
        "dynalite refuses it too: a key is never empty",
        kinds=frozenset({OUTCOME}),
        scenario="^starts of a scan: .*empty|starts of a scan / empty hash key",
        claims=accepts,
    ),
    _refused(
        "a blank is an expression",
        "dynalite refuses it too: a syntax error at the end of the text",
        'Syntax error; token: "<EOF>"',
        _BUT_DYNALITE,
    ),
    Explanation(
        _BUT_DYNALITE,
        "an index is gone at once",
        "it is listed as DELETING in the answer (API reference: IndexStatus)",
        operations=frozenset({"UpdateTable"}),
        kinds=_BODY,
        path=r"GlobalSecondaryIndexes$",
        claims=lacks,
    ),
    Explanation(
        _ALL,
        "the answer to a change shows the units that were, or those that will be",
        "the answer describes the table while it is UPDATING, before the change (API reference)",
        operations=frozenset({"UpdateTable"}),
        kinds=_BODY,
        path=r"ProvisionedThroughput\.(Read|Write)CapacityUnits$",
    ),
    _refused(
        "arithmetic rounds to fit, or keeps more than 38 digits",
        "exceeding 38 digits is an error (Developer Guide: Number)",
        "more than 38 significant digits",
        operations=_UPDATE,
    ),
    _refused(
        "one projection may take a value for a list and for a map",
        "dynalite refuses it too: two document paths conflict with each other",
        "document paths conflict",
        _BUT_DYNALITE,
    ),
    Explanation(
        frozenset({"ministack", "moto"}),
        "time to live that is off keeps its attribute",
        "dynoxide agrees with ours: what is DISABLED has no attribute",
        operations=frozenset({"DescribeTimeToLive"}),
        path=r"AttributeName$",
        claims=shows,
    ),
    Explanation(
        _BUT_DYNALITE,
        "a transaction goes through a parent that is not there",
        "as in UpdateItem: the document path is invalid, a ValidationError",
        operations=frozenset({"TransactWriteItems"}),
        request="REMOVE",
        refusal=r"\[.*ValidationError",
    ),
)
