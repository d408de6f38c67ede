"""The search page, and the box that jumps: to pages and days by name, else to what was found.

The box leads on where exactly one page, day or thing has the name that was typed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.binder import VerbForm, add_form
from gotgan.console.day.addresses import day_path, viewer_zone
from gotgan.console.frame import (
    find_pages,
    page,
    redirect,
    visible_sections,
)
from gotgan.console.lists import ExportLinks, all_items, encoded_csv
from gotgan.console.parts import read_or_none
from gotgan.console.session import CurrentApp, CurrentViewer, Reader, Viewer, app_of
from gotgan.console.shops import shop_path
from gotgan.console.texts import catalogue
from gotgan.console.videos.display import video_page
from gotgan.day.calendar import FIRST_DAY
from gotgan.day.written import written_day
from gotgan.domains.shops.sites import parse_domain
from gotgan.domains.videos.keys import parse_video_id
from gotgan.errors import UsageError
from gotgan.search.reports import SearchHit
from gotgan.search.service import Search
from gotgan.search.snippets import MarkedText
from gotgan.verbs import verbs_of

router = APIRouter()
_MAX_WORDS_LENGTH: Final = 300
"""Room for the URL of a video."""
_PAGE_SIZE: Final = 20
_TICKER: Final = re.compile(r"[A-Z]{1,5}([.-][A-Z]{1,2})?")
"""As exchanges of the United States write them."""
_THINGS: Final = ("share", "index", "shop", "video")
"""The kinds that the box leads on to: things with names of their own."""
PATHS: Final[Mapping[str, Callable[[str], str]]] = {
    "story": lambda pk: f"/news/item?{urlencode({'pk': pk})}",
    "share": lambda ticker: f"/market/stocks/{quote(ticker, safe='')}",
    "index": lambda code: f"/market/indices/{quote(code, safe='')}",
    "shop": shop_path,
    "product": lambda url: f"/shops/product?{urlencode({'url': url})}",
    "video": video_page,
    "comment": lambda name: video_page(name.partition("/")[0]),
    "post": lambda name: f"/site/posts/{quote(name, safe='')}",
    "draft": lambda name: f"/site/drafts/{quote(name, safe='')}",
    "inquiry": lambda name: f"/site/inquiries/{quote(name, safe='')}",
}
"""The page of a document by its kind; those of other packages have none."""


@dataclass(frozen=True)
class JumpTarget:
    """A page that the words may name."""

    kind: str
    """The last part of the key ``search.kind.…`` of its text."""
    name: str
    path: str
    is_exact: bool = True


def _jump_targets(request: Request, who: Viewer, words: str) -> list[JumpTarget]:
    """The pages, days and things that words name; pages also if their names begin so."""
    sections = visible_sections(request.app.state.sections, who)
    keys = {section.key for section in sections}
    found = [
        JumpTarget("page", each.name, each.path, is_exact=each.is_exact)
        for each in find_pages(sections, who, words)
    ]
    if "day" in keys and (day := _day_target(request, words)) is not None:
        found.append(day)
    if "videos" in keys and (video_id := _video_of_url(words)) is not None:
        return [*found, JumpTarget("video", video_id, video_page(video_id))]
    if _has_index(request):
        named = read_or_none("search", lambda: _named(app_of(request), who, words))
        found += [each for each in named or () if _section_of(each.kind) in keys]
    return found


def _day_target(request: Request, words: str) -> JumpTarget | None:
    """The page of a day, however it is written."""
    zone, app = viewer_zone(request), app_of(request)
    today = app.day.today(zone)
    day = written_day(words, today)
    if day is None or not FIRST_DAY <= day <= today:
        return None
    return JumpTarget("day", day.isoformat(), day_path(day, zone))


def _video_of_url(words: str) -> str | None:
    """The video of a URL, also of one that is not known yet."""
    try:
        video_id = parse_video_id(words)
    except UsageError:
        return None
    return None if video_id == words else video_id


def _named(app: App, who: Viewer, words: str) -> list[JumpTarget]:
    """What has this name, or is the shop of this address; of a ticker alone its news."""
    hits = [*app.search.exact(words, by=who.caller)]
    if (host := _host(words)) is not None:
        hits += app.search.exact(host, by=who.caller)
    things = {(hit.kind, hit.id): hit for hit in hits if hit.kind in _THINGS}
    if things:
        return [
            JumpTarget(hit.kind, _thing_name(hit), PATHS[hit.kind](hit.id))
            for hit in things.values()
        ]
    ticker = words.upper()
    if _TICKER.fullmatch(ticker) and any(hit.kind == "story" for hit in hits):
        return [JumpTarget("story", ticker, f"/news?{urlencode({'ticker': ticker})}")]
    return []


def _host(words: str) -> str | None:
    """The host of a URL, without ``www.``."""
    try:
        host = parse_domain(words) if "." in words else None
    except UsageError:
        return None
    return host and host.removeprefix("www.")


def _thing_name(hit: SearchHit) -> str:
    return hit.title.text if hit.id == hit.title.text else f"{hit.title.text} {hit.id}"


def _section_of(kind: str) -> str:
    return {"share": "market", "index": "market", "shop": "shops", "story": "news"}.get(
        kind, "videos"
    )


def _has_index(request: Request) -> bool:
    """Whether this server has the relational side, where the index is."""
    return "market" in request.app.state.domains


@router.get("/jump")
def jump(request: Request, who: CurrentViewer, to: str = "") -> Response:
    """Go to the only page, day or thing of this name, else to what is found."""
    words = to.strip()[:_MAX_WORDS_LENGTH]
    exact = [each for each in _jump_targets(request, who, words) if each.is_exact] if words else []
    paths = {each.path for each in exact}
    return redirect(paths.pop() if len(paths) == 1 else f"/search?{urlencode({'q': words})}")


Words = Annotated[str, Query(max_length=1_000)]
KindChoice = Annotated[str, Query(max_length=30, pattern="^([a-z][a-z_]*)?$")]


@router.get("/search")
def show_results(
    request: Request,
    who: Reader,
    app: CurrentApp,
    q: Words = "",
    kind: KindChoice = "",
    cursor: str | None = None,
) -> Response:
    """What is found, with pages and days of that name above."""
    words, found = q.strip()[:_MAX_WORDS_LENGTH], None
    if words and _has_index(request):
        kinds = (kind,) if kind else ()
        found = app.search.find(words, kinds=kinds, limit=_PAGE_SIZE, cursor=cursor, by=who.caller)
    return page(
        request,
        "search.html",
        words=words,
        kind=kind,
        cursor=cursor,
        found=found,
        everything=sum(each.count for each in found.kinds) if found else 0,
        is_cut=any(each.is_bounded for each in found.kinds) if found else False,
        choices=_jump_targets(request, who, words) if words and not cursor and not kind else (),
        path_of=_path_of,
        marked=marked_html,
        named_by_id=_THINGS,
        kind_word=lambda each: _kind_word(who, each),
        elsewhere=_links(words, kind) if found else None,
    )


@router.get("/search.csv")
def download_results(who: Reader, app: CurrentApp, q: Words, kind: KindChoice = "") -> Response:
    """The same as a file."""
    kinds = (kind,) if kind else ()
    hits = all_items(app.search.find, words=q, kinds=kinds, by=who.caller)
    return encoded_csv("search", SearchHit, hits)


def _links(words: str, kind: str) -> ExportLinks:
    """The same search for programs."""
    kinds = {"kinds": kind} if kind else {}
    option, end = (["--kinds", kind] if kind else []), ["--"] * words.startswith("-")
    command = shlex.join(["gotgan", "search", "find", *option, *end, words])
    return ExportLinks(
        json=f"/v1/search?{urlencode({'words': words, **kinds})}",
        csv=f"/search.csv?{urlencode({'q': words, **({'kind': kind} if kind else {})})}",
        cli=command,
    )


for name in ("refresh", "rebuild"):
    add_form(router, verbs_of(Search)[name], VerbForm())


def _path_of(hit: SearchHit) -> str | None:
    path = PATHS.get(hit.kind)
    return None if path is None else path(hit.id)


def _kind_word(who: Viewer, kind: str) -> str:
    """The word for a kind; that of another package is shown as it is."""
    key = f"search.kind.{kind}"
    return who.t(key) if key in catalogue() else kind


def marked_html(text: MarkedText) -> Markup:
    """A text with its marks as HTML; the text is escaped."""
    parts = (
        Markup("<mark>{}</mark>").format(part) if is_marked else escape(part)
        for part, is_marked in text.parts
    )
    return Markup().join(parts)
