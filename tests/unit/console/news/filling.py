"""Items, and bodies in each of their states."""

from __future__ import annotations

from gotgan.app import App
from gotgan.domains.news import claims
from gotgan.domains.news.models import NewsBody, NewsItem, NewsSource, Outcome, Story
from gotgan.errors import ServerTrouble

__all__ = ["TROUBLE", "YAHOO", "claimed", "dead", "done", "path_of", "source", "stored", "waiting"]

YAHOO = "https://finance.yahoo.com/news"
TROUBLE = ServerTrouble("finance.yahoo.com answered <503>; try again later", 503)


def stored(app: App, title: str, url: str = "", tickers: tuple[str, ...] = ()) -> NewsItem:
    """An item that is new at this moment; without an address it gets one of its title."""
    address = url or f"{YAHOO}/{title.lower().replace(' ', '-')}-003512345.html"
    [item] = app.news.upload([Story(title, address, tickers)]).new
    return item


def path_of(item: NewsItem) -> str:
    """Where the page of an item is."""
    return f"/news/item?pk={item.pk.replace('#', '%23')}"


def claimed(app: App, item: NewsItem) -> NewsBody:
    """A body that somebody works on."""
    claim = claims.claim_new(app.store, item)
    assert claim is not None
    return claim


def waiting(app: App, item: NewsItem) -> None:
    """Let an article fail once."""
    assert claims.fail(app.store, claimed(app, item), TROUBLE)


def dead(app: App, item: NewsItem) -> None:
    """Let an article fail for the last time."""
    last = app.store.update(claimed(app, item), attempts=claims.MAX_ATTEMPTS).item
    assert claims.fail(app.store, last, TROUBLE)


def done(app: App, item: NewsItem, outcome: Outcome = "ok", **found: object) -> None:
    """Be done with an article."""
    assert claims.finish(app.store, claimed(app, item), outcome, **found)


def source(app: App, name: str = "wire") -> NewsSource:
    """Another source, which was not polled yet."""
    now = app.clock.now()
    return app.store.put_new(
        NewsSource(
            name=name,
            url=f"https://{name}.example/feed.xml",
            format="rss",
            title="The <Wire>",
            every_minutes=30,
            added_at=now,
            due_at=now,
        )
    ).item
