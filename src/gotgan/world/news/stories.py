"""The stories that exist at a moment, about invented companies: they follow from seed and day."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final, Literal
from uuid import UUID

from gotgan.world.scene import Scene, seeded_random


@dataclass(frozen=True)
class WorldCompany:
    """A company or an index with a ticker."""

    name: str
    symbol: str


@dataclass(frozen=True)
class Headline:
    """A title and its tickers."""

    title: str
    tickers: tuple[str, ...]
    language: str


COMPANIES: Final = (
    WorldCompany("Hangang Semiconductor", "HNGS"),
    WorldCompany("Brookwater Energy", "BRKW"),
    WorldCompany("Alder & Finch", "ALFN"),
    WorldCompany("Northlight Robotics", "NLRB"),
    WorldCompany("Quarry Foods", "QRYF"),
    WorldCompany("Meridian Freight", "MDFR"),
    WorldCompany("Solva Pharma", "SLVP"),
    WorldCompany("Tessel Cloud", "TSCL"),
    WorldCompany("Copperline Bank", "CPLB"),
    WorldCompany("Vantage Orbit", "VNOB"),
    WorldCompany("Halcyon Motors", "HLCM"),
    WorldCompany("Juniper Row", "JNRW"),
    WorldCompany("Kestrel Air", "KSTA"),
    WorldCompany("Gridstone Power", "GRDP"),
    WorldCompany("Pinecrest Homes", "PNCH"),
    WorldCompany("Marlow Biotech", "MRLB"),
    WorldCompany("Oakhurst Insurance", "OKHI"),
    WorldCompany("Bluefen Software", "BLFN"),
    WorldCompany("Redshore Mining", "RDSH-B"),
    WorldCompany("Seongsan Heavy", "942010.KS"),
)
_MARKETS: Final = (
    WorldCompany("the S&P 500", "^GSPC"),
    WorldCompany("crude oil", "CL=F"),
    WorldCompany("bitcoin", "BTC-USD"),
)

_ENGLISH: Final = (
    "{a} tops estimates as orders grow {n}%",
    "{a} shares fall {n}% after a cautious outlook",
    "Why {a} and {b} are moving today",
    "{a} to buy a {n}% stake in {b}",
    "Analysts lift price targets on {a}, {b} and {c}",
    "{a}’s margin slips below {n}% for the first time since 2019",  # noqa: RUF001 - as newspapers write it
    '"We are not done": {a} plans {n} new sites',
    "{a} vs. {b}: which one is cheaper at <{n} times earnings?",
    "Is {a} stock a buy before its report?",
    "{a} recalls {n},000 units over a faulty part",
    "Rate cut hopes lift {m}; {a} leads",
    "{a} names a new chief financial officer",
    "What {a}'s dividend of {n} cents says about {b}",
    "Tariff ruling would add to uncertainty for {a} & {b}",
    "Five charts that explain the week in {t}",
    "Households spend {n}% more on {t}, a survey finds",
    "What savers should know about {t} this season",
    "What {n} days of gains in {m} mean for {a}",
    "{a} opens its café-style branches in {n} cities",
)
_GERMAN: Final = (
    "{a} übertrifft die Erwartungen um {n} %",
    "Warum {a} und {b} heute gefragt sind",
    "Größter Auftrag seit Jahren für {a}",
)
_KOREAN: Final = (
    "{a}, 분기 영업이익 {n}% 증가",
    "{a}·{b} 동반 상승 … 외국인 순매수",
    "{a} 신규 공장 {n}곳 세운다",
)
_TOPICS: Final = (
    "housing",
    "air travel",
    "bonds",
    "health care",
    "energy",
    "groceries",
    "insurance",
)
_TITLES: Final = {"en-US": _ENGLISH, "de-DE": _GERMAN, "ko-KR": _KOREAN}
_UNUSUAL: Final = 0.06
"""The share of headlines in each other language than English."""


def make_headline(dice: Random) -> Headline:
    """A random headline."""
    throw = dice.random()
    language = "de-DE" if throw < _UNUSUAL else "ko-KR" if throw < 2 * _UNUSUAL else "en-US"
    template = dice.choice(_TITLES[language])
    parts = dict(zip("abc", dice.sample(COMPANIES, 3), strict=True)) | {"m": dice.choice(_MARKETS)}
    names = {letter: company.name for letter, company in parts.items()}
    title = template.format(**names, n=dice.randint(2, 40), t=dice.choice(_TOPICS))
    tickers = [parts[letter].symbol for letter in parts if f"{{{letter}}}" in template]
    return Headline(title, tuple(tickers), language)


def slugify(title: str) -> str:
    """A title as URLs have it."""
    letters = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", letters.replace("'", ""))
    return "-".join(words[:9]) or "story"


YAHOO: Final = "finance.yahoo.com"
NEWSPAPER: Final = "www.example-news.test"
CLOSED_NEWSPAPER: Final = "www.example-ledger.test"
"""A newspaper whose robots.txt disallows everything."""

Channel = Literal["latest", "feed"]
"""The list page and the feed show different stories."""


class StoryKind(enum.Enum):
    """What a link leads to."""

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
    """A story and its URL in lists."""

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
        """The path on the publisher's site, for pages that only link there."""
        return f"/{self.uuid}/"

    @property
    def href(self) -> str:
        """The link in a list: without a host on the site itself."""
        return self._place(absolute=self.host != YAHOO)

    @property
    def address(self) -> str:
        """The whole URL."""
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
"""Every day has a story at this time, so the same number is in URLs of each day."""
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
_SECOND_LINK_AFTER: Final = timedelta(minutes=40)
_SECOND_LINK: Final = "src=latest&guccounter=1"
"""One story a day is listed again a little later, by a link that differs."""
_MAX_AGE_DAYS: Final = 31
"""For how many days an article can be read."""


def newest_stories(scene: Scene, count: int, channel: Channel = "latest") -> list[WorldStory]:
    """The newest stories at the scene's moment, the latest first."""
    return list(islice(_backwards(scene, channel), count))


def find_story(scene: Scene, host: str, path: str) -> WorldStory | None:
    """The story at a URL, whatever its query."""
    for channel in ("latest", "feed"):
        for story in _backwards(scene, channel):
            if _is_at(story, host, path):
                return story
    return None


def _is_at(story: WorldStory, host: str, path: str) -> bool:
    places = ((story.host, story.path), (NEWSPAPER, story.elsewhere))
    return (host, path) in places and story.query != _SECOND_LINK


def _backwards(scene: Scene, channel: Channel) -> Iterator[WorldStory]:
    for days in range(_MAX_AGE_DAYS):
        day = scene.now.date() - timedelta(days=days)
        for story in reversed(_day_stories(scene.seed, day, channel)):
            if story.at <= scene.now:
                yield story


@lru_cache(maxsize=4 * _MAX_AGE_DAYS)
def _day_stories(seed: int, day: date, channel: Channel) -> tuple[WorldStory, ...]:
    """A day's stories in the order of time."""
    dice = seeded_random(seed, channel, day)
    deck = list(_DECK)
    dice.shuffle(deck)
    stories = [_story(dice, kind, at) for kind, at in zip(deck, _moments(dice, day), strict=True)]
    first = next(story for story in stories if story.kind is StoryKind.STORY)
    stories.append(replace(first, at=first.at + _SECOND_LINK_AFTER, query=_SECOND_LINK))
    return tuple(sorted(stories, key=lambda story: story.at))


def _moments(dice: Random, day: date) -> Iterator[datetime]:
    midnight = datetime.combine(day, time(), UTC)
    for slot in range(len(_DECK)):
        start = slot * _SLOT
        within = timedelta(milliseconds=dice.randrange(int(_SLOT.total_seconds() * 1000)))
        is_morning = start <= _MORNING < start + _SLOT
        yield midnight + (_MORNING if is_morning else start + within)


def _story(dice: Random, kind: StoryKind, at: datetime) -> WorldStory:
    about = make_headline(dice)
    uuid = str(UUID(int=dice.getrandbits(128), version=4))
    host, path, query = _place(dice, kind, at, slugify(about.title), uuid)
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
            host = dice.choice((NEWSPAPER, NEWSPAPER, CLOSED_NEWSPAPER))
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
