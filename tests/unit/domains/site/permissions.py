"""What IAM would decide about calls of DynamoDB, and an engine that heeds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gotgan.store.engine.faults import fault_for_code
from gotgan.store.engine.protocol import Executor

from .stack import ACCOUNT, REGION

__all__ = ["Call", "Guarded", "allows", "calls_of"]

_IN_TRANSACTIONS: Final = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
    "Get": "GetItem",
}
_PARTITION: Final = "PK"
_EQUALS: Final = re.compile(r"(\S+) = (\S+)")


@dataclass(frozen=True)
class Call:
    """One action on one resource, with the partition keys that it is for."""

    action: str
    resource: str
    keys: tuple[str, ...]


def calls_of(operation: str, request: Mapping[str, Any]) -> Iterator[Call]:
    """The actions that an operation counts as; each part of a transaction is one."""
    match operation:
        case "TransactWriteItems" | "TransactGetItems":
            for part in request["TransactItems"]:
                for word, inner in part.items():
                    yield _call(_IN_TRANSACTIONS[word], inner, [_key(inner)])
        case "BatchGetItem":
            for table, wanted in request["RequestItems"].items():
                yield _call(operation, {"TableName": table}, wanted["Keys"])
        case "BatchWriteItem":
            for table, written in request["RequestItems"].items():
                parts = [_key(inner) for each in written for inner in each.values()]
                yield _call(operation, {"TableName": table}, parts)
        case "Query":
            yield _call(operation, request, [_asked_for(request)])
        case "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem":
            yield _call(operation, request, [_key(request)])
        case _:  # whatever it is, it needs a permission by its name
            yield _call(operation, request, [])


def allows(statements: Sequence[Mapping[str, Any]], call: Call) -> bool:
    """Whether one statement allows a call, in the parts of IAM's language that ours are made of."""
    return any(
        f"dynamodb:{call.action}" in statement["Action"]
        and statement["Resource"] == call.resource
        and _is_met(statement.get("Condition"), call.keys)
        for statement in statements
    )


class Guarded:
    """An engine that refuses what a policy does not allow, and notes it."""

    def __init__(self, engine: Executor, statements: Sequence[Mapping[str, Any]]) -> None:
        self._engine = engine
        self._statements = statements
        self._before: dict[str, Callable[[], object]] = {}
        self.refused: list[Call] = []

    def before(self, operation: str, act: Callable[[], object]) -> None:
        """Act when the next call of an operation comes, as somebody who was quicker."""
        self._before[operation] = act

    def execute(
        self, operation: str, request: dict[str, Any], *, raw: bool = False
    ) -> dict[str, Any]:
        """Run an operation as the engine does, if it is allowed."""
        self._before.pop(operation, lambda: None)()
        for call in calls_of(operation, request):
            if not allows(self._statements, call):
                self.refused.append(call)
                raise fault_for_code(
                    "AccessDeniedException", f"not authorized to perform: dynamodb:{call.action}"
                )
        return self._engine.execute(operation, request, raw=raw)


def _call(action: str, request: Mapping[str, Any], keys: list[Mapping[str, Any]]) -> Call:
    name, index = request.get("TableName", "*"), request.get("IndexName")
    table = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}"
    resource = table if index is None else f"{table}/index/{index}"
    values = [str(next(iter(key[_PARTITION].values()))) for key in keys]
    return Call(action, resource, tuple(values))


def _key(request: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = request.get("Key") or request["Item"]
    return found


def _asked_for(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The partition that a query reads, of the table or of an index."""
    condition = _EQUALS.match(request["KeyConditionExpression"])
    assert condition is not None
    return {_PARTITION: request["ExpressionAttributeValues"][condition[2]]}


def _is_met(condition: Mapping[str, Any] | None, keys: Sequence[str]) -> bool:
    if condition is None:
        return True
    assert condition.keys() == {"ForAllValues:StringLike"}
    [(name, wanted)] = condition["ForAllValues:StringLike"].items()
    assert name == "dynamodb:LeadingKeys"
    return all(any(_is_like(key, like) for like in wanted) for key in keys)


def _is_like(key: str, like: str) -> bool:
    """``*`` is anything, ``?`` is one character, and ``${*}`` is a star."""
    parts = re.split(r"(\$\{[*?$]\}|\*|\?)", like)
    forms = {"*": ".*", "?": "."}
    pattern = "".join(
        forms.get(part) or re.escape(part[2:-1] if part.startswith("${") else part)
        for part in parts
    )
    return re.fullmatch(pattern, key, re.DOTALL) is not None
