"""Versions as HTTP says them: ``ETag`` of what is read, ``If-Match`` of what is to be changed."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.records import Seen
from gotgan.errors import UsageError, VersionRequired
from gotgan.items import item_of

__all__ = ["etag", "expected_version", "one"]

_TAG: Final = re.compile(r'(?:W/)?"(\d{1,18})(?:-(\d{1,18}))?"')


def etag(record: SiteEntity) -> str:
    """The entity tag of a record: its version, and when it was made.

    One that is made anew under the id of one that was deleted begins with the same version.
    """
    return f'"{record.version}-{int(record.created_at.timestamp())}"'


def one(request: Request, record: SiteEntity, *, status: int = 200) -> Response:
    """One record, under its tag; nothing to whoever has this version."""
    tag = etag(record)
    if request.method == "GET" and _has(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag}
    if status == HTTPStatus.CREATED:
        headers["Location"] = f"{request.url.path}/{quote(record.id, safe='')}"
    return ok(item_of(record), status=status, headers=headers)


def expected_version(
    request: Request, given: int | None = None, *, required: bool = True
) -> int | None:
    """The version that a change is for, by ``If-Match`` or by the body; None where any will do."""
    header = request.headers.get("if-match")
    if header is None and given is None:
        if required:
            raise VersionRequired(
                "say for which version this change is: If-Match with the ETag that was read, or "
                "version in the body; If-Match: * changes whatever is there"
            )
        return None
    expected = given if header is None else _version(header)
    request.state.expected = expected
    return expected


def _version(header: str) -> int:
    if header.strip() == "*":
        return Seen.any()
    tag = _TAG.fullmatch(header.strip())
    if tag is None:
        raise UsageError('If-Match takes one ETag as it was read, a version such as "3", or *')
    return Seen.of(int(tag[1]), int(tag[2]) if tag[2] else None)


def _has(header: str, tag: str) -> bool:
    """Whether a list of tags has this one; a weak one is as good here, and * is any."""
    return any(each.strip().removeprefix("W/") in {tag, "*"} for each in header.split(","))
