"""Which stories there are at a moment: the same each time, by the seed and the day."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final, Literal
from uuid import UUID

from gotgan.world.news.headlines import headline, slug_of
from gotgan.world.scene import Scene, chance

__all__ = [
    "NEWSPAPER",
    "RELUCTANT",
    "YAHOO",
    "Channel",
    "StoryKind",
    "WorldStory",
    "find",
    "newest",
]

YAHOO: Final = "finance.yahoo.com"
NEWSPAPER: Final = "www.example-news.test"
RELUCTANT: Final = "www.example-ledger.test"
"""A newspaper whose robots.txt wants nobody."""

Channel = Literal["latest", "feed"]
"""The list page and the feed show different stories."""


class StoryKind(enum.Enum):
    """What stands behind a link."""

    STORY = "an article on the site itself"
    VIDEO = "a film, with a sentence or two"
    OFF_SITE = "an article on the publisher's own site"
    MAGAZINE = "/m/: an address without a number, which robots.txt disallows"
    REPORT = "a research report for subscribers, with digits that are no article's number"
    PREMIUM = "an article of which only subscribers see more than the beginning"
    STUB = "a page that only leads to the publisher's"
    GONE = "an article that was taken back: 410"
    MISSING = "an article that is still listed and no longer there: 404"


@dataclass(frozen=True)
class WorldStory:
    """A story, and the address that lists show for it."""

    kind: StoryKind
    uuid: str
    title: str
    tickers: tuple[str, ...]
    language: str
    publisher: str
    at: datetime
    path: str
    host: str = YAHOO
    query: str = ""

    @property
    def elsewhere(self) -> str:
        """The path on the publisher's own site, where the site's page only leads there."""
        return f"/{self.uuid}/"

    @property
    def href(self) -> str:
        """What a list's link says: without a host where it is the site's own."""
        return self._place(absolute=self.host != YAHOO)

    @property
    def address(self) -> str:
        """The link's address in full."""
        return self._place(absolute=True)

    def _place(self, *, absolute: bool) -> str:
        query = f"?{self.query}" if self.query else ""
        return (f"https://{self.host}" if absolute else "") + self.path + query


_DECK: Final = (
    *([StoryKind.STORY] * 29),
    *([StoryKind.OFF_SITE] * 5),
    *([StoryKind.VIDEO] * 3),
    *([StoryKind.PREMIUM] * 3),
    *([StoryKind.MAGAZINE] * 2),
    *([StoryKind.REPORT] * 2),
    *([StoryKind.STUB] * 2),
    StoryKind.GONE,
    StoryKind.MISSING,
)
"""A day's stories, one for each half hour."""
_SLOT: Final = timedelta(days=1) / len(_DECK)
_MORNING: Final = timedelta(hours=6, minutes=5, seconds=59, milliseconds=667)
"""Every day has a story of this moment, so the same number stands in the addresses of each day."""
_SECTIONS: Final = (
    "news",
    "news",
    "markets/stocks/articles",
    "markets/commodities/articles",
    "technology/ai/articles",
    "personal-finance/banking/articles",
    "economy/policy/articles",
)
_PUBLISHERS: Final = ("Ledger Wire", "The Daily Tally", "Market Lantern", "Harbour Business Press")
_AGAIN: Final = timedelta(minutes=40)
_SECOND_LINK: Final = "src=latest&guccounter=1"
"""One story a day is listed again a little later, by a link that differs."""
_MEMORY: Final = 31
"""For how many days an article can be read."""


def newest(scene: Scene, count: int, channel: Channel = "latest") -> list[WorldStory]:
    """The newest stories at the scene's moment, the latest first."""
    return list(islice(_backwards(scene, channel), count))


def find(scene: Scene, host: str, path: str) -> WorldStory | None:
    """The story that is read at an address, whatever its query."""
    for channel in ("latest", "feed"):
        for story in _backwards(scene, channel):
            if _is_at(story, host, path):
                return story
    return None


def _is_at(story: WorldStory, host: str, path: str) -> bool:
    places = ((story.host, story.path), (NEWSPAPER, story.elsewhere))
    return (host, path) in places and story.query != _SECOND_LINK


def _backwards(scene: Scene, channel: Channel) -> Iterator[WorldStory]:
    for days in range(_MEMORY):
        day = scene.now.date() - timedelta(days=days)
        for story in reversed(_stories_of(scene.seed, day, channel)):
            if story.at <= scene.now:
                yield story


@lru_cache(maxsize=4 * _MEMORY)
def _stories_of(seed: int, day: date, channel: Channel) -> tuple[WorldStory, ...]:
    """A day's stories in the order of time."""
    dice = chance(seed, channel, day)
    deck = list(_DECK)
    dice.shuffle(deck)
    stories = [_story(dice, kind, at) for kind, at in zip(deck, _moments(dice, day), strict=True)]
    first = next(story for story in stories if story.kind is StoryKind.STORY)
    stories.append(replace(first, at=first.at + _AGAIN, query=_SECOND_LINK))
    return tuple(sorted(stories, key=lambda story: story.at))


def _moments(dice: Random, day: date) -> Iterator[datetime]:
    midnight = datetime.combine(day, time(), UTC)
    for slot in range(len(_DECK)):
        start = slot * _SLOT
        within = timedelta(milliseconds=dice.randrange(int(_SLOT.total_seconds() * 1000)))
        is_morning = start <= _MORNING < start + _SLOT
        yield midnight + (_MORNING if is_morning else start + within)


def _story(dice: Random, kind: StoryKind, at: datetime) -> WorldStory:
    about = headline(dice)
    uuid = str(UUID(int=dice.getrandbits(128), version=4))
    host, path, query = _place(dice, kind, at, slug_of(about.title), uuid)
    return WorldStory(
        kind=kind,
        uuid=uuid,
        title=about.title,
        tickers=about.tickers,
        language=about.language,
        publisher=dice.choice(_PUBLISHERS),
        at=at,
        path=path,
        host=host,
        query=query,
    )


def _place(
    dice: Random, kind: StoryKind, at: datetime, slug: str, uuid: str
) -> tuple[str, str, str]:
    """Host, path and query of a story."""
    numbered = f"{slug}-{at:%H%M%S}{at.microsecond // 1000:03}.html"
    match kind:
        case StoryKind.OFF_SITE:
            host = dice.choice((NEWSPAPER, NEWSPAPER, RELUCTANT))
            return host, f"/{at:%Y/%m/%d}/{slug}/", "src=A00220&yptr=yahoo"
        case StoryKind.MAGAZINE:
            return YAHOO, f"/m/{uuid}/{slug}.html", ""
        case StoryKind.REPORT:
            report = f"ARGUS_{dice.randint(10_000, 99_999)}_AnalystReport"
            path = f"/research/reports/{report}_{int(at.timestamp() * 1000)}"
            return YAHOO, path, "yptr=yahoo&ncid=example_reports"
        case StoryKind.VIDEO:
            return YAHOO, f"/video/{numbered}", ""
        case _:
            return YAHOO, f"/{dice.choice(_SECTIONS)}/{numbered}", ""
