"""The page of an item, and the queue of article texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final, Literal, TypeAlias
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.clock import ZONES, stamp_in
from gotgan.console.frame import current_url, page, redirect
from gotgan.console.lists import ExportLinks, all_items, encoded_csv
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Editor, Reader, SentForm, Viewer, app_of
from gotgan.domains.news.claims import MAX_ATTEMPTS
from gotgan.domains.news.keys import article_id
from gotgan.domains.news.models import NewsBody, Outcome, Queue
from gotgan.encoding import encode
from gotgan.errors import Conflict
from gotgan.plain_json import to_pretty_json

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


def body_word(body: NewsBody | None) -> BodyWord:
    """The state of an article text in a word."""
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
        word=body_word(body),
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
        words={body.pk: body_word(body) for body in found},
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
