"""Requests as Lambda is given them: by an HTTP API, a REST API and a function URL."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs

__all__ = ["KINDS", "VISITOR", "Asked", "function_url", "http_api", "http_api_1", "rest_api"]

VISITOR: Final = "203.0.113.7"
_FORWARDED: Final = {
    "X-Forwarded-For": f"198.51.100.1, {VISITOR}",
    "X-Forwarded-Port": "443",
    "X-Forwarded-Proto": "https",
}
_API: Final = "a1b2c3d4e5"
_ADDRESS: Final = f"{_API}.execute-api.eu-central-1.amazonaws.com"
_AGENT: Final = "curl/8.5.0"
_ACCOUNT: Final = "123456789012"


@dataclass(frozen=True)
class Asked:
    """What somebody asks for, whoever carries it."""

    method: str = "GET"
    path: str = "/"
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    body: str | bytes | None = None

    def as_body(self) -> dict[str, Any]:
        """The body, in base64 where it is no text."""
        if not isinstance(self.body, bytes):
            return {"body": self.body, "isBase64Encoded": False}
        return {"body": base64.b64encode(self.body).decode(), "isBase64Encoded": True}

    def cookie_pairs(self) -> list[str]:
        """The cookies as a browser writes them."""
        return [f"{name}={value}" for name, value in self.cookies.items()]


def http_api(asked: Asked, *, stage: str = "$default", domain: str = _ADDRESS) -> dict[str, Any]:
    """An event of an HTTP API in its format 2.0; a stage with a name is part of the path."""
    path = asked.path if stage == "$default" else f"/{stage}{asked.path}"
    return _version_2(asked, path, stage, domain)


def function_url(asked: Asked) -> dict[str, Any]:
    """An event of a function's own address."""
    event = _version_2(asked, asked.path, "$default", f"{_API}.lambda-url.eu-central-1.on.aws")
    event["requestContext"]["accountId"] = "anonymous"
    return event


def rest_api(asked: Asked, *, stage: str = "prod") -> dict[str, Any]:
    """An event of a REST API; its stage is not part of the path."""
    headers = {**_headers(asked, _ADDRESS), "Host": _ADDRESS}
    if asked.cookies:
        headers["Cookie"] = "; ".join(asked.cookie_pairs())
    query = parse_qs(asked.query, keep_blank_values=True) or None
    return {
        "resource": "/{proxy+}",
        "path": asked.path,
        "httpMethod": asked.method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": query and {name: last[-1] for name, last in query.items()},
        "multiValueQueryStringParameters": query,
        "pathParameters": {"proxy": asked.path.lstrip("/")},
        "stageVariables": None,
        "requestContext": {
            "resourceId": "abc123",
            "resourcePath": "/{proxy+}",
            "httpMethod": asked.method,
            "path": f"/{stage}{asked.path}",
            "accountId": _ACCOUNT,
            "protocol": "HTTP/1.1",
            "stage": stage,
            "domainPrefix": _API,
            "domainName": _ADDRESS,
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "identity": {"sourceIp": VISITOR, "userAgent": _AGENT},
            "apiId": _API,
        },
        **asked.as_body(),
    }


def http_api_1(asked: Asked) -> dict[str, Any]:
    """An event of an HTTP API in its format 1.0, which is nearly that of a REST API."""
    return {"version": "1.0", **rest_api(asked, stage="$default")}


KINDS: Final = (http_api, http_api_1, rest_api, function_url)


def _version_2(asked: Asked, path: str, stage: str, domain: str) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in _headers(asked, domain).items()}
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": asked.query,
        "headers": headers,
        "requestContext": {
            "accountId": _ACCOUNT,
            "apiId": _API,
            "domainName": domain,
            "domainPrefix": domain.partition(".")[0],
            "http": {
                "method": asked.method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": VISITOR,
                "userAgent": _AGENT,
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": "$default",
            "stage": stage,
            "time": "10/Nov/2025:09:00:00 +0000",
            "timeEpoch": 1762765200000,
        },
        **asked.as_body(),
    }
    if asked.cookies:
        event["cookies"] = asked.cookie_pairs()
    if asked.body is None:
        del event["body"]
    return event


def _headers(asked: Asked, host: str) -> dict[str, str]:
    return {"Host": host, "User-Agent": _AGENT, **_FORWARDED, **asked.headers}
