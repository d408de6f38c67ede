"""The pages of the videos: all of them, each with its analysis, two side by side, and the jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms, add_form
from gotgan.console.gate import Form
from gotgan.console.sections import NavPage, Section
from gotgan.console.videos import (
    board,
    comparing,
    importing,
    jobs,
    sheet,
    spending,
    versions,
)
from gotgan.console.videos.places import LIST, video_page
from gotgan.domains.videos.reports import Submitted
from gotgan.domains.videos.service import Videos
from gotgan.errors import AnalysisError, Conflict, SettingsError, UsageError

__all__ = ["ROUTERS", "SECTION"]

_SAID: Final = {"new": "queued", "joined": "joined", "hit": "cached"}


def _anew(form: Form) -> dict[str, bool]:
    """With a reason a video is analysed again, even if there is a fresh analysis."""
    return {"force": bool(form.text("reason"))}


def _submitted(submitted: Submitted) -> tuple[str | None, str]:
    return video_page(submitted.job.video_id), f"videos.said.{_SAID[submitted.outcome]}"


_ANALYSE: Final = VerbForm(
    LIST,
    read=_anew,
    fields=("reason",),
    done=_submitted,
    refused=board.again,
    refusals=(AnalysisError, Conflict, SettingsError, UsageError),
)
_VIDEO: Final = {"video": "video_id"}
_VERBS: Final = VerbForms(
    Videos,
    {
        "analyse": _ANALYSE,
        "purge": VerbForm(done=lambda _: (LIST, "videos.said.purged")),
        "delete": VerbForm(
            f"{LIST}/{{video_id}}/delete", _VIDEO, done=lambda _: (LIST, "videos.said.deleted")
        ),
    },
)
add_form(
    sheet.router,
    _VERBS.verbs["analyse"],
    replace(_ANALYSE, path=f"{LIST}/{{video_id}}/analyse", names=_VIDEO, refused=sheet.again),
)
SECTION: Final = Section(
    "videos",
    (
        NavPage("list", "/videos"),
        NavPage("compare", "/videos/compare"),
        NavPage("jobs", "/videos/jobs"),
        NavPage("versions", "/videos/versions"),
        *_VERBS.pages,
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    comparing.router,
    importing.router,
    jobs.router,
    spending.router,
    versions.router,
    _VERBS.router,
    sheet.router,  # the last: its addresses are whatever the others leave
)
