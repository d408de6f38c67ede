"""``/v1/corp``: what there is to know about the company, read by everybody, written by admins."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.paging import Consistent
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import CompanyBody, patch_of
from gotgan.errors import VersionConflict

__all__ = ["change_company", "read_company", "router", "write_company"]

router = APIRouter(tags=["company"], route_class=StrictJson)
_Patch: Any = patch_of(CompanyBody)


@router.get(
    "/corp", **declared("Read the company", gives="CorpInfo", role=None, fails=(404,), cached=True)
)
def read_company(
    request: Request,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """The company; there is one of it."""
    return one(request, app_of(request).site.company.get(consistent=consistent))


@router.put(
    "/corp",
    **declared(
        "Write the company", gives="CorpInfo", role="admin", fails=(400, 409, 412, 428), body=True
    ),
)
def write_company(request: Request, body: CompanyBody) -> Response:
    """Write the company for the first time, or all of its fields anew."""
    company = app_of(request).site.company
    is_first = company.look(consistent=True) is None
    expected = expected_version(request, body.version, required=not is_first)
    if not is_first:
        return one(request, company.update(body.fields(), expected=expected))
    if expected is not None or "if-match" in request.headers:
        raise VersionConflict("nobody has written the company yet; leave out the version")
    return one(request, company.write(body.fields(), expected=None))


@router.patch(
    "/corp",
    **declared(
        "Change the company",
        gives="CorpInfo",
        role="admin",
        fails=(400, 404, 409, 412, 428),
        body=True,
    ),
)
def change_company(request: Request, body: _Patch) -> Response:
    """Change some fields of the company; null clears one."""
    expected = expected_version(request, body.version)
    return one(request, app_of(request).site.company.update(body.fields(), expected=expected))
