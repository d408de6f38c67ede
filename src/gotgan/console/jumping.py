"""What the box that jumps finds: pages by their names, days, and things by theirs.

Each is one read by a key or of an index, and only where the server has the section and whoever asks
may see it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from gotgan.app import App
from gotgan.console.day.places import day_named, zone_of
from gotgan.console.day.strips import tried
from gotgan.console.given import app_of
from gotgan.console.sections import Section, find, name_of, visible
from gotgan.console.shops.shop import address as shop_page
from gotgan.console.videos.places import video_page
from gotgan.console.viewer import Viewer
from gotgan.domains.videos.keys import video_id_of
from gotgan.errors import NotFound, UsageError

__all__ = ["JumpTarget", "choices_for"]

_TICKER: Final = re.compile(r"[A-Z]{1,5}([.-][A-Z]{1,2})?")
"""As exchanges of the United States write them."""
_LONGEST: Final = 300
"""How many letters are looked at; an address of a video may have some."""


@dataclass(frozen=True)
class JumpTarget:
    """A page that may be meant."""

    kind: str
    """The text of the catalogue that says what it is, behind ``frame.jump.``."""
    name: str
    path: str


def choices_for(request: Request, who: Viewer, words: str) -> list[JumpTarget]:
    """What somebody may mean; news about a ticker only where nothing else is called so."""
    wanted, sections = words.strip()[:_LONGEST], visible(request.app.state.sections, who)
    if not wanted:
        return []
    found = [*_places(request, who, sections, wanted), *_things(app_of(request), sections, wanted)]
    return found or [*_news(sections, wanted)]


def _places(
    request: Request, who: Viewer, sections: Sequence[Section], words: str
) -> Iterator[JumpTarget]:
    path = find(sections, who, words)
    if path is not None:
        yield JumpTarget("page", name_of(sections, who, path), path)
    day = day_named(sections, words, zone_of(request))
    if day is not None:
        yield JumpTarget("day", words, day)


def _things(app: App, sections: Iterable[Section], words: str) -> Iterator[JumpTarget]:
    there = {section.key for section in sections}
    for key, look in _LOOKS.items():
        if key in there:
            yield from tried(key, partial(look, app, words)) or ()


def _shares(app: App, words: str) -> list[JumpTarget]:
    return [
        JumpTarget("share", f"{row.name} {row.ticker}", f"/market/stocks/{quote(row.ticker)}")
        for row in app.market.find(words)
    ]


def _shops(app: App, words: str) -> list[JumpTarget]:
    try:
        shop = app.shops.get(words)
    except (NotFound, UsageError):
        return []
    return [JumpTarget("shop", shop.domain, shop_page(shop.domain))]


def _videos(app: App, words: str) -> list[JumpTarget]:
    """A video by its address, or by its id where anything is known of it."""
    try:
        video_id = video_id_of(words)
    except UsageError:
        return []
    is_meant = video_id != words or app.videos.is_known(video_id)
    return [JumpTarget("video", video_id, video_page(video_id))] if is_meant else []


def _news(sections: Iterable[Section], words: str) -> Iterator[JumpTarget]:
    """The news about a ticker in capitals; nothing is read, for no index has tickers."""
    if _TICKER.fullmatch(words) and any(section.key == "news" for section in sections):
        yield JumpTarget("news", words, f"/news?{urlencode({'ticker': words})}")


_LOOKS: Final[Mapping[str, Callable[[App, str], list[JumpTarget]]]] = {
    "market": _shares,
    "shops": _shops,
    "videos": _videos,
}
"""Who looks for a thing, by the section that shows it."""
