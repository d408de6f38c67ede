"""Raw DynamoDB requests over one kept HTTP connection, with nothing checked on the way.

An SDK would refuse half of the interesting requests before they are sent, so there is none here.
"""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Wire"]

_HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20250101T000000Z",
    "Authorization": (
        "AWS4-HMAC-SHA256 Credential=oracle/20250101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64
    ),
}


@dataclass(frozen=True)
class Answer:
    """What a server said: a status, and the body as JSON (or as text, if it is none)."""

    status: int
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the request was accepted."""
        return self.status == 200

    @property
    def code(self) -> str:
        """The error's code without its namespace; empty for a success."""
        if self.ok:
            return ""
        return str(self.body.get("__type", f"HTTP {self.status}")).rpartition("#")[2]

    @property
    def message(self) -> str:
        """The error's message, whichever way its first letter is written."""
        return str(self.body.get("message", self.body.get("Message", "")))


class Wire:
    """A connection to one server."""

    def __init__(self, port: int, timeout: float = 30.0) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def send(self, operation: str, payload: Any) -> Answer:
        """Send one request, anew on a new connection if the server has closed the old one."""
        try:
            return self._exchange(operation, payload)
        except (http.client.HTTPException, OSError):
            self._connection.close()
        try:
            return self._exchange(operation, payload)
        except (http.client.HTTPException, OSError) as error:
            self._connection.close()
            return Answer(0, {"__type": "NoAnswer", "message": repr(error)})

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _exchange(self, operation: str, payload: Any) -> Answer:
        headers = {**_HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self._connection.request("POST", "/", json.dumps(payload).encode(), headers)
        response = self._connection.getresponse()
        return Answer(response.status, _decoded(response.read()))


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        decoded = json.loads(body or b"{}")
    except ValueError:
        return {"__type": "NotJson", "message": body[:500].decode(errors="replace")}
    return decoded if isinstance(decoded, dict) else {"__body": decoded}
