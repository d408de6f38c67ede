"""How requests are checked: their types, in JSON or Python, and AWS's constraints on them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.store.engine.faults import UnknownOperationException, ValidationException
from gotgan.store.engine.members import Test
from gotgan.store.engine.shapes import MAX_NAME_BYTES, MIN_NAME_BYTES, SHAPES

_MAX_FAILURES: Final = 10  # AWS names no more of them
# These look at the table's name before anything else.
_NAME_FIRST: Final = frozenset(
    {
        "CreateTable",
        "DeleteTable",
        "DescribeContinuousBackups",
        "DescribeTable",
        "DescribeTimeToLive",
        "UpdateTable",
        "UpdateTimeToLive",
    }
)
_TESTS: Final = {operation: shape.test for operation, shape in SHAPES.items()}


def read_request(operation: str, body: Any) -> dict[str, Any]:
    """Check a request's JSON against the operation's shape; return it as the engine takes it."""
    shape = SHAPES.get(operation)
    if shape is None:
        raise UnknownOperationException(f"There is no operation {operation} here")
    try:
        return shape.read(body)
    except RecursionError as error:
        raise ValidationException("Nesting Levels have exceeded supported limits") from error


def check_request(operation: str, request: Mapping[str, Any]) -> None:
    """Check a request made in Python; unknown and mistyped parameters are refused, as by boto3."""
    if wrong := SHAPES[operation].check(request):
        raise UsageError(operation + wrong)


def check_constraints(operation: str, request: Mapping[str, Any]) -> None:
    """Refuse a request that breaks AWS's constraints on its members, naming all of them."""
    if operation in _NAME_FIRST:
        _check_name(operation, request.get("TableName"))
    test = _TESTS[operation]
    if test is None or test(request):
        return
    failures = list(islice(SHAPES[operation].failures(request, ""), _MAX_FAILURES))
    errors = "validation error" if len(failures) == 1 else "validation errors"
    raise ValidationException(f"{len(failures)} {errors} detected: {'; '.join(failures)}")


def _check_name(operation: str, name: str | None) -> None:
    if name is None:
        raise ValidationException(
            "The parameter 'TableName' is required but was not present in the request"
        )
    is_long = len(name) > MAX_NAME_BYTES and not name.startswith("arn:")
    if operation != "CreateTable" and (is_long or len(name) < MIN_NAME_BYTES):
        raise ValidationException(
            f"TableName must be at least {MIN_NAME_BYTES} characters long and at most"
            f" {MAX_NAME_BYTES} characters long"
        )


def member_tests(operation: str) -> dict[str, Test]:
    """Return the tests of a request's members, but for the name of its table."""
    members = SHAPES[operation].members.items()
    tests = {name: member.test for name, member in members if name != "TableName"}
    return {name: test for name, test in tests.items() if test is not None}
