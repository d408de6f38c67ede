"""Videos under ``/v1/videos``: what is known of them, jobs, what comes and goes, what it cost."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.videos import accounts, files, jobs, sheets

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (
    jobs.router,
    accounts.router,
    files.router,
    sheets.router,  # last: any word may be the id of a video
)
