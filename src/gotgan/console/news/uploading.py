"""Stories that somebody else collected, from a file: a form, and what became of the last one."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, app_of
from gotgan.console.runs import RunCard
from gotgan.console.uploads import MultipartForm, checked_upload
from gotgan.domains.news.uploads import stories_from
from gotgan.errors import BadUpload, Conflict
from gotgan.verbs import start

__all__ = ["router", "show_form", "upload_stories"]

router = APIRouter()
_PATH: Final = "/news/upload"
_SOURCE: Final = "yf_latest"
"""Where stories come from, unless somebody says otherwise."""


@router.get("/news/upload")
def show_form(request: Request, _who: Reader) -> Response:
    """The form, and the last upload."""
    return _show(request)


@router.post("/news/upload")
def upload_stories(
    request: Request,
    who: Editor,
    upload: Annotated[MultipartForm, Depends(checked_upload)],
    app: Gotgan,
) -> Response:
    """Begin to store what is new in a file, which was checked as a whole before."""
    source = upload.form.text("source").strip() or _SOURCE
    if len(upload.files) != 1:
        return _show(request, source=source, refusal=who.t("news.upload.none"))
    [(_, content)] = upload.files
    try:
        start(app.runs, app.news.upload, stories_from(content), source=source)
    except BadUpload as error:
        return _show(request, source=source, refusal=error.message)
    except Conflict:
        return redirect(_PATH, said="news.upload.busy")
    return redirect(_PATH, said="news.begun.upload")


def _show(request: Request, *, source: str = _SOURCE, refusal: str | None = None) -> Response:
    return page(
        request,
        "news/upload.html",
        status=200 if refusal is None else 422,
        source=source,
        refusal=refusal,
        upload=RunCard.of(app_of(request), "news.upload", _PATH),
    )
