"""Every page of the console: those that list something, and why the others do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from tests.unit.console.videos.filling import FIRST
from tests.unit.console.whole import SHOP

__all__ = ["LISTS", "NO_LISTS", "ListPage"]


@dataclass(frozen=True)
class ListPage:
    """A list: its route, an address with all its filters, and how others write those."""

    route: str
    filters: dict[str, str]
    """What is in the address of the page, and of the file."""
    path: str = ""
    """Where its route has something to fill in."""
    api: tuple[str, ...] = ()
    """The values that the API is asked with; those of the filters, unless it is said."""
    words: tuple[str, ...] = ()
    """The words that the command has; those of the filters, unless it is said."""
    no_command: str = ""
    """Why no command gives the same."""

    @property
    def address(self) -> str:
        """The page with its filters."""
        where = self.path or self.route
        return f"{where}?{urlencode(self.filters)}" if self.filters else where


_OF_A_SHARE: Final = {"range": "3m"}
_ITS_SPAN: Final = ("2025-07-17",)
"""It ends with the last day of the share; that of an index ends today."""
_UNTIL_TODAY: Final = ("2025-07-20",)
_GAPS: Final = {"first": "2025-10-13", "last": "2025-10-17"}

LISTS: Final = (
    ListPage("/search", {"q": "Words", "kind": "post"}),
    ListPage("/news", {"day": "2025-10-20", "zone": "kst", "ticker": "AAPL"}),
    ListPage("/news/bodies", {"show": "dead"}, api=("true",), words=("--dead",)),
    ListPage("/news/sources", {}),
    ListPage("/shops", {"country": "DE"}),
    ListPage(
        "/shops/products",
        {
            "q": "chair",
            "shop": SHOP,
            "country": "DE",
            "status": "AVAILABLE",
            "currency": "EUR",
            "min": "10",
            "max": "2000",
            "sort": "-price",
        },
        words=("chair", f"--domains={SHOP}", "--country=DE", "--sort=-price"),
    ),
    ListPage("/shops/changes", {"kind": "new", "shop": SHOP}),
    ListPage(
        "/shops/shop",
        {"domain": SHOP, "show": "product"},
        api=("product",),
        words=(SHOP, "product"),
    ),
    ListPage("/market/days", {"year": "2024"}, api=("2024-12",), words=("2024-12",)),
    ListPage(
        "/market/stocks",
        {"q": "Share of", "market": "KOSPI", "sort": "-change"},
        words=("Share of", "--market", "KOSPI", "--sort=-change"),
    ),
    ListPage(
        "/market/stocks/{ticker}",
        _OF_A_SHARE,
        path="/market/stocks/000010",
        api=_ITS_SPAN,
        words=("000010", *_ITS_SPAN),
    ),
    ListPage(
        "/market/indices/{code}",
        _OF_A_SHARE,
        path="/market/indices/1001",
        api=_UNTIL_TODAY,
        words=("1001", *_UNTIL_TODAY),
    ),
    ListPage("/market/screens/{kind}", {"day": "2025-10-17"}, path="/market/screens/oversold"),
    ListPage("/market/gaps", _GAPS),
    ListPage("/videos", {}),
    ListPage("/videos/jobs", {"status": "completed", "video": FIRST}),
    ListPage("/videos/versions", {}),
    ListPage("/site/posts", {"category": "notices", "q": "Words"}),
    ListPage("/site/drafts", {}),
    ListPage("/site/categories", {}),
    ListPage("/site/banners", {}),
    ListPage("/site/inquiries", {"status": "new"}),
    ListPage("/site/mails", {"show": "waiting"}),
    ListPage("/site/people", {}),
    ListPage("/site/tokens", {}),
    ListPage("/schedule", {"job": "news.collect", "status": "done"}),
    ListPage("/setup", {}),
    ListPage(
        "/ops/events",
        {"name": "news.", "level": "error"},
        no_command="only the process that serves remembers them",
    ),
    ListPage(
        "/ops/costs", {"by": "table"}, no_command="only the process that serves has counted them"
    ),
    ListPage("/ops/settings", {"origin": "default"}),
)

_A_RECORD: Final = "it is one record"
_A_FORM: Final = "it is a form"
_A_READ: Final = "it is one read, with its own line of the same in Python, CLI and AWS CLI"

NO_LISTS: Final = {
    "/": "it is the front, whose parts lead to the lists",
    "/jump": "it leads to a page by its name",
    "/sign-in": _A_FORM,
    "/docs": "it is the reference of the API",
    "/docs/errors": "it is the reference of errors",
    "/day": "it leads to the day of today",
    "/day/{day}": "it is one day",
    "/news/item": _A_RECORD,
    "/news/upload": _A_FORM,
    "/news/runs": "it is how runs stand",
    "/shops/product": _A_RECORD,
    "/shops/runs": "it is how runs stand",
    "/shops/selectors": "it is a form with the few selectors of a shop",
    "/market": "it is the front of the market, whose parts lead to the lists",
    "/market/runs": "it is how runs stand",
    "/site/runs": "it is how runs stand",
    "/market/days/{day}": _A_RECORD,
    "/market/indices": "it leads to the first of the indices",
    "/market/screens": "it is the first of the screens",
    "/market/recover": _A_FORM,
    "/videos/compare": "it is two records",
    "/videos/import": "it leads to the form of the list",
    "/videos/jobs/{job_id}": _A_RECORD,
    "/videos/{video_id}": _A_RECORD,
    "/site/company": _A_RECORD,
    "/site/posts/{record_id}": _A_RECORD,
    "/site/drafts/{record_id}": _A_RECORD,
    "/site/inquiries/{record_id}": _A_RECORD,
    "/site/mails/{record_id}": _A_RECORD,
    "/site/people/{user_id}": _A_RECORD,
    **dict.fromkeys(
        (
            "/site/posts/new",
            "/site/posts/{record_id}/edit",
            "/site/drafts/new",
            "/site/drafts/{record_id}/edit",
            "/site/categories/new",
            "/site/categories/{record_id}/edit",
            "/site/banners/new",
            "/site/banners/{record_id}/edit",
            "/site/people/new",
        ),
        _A_FORM,
    ),
    "/tables": "it leads to the tables, of which there is a handful",
    "/tables/{name}": _A_READ,
    "/tables/{name}/patterns": "it leads to the patterns, as they are declared",
    "/tables/{name}/patterns/{pattern}": _A_READ,
    "/tables/{name}/item": _A_RECORD,
    "/tables/sql/{name}": "it is one read, with its own line of the same in SQL",
}
"""By the routes."""
