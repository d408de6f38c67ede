"""Uploads of stories, and the other sources."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.hints import message_with_links
from gotgan.console.lists import ExportLinks, all_items, encoded_csv
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Editor, Form, Reader, app_of
from gotgan.console.uploads import MultipartForm, checked_upload
from gotgan.domains.news.models import Health, NewsSource
from gotgan.domains.news.reports import AddedSource
from gotgan.domains.news.upload import parse_stories
from gotgan.errors import BadUpload, Conflict
from gotgan.verbs import start

router = APIRouter()

# Uploads

_UPLOAD_PATH: Final = "/news/upload"
_DEFAULT_SOURCE: Final = "yf_latest"


@router.get("/news/upload")
def show_upload(request: Request, _who: Reader) -> Response:
    """The form, and the last upload."""
    return _show_upload(request)


@router.post("/news/upload")
def upload_stories(
    request: Request,
    who: Editor,
    upload: Annotated[MultipartForm, Depends(checked_upload)],
    app: CurrentApp,
) -> Response:
    """Check a whole file, and start to store what is new in it."""
    source = upload.form.text("source").strip() or _DEFAULT_SOURCE
    if len(upload.files) != 1:
        return _show_upload(request, source=source, refusal=who.t("news.upload.none"))
    [(_, content)] = upload.files
    try:
        start(app.runs, app.news.upload, parse_stories(content), source=source)
    except BadUpload as error:
        return _show_upload(request, source=source, refusal=message_with_links(who, error.message))
    except Conflict:
        return redirect(_UPLOAD_PATH, notice="news.upload.busy")
    return redirect(_UPLOAD_PATH, notice="news.started.upload")


def _show_upload(
    request: Request, *, source: str = _DEFAULT_SOURCE, refusal: str | None = None
) -> Response:
    return page(
        request,
        "news/upload.html",
        status=200 if refusal is None else 422,
        source=source,
        refusal=refusal,
        upload=RunCard.of(app_of(request), "news.upload", _UPLOAD_PATH),
    )


# Sources

SOURCES_PATH: Final = "/news/sources"
_HEALTH_KINDS: Final[Mapping[Health, str]] = {"new": "none", "ok": "good", "failing": "bad"}
_EVERY_MINUTES: Final = "30"


@router.get(SOURCES_PATH)
def list_sources(request: Request, _who: Reader, cursor: str | None = None) -> Response:
    """The other sources with their health, and the form for another one."""
    return _show_sources(request, cursor=cursor)


@router.get(f"{SOURCES_PATH}.csv")
def sources_file(_who: Reader, app: CurrentApp) -> Response:
    """The same sources as a file."""
    return encoded_csv("sources", NewsSource, all_items(app.news.sources.list))


def _show_sources(
    request: Request,
    *,
    cursor: str | None = None,
    texts: Mapping[str, str] = MappingProxyType({}),
    refusal: str | None = None,
) -> Response:
    app = app_of(request)
    return page(
        request,
        "news/sources.html",
        status=200 if refusal is None else 422,
        found=app.news.sources.list(cursor=cursor or None),
        cursor=cursor,
        kinds=_HEALTH_KINDS,
        now=app.clock.now(),
        url=texts.get("url", ""),
        name=texts.get("name", ""),
        every=texts.get("everyMinutes", _EVERY_MINUTES),
        refusal=refusal,
        poll=RunCard.of(app, "news.poll", SOURCES_PATH),
        elsewhere=ExportLinks.of(
            "/v1/news/sources", f"{SOURCES_PATH}.csv", "gotgan news sources list"
        ),
    )


def show_refused_source(request: Request, sent: Form, reason: str) -> Response:
    """The list with what was typed, and why it was refused."""
    return _show_sources(request, texts=dict(sent.pairs), refusal=reason)


def added_source(added: AddedSource) -> tuple[str, str]:
    """Where to go after adding a source, and what to say."""
    return SOURCES_PATH, "news.sources.added" if added.is_new else "news.sources.known"


def removed_source(_: NewsSource) -> tuple[str, str]:
    """Where to go after removing one, and what to say."""
    return SOURCES_PATH, "news.sources.removed"
