"""Something in every table: each kind of item, odd values, and rows of the relational side."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import insert

from gotgan.app import App
from gotgan.console.tables.patterns import parameters_of
from gotgan.domains.market import messages
from gotgan.domains.market.keys import INDICATOR_LOG, MARKET_FETCHES, STOCK_PRICES
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import SHOPS, Delivery
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import ROLES
from gotgan.store import Table, patterns_of
from gotgan.store.patterns import AnyPattern
from tests.unit.console.news.filling import YAHOO, dead, done, stored, waiting
from tests.unit.console.shops.filling import added, claimed, crawled, product, seen
from tests.unit.domains.site.records import caller

__all__ = [
    "LONG",
    "ODD",
    "PATTERNS",
    "PRICES",
    "Filled",
    "arguments",
    "fill",
    "fill_relational",
    "is_code",
    "pk_of",
]

PATTERNS: list[tuple[Table, AnyPattern]] = [
    (table, pattern)
    for table in (NEWS_ITEMS, NEWS_BODIES, SHOPS, SITE)
    for pattern in patterns_of(table)
]
"""Every access pattern of every table."""
EARLY, LATE = "2000-01-01T00:00:00Z", "2200-01-01T00:00:00Z"
SINK = "file-0123456789abcdef"
LONG = "곳간 " * 50_000
PRICES = 130
"""How many rows the table of prices has, over two days."""
ODD: dict[str, Any] = {
    "pk": {"S": "SHOP#odd.test"},
    "sk": {"S": "ODD#<b>1</b>"},
    "bytes": {"B": b"\x00\xffbytes"},
    "numbers": {"NS": ["1", "2.5"]},
    "texts": {"SS": ["a", "b"]},
    "blobs": {"BS": [b"one"]},
    "nested": {"M": {"list": {"L": [{"N": "7"}, {"M": {"deep": {"BOOL": True}}}]}}},
    "nothing": {"NULL": True},
    "truth": {"BOOL": False},
    "long": {"S": LONG},
    "script": {"S": "<script>alert(1)</script>"},
}
"""An item that nobody declared, with a value of each type."""


@dataclass(frozen=True)
class Filled:
    """What is there, by the names that access patterns have for it."""

    names: dict[str, str]
    secrets: tuple[str, ...]
    """What no page may show."""


def fill(app: App) -> Filled:
    """Fill every table; there is a user of each role, called after its first letter."""
    for role in ROLES:
        app.site.users.create(id=role[0], display_name=role, role=role)
    return Filled({**_shops(app), **_news(app), **_site(app)}, _secrets(app))


def arguments(filled: Filled, pattern: AnyPattern) -> dict[str, str]:
    """What a pattern is told, under the names of its fields."""
    names = filled.names
    return {
        each.field: names.get(f"{pattern.name}.{each.name}") or names[each.name]
        for each in parameters_of(pattern)
    }


def _shops(app: App) -> dict[str, str]:
    for number in range(4):
        added(app, f"neu-{number}.test")
    for domain in ("done.test", "stale.test"):
        added(app, domain)
        crawled(app, domain)
    added(app, "busy.test")
    claimed(app, "busy.test")
    app.store.calls.driver.call("PutItem", {"TableName": "aura-historia-data", "Item": ODD})
    app.store.put_new(Delivery(domain="done.test", sink=SINK, settled_at=app.clock.now()))
    pages = [product(app, "done.test", f"p{number:03}") for number in range(60)]
    for price in (12_000, 9_900):
        seen(app, pages[0], price, Status.AVAILABLE, title="Kommode")
    return {
        "domain": "done.test",
        "country": "DE",
        "page_type": "product",
        "core_domain_name": app.shops.get("done.test").core_domain_name,
        "sink": SINK,
        "page.url": pages[0].url,
        "slot": "A",
        "after": EARLY,
        "before": LATE,
        "first": EARLY,
        "last": LATE,
        "now": LATE,
        "since": EARLY,
        "until": LATE,
    }


def _news(app: App) -> dict[str, str]:
    first = stored(app, "Chips", f"{YAHOO}/chips-123456789.html", ("NVDA", "BRK-B"))
    done(app, first, text="Words. " * 900, author="기자", language="ko", word_count=900)
    waiting(app, stored(app, "Later"))
    dead(app, stored(app, "Given up"))
    return {
        "pk": first.pk,
        "news_item.url": first.url,
        "day": app.clock.now().date().isoformat(),
        "queue": "retry",
    }


def _site(app: App) -> dict[str, str]:
    site = app.site
    site.categories.create(id="c1", title="News", slug="news", order=1)
    words: dict[str, Any] = {"category_id": "c1", "author_id": "e", "contents": "Words"}
    post, draft = site.posts.create(title="One", **words), site.drafts.create(title="Two", **words)
    inquiry = site.inquiries.receive(
        name="Hong", email="h@example.com", subject="Hello", message="Hi", address="10.0.0.1"
    )
    site.inquiries.reply(inquiry.id, "Soon.", by=caller("e"))
    return {
        "user_id": "a",
        "category_id": "c1",
        "post_id": post.id,
        "asked": post.id,
        "draft_id": draft.id,
        "banner_id": site.banners.create(title="New", img_uri="/x.svg", btn1_text="Go").id,
        "inquiry_id": inquiry.id,
        "mail_id": site.mails.waiting()[0].id,
        "token_id": site.tokens.create(user_id="a", role="viewer", note="reader").token.id,
        "slug": "news",
        "digest": "0" * 64,
    }


def _secrets(app: App) -> tuple[str, ...]:
    """The hashes of tokens, and the digests of codes that wait to be used."""
    codes = [app.site.tokens.sign_in_code(user) for user in ("a", "e", "v")]
    items = app.store.calls.driver.call("Scan", {"TableName": "FMWebAppTable"})["Items"]
    hashes = [item["secretHash"]["S"] for item in items if "secretHash" in item]
    keys = [item["PK"]["S"].removeprefix("SIGN_IN#") for item in items if is_code(item)]
    assert len(keys) == len(codes)
    assert hashes
    return (*codes, *hashes, *keys)


def is_code(item: dict[str, Any]) -> bool:
    """Whether an item is of a code to sign in with."""
    return bool(item["PK"]["S"].startswith("SIGN_IN#"))


def pk_of(item: dict[str, Any]) -> tuple[Any, ...]:
    """The key of an item of whichever table, as a file has it."""
    return tuple(item[name] for name in ("pk", "sk", "PK", "SK") if name in item)


def fill_relational(app: App) -> None:
    """Prices of two days, what the exchange answered, as it is kept, and an error."""
    counts = ("close", "change", "volume", "value", "market_cap", "shares")
    row: dict[str, Any] = {**dict.fromkeys(counts, 1_000), "market": "KOSPI", "provider": "krx"}
    row |= {"is_final": True, "is_halted": False, "updated_at": app.clock.now()}
    days = [date(2099, 12, 30), date(2099, 12, 31)]
    prices = [
        {**row, "date": days[number % 2], "ticker": f"{number:06}"} for number in range(PRICES)
    ]
    fetched: dict[str, Any] = {"date": days[0], "side": "prices", "fence": 1, "provider": "krx"}
    fetched |= {"fetched_at": app.clock.now(), "is_final": True, "rows": b"\x00" * 5_000}
    with app.database.begin() as connection:
        connection.execute(insert(STOCK_PRICES), prices)
        connection.execute(insert(MARKET_FETCHES).values(**fetched))
        connection.execute(
            insert(INDICATOR_LOG).values(
                date=days[1],
                indicator_date=days[1],
                error_message=messages.TURNED_OUT_CLOSED(day=days[1]),
            )
        )
