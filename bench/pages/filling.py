"""Many of each thing that the console lists, written straight into the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Table, insert

from gotgan.app import App
from gotgan.clock import utc_stamp
from gotgan.domains.market.keys import INDICATOR_LOG, STOCK_PRICES, STOCKS, TECHNICAL_INDICATORS
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.domains.shops.models import Change, Offer, ShopPage
from gotgan.domains.shops.registration import Registration, new_shop
from gotgan.domains.site.models import Banner, ContactInquiry, Draft, Mail, Post, Token, User
from gotgan.domains.videos.tables import ANALYSIS_JOBS, VIDEOS
from gotgan.sql.metadata import TICKS
from gotgan.store import Entity
from gotgan.store.schema import schema_of

__all__ = ["BUSY_SHOP", "fill"]

BUSY_SHOP: Final = "shop.example"
_CATEGORY: Final = "c001"
_OWNER: Final = "owner"
_BATCH: Final = 25
_AT_ONCE: Final = 5_000
_SHARES: Final = 2_760
"""How many the exchange has: no day can have prices or indicators of more."""


def fill(app: App, count: int) -> None:
    """Have so many of each kind: of today, but for what a day cannot have so many of."""
    app.prepare()
    app.site.users.owner()
    app.site.categories.create(id=_CATEGORY, title="News", slug="news")
    app.shops.add(BUSY_SHOP, country="DE")
    now = app.clock.now()
    today = now - datetime.combine(now.date(), time.min, UTC)
    for make in _ENTITIES:
        _put(app, (make(*each) for each in _moments(now, count, today)))
    for table, row, a_day in _ROWS:
        span = today if a_day is None else timedelta(days=count / a_day)
        _insert(app, table, (row(*each) for each in _moments(now, count, span)))
    for table, row in _TRADED:
        _insert(app, table, (row(*each) for each in _sessions(now, count)))
    _insert(app, INDICATOR_LOG, iter([_indicated(now)]))


def _moments(now: datetime, count: int, span: timedelta) -> Iterator[tuple[int, datetime]]:
    """Numbers, each with a moment of a span that ends now: the first is the latest."""
    each = span / (count + 1)
    return ((number, now - each * (number + 1)) for number in range(count))


def _sessions(now: datetime, count: int) -> Iterator[tuple[int, datetime]]:
    """Numbers of shares, day after day back from today: every day is full, but the earliest."""
    days_and_shares = (divmod(number, _SHARES) for number in range(count))
    return ((share, now - timedelta(days=days)) for days, share in days_and_shares)


def _put(app: App, items: Iterator[Entity]) -> None:
    while some := list(islice(items, _BATCH)):
        schema = schema_of(type(some[0]))
        wanted = [{"PutRequest": {"Item": schema.item(item)}} for item in some]
        app.store.calls.driver.call("BatchWriteItem", {"RequestItems": {schema.table.name: wanted}})


def _insert(app: App, table: Table, rows: Iterator[dict[str, Any]]) -> None:
    while some := list(islice(rows, _AT_ONCE)):
        with app.database.begin() as connection:
            connection.execute(insert(table), some)


def _id(number: int, moment: datetime) -> str:
    """An id that sorts by its time, as those of the site do."""
    return str(UUID(int=(utc_stamp(moment).epoch_ms << 80) | (7 << 76) | (2 << 62) | number))


def _pk(number: int) -> str:
    return f"id#{number:016x}"


def _url(number: int) -> str:
    return f"https://{BUSY_SHOP}/products/{number}"


# What is in DynamoDB


def _item(number: int, moment: datetime) -> Entity:
    url = f"https://finance.yahoo.com/news/a-story-of-the-day-{number:06}.html"
    return NewsItem(
        source="yf_latest",
        title=f"Story {number} of the day",
        url=url,
        tickers=("NVDA",),
        uploaded_at=moment,
    )


def _body(number: int, moment: datetime) -> Entity:
    return NewsBody(
        pk=_pk(number),
        url=f"https://finance.yahoo.com/news/{number}.html",
        state="DONE",
        outcome="dead",
        queue="dead",
        due_at=moment,
        changed_at=moment,
        reason="it answered 500",
    )


def _article(number: int, moment: datetime) -> dict[str, Any]:
    return {
        "id": _id(number, moment),
        "category_id": _CATEGORY,
        "author_id": _OWNER,
        "title": f"Article {number}",
        "contents": "곳간에 들어온 것은 하나도 잃어버리지 않는다. " * 4,
        "created_at": moment,
    }


def _post(number: int, moment: datetime) -> Entity:
    return Post(**_article(number, moment))


def _draft(number: int, moment: datetime) -> Entity:
    return Draft(**_article(number, moment))


def _banner(number: int, moment: datetime) -> Entity:
    return Banner(
        id=f"bn{number:06}", title="A banner", img_uri="/static/favicon.svg", created_at=moment
    )


def _inquiry(number: int, moment: datetime) -> Entity:
    return ContactInquiry(
        id=_id(number, moment),
        name="Visitor",
        email="visitor@example.com",
        subject=f"Question {number}",
        message="Do you deliver?",
        created_at=moment,
    )


def _mail(number: int, moment: datetime) -> Entity:
    return Mail(
        id=_id(number, moment),
        inquiry_id="i",
        purpose="notice",
        subject=f"Question {number}",
        body="Do you deliver?",
        status="sent",
        sent_at=moment,
        created_at=moment,
    )


def _user(number: int, moment: datetime) -> Entity:
    return User(id=f"u{number:06}", display_name="Somebody", role="viewer", created_at=moment)


def _token(number: int, moment: datetime) -> Entity:
    return Token(
        id=f"t{number:06}",
        user_id=_OWNER,
        user_since=moment,
        role="viewer",
        secret_hash=f"{number:064x}",
        created_at=moment,
    )


def _shop(number: int, _moment: datetime) -> Entity:
    return new_shop(Registration(f"shop-{number}.example", "DE"))


def _page(number: int, moment: datetime) -> Entity:
    return ShopPage(
        domain=BUSY_SHOP,
        url=_url(number),
        type="product",
        title=f"Product {number}",
        status="AVAILABLE",
        price=100 + number,
        currency="EUR",
        checked_at=moment,
    )


def _change(number: int, moment: datetime) -> Entity:
    before = Offer(status="AVAILABLE", price=number, currency="EUR")
    after = Offer(status="SOLD", price=number, currency="EUR")
    url = _url(number)
    return Change(domain=BUSY_SHOP, seen_at=moment, url=url, before=before, after=after)


_ENTITIES: Final[tuple[Callable[[int, datetime], Entity], ...]] = (
    _item,
    _body,
    _post,
    _draft,
    _banner,
    _inquiry,
    _mail,
    _user,
    _token,
    _shop,
    _page,
    _change,
)


# What is relational


def _video(number: int, moment: datetime) -> dict[str, Any]:
    return {"video_id": f"{number:011}", "touched_at": moment, "job_id": f"{number:032}"}


def _job(number: int, moment: datetime) -> dict[str, Any]:
    return {
        "job_id": f"{number:032}",
        "video_id": f"{number:011}",
        "status": "completed",
        "force_refresh": False,
        "cache_key": f"analysis:{number}:v1",
        "analyser": "builtin",
        "analysis_version": "v1",
        "due_at": moment,
        "created_at": moment,
        "updated_at": moment,
        "completed_at": moment,
    }


def _tick(_number: int, moment: datetime) -> dict[str, Any]:
    return {
        "job": "news.collect",
        "at": moment,
        "status": "done",
        "started_at": moment,
        "finished_at": moment,
    }


def _stock(number: int, moment: datetime) -> dict[str, Any]:
    day = moment.date()
    name = f"Share {number}"
    return {
        "ticker": f"{number:06}",
        "name": name,
        "market": "KOSPI",
        "first_seen": day,
        "last_seen": day,
    }


def _price(number: int, moment: datetime) -> dict[str, Any]:
    amounts = dict.fromkeys(("open", "high", "low", "close", "volume", "value"), 1000 + number)
    return {
        **amounts,
        "date": moment.date(),
        "ticker": f"{number:06}",
        "market": "KOSPI",
        "change": number % 100,
        "market_cap": 10**9,
        "shares": 10**6,
        "is_halted": False,
        "provider": "krx",
        "is_final": True,
        "updated_at": moment,
    }


def _indicator(number: int, moment: datetime) -> dict[str, Any]:
    return {"date": moment.date(), "ticker": f"{number:06}", "rsi_14": 10 + 19 * number / 100_000}


def _indicated(now: datetime) -> dict[str, Any]:
    return {"date": now.date(), "indicator_date": now.date(), "status": "success"}


_Row = Callable[[int, datetime], dict[str, Any]]
_ROWS: Final[tuple[tuple[Table, _Row, int | None], ...]] = (
    (VIDEOS, _video, 800),
    (ANALYSIS_JOBS, _job, 800),
    (TICKS, _tick, 3_500),
    (STOCKS, _stock, None),
)
"""With how many a day can have: YouTube's units are enough for 800 videos, and ticks of thirty days
are kept."""
_TRADED: Final[tuple[tuple[Table, _Row], ...]] = (
    (STOCK_PRICES, _price),
    (TECHNICAL_INDICATORS, _indicator),
)
"""What each share of the exchange has once a day: 100,000 are those of 37 days, and the last of
them is full. Their tickers are the first of those in ``stocks``."""
