"""The lists of the videos: videos with their costs, imports, jobs and versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import current_url, fragment_id, page, redirect
from gotgan.console.hints import message_with_links
from gotgan.console.lists import ExportLinks, all_items, encoded_csv, one_of
from gotgan.console.past_days import RECENT_DAYS
from gotgan.console.runs import RUN_ENDED_EVENT
from gotgan.console.session import CurrentApp, Editor, Form, Reader, app_of
from gotgan.console.uploads import MultipartForm, checked_upload
from gotgan.console.videos.display import (
    LIST,
    analyser_options,
    recent_costs,
    template_names,
    video_page,
)
from gotgan.domains.videos.models import STATUSES, Status, VideoJob
from gotgan.domains.videos.reports import DayCost, VideoLine, VideoVersion
from gotgan.errors import BadUpload

router = APIRouter()
_VIDEOS_PER_PAGE: Final = 25


@router.get("/videos")
def show_list(request: Request, _who: Reader, cursor: str | None = None) -> Response:
    """All videos, the latest first."""
    return show_videos(request, cursor=cursor or None)


@router.get("/videos.csv")
def list_file(_who: Reader, app: CurrentApp) -> Response:
    """All of them as a file."""
    return encoded_csv("videos", VideoLine, all_items(app.videos.list))


@router.get("/videos/costs.csv")
def costs_file(_who: Reader, app: CurrentApp) -> Response:
    """The costs of the last days as a file."""
    return encoded_csv("video-costs", DayCost, app.videos.costs(days=RECENT_DAYS).items)


def show_refused_video(request: Request, form: Form, refusal: str) -> Response:
    """The list with a refused form, and why it was refused."""
    video, analyser = form.text("video").strip(), form.text("analyser")
    return show_videos(request, video=video, analyser=analyser, refusal=refusal)


def show_videos(
    request: Request,
    *,
    cursor: str | None = None,
    video: str = "",
    analyser: str = "",
    refusal: str | None = None,
    refused_files: str | None = None,
) -> Response:
    """The list and its forms, with what was typed and why it was refused."""
    app = app_of(request)
    found = app.videos.list(limit=_VIDEOS_PER_PAGE, cursor=cursor)
    return page(
        request,
        "videos/list.html",
        status=422 if refusal or refused_files else 200,
        found=found,
        cursor=cursor,
        is_moving=any(line.status in {"queued", "processing"} for line in found.items),
        video=video,
        refusal=refusal,
        refused_files=refused_files,
        spending=recent_costs(app, request.app.state.past),
        analysers=analyser_options(request),
        chosen=analyser or app.settings.analyser,
        elsewhere=ExportLinks("/v1/videos", f"{LIST}.csv", "gotgan videos list"),
        **template_names(app),
    )


@router.get("/videos/import")
def show_import(_who: Reader) -> Response:
    """The list with the form; a switch of the language after a refusal leads here."""
    return redirect(f"{LIST}#import")


@router.post("/videos/import")
def import_files(
    request: Request,
    who: Editor,
    upload: Annotated[MultipartForm, Depends(checked_upload)],
    app: CurrentApp,
) -> Response:
    """Import all files or none; a single video is shown."""
    if not upload.files:
        return show_videos(request, refused_files=who.t("videos.import.none"))
    try:
        imported = app.videos.import_files(upload.files)
    except BadUpload as error:
        return show_videos(request, refused_files=message_with_links(who, error.message))
    path = video_page(imported[0].video_id) if len(imported) == 1 else LIST
    return redirect(path, notice="videos.said.imported")


_JOBS_PER_PAGE: Final = 50


@dataclass(frozen=True)
class JobFilter:
    """The filters of the jobs."""

    status: Status | None
    video: str | None


async def job_filter(status: str = "", video: str = "") -> JobFilter:
    """The filters of an address."""
    return JobFilter(one_of(STATUSES, status) if status else None, video.strip() or None)


RequestedJobs = Annotated[JobFilter, Depends(job_filter)]


@router.get("/videos/jobs")
def show_jobs(
    request: Request, who: Reader, app: CurrentApp, wanted: RequestedJobs, cursor: str | None = None
) -> Response:
    """Jobs, the latest first."""
    found = app.videos.jobs(**vars(wanted), limit=_JOBS_PER_PAGE, cursor=cursor or None)
    return page(
        request,
        "videos/jobs.html",
        found=found,
        wanted=wanted,
        statuses=who.options("videos.job", STATUSES, "videos.jobs.all"),
        next=current_url(request, cursor=found.cursor) if found.cursor else None,
        first=current_url(request, cursor=None) if cursor else None,
        elsewhere=ExportLinks.of(
            "/v1/videos/jobs", "/videos/jobs.csv", "gotgan videos jobs", **vars(wanted)
        ),
        **template_names(app),
    )


@router.get("/videos/jobs.csv")
def jobs_file(_who: Reader, app: CurrentApp, wanted: RequestedJobs) -> Response:
    """The same jobs as a file."""
    return encoded_csv("video-jobs", VideoJob, all_items(app.videos.jobs, **vars(wanted)))


@router.get("/videos/jobs/{job_id}")
def read_job(request: Request, _who: Reader, app: CurrentApp, job_id: str) -> Response:
    """A job, watched to its end."""
    job = app.videos.job(job_id)
    links = ExportLinks(f"/v1/videos/jobs/{job.job_id}", "", f"gotgan videos job {job.job_id}")
    names = template_names(app)
    answer = page(request, "videos/job.html", job=job, elsewhere=links, **names)
    if fragment_id(request) == "job-state" and not job.is_open:
        answer.headers["HX-Trigger"] = RUN_ENDED_EVENT
    return answer


@router.get("/videos/versions")
def show_versions(request: Request, _who: Reader, app: CurrentApp) -> Response:
    """Every version, the latest first."""
    return page(
        request,
        "videos/versions.html",
        versions=app.videos.versions().items[::-1],
        elsewhere=ExportLinks(
            "/v1/videos/versions", "/videos/versions.csv", "gotgan videos versions"
        ),
    )


@router.get("/videos/versions.csv")
def versions_file(_who: Reader, app: CurrentApp) -> Response:
    """The same versions as a file."""
    return encoded_csv("video-versions", VideoVersion, app.videos.versions().items[::-1])
