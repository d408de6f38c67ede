"""The pages of the videos: all of them, each with its analysis, two side by side, and the jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms, add_form
from gotgan.console.frame import NavPage, Section
from gotgan.console.videos import lists, video
from gotgan.console.videos.display import LIST, video_page
from gotgan.domains.videos.reports import Submitted
from gotgan.domains.videos.service import Videos
from gotgan.errors import AnalysisError, Conflict, SettingsError, UsageError

__all__ = ["ROUTERS", "SECTION"]

_NOTICES: Final = {"new": "queued", "joined": "joined", "hit": "cached"}


def _submission_result(submitted: Submitted) -> tuple[str | None, str]:
    return video_page(submitted.job.video_id), f"videos.said.{_NOTICES[submitted.outcome]}"


_ANALYSE: Final = VerbForm(
    LIST,
    read=lambda form: {"force": bool(form.text("reason"))},  # a reason is for a new analysis
    fields=("reason",),
    done=_submission_result,
    refused=lists.show_refused_video,
    refusals=(AnalysisError, Conflict, SettingsError, UsageError),
)
_VIDEO_FIELD: Final = {"video": "video_id"}
_VERBS: Final = VerbForms(
    Videos,
    {
        "analyse": _ANALYSE,
        "purge": VerbForm(done=lambda _: (LIST, "videos.said.purged")),
        "delete": VerbForm(
            "/videos/{video_id}/delete",
            _VIDEO_FIELD,
            done=lambda _: (LIST, "videos.said.deleted"),
        ),
    },
)
add_form(
    video.router,
    _VERBS.verbs["analyse"],
    replace(
        _ANALYSE,
        path="/videos/{video_id}/analyse",
        names=_VIDEO_FIELD,
        refused=video.show_refused_analysis,
    ),
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
    lists.router,
    _VERBS.router,
    video.router,  # the last: its path is any word that the others leave
)
