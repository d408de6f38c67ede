"""A request as it stands on the wire, for what no AWS client would send."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

__all__ = ["SIGNED", "Reply", "ask", "call", "table_request"]

SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request,"
    " SignedHeaders=host, Signature=0",
    "X-Amz-Date": "20260101T000000Z",
}
JSON = {"Content-Type": "application/x-amz-json-1.0"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def fault(self) -> str:
        """The code of the fault, without its namespace."""
        code: str = self.json["__type"].partition("#")[2]
        return code


def ask(
    endpoint: str,
    method: str = "GET",
    path: str = "/",
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Reply:
    """Send one request and read its answer whole."""
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=30)
    try:
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, names, response.read())
    finally:
        connection.close()


def call(endpoint: str, operation: str, request: Any, **headers: str) -> Reply:
    """Call an operation; bytes are sent as they are, anything else as JSON."""
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    return ask(endpoint, "POST", headers=SIGNED | JSON | target | headers, body=body)


def table_request(name: str) -> dict[str, Any]:
    """The request for a table keyed by ``pk``, a string."""
    return {
        "TableName": name,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
