"""BatchExecuteStatement and ExecuteTransaction: many statements, independent or as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from gotgan.store.engine.catalog import Context
from gotgan.store.engine.faults import DynamoDBError, ValidationException, reason_code
from gotgan.store.engine.fileformat import StaleCatalog
from gotgan.store.engine.items import returned_attributes
from gotgan.store.engine.partiql.execution import (
    RefusedWrite,
    StatementCall,
    WriteOutcome,
    decoding,
    read_call,
    read_item,
    sum_units,
    write_all,
    write_bill,
)
from gotgan.store.engine.partiql.planner import ItemRead
from gotgan.store.engine.requests import capacity_detail
from gotgan.store.engine.transactions import transact_get_items, transact_write_items
from gotgan.store.engine.writes import EngineWrite

T = TypeVar("T")
_Plan: TypeAlias = ItemRead | EngineWrite | DynamoDBError


def batch_execute_statement(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Run up to 25 independent statements; an error of one is its part of the answer."""
    detail = capacity_detail(request)
    options = {"ReturnConsumedCapacity": detail}
    calls = [_attempt(read_call, {**entry, **options}) for entry in request["Statements"]]
    if len({call.is_read for call in calls if isinstance(call, StatementCall)}) > 1:
        raise ValidationException(
            "Read and write requests together in the same batch is not supported."
        )
    plans = [
        _attempt(_plan, context, call) if isinstance(call, StatementCall) else call
        for call in calls
    ]
    _check_plans(context, plans)
    responses = _carry_out(context, calls, plans, detail)
    totals: dict[str, dict[str, Any]] = {}
    for response in responses:
        if charged := response.pop("ConsumedCapacity", None):
            name = charged["TableName"]
            totals[name] = sum_units(totals.get(name, {}), charged)
    answer: dict[str, Any] = {"Responses": responses}
    if totals:
        answer["ConsumedCapacity"] = list(totals.values())
    return answer


def _attempt(step: Callable[..., T], *arguments: Any) -> T | DynamoDBError:
    try:
        return step(*arguments)
    except DynamoDBError as fault:
        return fault


def _plan(context: Context, call: StatementCall) -> ItemRead | EngineWrite:
    table = call.table(context)
    return call.item_read(table, "BatchExecuteStatement") if call.is_read else call.write(table)


def _check_plans(context: Context, plans: Sequence[_Plan]) -> None:
    is_unfit = any(isinstance(plan, ValidationException) for plan in plans)
    if is_unfit and context.catalog.has_changed():
        raise StaleCatalog  # the table may have been created again: plan it for the current one
    targets = [(p.table.number, p.key) for p in plans if not isinstance(p, DynamoDBError)]
    if len(set(targets)) < len(targets):
        raise ValidationException("Provided list of item keys contains duplicates")


def _carry_out(
    context: Context,
    calls: Sequence[StatementCall | DynamoDBError],
    plans: Sequence[_Plan],
    detail: str,
) -> list[dict[str, Any]]:
    """Return the answer to each statement, with the units that it consumed."""
    writes = [plan for plan in plans if isinstance(plan, EngineWrite)]
    outcomes = iter(write_all(context, writes) if writes else ())
    responses: list[dict[str, Any]] = []
    for call, plan in zip(calls, plans, strict=True):
        if not isinstance(call, StatementCall):
            responses.append(_failure(call))
            continue
        if isinstance(plan, DynamoDBError):
            response = _failure(plan)
        elif isinstance(plan, ItemRead):
            response = read_item(context, plan, call.options)
        else:
            response = _write_response(call, next(outcomes), detail)
        if not isinstance(plan, ValidationException):
            response["TableName"] = call.statement.table
        responses.append(response)
    return responses


def _failure(fault: DynamoDBError) -> dict[str, Any]:
    error = {"Code": reason_code(fault), "Message": fault.message, **fault.members}
    return {"Error": error}


def _write_response(call: StatementCall, outcome: WriteOutcome, detail: str) -> dict[str, Any]:
    response: dict[str, Any] = {}
    if isinstance(outcome, RefusedWrite):
        response = _failure(outcome.fault)
    elif item := returned_attributes(call.statement.returning, outcome):
        response["Item"] = item
    if detail != "NONE" and (bill := write_bill(outcome)).own:
        response["ConsumedCapacity"] = bill.to_dict(detail)
    return response


def execute_transaction(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Run up to 100 statements, all that read or all that write, as one transaction."""
    calls = [read_call(entry) for entry in request["TransactStatements"]]
    if len({call.is_read for call in calls}) > 1:
        raise ValidationException(
            "ExecuteTransaction API does not support both read and write operations in the same"
            " request."
        )
    names = ("ClientRequestToken", "ReturnConsumedCapacity")
    shared = {name: request[name] for name in names if name in request}
    plan = _read_all if calls[0].is_read else _write_transaction
    return plan(context, calls, shared)


def _read_all(
    context: Context, calls: Sequence[StatementCall], shared: dict[str, Any]
) -> dict[str, Any]:
    reads = [call.item_read(call.table(context), "ExecuteTransaction") for call in calls]
    gets = [{"Get": read.request} for read in reads]
    answer = transact_get_items(decoding(context, reads), {"TransactItems": gets, **shared})
    responses = []
    for read, response in zip(reads, answer["Responses"], strict=True):
        shown = read.project(response.get("Item"))
        responses.append({} if shown is None else {"Item": shown})
    return {**answer, "Responses": responses}


def _write_transaction(
    context: Context, calls: Sequence[StatementCall], shared: dict[str, Any]
) -> dict[str, Any]:
    actions = [_action(context, call, number) for number, call in enumerate(calls)]
    answer = transact_write_items(context, {"TransactItems": actions, **shared})
    return {"Responses": [{} for _ in calls], **answer}


def _action(context: Context, call: StatementCall, number: int) -> dict[str, Any]:
    if call.statement.returning != "NONE":
        raise ValidationException(
            f"Validation failed in TransactStatements[{number}]: RETURNING clause is not supported"
            " in ExecuteTransaction."
        )
    name, action = call.action(call.table(context))
    return {name: action}
