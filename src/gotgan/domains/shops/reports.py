"""Results of the verbs, progress of crawls and scrapes, and how their end is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Final, Literal

from gotgan.domains.shops import messages
from gotgan.domains.shops.models import (
    CrawlOutcome,
    PageVerdict,
    ScrapeOutcome,
    SelectorField,
    Shop,
    Stage,
)
from gotgan.domains.shops.stages import Stuck
from gotgan.errors import (
    AddressRefused,
    BlockPage,
    FetchError,
    FetchTimeout,
    GotganError,
    LeadsElsewhere,
    NotRecorded,
    PageError,
    PageForbidden,
    PrivateName,
    RobotsDisallowed,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
)
from gotgan.messages import Message
from gotgan.store import Cost

Hint = Literal["add_shops", "adopt_shops"]


@dataclass(frozen=True)
class ShopFailure:
    """A shop that failed, and why."""

    domain: str
    error: GotganError


@dataclass(frozen=True)
class SkippedShop:
    """A shop that another worker is processing."""

    domain: str
    reason: str
    """Which worker, and until when."""


@dataclass(frozen=True)
class DueShops:
    """Shops to be crawled or scraped next."""

    stage: Stage
    items: tuple[Shop, ...]
    """Those never done first, then those done longest ago."""
    has_more: bool
    """Whether there are more than the limit."""
    hint: Hint | None
    """Where nothing was found: no shop is registered, or other tools' shops are not adopted."""
    cost: Cost


@dataclass(frozen=True)
class StuckShops:
    """Shops whose worker stopped responding."""

    items: tuple[Stuck, ...]
    in_progress: int
    """Further claims that are not stuck."""
    hint: Hint | None
    """Where nothing was found: no shop is registered, or other tools' shops are not adopted."""
    cost: Cost


@dataclass(frozen=True)
class RelatedShops:
    """Domains with the same core name."""

    items: tuple[str, ...]
    cost: Cost


@dataclass(frozen=True)
class Released:
    """Claims that were released, and those that were not."""

    released: tuple[Stuck, ...]
    refused: tuple[ShopFailure, ...]
    cost: Cost


@dataclass(frozen=True)
class Scanned:
    """Shops without a country, found by reading the whole table."""

    due: tuple[Shop, ...]
    """In the order of their domains."""
    stuck: tuple[Stuck, ...]
    """In either stage."""
    under_way: int
    """How many claims there are, in either stage, stuck or not."""
    cost: Cost


@dataclass
class Registered:
    """The result of registering shops."""

    shown: ClassVar = ("given", "new", "placed", "adopted", "duplicates", "failed", "cost")

    new: list[Shop] = field(default_factory=list)
    """Shops that were registered."""
    placed: list[Shop] = field(default_factory=list)
    """Registered shops without a country that got one."""
    adopted: list[Shop] = field(default_factory=list)
    """Shops of another tool whose missing index keys were added."""
    duplicates: list[Shop] = field(default_factory=list)
    """Registered shops, unchanged."""
    failed: list[ShopFailure] = field(default_factory=list)
    """Shops that could not be stored."""
    cost: Cost = field(default_factory=Cost)

    @property
    def given(self) -> int:
        """How many shops were given."""
        return len(self.shops) + len(self.failed)

    @property
    def shops(self) -> list[Shop]:
        """All that are registered now."""
        return [*self.new, *self.placed, *self.adopted, *self.duplicates]


@dataclass
class ShopsAdopted:
    """How many items a run read and completed."""

    read: int = 0
    shops: int = 0
    """Shops whose index keys were completed."""
    pages: int = 0
    """Pages whose index keys were completed."""
    countries: list[str] = field(default_factory=list)
    """Countries that the registry did not have."""
    unfit: dict[str, str] = field(default_factory=dict)
    """Items that cannot be read as a shop or a page, by key, with the reason; left unchanged."""
    unfit_count: int = 0
    is_complete: bool = False
    """Whether the end of the table was reached; if not, the next run continues from here."""
    cost: Cost = field(default_factory=Cost)

    @property
    def completed(self) -> int:
        """How many items were completed."""
        return self.shops + self.pages


@dataclass(frozen=True)
class SelectorTrial:
    """What a CSS selector finds on a page; nothing was saved."""

    domain: str
    field: SelectorField
    selector: str
    url: str
    """The page that it was tried on."""
    matches: int
    """How many elements it finds."""
    texts: tuple[str, ...]
    """What the first of them say."""
    value: str | None
    """What is read from them."""
    before: str | None
    """What is read from the page without this selector."""
    source: str | None
    """Where that is from."""


@dataclass(frozen=True)
class Delivered:
    """Changes that were sent."""

    sink: str
    """The webhook or file."""
    changes: int
    shops: int
    """Shops that the changes are of."""
    stopped: str | None
    """Why it stopped early. The rest is sent the next time."""
    cost: Cost


@dataclass(frozen=True)
class CrawlStep:
    """How far a crawl has come."""

    domain: str
    pages: int
    products: int
    left: int
    """How many addresses wait; there may be more behind them."""
    url: str
    budget: int
    """How many pages are visited at most."""
    back_off: float = 0.0
    """For how many seconds the shop asked us to send no requests."""

    @property
    def to_visit(self) -> int:
        """How many of those that wait are visited, as far as is known."""
        return max(min(self.left, self.budget - self.pages), 0)


@dataclass
class CrawlReport:
    """What a crawl did, and why it ended."""

    domain: str
    outcome: CrawlOutcome = "ok"
    reason: str = ""
    pages: int = 0
    products: int = 0
    new: int = 0
    changed: int = 0
    """How many pages are of another kind than before."""
    unlike: int = 0
    """How many known products were there, and did not look like products."""
    unchanged: int = 0
    """How many pages the server knew that we have."""
    gone: int = 0
    """How many addresses lead nowhere any more."""
    removed: int = 0
    """How many products are no longer offered."""
    listed: int = 0
    """How many products were taken from the list of the shop's system, without a visit."""
    saved: int = 0
    """How many requests that list saved."""
    failed: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)
    not_before: datetime | None = None
    """When the next attempt is due, where the shop could not be reached."""

    @property
    def is_failure(self) -> bool:
        """Whether the shop could not be read: then missing products are not counted as removed."""
        return self.outcome in ("blocked", "unreachable")


def judge_crawl(
    products: int,
    *,
    trouble: FetchError | BlockPage | None,
    left: int,
    unlike: int,
    blocked: int = 0,
    door: tuple[CrawlOutcome, str] | None,
    flaw: str | None,
) -> tuple[CrawlOutcome, str]:
    """The outcome of a crawl, and why.

    ``trouble`` ended it, ``left`` counts URLs that were not visited, ``blocked`` those with a
    captcha, ``door`` is the problem of the front page, and ``flaw`` is what could not be fetched:
    empty if only that is known.
    """
    if trouble is not None:
        kinds = BlockPage | PageForbidden | TooManyRequests | RobotsDisallowed
        return ("blocked" if isinstance(trouble, kinds) else "unreachable"), trouble.message
    if blocked > products:
        return "blocked", messages.CRAWL_BLOCKED(count=blocked)
    if unlike > products:
        return "blocked", messages.UNLIKE_BLOCKED(unlike=messages.UNLIKE(count=unlike))
    if left:
        reason = messages.PAGES_LEFT(count=left)
        if unlike:
            reason = messages.UNLIKE_LEFT(unlike=messages.UNLIKE(count=unlike), left=reason)
        return "budget", reason
    if not products and door is not None:
        return door
    seen = messages.ALL_VISITED()
    if unlike:
        seen = messages.UNLIKE_KEPT(unlike=messages.UNLIKE(count=unlike))
    elif flaw is not None:
        seen = messages.SOME_FAILED_WHY(why=flaw) if flaw else messages.SOME_FAILED()
    return ("ok", seen) if products else ("empty", messages.NO_PRODUCT(seen=seen))


MAX_ABSENT: Final = 3
"""At most this many products, or as many as were read, may be absent; more are the shop's fault."""
_REFUSALS: Final = (
    LeadsElsewhere,  # to a login form
    PageError,
    PageForbidden,
    RobotsDisallowed,
    TooManyRequests,
)
_SHOP_FAILURES: Final = (
    AddressRefused,
    BlockPage,
    FetchTimeout,
    PageForbidden,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
)
UNANSWERED: Final = (FetchTimeout, NotRecorded, PrivateName, Unreachable)
"""The site sent no response: no DNS, refused, timed out."""


@dataclass(frozen=True)
class ScrapeStep:
    """The progress of a scrape, reported after each page."""

    domain: str
    pages: int
    changes: int
    """How many products are new, changed or removed so far."""
    url: str
    """The page that was just looked at."""
    result: str
    """The verdict about the page, or the code of the error."""
    back_off: float = 0.0
    """For how many seconds the shop asked us to send no requests."""


@dataclass(frozen=True)
class ScrapeReport:
    """What a scrape did, and why it ended."""

    domain: str
    outcome: ScrapeOutcome | None
    """None where another worker took the claim over and continues."""
    reason: str
    pages: int
    """How many products were looked at."""
    noted: Mapping[PageVerdict, int]
    """The number of pages by verdict."""
    failed: Mapping[str, int]
    """The number of pages that could not be read, by error code."""
    cost: Cost
    not_before: datetime | None = None
    """When the next attempt is due, where the shop could not be reached."""
    listed: int = 0
    """How many products were read from the list of the shop's system, without their pages."""
    saved: int = 0
    """How many requests that list saved."""

    @property
    def new(self) -> int:
        """How many products were seen for the first time."""
        return self.noted.get("new", 0)

    @property
    def changed(self) -> int:
        """How many products are offered otherwise than before."""
        return self.noted.get("changed", 0)

    @property
    def removed(self) -> int:
        """How many products were removed from the shop."""
        return self.noted.get("removed", 0)

    @property
    def unchanged(self) -> int:
        """How many products are as they were."""
        return self.noted.get("unchanged", 0)


def is_shop_failure(error: GotganError) -> bool:
    """Whether a failure may concern the whole shop rather than one page."""
    if isinstance(error, RobotsDisallowed):
        return error.everything
    return isinstance(error, _SHOP_FAILURES)


def judge_scrape(
    shop: Shop,
    answered: int,
    failed: Mapping[str, int],
    last: GotganError | None,
    *,
    is_hopeless: bool,
) -> tuple[ScrapeOutcome, str]:
    """The outcome of a scrape, and why: ``answered`` pages were read, ``last`` is the error."""
    if last is not None and (is_hopeless or not answered):
        return ("blocked" if isinstance(last, _REFUSALS) else "unreachable"), last.message
    misses = sum(failed.values())
    if not answered and not misses:
        return "empty", _why_no_product(shop)
    if not misses:
        return "ok", messages.ALL_CHECKED()
    codes = [messages.CODE_COUNT(code=code, count=times) for code, times in sorted(failed.items())]
    return "ok", messages.SOME_UNREAD(count=misses, total=answered + misses, codes=codes)


def _why_no_product(shop: Shop) -> Message:
    if shop.crawl_outcome is None:
        return messages.NOT_CRAWLED()
    outcome, why = messages.WORDS[shop.crawl_outcome](), shop.crawl_reason
    if why:
        return messages.NO_PRODUCT_KNOWN_WHY(outcome=outcome, why=why)
    return messages.NO_PRODUCT_KNOWN(outcome=outcome)
