"""Maps botocore's errors to Gotgan's, by name, so that botocore is not imported."""

from __future__ import annotations

import http
import ssl
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gotgan.errors import GotganError, SettingsError, StoreUnreachable
from gotgan.messages import Message, text
from gotgan.store import messages
from gotgan.store.engine.faults import BY_CODE, DynamoDBError, InternalServerError, fault_for_code

_ENVELOPE: Final = frozenset({"Error", "ResponseMetadata", "message", "Message"})
_SERVER_ERROR: Final = 500
_MAX_REASON: Final = 300

_NOT_SENT: Final = frozenset(
    {"ConnectTimeoutError", "EndpointConnectionError", "ProxyConnectionError"}
)
_LOST: Final = frozenset(
    {
        "ChecksumError",
        "ConnectionError",
        "HTTPClientError",
        "IncompleteReadError",
        "ResponseParserError",
    }
)
_CREDENTIALS: Final = frozenset(
    {
        "CredentialRetrievalError",
        "LoginError",
        "MetadataRetrievalError",
        "NoAuthTokenError",
        "NoCredentialsError",
        "PartialCredentialsError",
        "SSOError",
        "TokenRetrievalError",
    }
)


def translated_error(error: Exception, operation: str, endpoint: str) -> GotganError:
    """The Gotgan error for one of botocore's."""
    response = getattr(error, "response", None)
    if isinstance(response, dict) and "Error" in response:
        return fault_from_response(response, operation)
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & _CREDENTIALS:
        message = messages.NO_CREDENTIALS(cause=_short(error))
    elif "NoRegionError" in names:
        message = messages.NO_REGION()
    elif any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
        message = messages.CERTIFICATE(endpoint=endpoint, cause=_short(error))
    elif names & _NOT_SENT:
        return StoreUnreachable(messages.UNREACHABLE(endpoint=endpoint, cause=_short(error)))
    elif names & _LOST:
        return broken_response(endpoint, error)
    else:
        message = messages.BAD_SETUP(cause=_short(error))
    return SettingsError(message)


def fault_from_response(response: Mapping[str, Any], operation: str) -> DynamoDBError:
    """The fault that AWS's answer describes, with the members that came with it."""
    code = str(response["Error"].get("Code", ""))
    message = str(response["Error"].get("Message", ""))
    status = int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", 400))
    members = {name: member for name, member in response.items() if name not in _ENVELOPE}
    if status >= _SERVER_ERROR and code not in BY_CODE:
        fault: DynamoDBError = InternalServerError(
            _response_message(code, message, status), **members
        )
    else:
        fault = fault_for_code(code, _response_message(code, message, status), status, **members)
    fault.operation_name = operation
    fault.maybe_done = status >= _SERVER_ERROR
    return fault


def _response_message(code: str, message: str, status: int) -> str:
    """The message of the response; if DynamoDB did not write it, what to check."""
    if code and not code.isdigit():
        return message
    phrase = http.HTTPStatus(status).phrase if status in set(http.HTTPStatus) else ""
    return messages.NOT_DYNAMODB(status=f"{status} {phrase}".strip())


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was made of; urllib3 keeps it in ``reason``, botocore in ``kwargs``."""
    for _ in range(10):
        if error is None:
            return
        yield error
        inner = getattr(error, "kwargs", {}).get("error") or getattr(error, "reason", None)
        first = error.args[0] if error.args else None
        candidates = (inner, error.__cause__, first)
        error = next((one for one in candidates if isinstance(one, BaseException)), None)


def broken_response(endpoint: str, why: object) -> StoreUnreachable:
    """What is raised where no answer came, or not a whole one."""
    lost = StoreUnreachable(messages.RESPONSE_LOST(endpoint=endpoint, cause=_short(why)))
    lost.maybe_done = True
    return lost


def _short(why: object) -> Message:
    words = " ".join(str(why).split()).rstrip(".")
    return text(words if len(words) <= _MAX_REASON else words[:_MAX_REASON] + "…")
