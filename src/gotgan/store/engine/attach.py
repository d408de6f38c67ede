"""boto3 on the engine without a port: an existing client or session runs on the engine.

Before it signs or sends anything, botocore lets its ``before-call`` handlers return the answer;
this handler always does. botocore itself is never imported here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from gotgan.errors import UsageError
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.protocol import Executor, error_body, parse_body
from gotgan.store.engine.request_checks import read_request

Target = TypeVar("Target")

_EVENTS: Final = ("before-call.dynamodb", "before-call.dynamodb-streams")
_SERVICES: Final = ("dynamodb", "dynamodbstreams")
_HANDLER_ID: Final = "gotgan-engine"


def attach(target: Target, engine: Executor) -> Target:
    """Make a boto3 client or resource run on the engine, and return it.

    Of a session, every client of DynamoDB or DynamoDB Streams and every resource made from now on.
    Calls to other services go where they went before. A target that was attached to another engine
    changes over to this one.
    """
    if not hasattr(engine, "execute"):
        raise UsageError(f"Attach to an engine: attach(client, Engine({engine!r})).")
    events = _event_emitter(target)
    detach(target)
    for event in _EVENTS:
        # Last, so that the caller's own handlers still see each call before it is answered.
        events.register_last(event, _CallHandler(engine), unique_id=f"{_HANDLER_ID}-{event}")
    return target


def detach(target: Target) -> Target:
    """Let a client, resource or session call AWS again, and return it."""
    events = _event_emitter(target)
    for event in _EVENTS:
        events.unregister(event, unique_id=f"{_HANDLER_ID}-{event}")
    return target


@dataclass(frozen=True, slots=True)
class _Response:
    """The part of botocore's HTTP response that is read after a call."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes = b""
    text: str = ""


@dataclass(frozen=True, slots=True)
class _CallHandler:
    """The handler that answers botocore's calls from the engine."""

    engine: Executor = field(repr=False)

    def __call__(
        self, model: Any, params: Mapping[str, Any], **_event: Any
    ) -> tuple[_Response, dict[str, Any]]:
        """Return the answer as botocore would have parsed it."""
        try:
            request = read_request(model.name, parse_body(params["body"]))
            parsed = self.engine.execute(model.name, request)
            status = 200
        except DynamoDBError as fault:
            parsed, status = error_body(fault), fault.status
            del parsed["__type"]
            parsed["Error"] = {"Message": fault.message, "Code": fault.code}
        headers = {"x-amzn-requestid": secrets.token_hex(26).upper()}
        parsed["ResponseMetadata"] = {
            "RequestId": headers["x-amzn-requestid"],
            "HTTPStatusCode": status,
            "HTTPHeaders": headers,
            "RetryAttempts": 0,
        }
        return _Response(status, headers), parsed


def _event_emitter(target: Any) -> Any:
    """Find where a client, a resource or a session registers its handlers."""
    if hasattr(target, "get_component"):  # botocore's session
        return target.get_component("event_emitter")
    if hasattr(target, "events"):  # boto3's session
        return target.events
    meta = getattr(target, "meta", None)
    client = getattr(meta, "client", target)  # a resource has its client there
    events = getattr(getattr(client, "meta", None), "events", None)
    if events is None or client.meta.service_model.service_name not in _SERVICES:
        raise UsageError(
            "Only a DynamoDB client or resource of boto3, or a session, can be attached, not"
            f" {target!r}."
        )
    return events
