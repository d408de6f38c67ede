"""Hand-written routes of videos: one waits for a job, the other reads files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import anyio
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.analysis import MAX_ADDRESS_LENGTH
from gotgan.api.auth import get_app
from gotgan.api.binder import Endpoint, bind, verb_arguments
from gotgan.api.responses import ok
from gotgan.api.routes import INTEGER, TEXT, StrictJson, object_schema, route_options
from gotgan.api.runs import DEFAULT_WAIT_S, Wait, error_data
from gotgan.domains.videos.service import Videos
from gotgan.encoding import encode
from gotgan.verbs import Verb

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import Submitted


router = APIRouter(tags=["videos"], route_class=StrictJson)

_POLL_S: Final = 0.1
_MAX_FILES: Final = 50


def _analyse(verb: Verb) -> Callable[..., Any]:
    async def analyse(request: Request, wait: Wait = DEFAULT_WAIT_S) -> Response:
        values = await verb_arguments(request, verb, frozenset({"wait"}))
        videos = get_app(request).videos
        submitted: Submitted = await run_in_threadpool(lambda: videos.analyse(**values))
        if submitted.result is None:
            await _wait_for_job(videos, submitted.job.job_id, wait)
            submitted = await run_in_threadpool(videos.reload, submitted)
        return ok(request, encode(submitted, error_data))

    return analyse


async def _wait_for_job(videos: Videos, job_id: str, seconds: int) -> None:
    """Wait until a job has ended, without a thread: the server has only some of them."""
    with anyio.move_on_after(seconds):
        job = await run_in_threadpool(videos.job, job_id)
        while job.is_open:
            await anyio.sleep(_POLL_S)
            job = await run_in_threadpool(videos.job, job_id)


class _RequestModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class File(_RequestModel):
    """A file: its name and content."""

    name: str = Field(
        min_length=1, max_length=255, description="File name, such as `abc.info.json`."
    )
    text: str = Field(description="Content, in UTF-8.")


class FilesBody(_RequestModel):
    """Files to import, all of them or none."""

    files: list[File] = Field(
        min_length=1,
        max_length=_MAX_FILES,
        description="Responses of the YouTube API, yt-dlp's `.info.json`, or tables of comments. "
        "Import larger files with `gotgan videos import`.",
    )
    video: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_ADDRESS_LENGTH,
        description="Video of files that do not name one: ID or URL.",
    )


@router.post(
    "/videos/import",
    **route_options(
        "Import videos", gives="ImportedVideos", role="editor", fails=(400,), body=True
    ),
)
def import_videos(request: Request, body: FilesBody) -> Response:
    """Import videos and comments from files, all or none; it needs no YouTube key."""
    files = [(file.name, file.text.encode()) for file in body.files]
    imported = get_app(request).videos.import_files(files, video=body.video)
    return ok(request, {"items": encode(imported)})


ROUTERS: Final[tuple[APIRouter, ...]] = (
    router,
    bind(
        Videos,
        {"analyse": Endpoint(_analyse, fails=(429,)), "compare": Endpoint(fails=(409,))},
    ),
)
_EXAMPLE_TABLE: Final = (
    "video_id,text,likes\n"
    "dQw4w9WgXcQ,I come back to this every year,120\n"
    "dQw4w9WgXcQ,Please make one about the drums,14\n"
)
EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "import_videos": {
        "table": {
            "summary": "A table of comments",
            "value": {"files": [{"name": "comments.csv", "text": _EXAMPLE_TABLE}]},
        },
    },
}
"""By the name of the operation, and by that of the example."""


def response_data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    video = object_schema(videoId=TEXT, title=TEXT, comments=INTEGER)
    return {"ImportedVideos": object_schema(items={"type": "array", "items": video})}
