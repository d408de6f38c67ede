"""``/v1/videos/costs``, ``quota``, ``versions`` and ``schemas``: what it cost, what it means."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.videos.asking import CostListing, Shape
from gotgan.api.who import app_of
from gotgan.domains.videos.records import cost_record, quota_record, version_record
from gotgan.domains.videos.schemas import schema_of

__all__ = ["list_costs", "list_versions", "read_quota", "read_schema", "router"]

router = APIRouter(tags=["videos"], route_class=StrictJson)


@router.get(
    "/videos/costs",
    **declared("List costs of analyses", gives="VideoCosts", role="viewer", query=CostListing),
)
def list_costs(request: Request) -> Response:
    """What analyses cost and what was saved by giving them again, day by day."""
    days = app_of(request).videos.costs(asked(request, CostListing).days)
    return ok({"items": [cost_record(day) for day in days]})


@router.get("/videos/quota", **declared("Read the quota", gives="VideoQuota", role="viewer"))
def read_quota(request: Request) -> Response:
    """How many units of YouTube's are used today, and when they come back."""
    return ok(quota_record(app_of(request).videos.quota()))


@router.get(
    "/videos/versions",
    **declared("List versions of analyses", gives="VideoVersions", role="viewer"),
)
def list_versions(request: Request) -> Response:
    """What v1, v2 and so on stand for: who analysed, with which model and by which rules."""
    versions = app_of(request).videos.versions()
    return ok({"items": [version_record(each) for each in versions]})


@router.get(
    "/videos/schemas/{shape}",
    **declared("Read the schema of results", gives="JsonSchema", role="viewer"),
)
def read_schema(request: Request, shape: Shape) -> Response:  # noqa: ARG001 - routes are given it
    """The JSON Schema of a result, for those who check what they get."""
    return ok(schema_of(1 if shape == "1" else 2))
