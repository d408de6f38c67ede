"""The pages of banners, as they look, and of categories."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from gotgan.console.given import app_of
from gotgan.console.site.resource import Forms, ResourceList
from gotgan.console.site.spans import time_left
from gotgan.console.viewer import Viewer
from gotgan.store import Page

__all__ = ["router"]

router = APIRouter()


def _banner_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    now, t = app_of(request).clock.now(), Viewer.of(request).t
    return {"left": {each.id: time_left(each.expires_at, now, t) for each in found}}


ResourceList("banners", values=_banner_values, has_images=True).add_to(router)
ResourceList("categories").add_to(router)
Forms("banners", "site/banner_form.html", has_images=True).add_to(router)
Forms("categories", "site/category_form.html").add_to(router)
