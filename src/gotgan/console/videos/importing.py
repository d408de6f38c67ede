"""Videos and comments from files that somebody chooses on the list."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import redirect
from gotgan.console.given import Editor, Gotgan, Reader
from gotgan.console.uploads import MultipartForm, checked_upload
from gotgan.console.videos.board import show
from gotgan.console.videos.places import LIST, video_page
from gotgan.console.viewer import Viewer
from gotgan.errors import BadUpload

__all__ = ["import_files", "router", "show_form"]

router = APIRouter()
_SAID: Final = "videos.said.imported"


@router.get("/videos/import")
def show_form(_who: Reader) -> Response:
    """Where the form is; whoever switches the language after a refusal comes here."""
    return redirect(f"{LIST}#import")


@router.post("/videos/import")
def import_files(
    request: Request,
    _who: Editor,
    upload: Annotated[MultipartForm, Depends(checked_upload)],
    app: Gotgan,
) -> Response:
    """Keep what is in the files, all or none; a single video is shown at once."""
    if not upload.files:
        return show(request, refused_files=Viewer.of(request).t("videos.import.none"))
    try:
        imported = app.videos.import_files(upload.files)
    except BadUpload as error:
        return show(request, refused_files=error.message)
    path = video_page(imported[0].video_id) if len(imported) == 1 else LIST
    return redirect(path, said=_SAID)
