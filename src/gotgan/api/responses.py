"""Answers in their envelope (``success``, ``data``, ``error``), and versions as ``ETag``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gotgan.api import messages
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.resource import SeenVersion
from gotgan.encoding import error_record
from gotgan.errors import UsageError, VersionRequired
from gotgan.items import record_item
from gotgan.plain_json import to_json
from gotgan.texts import Language, accepted_language

DOC_PATH: Final = "/docs/errors"
"""The page about errors; each code has a place on it."""
_JSON: Final = "application/json"
_TAG: Final = re.compile(r'(?:W/)?"(\d{1,18})(?:-(\d{1,18}))?"')


def ok(
    request: Request, data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer with data; messages in it are in the language of the request."""
    return _answer(request, status, headers, {"success": True, "data": data, "error": None})


def failure(
    request: Request,
    status: int,
    code: str,
    message: str,
    *,
    details: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer with an error."""
    error = {
        **error_record(code, message),
        "details": details,
        "docUrl": f"{DOC_PATH}#{code}",
        "traceId": trace_id(request),
    }
    return _answer(request, status, headers, {"success": False, "data": None, "error": error})


def _answer(
    request: Request, status: int, headers: Mapping[str, str] | None, body: Mapping[str, Any]
) -> Response:
    return Response(to_json(body, request_language(request)), status, headers, _JSON)


def request_language(request: Request) -> Language:
    """The language that a request asks for in ``Accept-Language``."""
    return accepted_language(request.headers.get("accept-language", ""))


def trace_id(request: Request) -> str:
    """The ID of this request."""
    return str(getattr(request.state, "trace_id", ""))


def etag(record: SiteEntity) -> str:
    """The entity tag of a record: its version, and when it was created.

    A record that is created with the ID of a deleted one starts with the same version.
    """
    return f'"{record.version}-{int(record.created_at.timestamp())}"'


def record_response(request: Request, record: SiteEntity, *, status: int = 200) -> Response:
    """A record with its tag; without a body if the caller has this version."""
    tag = etag(record)
    if request.method == "GET" and _has_tag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag}
    if status == HTTPStatus.CREATED:
        headers["Location"] = f"{request.url.path}/{quote(record.id, safe='')}"
    return ok(request, record_item(record), status=status, headers=headers)


def expected_version(
    request: Request, given: int | None = None, *, required: bool = True
) -> int | None:
    """The version that a change is for, by ``If-Match`` or by the body; None for any version."""
    header = request.headers.get("if-match")
    if header is None and given is None:
        if required:
            raise VersionRequired(messages.VERSION_NEEDED())
        return None
    expected = given if header is None else _version(header)
    request.state.expected = expected
    return expected


def _version(header: str) -> int:
    if header.strip() == "*":
        return SeenVersion.any()
    tag = _TAG.fullmatch(header.strip())
    if tag is None:
        raise UsageError(messages.BAD_ETAG())
    return SeenVersion.of(int(tag[1]), int(tag[2]) if tag[2] else None)


def _has_tag(header: str, tag: str) -> bool:
    """Whether a list of tags has this one, also as a weak one; * is any."""
    return any(each.strip().removeprefix("W/") in {tag, "*"} for each in header.split(","))
