"""The pages of the news: the feed, an item, the queue of bodies, sources, and uploads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby, takewhile
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.clock import ZONES, Zone, day_zone, stamp_in
from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import NavPage, Section, current_url, page, redirect
from gotgan.console.hints import message_with_links
from gotgan.console.lists import ExportLinks, all_items, csv_response, encoded_csv, one_of
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Editor, Form, Reader, SentForm, Viewer, app_of
from gotgan.console.uploads import MultipartForm, checked_upload
from gotgan.domains.news.claims import MAX_ATTEMPTS
from gotgan.domains.news.keys import article_id, current_date
from gotgan.domains.news.models import Health, NewsBody, NewsItem, NewsSource, Outcome, Queue
from gotgan.domains.news.reports import AddedSource
from gotgan.domains.news.service import News
from gotgan.domains.news.upload import parse_stories
from gotgan.encoding import encode, field_keys
from gotgan.errors import BadSource, BadUpload, Conflict, UsageError
from gotgan.plain_json import to_pretty_json
from gotgan.verbs import start

BodyWord: TypeAlias = Outcome | Literal["never", "progress", "waiting"]

BODY_KINDS: Final[Mapping[BodyWord, str]] = {
    "never": "none",
    "progress": "running",
    "waiting": "warning",
    "ok": "good",
    "external": "none",
    "premium": "none",
    "gone": "none",
    "blocked": "warning",
    "dead": "bad",
}
"""The state that the console draws for each word."""
router = APIRouter()

# Article texts


def _body_word(body: NewsBody | None) -> BodyWord:
    if body is None:
        return "never"
    if body.outcome is not None:
        return body.outcome
    return "progress" if body.state == "PROGRESS" else "waiting"


def may_retry(body: NewsBody | None, now: datetime) -> bool:
    """Whether a retry changes anything: not if the article is done, in progress or due."""
    if body is None or body.state == "PROGRESS":
        return False
    waits = body.due_at is not None and body.due_at > now
    return waits if body.state == "WAITING" else body.outcome in {"blocked", "dead"}


# URLs


@dataclass(frozen=True)
class MarkedUrl:
    """A URL with one part marked."""

    before: str
    part: str
    after: str


def host_of(url: str) -> str:
    """The host of a URL; empty if it is not valid."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def mark_article_id(url: str) -> MarkedUrl | None:
    """A URL with its article id marked, if it has one."""
    digits = article_id(url)
    if digits is None:
        return None
    start = re.split(r"[?#]", url, maxsplit=1)[0].rindex(digits)
    return MarkedUrl(url[:start], digits, url[start + len(digits) :])


def compare_urls(one: str, other: str) -> tuple[MarkedUrl, MarkedUrl]:
    """Two URLs, each with the part marked in which it differs from the other."""
    head = _common_prefix(one, other)
    tail = _common_prefix(one[head:][::-1], other[head:][::-1])
    first, second = (
        MarkedUrl(url[:head], url[head : len(url) - tail], url[len(url) - tail :])
        for url in (one, other)
    )
    return first, second


def _common_prefix(one: str, other: str) -> int:
    """How many characters two texts start with in common."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# Times


@dataclass(frozen=True)
class ZoneTime:
    """A moment in one zone."""

    zone: str
    """The name, such as Asia/Seoul."""
    day: str
    time: str
    abbreviation: str
    """The name of the zone at that moment: EST or EDT."""
    iso: str


def _zone_times(moment: datetime, own: str) -> list[ZoneTime]:
    """A moment in the viewer's zone and in those of the news, each zone once."""
    zones = dict.fromkeys((own, *ZONES.values()))
    stamps = {zone: stamp_in(moment, ZoneInfo(zone)) for zone in zones}
    return [
        ZoneTime(zone, stamp.day, stamp.iso[11:19], stamp.abbreviation, stamp.iso)
        for zone, stamp in stamps.items()
    ]


# The feed


@dataclass(frozen=True)
class FeedParams:
    """The filters of the feed."""

    day: date | None
    zone: Zone
    ticker: str | None


async def _feed_params(
    request: Request, day: str = "", zone: str = "", ticker: str = ""
) -> FeedParams:
    """The filters of an address; without a zone, a day is one in the zone of the settings."""
    chosen = one_of(ZONES, zone or day_zone(app_of(request).settings.zone))
    try:
        wanted = date.fromisoformat(day) if day else None
    except ValueError:
        raise HTTPException(422) from None
    return FeedParams(wanted, chosen, ticker.strip().upper() or None)


RequestedFeed = Annotated[FeedParams, Depends(_feed_params)]


@router.get("/news")
def show_feed(
    request: Request, who: Reader, app: CurrentApp, wanted: RequestedFeed, cursor: str | None = None
) -> Response:
    """The items, newest first, with the state of each text."""
    found = app.news.list(**vars(wanted), cursor=cursor or None)
    bodies = app.news.bodies_of(found)
    zone = wanted.zone if wanted.day else day_zone(who.zone, app.settings.zone)
    place = ZoneInfo(ZONES[wanted.zone]) if wanted.day else who.place
    today, day = current_date(zone, app.clock.now()), wanted.day
    after = day + timedelta(days=1) if day and day < today else None
    filters = {"day": str(day), "zone": zone} if day else {}
    return page(
        request,
        "news/feed.html",
        found=found,
        days=_by_day(found, place),
        day_zone_name=who.zone_name(place.key),
        place=place,
        words={item.pk: _body_word(bodies.get(item.pk)) for item in found},
        also_at=found.also_at,
        hosts={item.pk: host_of(item.url) for item in found},
        kinds=BODY_KINDS,
        wanted=wanted,
        zone=zone,
        day_zones=who.options("news.zone", ZONES),
        today=today,
        neighbours=(day - timedelta(days=1), after) if day else None,
        cursor=cursor,
        collect=RunCard.of(app, "news.collect", current_url(request)),
        bodies=RunCard.of(app, "news.bodies", current_url(request)),
        elsewhere=ExportLinks.of(
            "/v1/news", "/news.csv", "gotgan news list", **filters, ticker=wanted.ticker
        ),
    )


def _by_day(items: Iterable[NewsItem], place: ZoneInfo) -> list[tuple[date, list[NewsItem]]]:
    """Items in their order, by the day in a zone."""
    days = groupby(items, key=lambda item: item.uploaded_at.astimezone(place).date())
    return [(day, list(group)) for day, group in days]


@router.get("/news.csv")
def feed_file(_who: Reader, app: CurrentApp, wanted: RequestedFeed) -> Response:
    """The same items as a file; the tickers of each are in one cell."""
    found = all_items(app.news.list, **vars(wanted))
    columns = field_keys(NewsItem)
    return csv_response("news", columns, map(encode, found), cell=_joined)


def _joined(value: Any) -> Any:
    """The tickers of an item in one cell."""
    return " ".join(value) if isinstance(value, list | tuple) else value


# An item


@router.get("/news/item")
def read_item(request: Request, _who: Reader, pk: str) -> Response:
    """An item, by its key or its URL."""
    return _show_item(request, pk)


@router.post("/news/item/retry")
def retry_item(request: Request, who: Editor, form: SentForm, app: CurrentApp) -> Response:
    """Queue an article again, with all its attempts."""
    pk = form.text("pk")
    try:
        app.news.requeue(pk)
    except Conflict:
        return _show_item(request, pk, refusal=who.t("news.item.not_now"))
    return redirect(f"/news/item?{urlencode({'pk': pk})}", notice="news.retry.done")


def _show_item(request: Request, pk: str, *, refusal: str | None = None) -> Response:
    app, who = app_of(request), Viewer.of(request)
    found = app.news.get(pk)
    item, body = found.item, found.body
    return page(
        request,
        "news/item.html",
        status=200 if refusal is None else 409,
        item=item,
        host=host_of(item.url),
        clocks=_zone_times(item.uploaded_at, who.zone),
        numbered=mark_article_id(item.url),
        digest=found.why.sha256,
        also_at=found.also_at,
        alike=[(other, *compare_urls(item.url, other.url)) for other in found.look_alikes],
        body=body,
        word=_body_word(body),
        kinds=BODY_KINDS,
        most_attempts=MAX_ATTEMPTS,
        now=app.clock.now(),
        may_retry=may_retry(body, app.clock.now()),
        raw=to_pretty_json(encode(item)),
        refusal=refusal,
    )


# The queue of article texts

_QUEUES: Final[dict[str, Queue]] = {"": "retry", "dead": "dead"}
"""The queues by their words in an address."""
_MAX_COUNTED: Final = 1_000
"""Counting reads every entry, so longer queues are shown as more than this."""


@router.get("/news/bodies")
def list_bodies(
    request: Request, _who: Reader, app: CurrentApp, show: str = "", cursor: str | None = None
) -> Response:
    """The texts that wait, those that are due first; or those that were given up."""
    found, now = app.news.queue(dead=_is_dead(show), cursor=cursor), app.clock.now()
    most = _MAX_COUNTED + 1
    counts = {word: app.news.count_queued(each, at_most=most) for word, each in _QUEUES.items()}
    option, query = (" --dead", f"?show={show}") if show else ("", "")
    return page(
        request,
        "news/bodies.html",
        found=found,
        words={body.pk: _body_word(body) for body in found},
        kinds=BODY_KINDS,
        may_retry={body.pk: may_retry(body, now) for body in found},
        most_attempts=MAX_ATTEMPTS,
        now=now,
        shows={word: (min(n, _MAX_COUNTED), n > _MAX_COUNTED) for word, n in counts.items()},
        chosen=show,
        cursor=cursor,
        bodies=RunCard.of(app, "news.bodies", current_url(request, cursor=None)),
        elsewhere=ExportLinks(
            f"/v1/news/queue{'?dead=true' if show else ''}",
            f"/news/bodies.csv{query}",
            f"gotgan news queue{option}",
        ),
    )


@router.get("/news/bodies.csv")
def bodies_file(_who: Reader, app: CurrentApp, show: str = "") -> Response:
    """The same texts as a file."""
    return encoded_csv("bodies", NewsBody, all_items(app.news.queue, dead=_is_dead(show)))


@router.post("/news/bodies/retry")
def retry_all(_who: Editor, _form: SentForm, app: CurrentApp) -> Response:
    """Queue everything again that was given up."""
    app.news.retry_dead()
    return redirect("/news/bodies", notice="news.retry.all_done")


def _is_dead(word: str) -> bool:
    if word not in _QUEUES:
        raise HTTPException(404)
    return _QUEUES[word] == "dead"


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

_SOURCES_PATH: Final = "/news/sources"
_HEALTH_KINDS: Final[Mapping[Health, str]] = {"new": "none", "ok": "good", "failing": "bad"}
_EVERY_MINUTES: Final = "30"


@router.get(_SOURCES_PATH)
def list_sources(request: Request, _who: Reader, cursor: str | None = None) -> Response:
    """The other sources with their health, and the form for another one."""
    return _show_sources(request, cursor=cursor)


@router.get(f"{_SOURCES_PATH}.csv")
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
        poll=RunCard.of(app, "news.poll", _SOURCES_PATH),
        elsewhere=ExportLinks.of(
            "/v1/news/sources", f"{_SOURCES_PATH}.csv", "gotgan news sources list"
        ),
    )


def _refused_source(request: Request, sent: Form, reason: str) -> Response:
    return _show_sources(request, texts=dict(sent.pairs), refusal=reason)


def _added_source(added: AddedSource) -> tuple[str, str]:
    return _SOURCES_PATH, "news.sources.added" if added.is_new else "news.sources.known"


def _removed_source(_: NewsSource) -> tuple[str, str]:
    return _SOURCES_PATH, "news.sources.removed"


# The section

_VERBS: Final = VerbForms(
    News,
    {
        "collect": VerbForm(),
        "bodies": VerbForm(),
        "poll": VerbForm(fields=("sources",)),
        "sources.add": VerbForm(
            done=_added_source,
            refused=_refused_source,
            refusals=(UsageError, Conflict, BadSource),
        ),
        "sources.remove": VerbForm(done=_removed_source),
    },
    by_hand=("upload", "retry"),  # a file is uploaded, and a retry waits for the next run
    has_resources=True,
)
SECTION: Final = Section(
    "news",
    (
        NavPage("feed", "/news"),
        NavPage("bodies", "/news/bodies"),
        NavPage("sources", _SOURCES_PATH),
        NavPage("upload", "/news/upload"),
        *_VERBS.pages,
    ),
)
ROUTERS: Final[tuple[APIRouter, ...]] = (router, _VERBS.router)
